/**
 * The comparison itself fails. A commit that breaks rendering puts every stage to Unknown at once while
 * nothing is deployed; an unreachable cluster and a hiccup of the network look the same and are told apart by
 * the message. The revision shown is then the name of the branch: the commit is the head of the branch when
 * it began. Rule 10 of docs/argocd.md, PS15, PS16, PS18.
 */

import { branchOf } from './configuration.ts';
import { type Revisions, sameContent } from './content.ts';
import { type Assessment, answer, type BranchHead, type Look, reasonFor } from './look.ts';
import { meaningOf } from './messages.ts';

/** Null when there is no comparison error. */
export function assessComparisonError(look: Look): Assessment | null {
  const conditions = look.application.conditions.filter((condition) =>
    ['ComparisonError', 'InvalidSpecError', 'UnknownError'].includes(condition.type),
  );
  const comparison =
    conditions.find((condition) => condition.type === 'ComparisonError') ??
    conditions.find((condition) => meaningOf(condition.message) === 'destination');
  if (comparison === undefined) return null;
  const meanings = conditions.map((condition) => meaningOf(condition.message));
  const details = {
    field: `status.conditions[${comparison.type}]`,
    value: comparison.message,
    since: look.memory.comparisonError?.since ?? comparison.lastTransitionAt,
    message: comparison.message,
  };
  if (meanings.includes('destination'))
    return { ...answer('blocked', reasonFor(look, 'destination-unreachable', details)), isMoving: true };
  if (meanings.includes('transport')) return answer('unknown', reasonFor(look, 'transport-trouble', details));
  if (meanings.includes('health-script'))
    return answer('sick', reasonFor(look, 'health-script-error', details));
  if (!meanings.includes('render')) return answer('unknown', reasonFor(look, 'transport-trouble', details));
  return assessRenderError(look, details);
}

function assessRenderError(
  look: Look,
  details: { field: string; value: string; since: number | null; message: string },
): Assessment {
  const { application, memory, facts, policy, now } = look;
  const since = details.since ?? now;
  const until = since + policy.graceMs;
  const reason = reasonFor(look, 'render-error', { ...details, since });
  const running = memory.running?.revisions ?? null;
  const revisions = headsBehind(look, since, running);
  const isRendered = revisions?.every(
    (revision, index) => wasRendered(look, revision, index) || application.sources[index]?.chart != null,
  );
  if (
    revisions !== null &&
    running !== null &&
    (isRendered || sameContent(application.sources, revisions, running, facts))
  ) {
    return answer('sick', reasonFor(look, 'commit-does-not-explain-render-error', { ...details, since }));
  }
  if (now < until) {
    return {
      ...answer('in-progress', reason, { lookAgainAt: until, isMoving: true }),
      reasons: [reason, reasonFor(look, 'grace-time', { since })],
    };
  }
  return {
    verdict: 'failed',
    reasons: [reason],
    failure: { kind: 'render', revisions, since },
    lookAgainAt: null,
    isMoving: true,
  };
}

/**
 * What the branches held when the error began. What an Application of the set runs has been rendered, and what this one was
 * compared with, and so has all that came before it: only newer heads can be to blame. Of those the newest that was
 * heard of by then, or, where the push was heard of later than Argo CD heard of it, the first that can have been there.
 * An error that was there before a commit is not its fault. Null when nothing of the kind is known.
 */
function headsBehind(look: Look, since: number, running: Revisions | null): Revisions | null {
  const { application, heads } = look;
  const revisions = application.sources.map((source, index) => {
    if (source.chart !== null) return source.targetRevision;
    const ofSource = heads.filter(
      (head) => head.repoURL === source.repoURL && head.branch === branchOf(source.targetRevision),
    );
    if (ofSource.length === 0 && application.sources.length > 1) return running?.[index] ?? null;
    const newer = ofSource.slice(ofSource.findLastIndex((head) => wasRendered(look, head.sha, index)) + 1);
    const blamed =
      newer.findLast((head) => head.at <= since) ?? newer.find((head) => wasThereBy(head, since));
    // In another source nothing need be new.
    return (
      blamed?.sha ??
      (application.sources.length > 1
        ? (running?.[index] ?? null)
        : (ofSource.findLast((head) => head.at <= since)?.sha ?? null))
    );
  });
  return revisions.every((revision): revision is string => revision !== null) ? revisions : null;
}

/** Some Application of the set runs it, or this one was compared with it before the error began. */
function wasRendered({ rendered, memory }: Look, revision: string, source: number): boolean {
  return rendered.has(revision) || memory.outOfSync?.revisions[source] === revision;
}

/** A push can be heard of later than Argo CD hears of it; by so much, and no more, as webhooks differ. */
const webhookSkewMs = 5_000;

/** The branch can have held it then: a moment before it was heard of, or since it was last seen without it. */
function wasThereBy(head: BranchHead, at: number): boolean {
  return Math.min(head.at - webhookSkewMs, head.unseenSince ?? head.at) <= at;
}
