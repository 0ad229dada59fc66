/** The continue token of k8s.io/apiserver/pkg/storage/continue.go: the version of the first page and the key after the last one. */
import { badRequest } from './store-problem.ts';

/** `version` -1 goes on in the present, inconsistently. */
export function encodeContinue(version: number, start: string): string {
  const json = JSON.stringify({ v: 'meta.k8s.io/v1', rv: version, start });
  return Buffer.from(json).toString('base64url');
}

/** Throws a StoreProblem 400 for what is no token. */
export function decodeContinue(token: string): { version: number; start: string } {
  try {
    const { v, rv, start } = JSON.parse(Buffer.from(token, 'base64url').toString());
    if (v === 'meta.k8s.io/v1' && typeof rv === 'number' && typeof start === 'string')
      return { version: rv, start };
  } catch {
    // Falls through to the same refusal.
  }
  throw badRequest('continue key is not valid');
}
