/**
 * What a check run is called and what it is about. The name is what people see and require; the id stands in the run's
 * `external_id`, comes back with every press of a button, and tells which Argo CD and which ApplicationSet it means.
 * Printer and parser stand together so that they cannot drift apart.
 */
import type { ObjectKey } from './objects.ts';

export type CheckKind = 'application-set' | 'summary' | 'blast-radius' | 'configuration';

export interface CheckId {
  kind: CheckKind;
  /** The name of the Argo CD. */
  instance: string;
  /** `namespace/name`; null for what is about no single ApplicationSet. */
  applicationSet: ObjectKey | null;
}

const kinds: readonly CheckKind[] = ['application-set', 'summary', 'blast-radius', 'configuration'];

/** An Argo CD that nobody named is not named in a check run either. */
const defaultInstance = 'argocd';

/** One line without spaces inside of its parts, such as `stepback:v1 application-set argocd argocd/payments`. */
export function printCheckId({ kind, instance, applicationSet }: CheckId): string {
  const parts = [kind, instance, ...(applicationSet === null ? [] : [applicationSet])];
  return ['stepback:v1', ...parts.map(encoded)].join(' ');
}

/** The id, or null when the text is not one. Never throws. */
export function parseCheckId(text: string): CheckId | null {
  const [version, ...parts] = text.split(' ');
  if (version !== 'stepback:v1' || parts.length < 2 || parts.length > 3) return null;
  try {
    const [kind, instance, applicationSet] = parts.map((part) => decodeURIComponent(part));
    const known = kinds.find((one) => one === kind);
    if (known === undefined || instance === undefined) return null;
    return { kind: known, instance, applicationSet: applicationSet ?? null };
  } catch {
    return null;
  }
}

/**
 * `stepback / argocd/payments`; of an Argo CD with a name of its own `stepback / east: argocd/payments`, because
 * `namespace/name` alone is not unique over several.
 */
export function checkName(instance: string, what: string): string {
  return instance === defaultInstance ? `stepback / ${what}` : `stepback / ${instance}: ${what}`;
}

function encoded(part: string): string {
  return encodeURIComponent(part.toWellFormed()).replaceAll('%2F', '/');
}
