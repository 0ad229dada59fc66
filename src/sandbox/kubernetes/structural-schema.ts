/**
 * What a real API server does with the structural schema of a custom resource: unknown fields are pruned, defaults filled in, and
 * what does not fit is refused. Without it a fake would keep fields that production throws away. Rules:
 * https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/ (CEL rules are not evaluated).
 */
import type { StoredObject } from './objects.ts';
import type { ResourceDefinition } from './resources.ts';
import { invalid } from './store-problem.ts';

interface Schema {
  type?: string;
  properties?: Record<string, Schema>;
  additionalProperties?: Schema | boolean;
  items?: Schema;
  required?: string[];
  enum?: unknown[];
  default?: unknown;
  nullable?: boolean;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  maxProperties?: number;
  'x-kubernetes-preserve-unknown-fields'?: boolean;
  'x-kubernetes-int-or-string'?: boolean;
}

interface Fault {
  field: string;
  message: string;
}

const ALWAYS_KNOWN = ['apiVersion', 'kind', 'metadata'];

/**
 * The object pruned and with defaults, as it would be stored. Throws a StoreProblem 422 that lists every fault.
 */
export function admitted(definition: ResourceDefinition, object: StoredObject): StoredObject {
  if (definition.schema === undefined) return object;
  const schema = definition.schema as Schema;
  const { apiVersion, kind, metadata } = object;
  const content = Object.fromEntries(
    Object.entries(object).filter(([field]) => !ALWAYS_KNOWN.includes(field)),
  );
  const faults: Fault[] = [];
  const properties = Object.fromEntries(
    Object.entries(schema.properties ?? {}).filter(([field]) => !ALWAYS_KNOWN.includes(field)),
  );
  const required = schema.required?.filter((field) => !ALWAYS_KNOWN.includes(field));
  const kept = shaped(content, { ...schema, properties, required }, '', faults);
  if (faults.length > 0) throw invalid(definition, metadata.name, faults);
  return { apiVersion, kind, metadata, ...(kept as object) };
}

function shaped(value: unknown, schema: Schema, field: string, faults: Fault[]): unknown {
  if (value === null && schema.nullable) return value;
  const wrongType = typeFault(value, schema);
  if (wrongType !== undefined) {
    faults.push({ field, message: wrongType });
    return value;
  }
  faults.push(...limitFaults(value, schema).map((message) => ({ field, message })));
  if (Array.isArray(value)) {
    const { items } = schema;
    return items === undefined
      ? value
      : value.map((item, index) => shaped(item, items, `${field}[${index}]`, faults));
  }
  if (typeof value === 'object' && value !== null) {
    return shapedObject(value as Record<string, unknown>, schema, field, faults);
  }
  return value;
}

function shapedObject(
  value: Record<string, unknown>,
  schema: Schema,
  field: string,
  faults: Fault[],
): unknown {
  const { properties = {}, additionalProperties } = schema;
  const at = (key: string) => (field === '' ? key : `${field}.${key}`);
  const result: Record<string, unknown> = {};
  for (const [key, inner] of Object.entries(value)) {
    const known = Object.hasOwn(properties, key) ? properties[key] : undefined;
    // A null where none is allowed and a default stands is taken for absent.
    if (known?.default !== undefined && inner === null && !known.nullable) continue;
    if (known !== undefined) result[key] = shaped(inner, known, at(key), faults);
    else if (typeof additionalProperties === 'object')
      result[key] = shaped(inner, additionalProperties, at(key), faults);
    else if (additionalProperties === true || schema['x-kubernetes-preserve-unknown-fields'])
      result[key] = inner;
  }
  for (const [key, known] of Object.entries(properties)) {
    if (result[key] === undefined && known.default !== undefined)
      result[key] = structuredClone(known.default);
  }
  for (const key of schema.required ?? []) {
    if (result[key] === undefined) faults.push({ field: at(key), message: 'Required value' });
  }
  return result;
}

function typeFault(value: unknown, schema: Schema): string | undefined {
  const actual = typeOf(value);
  const shown = JSON.stringify(actual);
  if (schema['x-kubernetes-int-or-string']) {
    const fits = actual === 'string' || actual === 'integer';
    return fits ? undefined : `Invalid value: ${shown}: must be of type integer or string`;
  }
  if (schema.type === undefined) return undefined;
  if (schema.type === actual || (schema.type === 'number' && actual === 'integer')) return undefined;
  return `Invalid value: ${shown}: ${schema.type} is required, got ${actual}`;
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return Number.isInteger(value) ? 'integer' : typeof value;
}

function limitFaults(value: unknown, schema: Schema): string[] {
  const faults: string[] = [];
  const invalidValue = (why: string) => faults.push(`Invalid value: ${JSON.stringify(value)}: ${why}`);
  if (schema.enum !== undefined && !schema.enum.includes(value)) {
    const supported = schema.enum.map((one) => JSON.stringify(one)).join(', ');
    faults.push(`Unsupported value: ${JSON.stringify(value)}: supported values: ${supported}`);
  }
  if (typeof value === 'string') {
    if (schema.pattern !== undefined && !new RegExp(schema.pattern, 'u').test(value))
      invalidValue(`should match '${schema.pattern}'`);
    if (value.length > (schema.maxLength ?? Infinity))
      faults.push(`Too long: may not be more than ${schema.maxLength} bytes`);
    if (value.length < (schema.minLength ?? 0))
      invalidValue(`should be at least ${schema.minLength} chars long`);
  }
  if (typeof value === 'number') {
    if (value < (schema.minimum ?? -Infinity))
      invalidValue(`should be greater than or equal to ${schema.minimum}`);
    if (value > (schema.maximum ?? Infinity))
      invalidValue(`should be less than or equal to ${schema.maximum}`);
  }
  if (Array.isArray(value)) {
    if (value.length > (schema.maxItems ?? Infinity))
      faults.push(`Too many: ${value.length}: must have at most ${schema.maxItems} items`);
    if (value.length < (schema.minItems ?? 0))
      faults.push(`Invalid value: ${value.length}: should have at least ${schema.minItems} items`);
  }
  const size = typeof value === 'object' && value !== null ? Object.keys(value).length : 0;
  if (!Array.isArray(value) && size > (schema.maxProperties ?? Infinity)) {
    faults.push(`Too many: ${size}: must have at most ${schema.maxProperties} items`);
  }
  return faults;
}
