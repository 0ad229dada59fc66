/**
 * The configuration as JSON Schema (draft 7), for editors: they complete keys, show what each means, and mark what is wrong
 * while it is typed. It is made of the same table as the reader; what only the reader knows (limits of times,
 * names of teams of other organisations, rules of git) it lets pass.
 */
import type { Settings } from './configuration.ts';
import { keys, keysOf } from './keys.ts';
import { applicationSetPattern } from './names.ts';
import { applicationSetsKey, applicationSetsMax } from './read.ts';
import type { Json, JsonSchema, Shape } from './shapes.ts';

/** Every valid file fits it. */
export function configurationSchema(): JsonSchema {
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Stepback',
    description: 'Configuration of Stepback: .github/stepback.yaml',
    type: ['object', 'null'],
    additionalProperties: false,
    properties: {
      ...sections('file'),
      [applicationSetsKey]: {
        description:
          'Settings of ApplicationSets by name, by namespace/name or by a pattern with "*", over those of the whole file.',
        type: ['object', 'null'],
        maxProperties: applicationSetsMax,
        propertyNames: { pattern: applicationSetPattern.pattern },
        additionalProperties: {
          type: ['object', 'null'],
          additionalProperties: false,
          properties: sections('applicationSet'),
        },
      },
    },
  };
}

/** A key as it is written in a file, for documents: its default and an example. */
export function writtenKey(name: keyof Settings): { fallback: Json; example: Json } {
  const { shape, fallback, example } = keys[name];
  const write = (shape as Shape<unknown>).write;
  return { fallback: write(fallback), example: write(example) };
}

/** What may be said of an ApplicationSet is described where it is said of all. */
function sections(setter: 'file' | 'applicationSet'): Record<string, JsonSchema> {
  const properties: Record<string, JsonSchema> = {};
  const below = new Map<string, Record<string, JsonSchema>>();
  for (const name of keysOf(setter)) {
    const [first = '', second] = keys[name].path.split('.');
    const schema = setter === 'file' ? schemaOf(name) : { $ref: referenceTo(first, second) };
    if (second === undefined) properties[first] = schema;
    else {
      const section = below.get(first) ?? {};
      section[second] = schema;
      below.set(first, section);
      properties[first] = { type: ['object', 'null'], additionalProperties: false, properties: section };
    }
  }
  return properties;
}

function referenceTo(first: string, second: string | undefined): string {
  return `#/properties/${first}${second === undefined ? '' : `/properties/${second}`}`;
}

function schemaOf(name: keyof Settings): JsonSchema {
  const { fallback, example } = writtenKey(name);
  return {
    description: keys[name].meaning,
    ...keys[name].shape.schema,
    default: fallback,
    examples: [example],
  };
}

/** The schema as text, the way the files of this project are formatted: short lists on one line. */
export function printSchema(): string {
  return `${printed(configurationSchema(), '', 0)}\n`;
}

const lineLengthMax = 110;

/** `column` is where the value begins. */
function printed(value: unknown, indent: string, column: number): string {
  const deeper = `${indent}  `;
  if (Array.isArray(value)) {
    const parts = value.map((item) => printed(item, deeper, deeper.length));
    const line = `[${parts.join(', ')}]`;
    if (!line.includes('\n') && column + line.length < lineLengthMax) return line;
    return `[\n${parts.map((part) => `${deeper}${part}`).join(',\n')}\n${indent}]`;
  }
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const parts = Object.entries(value).map(([key, item]) => {
    const name = `${deeper}${JSON.stringify(key)}: `;
    return `${name}${printed(item, deeper, name.length)}`;
  });
  return parts.length === 0 ? '{}' : `{\n${parts.join(',\n')}\n${indent}}`;
}
