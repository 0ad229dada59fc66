/**
 * What the history of an Application tells: when a content was deployed, as far as the ten entries reach. It knows
 * nothing about health.
 */
import { type ContentFacts, type Revisions, sameContent } from './content.ts';
import type { Application } from './objects.ts';

/**
 * When the content came that was deployed last, milliseconds since the epoch by the cluster's time; null when the last
 * entries hold another one. What ran before, and came back, counts from when it came back.
 */
export function deployedSince(
  application: Application,
  revisions: Revisions,
  facts: ContentFacts,
): number | null {
  const { history, sources } = application;
  const other = history.findLastIndex((entry) => !sameContent(sources, entry.revisions, revisions, facts));
  return history[other + 1]?.deployedAt ?? null;
}
