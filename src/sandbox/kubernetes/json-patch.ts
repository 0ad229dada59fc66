/** JSON patch, RFC 6902, as far as it is used on Kubernetes objects. */
import { isDeepStrictEqual } from 'node:util';
import { StoreProblem } from './store-problem.ts';

interface Operation {
  op: string;
  path: string;
  from?: string;
  value?: unknown;
}

type Container = Record<string, unknown> | unknown[];

/** A copy of the target with all operations applied. Throws a StoreProblem 422 when one of them cannot be. */
export function jsonPatch(target: unknown, operations: unknown): unknown {
  if (!Array.isArray(operations)) throw refused('a JSON patch is an array of operations');
  const document = { root: structuredClone(target) };
  for (const operation of operations as Operation[]) apply(document, operation);
  return document.root;
}

function apply(document: { root: unknown }, operation: Operation): void {
  const { op, path, value } = operation;
  if (op === 'test') {
    if (!isDeepStrictEqual(read(document, path), value)) throw refused(`testing path ${path} value failed`);
    return;
  }
  if (op === 'remove' || op === 'replace') take(document, path);
  if (op !== 'remove') add(document, path, newValue(document, operation));
}

function newValue(document: { root: unknown }, { op, from, value }: Operation): unknown {
  switch (op) {
    case 'add':
    case 'replace':
      return structuredClone(value);
    case 'move':
      return take(document, from ?? '');
    case 'copy':
      return structuredClone(read(document, from ?? ''));
    default:
      throw refused(`unknown operation ${op}`);
  }
}

/** The container that holds the last step of a pointer, and that step. */
function locate(document: { root: unknown }, pointer: string): { container: Container; key: string } {
  const steps = ['root', ...pointer.split('/').slice(1)].map((step) =>
    step.replaceAll('~1', '/').replaceAll('~0', '~'),
  );
  const key = steps.pop()!;
  let container: unknown = document;
  for (const step of steps) container = (container as Record<string, unknown> | undefined)?.[step];
  if (typeof container !== 'object' || container === null) throw refused(`missing path ${pointer}`);
  return { container: container as Container, key };
}

function read(document: { root: unknown }, pointer: string): unknown {
  const { container, key } = locate(document, pointer);
  return (container as Record<string, unknown>)[key];
}

function add(document: { root: unknown }, pointer: string, value: unknown): void {
  const { container, key } = locate(document, pointer);
  if (!Array.isArray(container)) container[key] = value;
  else if (key === '-') container.push(value);
  else container.splice(Number(key), 0, value);
}

function take(document: { root: unknown }, pointer: string): unknown {
  const { container, key } = locate(document, pointer);
  if (!Object.hasOwn(container, key))
    throw refused(`Unable to remove nonexistent key: ${key}: missing value`);
  if (Array.isArray(container)) return container.splice(Number(key), 1)[0];
  const value = container[key];
  delete container[key];
  return value;
}

function refused(why: string): StoreProblem {
  return new StoreProblem(
    422,
    'Invalid',
    `the server rejected our request due to an error in our request: ${why}`,
  );
}
