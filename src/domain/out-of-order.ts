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
    const earlierOn = lookedUpOnce(before, facts, now);
    early.push(...stage.applications.filter((one) => isEarly(one, earlierOn, facts)));
    // One that is being deleted never gets it, and nobody waits for that.
    before.push(...stage.applications.filter(({ application }) => !application.isBeingDeleted));
  }
  return early;
}

/** Events of two objects come over two watches: what they show within so short a time has no order. */
const watchSkewMs = 100;

/** An Application of an earlier stage, and since when it was Healthy on something; now when it is not yet. */
interface Earlier {
  createdAt: number;
  healthyAt: number;
}

type EarlierOn = (revisions: readonly string[]) => readonly Earlier[];

function isEarly(one: StageApplication, earlierOn: EarlierOn, facts: ContentFacts): boolean {
  const own = one.runs === null ? null : recordFor(one, one.runs, facts);
  // History tells neither when something was Healthy nor in which order others were: no word about that.
  if (one.runs === null || own === null || own.isFromHistory || one.memory.contents.length < 2) return false;
  return earlierOn(one.runs).some(
    ({ createdAt, healthyAt }) => createdAt <= own.appliedAt && healthyAt > own.appliedAt + watchSkewMs,
  );
}

/** A stage mostly runs one or two commits, so what the stages before it know of a commit is looked up once. */
function lookedUpOnce(before: readonly StageApplication[], facts: ContentFacts, now: number): EarlierOn {
  const applications = [...before];
  const known = new Map<string, readonly Earlier[]>();
  return (revisions) => {
    const key = revisions.join();
    const found =
      known.get(key) ??
      applications.flatMap((earlier) => {
        const record = recordFor(earlier, revisions, facts);
        if (record?.isFromHistory === true) return [];
        return [{ createdAt: earlier.application.createdAt ?? 0, healthyAt: record?.healthyAt ?? now }];
      });
    known.set(key, found);
    return found;
  };
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
