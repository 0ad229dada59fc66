/**
 * How an incident, and the branch of its revert, are called. Deterministic, so that two replicas, or a repeated try, mean
 * the same one: the branch is the claim.
 */
import type { Culprit } from './culprit.ts';
import { digestOf } from './digest.ts';
import { fillTemplate } from './template.ts';

/** The oldest suspect names it; the instance does too, because `namespace/name` alone is not unique over several Argo CDs. */
export function incidentName(instance: string, culprit: Culprit & { kind: 'suspects' }): string {
  return incidentNamed(instance, culprit.suspects.at(-1)?.sha ?? '');
}

/** The same, of the oldest suspect. */
export function incidentNamed(instance: string, oldestSuspect: string): string {
  return `${safe(instance)}-${oldestSuspect.slice(0, 12)}`;
}

/** Branches of ours begin so where nobody has configured another name. */
export const revertBranchPrefix = 'stepback/';

export const defaultBranchTemplate = `${revertBranchPrefix}{instance}/revert-{commit}`;

/** The claim of a revert: the same for the same change of the same Argo CD, whoever computes it, as long as the template is. */
export function revertBranchName(
  instance: string,
  oldestSuspect: string,
  template = defaultBranchTemplate,
): string {
  return fillTemplate(template, { instance: safe(instance), commit: oldestSuspect.slice(0, 12) });
}

const nameMax = 40;

/**
 * Letters, digits and dashes, as names of branches and of objects allow. Names of contexts are long and differ at their ends:
 * one that is cut keeps a digest of the whole, else two Argo CDs would claim one branch.
 */
function safe(name: string): string {
  const words = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  if (words.length <= nameMax) return words || 'argocd';
  const digest = digestOf(name).slice(-8);
  return `${words.slice(0, nameMax - digest.length - 1).replace(/-+$/, '')}-${digest}`;
}

/** Of an order to put paths back to this commit: it is not the incident that some change made, and its branch is another. */
export function restoreNames(instance: string, lastGood: string): { id: string; branch: string } {
  const name = `restore-${lastGood.slice(0, 12)}`;
  return { id: `${safe(instance)}-${name}`, branch: `${revertBranchPrefix}${safe(instance)}/${name}` };
}
