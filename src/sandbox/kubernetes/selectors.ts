/**
 * Label and field selectors of list, watch and deletecollection, in the grammar of
 * https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/#api. What is not asked for matches.
 */
import type { StoredObject } from './objects.ts';
import { badRequest } from './store-problem.ts';

export type Matcher = (object: StoredObject) => boolean;

type LabelTest = (labels: Record<string, string>) => boolean;

const IN = /^(\S+)\s+(in|notin)\s*\(([^)]*)\)$/;
const COMPARED = /^([^\s!=<>()]+)\s*(==|!=|=|<|>)\s*([^\s!=<>()]*)$/;
const EXISTS = /^(!?)\s*([^\s!=<>()]+)$/;

/** A test for both selectors as they stand in the query. Throws a StoreProblem 400 when they cannot be read. */
export function matcherOf(labelSelector: string | null, fieldSelector: string | null): Matcher {
  const labelTests = split(labelSelector ?? '').map(labelTest);
  const fieldTests = split(fieldSelector ?? '').map(fieldTest);
  return (object) =>
    labelTests.every((test) => test(object.metadata.labels ?? {})) &&
    fieldTests.every((test) => test(object));
}

/** Splits at commas that are not inside parentheses. */
function split(selector: string): string[] {
  return selector
    .split(/,(?![^(]*\))/)
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

function labelTest(requirement: string): LabelTest {
  const among = IN.exec(requirement);
  if (among) {
    const key = among[1]!;
    const values = among[3]!.split(',').map((value) => value.trim());
    const wanted = among[2] === 'in';
    return (labels) => (Object.hasOwn(labels, key) ? values.includes(labels[key]!) === wanted : !wanted);
  }
  const compared = COMPARED.exec(requirement);
  if (compared) return comparison(compared[1]!, compared[2]!, compared[3]!);
  const exists = EXISTS.exec(requirement);
  if (exists) return (labels) => Object.hasOwn(labels, exists[2]!) === (exists[1] === '');
  throw badRequest(`unable to parse requirement: found '${requirement}', expected: ',' or 'end of string'`);
}

function comparison(key: string, operator: string, value: string): LabelTest {
  switch (operator) {
    case '!=':
      return (labels) => labels[key] !== value;
    case '<':
      return (labels) => Object.hasOwn(labels, key) && Number(labels[key]) < Number(value);
    case '>':
      return (labels) => Object.hasOwn(labels, key) && Number(labels[key]) > Number(value);
    default:
      return (labels) => labels[key] === value;
  }
}

/** Fields one can select by: those of every object, and those of Pods, Secrets and Events that people use. */
const FIELDS = new Set([
  'metadata.name',
  'metadata.namespace',
  'status.phase',
  'spec.nodeName',
  'type',
  'reason',
  'involvedObject.name',
  'involvedObject.namespace',
  'involvedObject.kind',
  'involvedObject.uid',
]);
const FIELDS_OF_CUSTOM_RESOURCES = new Set(['metadata.name', 'metadata.namespace']);

function fieldTest(requirement: string): Matcher {
  const compared = COMPARED.exec(requirement);
  if (!compared) throw badRequest(`invalid field selector: ${requirement}`);
  const [, field, operator, value] = compared;
  if (!FIELDS.has(field!)) throw badRequest(`field label not supported: ${field}`);
  return (object) => ((valueAt(object, field!) ?? '') === value) === (operator !== '!=');
}

/** Throws a StoreProblem 400 when a custom resource is asked by a field other than its name or namespace. */
export function assertSelectable(isCustom: boolean, fieldSelector: string | null): void {
  if (!isCustom) return;
  for (const requirement of split(fieldSelector ?? '')) {
    const field = requirement.split(/[=!]/)[0]!;
    if (!FIELDS_OF_CUSTOM_RESOURCES.has(field)) throw badRequest(`field label not supported: ${field}`);
  }
}

function valueAt(object: StoredObject, field: string): unknown {
  let value: unknown = object;
  for (const step of field.split('.')) value = (value as Record<string, unknown> | undefined)?.[step];
  return value;
}
