/**
 * Applications that got a commit ahead of their turn. Applications notice a push one by one, and the one that
 * notices first finds every earlier stage still Healthy on the old commit: Argo CD may sync it at once, prod
 * before dev. Seen in the recordings happy, late-degradation and prod-gets-it-first.
 */
import { type ContentFacts, sameContent } from './content.ts';
import type { ContentRecord } from './memory.ts';
import type { Stage, StageApplication } from './rollout.ts';

/**
 * Applications of a later step in which what they run was applied before all Applications of the earlier
 * steps had been Healthy on it. A revert brings back what all were Healthy on before, and is never out of order.
 */
export function outOfOrder(
  stages: readonly Stage[],
  facts: ContentFacts,
  now: number,
): readonly StageApplication[] {
  const early: StageApplication[] = [];
  const before: StageApplication[] = [];
  for (const stage of stages) {
    early.push(...stage.applications.filter((one) => isEarly(one, before, facts, now)));
    before.push(...stage.applications);
  }
  return early;
}

/** Events of two objects come over two watches: what they show within so short a time has no order. */
const watchSkewMs = 100;

function isEarly(
  one: StageApplication,
  before: readonly StageApplication[],
  facts: ContentFacts,
  now: number,
): boolean {
  const revisions = one.runs;
  const own = revisions === null ? null : recordFor(one, revisions, facts);
  // History tells neither when something was Healthy nor in which order others were: no word about that.
  if (revisions === null || own === null || own.isFromHistory || one.memory.contents.length < 2) return false;
  return before.some((earlier) => {
    const record = recordFor(earlier, revisions, facts);
    const isNewer = (earlier.application.createdAt ?? 0) > own.appliedAt;
    if (isNewer || record?.isFromHistory === true) return false;
    return (record?.healthyAt ?? now) > own.appliedAt + watchSkewMs;
  });
}

function recordFor(
  one: StageApplication,
  revisions: readonly string[],
  facts: ContentFacts,
): ContentRecord | null {
  const { application, memory } = one;
  return (
    memory.contents.findLast((record) =>
      sameContent(application.sources, record.revisions, revisions, facts),
    ) ?? null
  );
}
