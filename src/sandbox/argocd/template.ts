/**
 * The two template languages of an ApplicationSet, as far as templates in the sandbox use them: fasttemplate
 * (`{{metadata.labels.env}}`) whole, and of Go templates fields, `index` and a few functions in a pipe. The source is
 * `Render.Replace` in https://github.com/argoproj/argo-cd/blob/v3.5.1/applicationset/utils/utils.go.
 */

export type Parameters = Record<string, unknown>;

/** Every string in the value, keys too, with its templates filled in. Throws an Error that says what cannot be read. */
export function rendered<T>(value: T, parameters: Parameters, isGoTemplate: boolean, isStrict = false): T {
  const fill = (text: string) =>
    isGoTemplate ? goTemplate(text, parameters, isStrict) : fastTemplate(text, parameters);
  const walk = (part: unknown): unknown => {
    if (typeof part === 'string') return fill(part);
    if (Array.isArray(part)) return part.map(walk);
    if (typeof part !== 'object' || part === null) return part;
    return Object.fromEntries(Object.entries(part).map(([key, inner]) => [fill(key), walk(inner)]));
  };
  return walk(value) as T;
}

/** A parameter that is not there leaves its template standing, so a label can become `{{metadata.labels.env}}`. */
function fastTemplate(text: string, parameters: Parameters): string {
  return text.replace(/\{\{(.*?)\}\}/g, (whole, tag: string) => {
    const value = parameters[tag.trim()];
    return value === undefined ? whole : String(value);
  });
}

function goTemplate(text: string, parameters: Parameters, isStrict: boolean): string {
  return text.replace(/\{\{-?(.*?)-?\}\}/g, (_, expression: string) => {
    const [first = '', ...functions] = expression.split('|').map((part) => part.trim());
    let value = operand(first, parameters, isStrict);
    for (const call of functions) value = applied(call, value);
    return value === undefined ? '<no value>' : String(value);
  });
}

/** `.a.b` or `index .a.b "key"`. A missing field has no value, a missing key of `index` is empty, as in Go. */
function operand(expression: string, parameters: Parameters, isStrict: boolean): unknown {
  const index = /^index\s+(\.[\w.]*)((?:\s+"[^"]*")+)$/.exec(expression);
  if (index !== null) {
    const keys = [...(index[2] ?? '').matchAll(/"([^"]*)"/g)].map((match) => match[1] ?? '');
    return field(field(parameters, pathOf(index[1] ?? '')), keys) ?? '';
  }
  if (/^"[^"]*"$/.test(expression)) return expression.slice(1, -1);
  if (!/^\.[\w.]*$/.test(expression)) {
    throw new Error(`template: :1: the sandbox cannot read "${expression}" in a Go template`);
  }
  const value = field(parameters, pathOf(expression));
  if (value === undefined && isStrict) {
    const key = pathOf(expression).at(-1);
    throw new Error(
      `failed to execute go template {{${expression}}}: template: :1: map has no entry for key "${key}"`,
    );
  }
  return value;
}

function pathOf(expression: string): string[] {
  return expression.split('.').filter((part) => part !== '');
}

function field(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (inner, key) => (typeof inner === 'object' && inner !== null ? (inner as Parameters)[key] : undefined),
    value,
  );
}

function applied(call: string, value: unknown): unknown {
  const [name = '', argument = ''] = call.split(/\s+(.*)/s);
  const text = value === undefined ? '' : String(value);
  switch (name) {
    case 'default':
      return text === '' ? argument.replace(/^"|"$/g, '') : value;
    case 'lower':
      return text.toLowerCase();
    case 'upper':
      return text.toUpperCase();
    case 'quote':
      return JSON.stringify(text);
    case 'normalize':
      return normalized(text);
    default:
      throw new Error(`template: :1: function "${name}" not defined`);
  }
}

/** A name as a Kubernetes object can have it (`SanitizeName`): `nameNormalized` of the cluster generator. */
export function normalized(name: string): string {
  const allowed = name.toLowerCase().replace(/[^-a-z0-9.]/g, '-');
  return allowed.slice(0, 253).replace(/^[-.]+|[-.]+$/g, '');
}
