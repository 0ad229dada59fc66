/**
 * Holds a request against GitHub's own OpenAPI description: the operation exists, its path and query parameters are
 * declared and of their types, its body has no unknown field and fits. One description serves all tests of a file.
 */
import { createRequire } from 'node:module';
import { Ajv, type ValidateFunction } from 'ajv';

type Json = Record<string, unknown>;

export interface SentRequest {
  method: string;
  /** From the root of the API, with its query. */
  path: string;
  body: unknown;
}

export interface Operation {
  /** `GET /repos/{owner}/{repo}/commits/{ref}` */
  route: string;
  /** The example that GitHub gives of a good answer. */
  example: unknown;
}

interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  schema: Json;
}

const require = createRequire(import.meta.url);
const description = require('@octokit/openapi/generated/api.github.com.json') as {
  paths: Record<string, Json>;
  components: { examples: Record<string, { value: unknown }> } & Json;
};

const ajv = new Ajv({ strict: false, validateFormats: false, coerceTypes: false });

const routes = Object.keys(description.paths)
  .map((template) => ({ template, segments: template.split('/').slice(1) }))
  // A written segment is meant before a parameter: `/pulls/comments` before `/pulls/{pull_number}`.
  .sort((a, b) => parametersIn(a.segments) - parametersIn(b.segments));

/** The operation a request means. Throws an Error that names the fault when GitHub does not describe the request. */
export function checkAgainstOpenApi(request: SentRequest): Operation {
  const url = new URL(request.path, 'https://api.github.com');
  const segments = url.pathname.split('/').slice(1);
  const found = routes.find(
    (route) =>
      route.segments.length === segments.length &&
      route.segments.every((part, index) => part.startsWith('{') || part === segments[index]) &&
      description.paths[route.template]?.[request.method.toLowerCase()] !== undefined,
  );
  if (found === undefined) throw new Error(`GitHub has no ${request.method} ${url.pathname}`);
  const route = `${request.method} ${found.template}`;
  const operation = description.paths[found.template]?.[request.method.toLowerCase()] as Json;
  const parameters = ((operation.parameters ?? []) as Json[]).map(
    (item) => resolved(item) as unknown as Parameter,
  );
  found.segments.forEach((part, index) => {
    if (part.startsWith('{'))
      checkParameter(route, parameters, 'path', part.slice(1, -1), segments[index] ?? '');
  });
  for (const [name, value] of url.searchParams) checkParameter(route, parameters, 'query', name, value);
  checkBody(route, operation, request.body);
  return { route, example: exampleOf(operation) };
}

function checkParameter(
  route: string,
  parameters: Parameter[],
  place: string,
  name: string,
  text: string,
): void {
  const parameter = parameters.find((candidate) => candidate.in === place && candidate.name === name);
  if (parameter === undefined) throw new Error(`${route} has no ${place} parameter ${name}`);
  const decoded = decodeURIComponent(text);
  const type = (resolved(parameter.schema) as Json).type;
  const value = type === 'integer' || type === 'number' ? Number(decoded) : decoded;
  fits(`${route} ${place} ${name}`, parameter.schema, value);
}

function checkBody(route: string, operation: Json, body: unknown): void {
  const described = operation.requestBody as
    | { required?: boolean; content: Record<string, Json> }
    | undefined;
  if (body === undefined) {
    if (described?.required === true) throw new Error(`${route} must have a body`);
    return;
  }
  const schema = described?.content['application/json']?.schema as Json | undefined;
  if (schema === undefined) throw new Error(`${route} takes no body`);
  fits(`${route} body`, schema, body);
  checkFields(`${route} body`, schema, body);
}

/** JSON schema lets unknown fields pass; a misspelt one would do nothing at GitHub. */
function checkFields(where: string, schema: Json, value: unknown): void {
  const plain = resolved(schema) as Json;
  if (Array.isArray(value)) {
    for (const item of value) checkFields(`${where}[]`, plain.items as Json, item);
    return;
  }
  const properties = plain.properties as Record<string, Json> | undefined;
  if (typeof value !== 'object' || value === null || properties === undefined) return;
  for (const [name, inner] of Object.entries(value)) {
    const property = properties[name];
    if (property === undefined) throw new Error(`${where} has no field ${name}`);
    checkFields(`${where}.${name}`, property, inner);
  }
}

const compiled = new Map<Json, ValidateFunction>();

function fits(where: string, schema: Json, value: unknown): void {
  let validate = compiled.get(schema);
  if (validate === undefined) {
    validate = ajv.compile(whole(schema) as Json);
    compiled.set(schema, validate);
  }
  if (!validate(value)) throw new Error(`${where}: ${ajv.errorsText(validate.errors)}`);
}

/** The schema with what it refers to put in its place: teaching ajv the whole description takes a second. */
function whole(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(whole);
  if (typeof schema !== 'object' || schema === null) return schema;
  const plain = resolved(schema as Json) as Json;
  const copy: Json = Object.fromEntries(Object.entries(plain).map(([name, inner]) => [name, whole(inner)]));
  // ajv knows this word only beside a type; GitHub writes it beside a choice of types as well.
  if (copy.nullable !== true || copy.type !== undefined) return copy;
  const { nullable: _, ...choice } = copy;
  return { anyOf: [choice, { type: 'null' }] };
}

function resolved(item: Json): unknown {
  const reference = item.$ref;
  if (typeof reference !== 'string') return item;
  return reference
    .slice(2)
    .split('/')
    .reduce<unknown>((place, name) => (place as Json)[name], description);
}

function exampleOf(operation: Json): unknown {
  const responses = operation.responses as Record<string, Json>;
  const good = resolved(responses['200'] ?? responses['201'] ?? {}) as Json;
  const json = (good.content as Record<string, Json> | undefined)?.['application/json'];
  const first = Object.values((json?.examples ?? {}) as Record<string, Json>)[0];
  return first === undefined ? undefined : (resolved(first) as Json).value;
}

function parametersIn(segments: readonly string[]): number {
  return segments.filter((part) => part.startsWith('{')).length;
}
