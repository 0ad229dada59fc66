/**
 * GitHub's own description of its REST API and webhooks (`@octokit/openapi`), as a judge over what the small GitHub
 * says. Only the schemas that are needed are compiled; keywords that JSON Schema does not know are passed over.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Ajv, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';

type Json = Record<string, unknown>;
type Document = {
  paths: Record<string, Record<string, { responses: Record<string, Json> }>>;
  'x-webhooks': Record<
    string,
    { post: { requestBody: { content: { 'application/json': { schema: Json } } } } }
  >;
  components: { schemas: Record<string, Json>; responses: Record<string, Json> };
};

const file = createRequire(import.meta.url).resolve('@octokit/openapi/generated/api.github.com.json');
const description = JSON.parse(readFileSync(file, 'utf8')) as Document;

const ajv = new Ajv({ strict: false, logger: false, inlineRefs: false, code: { optimize: false } });
addFormats.default(ajv);
// The address of a bot, `1+stepback[bot]@users.noreply.github.com`, is none by the book.
ajv.addFormat('email', true);
const added = new Set<string>();
const compiled = new Map<string, ValidateFunction>();

const templates = Object.keys(description.paths)
  .sort((a, b) => fixedParts(b) - fixedParts(a))
  .map((template) => {
    const many = /\{(path|ref|branch|basehead)\}/g;
    const source = template.replace(many, '(?:.+)').replace(/\{\w+\}/g, '[^/]+');
    return { template, pattern: new RegExp(`^${source}$`) };
  });

/** The template of GitHub's description that a path fits and that has the method, or undefined. */
function templateOf(method: string, path: string): string | undefined {
  return templates.find(
    ({ template, pattern }) =>
      pattern.test(path) && description.paths[template]?.[method.toLowerCase()] !== undefined,
  )?.template;
}

/** What is wrong with an answer by GitHub's description: null when nothing is. */
export function faultOfAnswer(method: string, path: string, status: number, body: unknown): string | null {
  const template = templateOf(method, path.replace(/\/contents$/, '/contents/x'));
  if (template === undefined) return `${method} ${path} is not in GitHub's description`;
  const responses = description.paths[template]?.[method.toLowerCase()]?.responses ?? {};
  const response = responses[String(status)];
  // GitHub's description leaves out many of the refusals that every route can answer.
  const otherwise = status >= 400 ? { $ref: '#/components/schemas/basic-error' } : undefined;
  if (response === undefined && otherwise === undefined)
    return `${status} is not described for ${method} ${template}`;
  const schema = (response === undefined ? undefined : schemaOf(response)) ?? otherwise;
  if (schema === undefined)
    return body === undefined || body === '' ? null : `${status} has a body nobody described`;
  return check(`${method} ${template} ${status}`, schema, body);
}

/** What is wrong with a webhook's payload by GitHub's description: null when nothing is. */
export function faultOfWebhook(event: string, payload: { action?: string }): string | null {
  const name = [event, payload.action]
    .filter((part) => part !== undefined)
    .join('-')
    .replaceAll('_', '-');
  const schema = description['x-webhooks'][name]?.post.requestBody.content['application/json'].schema;
  return schema === undefined ? `${name} is not a webhook` : check(name, schema, payload);
}

function schemaOf(response: Json): Json | undefined {
  const reference = response.$ref as string | undefined;
  const resolved = reference === undefined ? response : description.components.responses[nameOf(reference)];
  const content = resolved?.content as Record<string, { schema?: Json }> | undefined;
  return content?.['application/json']?.schema;
}

function check(key: string, schema: Json, value: unknown): string | null {
  const validate = compiled.get(key) ?? ajv.compile(translate(schema) as Json);
  compiled.set(key, validate);
  if (validate(value)) return null;
  const [error] = validate.errors ?? [];
  return `${error?.instancePath} ${error?.message} ${JSON.stringify(error?.params)}`;
}

/** OpenAPI 3.0 to JSON Schema: `nullable`, and references, which are added as they are met. */
function translate(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(translate);
  if (typeof schema !== 'object' || schema === null) return schema;
  const { nullable, discriminator: _, example: _e, examples: _es, ...rest } = schema as Json;
  if (typeof rest.$ref === 'string') {
    const name = nameOf(rest.$ref);
    if (!added.has(name)) {
      added.add(name);
      ajv.addSchema({
        ...(translate(description.components.schemas[name]) as Json),
        $id: `https://github.test/${name}`,
      });
    }
    return { $ref: `https://github.test/${name}` };
  }
  const translated = Object.fromEntries(
    Object.entries(rest).map(([key, value]) => [
      key,
      key === 'enum' || key === 'required' ? value : translate(value),
    ]),
  );
  if (isUserOrEnterprise(rest.allOf)) {
    // The list of installations says "both a user and an enterprise" where all its neighbours say "either".
    return { anyOf: [{ type: 'null' }, ...(translated.allOf as Json[])] };
  }
  return nullable === true ? { anyOf: [{ type: 'null' }, translated] } : translated;
}

function isUserOrEnterprise(all: unknown): boolean {
  const titles = Array.isArray(all) ? (all as Json[]).map(({ title }) => title) : [];
  return titles.join() === 'Simple User,Enterprise';
}

function nameOf(reference: string): string {
  return reference.split('/').at(-1) as string;
}

function fixedParts(template: string): number {
  return template.split('/').filter((part) => part !== '' && !part.startsWith('{')).length;
}
