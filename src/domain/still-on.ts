/**
 * Who still has what one of the commits put into a source that a revert took back. A failure is compared in all sources at
 * once, and with the newest commit of its range; an Application that stayed on an earlier one of them, or that got another
 * change in another source since, has the bad content all the same.
 */
import { branchOf } from './configuration.ts';
import { type ContentFacts, contentKey, type Revisions } from './content.ts';
import { isQuietlyHealthy } from './contents.ts';
import type { Incident } from './incident.ts';
import type { BranchHead } from './look.ts';
import type { Source } from './objects.ts';
import { wasWellSince } from './recovery.ts';
import { everyApplication, type Rollout, type StageApplication, staying } from './rollout.ts';
import { isActive } from './running.ts';

/** A commit that was taken back, and the one before it. */
export interface TakenCommit {
  sha: string;
  before: string;
}

/** Of a long range the newest ones are asked about. */
const takenMax = 20;

/** The commits that the merged revert of an incident took back; none before that. */
export function takenCommits({
  phase,
  suspects,
}: Pick<Incident, 'phase' | 'suspects'>): readonly TakenCommit[] {
  if (phase !== 'merged') return [];
  return suspects.slice(0, takenMax).flatMap(({ sha, firstParent }) => {
    return firstParent == null ? [] : [{ sha, before: firstParent }];
  });
}

/** What is asked of each Application. `facts` must know the sources at every commit that was taken back. */
export interface StillOn {
  taken: readonly TakenCommit[];
  heads: readonly BranchHead[];
  facts: ContentFacts;
}

/** The Applications that run or apply it, or have not been well since they did; not those that are being deleted. */
export function stillOn(rollout: Rollout, asked: StillOn): readonly StageApplication[] {
  if (asked.taken.length === 0) return [];
  return staying(everyApplication(rollout)).filter((one) => hasIt(one, asked) || isMarkedByIt(one, asked));
}

function hasIt(one: StageApplication, asked: StillOn): boolean {
  const { operation, sources } = one.application;
  const target = isActive(operation) ? (one.memory.operation?.target ?? null) : null;
  return [one.runs, target].some((revisions) => revisions !== null && holdsTaken(sources, revisions, asked));
}

/** What it ran since need not have replaced all of it, unless it is well on that. */
function isMarkedByIt(one: StageApplication, asked: StillOn): boolean {
  const { application, memory } = one;
  if (one.leftOut !== null || isQuietlyHealthy(application, memory, asked.facts)) return false;
  const last = memory.contents.findLastIndex((record) =>
    holdsTaken(application.sources, record.revisions, asked),
  );
  return last >= 0 && !wasWellSince(memory.contents, last);
}

/** Some source is as one of the commits made it. What its branch holds again somebody has landed again. */
function holdsTaken(
  sources: readonly Source[],
  revisions: Revisions,
  { taken, heads, facts }: StillOn,
): boolean {
  return sources.some((source, index) => {
    const content = facts.ids.get(contentKey(source, revisions[index] ?? ''));
    if (content === undefined || content === facts.ids.get(contentKey(source, headOf(source, heads))))
      return false;
    return taken.some(({ sha, before }) => {
      const made = facts.ids.get(contentKey(source, sha));
      return made === content && made !== facts.ids.get(contentKey(source, before));
    });
  });
}

function headOf({ repoURL, targetRevision }: Source, heads: readonly BranchHead[]): string {
  const branch = branchOf(targetRevision);
  return heads.findLast((head) => head.repoURL === repoURL && head.branch === branch)?.sha ?? '';
}
