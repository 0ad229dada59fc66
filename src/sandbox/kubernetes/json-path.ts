/**
 * The JSONPath that printer columns use: fields, quoted fields, indexes, `[*]` and the filter
 * `[?(@.type=="Ready")]`, as in k8s.io/client-go/util/jsonpath. Missing fields give no result.
 */

type Step = (value: unknown) => unknown[];

const STEPS: readonly [RegExp, (found: RegExpExecArray) => Step][] = [
  [/^\[\?\(@\.([\w.-]+)\s*==\s*["']([^"']*)["']\)\]/, (found) => filtered(found[1]!, found[2]!)],
  [/^\[\*\]/, () => (value) => (Array.isArray(value) ? value : [])],
  [
    /^\[(-?\d+)\]/,
    (found) => (value) => given(Array.isArray(value) ? value.at(Number(found[1])) : undefined),
  ],
  [/^\[["']([^"']+)["']\]/, (found) => (value) => given(fieldOf(value, found[1]!))],
  [/^\.?((?:[^.[\]\\]|\\.)+)/, (found) => (value) => given(fieldOf(value, found[1]!.replaceAll('\\', '')))],
];

/** The first value at a path, or undefined. Throws an Error when the path is not one of the forms above. */
export function valueAtPath(object: unknown, path: string): unknown {
  let values: unknown[] = [object];
  let rest = path.replace(/^\$/, '');
  while (rest !== '') {
    const step = nextStep(rest);
    values = values.flatMap(step.apply);
    rest = rest.slice(step.length);
  }
  return values[0];
}

function nextStep(rest: string): { apply: Step; length: number } {
  for (const [pattern, make] of STEPS) {
    const found = pattern.exec(rest);
    if (found) return { apply: make(found), length: found[0].length };
  }
  throw new Error(`The JSONPath ends in ${rest}, which the small API server does not understand.`);
}

function filtered(field: string, wanted: string): Step {
  const matches = (item: unknown) =>
    field.split('.').reduce<unknown>((value, key) => fieldOf(value, key), item) === wanted;
  return (value) => (Array.isArray(value) ? value.filter(matches) : []);
}

function fieldOf(value: unknown, key: string): unknown {
  const isObject = typeof value === 'object' && value !== null && Object.hasOwn(value, key);
  return isObject ? (value as Record<string, unknown>)[key] : undefined;
}

function given(value: unknown): unknown[] {
  return value === undefined ? [] : [value];
}
