/**
 * What keeps one Application from coming back after a revert has landed, and what helps. Merged is not recovered: a
 * comparison can be missing, a sync can be missing, an operation on the bad commit can still run, a stage, a window or a
 * cluster can be in the way. What helps was tried on the real controllers (docs/argocd.md, "Merged is not recovered").
 */
import { branchOf } from './configuration.ts';
import { type ContentFacts, isResolved, type Revisions, sameContent } from './content.ts';
import { holdingEverySlot } from './held-slots.ts';
import type { BranchHead } from './look.ts';
import { meaningOf } from './messages.ts';
import { type BadChange, isTouchedBy, runsBad } from './recovery.ts';
import type { Rollout, Stage, StageApplication } from './rollout.ts';
import { isActive, isWaitingForRetry } from './running.ts';
import type { ReasonCode } from './verdict.ts';

export const hindrances = [
  /** Its branch holds the bad content still. */
  'not-reverted',
  /** It is compared with an older commit than the branch holds. */
  'not-noticed',
  /** It is compared with the revert, is not on it, and nothing is going to sync it. */
  'no-sync-is-coming',
  /** An operation on the bad commit runs, perhaps in a hook; it may apply it after all. */
  'bad-operation-runs',
  /** An attempt on the bad commit failed and waits for its retry, which takes what the branch holds then. */
  'retry-takes-the-revert',
  /** The same, but the operation names the bad commit itself: each retry applies it again (PS11). */
  'retry-keeps-the-bad-commit',
  'sync-window',
  'manual-gate',
  /** An earlier stage is on its way; this one comes after it. */
  'behind-a-stage',
  /** Its cluster cannot be reached. */
  'unreachable',
  /** It waits for one whose cluster cannot be reached. */
  'behind-the-unreachable',
  /** It waits for others of its stage, which hold every slot and do not come to an end. */
  'behind-a-sibling',
  'needs-prune',
  /** It has the revert and stays out of sync all the same. */
  'never-in-sync',
  /** The branch holds a later commit that is neither the bad nor the good content, and it is not well on that. */
  'held-by-a-later-commit',
  /** It has the revert and is not Healthy on it. */
  'not-healthy-on-the-revert',
  /** In no step: the rollout never syncs it. */
  'in-no-stage',
  /** It is being brought back: nothing to do but wait. */
  'on-its-way',
] as const;

export type Hindrance = (typeof hindrances)[number];

/** What helps, once waiting has not: by Stepback where it is allowed to, by a person otherwise. */
export type Remedy = 'wait' | 'refresh' | 'sync' | 'terminate-then-sync' | 'person';

export interface WayBack {
  application: StageApplication;
  hindrance: Hindrance;
  remedy: Remedy;
  /** Names of what is in the way: Applications, objects, a stage, a commit; for people. */
  by: readonly string[];
  /** Since when, milliseconds since the epoch, as far as it is known. */
  since: number | null;
}

export interface WayBackInput {
  rollout: Rollout;
  change: BadChange;
  facts: ContentFacts;
  heads: readonly BranchHead[];
  now: number;
}

/**
 * How one that is not back stands, and what helps. A sync takes what the branch holds, so it helps only while that is known to
 * be last good: another commit is brought nowhere that nobody brought it to. A refresh makes Argo CD look sooner at what it
 * looks at anyway, and helps a fix too. Pure and total.
 */
export function wayBackOf(input: WayBackInput, one: StageApplication): WayBack {
  const head = headOf(input, one);
  const found = whatHinders(input, one, head);
  const isOurs = head === 'good' || (head === 'other' && found.remedy === 'refresh');
  return isOurs || found.remedy === 'wait' ? found : { ...found, remedy: 'person' };
}

/** The first rule that fits decides. */
function whatHinders(input: WayBackInput, one: StageApplication, head: HeadContent): WayBack {
  const way = (
    hindrance: Hindrance,
    remedy: Remedy,
    details: Partial<Pick<WayBack, 'by' | 'since'>> = {},
  ): WayBack => ({ application: one, hindrance, remedy, by: [], since: null, ...details });
  if (head === 'bad') return way('not-reverted', 'wait');
  return (
    byOperation(input, one, way) ??
    byDestination(one, way) ??
    byComparison(input, one, head, way) ??
    bySync(input, one, head, way) ??
    byHealth(one, head, way)
  );
}

type Way = (
  hindrance: Hindrance,
  remedy: Remedy,
  details?: Partial<Pick<WayBack, 'by' | 'since'>>,
) => WayBack;

/** What the branch holds for it now: the bad content, the good one, something else, or nobody knows. */
type HeadContent = 'bad' | 'good' | 'other' | 'unknown';

function headOf({ change, facts, heads }: WayBackInput, one: StageApplication): HeadContent {
  const { sources } = one.application;
  const held = sources.map((source, index) => {
    const branch = branchOf(source.targetRevision);
    const known = heads.findLast((head) => head.repoURL === source.repoURL && head.branch === branch);
    // What follows no branch stands where the last comparison found it.
    return known?.sha ?? one.target?.[index] ?? '';
  });
  if (!isResolved(sources, held)) return 'unknown';
  return contentOf(one, held, change, facts);
}

function contentOf(
  one: StageApplication,
  revisions: Revisions,
  { bad, lastGood }: BadChange,
  facts: ContentFacts,
): 'bad' | 'good' | 'other' {
  const { sources } = one.application;
  if (lastGood !== null && sameContent(sources, revisions, lastGood, facts)) return 'good';
  return sameContent(sources, revisions, bad, facts) ? 'bad' : 'other';
}

/** An operation is under way: on the bad commit it is in the way, on anything else it is the way. */
function byOperation({ change, facts }: WayBackInput, one: StageApplication, way: Way): WayBack | null {
  const { operation, requestedOperation } = one.application;
  const since = one.memory.operation?.attemptSince ?? null;
  if (isActive(operation) && meaningOf(operation.message) === 'sync-window')
    return way('sync-window', 'refresh', { since });
  if (!isActive(operation)) {
    if (requestedOperation === null) return null;
    return has(one, 'operation-never-starts')
      ? way('no-sync-is-coming', 'person', { since: one.memory.requestedSince })
      : way('on-its-way', 'wait', { since: one.memory.requestedSince });
  }
  const target = one.memory.operation?.target ?? null;
  const isBad =
    target === null ? runsBad(one, change, facts) : contentOf(one, target, change, facts) === 'bad';
  const pinned = operation.pinnedRevisions.filter((revision) => revision !== '');
  const isPinned = pinned.length > 0 && contentOf(one, pinned, change, facts) === 'bad';
  if (isPinned && (isWaitingForRetry(operation) || operation.retryCount > 0))
    return way('retry-keeps-the-bad-commit', 'terminate-then-sync', { since });
  if (isWaitingForRetry(operation)) return way('retry-takes-the-revert', 'wait', { since });
  return isBad
    ? way('bad-operation-runs', 'terminate-then-sync', { since })
    : way('on-its-way', 'wait', { since });
}

function byDestination(one: StageApplication, way: Way): WayBack | null {
  return isUnreachable(one) ? way('unreachable', 'person', { since: sinceOf(one) }) : null;
}

/** Whether it has been compared with what the branch holds. */
function byComparison(
  { change, facts }: WayBackInput,
  one: StageApplication,
  head: HeadContent,
  way: Way,
): WayBack | null {
  const since = one.application.reconciledAt;
  if (one.target === null) return way('not-noticed', 'refresh', { since });
  const compared = contentOf(one, one.target, change, facts);
  const isBehind = compared === 'bad' || (head === 'good' && compared === 'other');
  return isBehind ? way('not-noticed', 'refresh', { since }) : null;
}

/** It is compared with what it should have; whether a sync comes. */
function bySync(input: WayBackInput, one: StageApplication, head: HeadContent, way: Way): WayBack | null {
  const { change, facts, rollout } = input;
  const { sync, resources } = one.application;
  const hasBad = isTouchedBy(one, change, facts);
  if (sync.status === 'Synced' && !hasBad) return null;
  const since = one.memory.outOfSync?.since ?? null;
  if (has(one, 'needs-prune')) {
    const left = resources.filter((resource) => resource.requiresPruning);
    return way('needs-prune', 'person', { since, by: left.map(({ kind, name }) => `${kind} ${name}`) });
  }
  if (!hasBad && !isWaiting(one)) return way('never-in-sync', 'person', { since, by: outOfSyncObjects(one) });
  if (one.step === -1) return way('in-no-stage', 'person', { since });
  // Going on from the bad commit to a third one is the rollout's business and not a way back.
  if (head === 'other') return way('held-by-a-later-commit', 'person', { since, by: one.target ?? [] });
  const status = one.status?.status ?? '';
  if (status === 'Pending') return way('on-its-way', 'wait', { since });
  if (status !== 'Waiting') return way('no-sync-is-coming', 'sync', { since });
  return byStages(rollout, one, since, way);
}

/** It waits for its turn: for whom? */
function byStages(rollout: Rollout, one: StageApplication, since: number | null, way: Way): WayBack {
  const own = rollout.stages.find((stage) => stage.number === one.step);
  const before = rollout.stages.filter((stage) => stage.number <= one.step);
  const gate = before.find((stage) => stage.maxUpdate === 0 && stage.applications.some(isWaiting));
  if (gate !== undefined) return way('manual-gate', 'person', { since, by: [gate.name] });
  const inTheWay = before.flatMap((stage) => stage.applications).filter((other) => other !== one);
  const unreachable = inTheWay.filter(isUnreachable);
  if (unreachable.length > 0)
    return way('behind-the-unreachable', 'sync', {
      since,
      by: unreachable.map(({ application }) => application.name),
    });
  const earlier = earlierUnderWay(before, own);
  if (earlier !== null) return way('behind-a-stage', 'wait', { since, by: [earlier.name] });
  const siblings = own === undefined ? [] : holdingEverySlot(own, one);
  return siblings.length === 0
    ? way('on-its-way', 'wait', { since })
    : way('behind-a-sibling', 'sync', { since, by: siblings.map(({ application }) => application.name) });
}

function earlierUnderWay(before: readonly Stage[], own: Stage | undefined): Stage | null {
  return (
    before.find((stage) => stage !== own && stage.verdict !== 'ok' && stage.applications.length > 0) ?? null
  );
}

/** It has what it should have; whether it is well on it. */
function byHealth(one: StageApplication, head: HeadContent, way: Way): WayBack {
  const { health } = one.application;
  const since = health.lastTransitionAt;
  if (health.status === 'Healthy' || health.status === 'Progressing')
    return way('on-its-way', 'wait', { since });
  return head === 'other'
    ? way('held-by-a-later-commit', 'person', { since, by: one.target ?? [] })
    : way('not-healthy-on-the-revert', 'person', { since });
}

function isWaiting(one: StageApplication): boolean {
  return one.status?.status === 'Waiting' || one.status?.status === 'Pending';
}

function isUnreachable(one: StageApplication): boolean {
  return has(one, 'destination-unreachable') || has(one, 'transport-trouble');
}

function has(one: StageApplication, code: ReasonCode): boolean {
  return one.assessment.reasons.some((reason) => reason.code === code);
}

function sinceOf(one: StageApplication): number | null {
  return one.assessment.reasons[0]?.since ?? null;
}

function outOfSyncObjects(one: StageApplication): readonly string[] {
  return one.application.resources
    .filter((resource) => resource.status === 'OutOfSync' && resource.hookType === '')
    .map(({ kind, name }) => `${kind} ${name}`);
}
