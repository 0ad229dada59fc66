/**
 * Degraded. It is a commit's failure when it began with that commit's content, within the bake time, and has
 * lasted for the grace time. Unhealthy before, Healthy for long on the same content, or nothing new: sick, and
 * never reverted. Rules 5 and 6 of docs/argocd.md; PS01, PS25, PS42.
 */

import { type Revisions, sameContent } from './content.ts';
import { lastGoodOf, wasGoodOtherwise } from './last-good.ts';
import { type Assessment, answer, type Look, reasonFor } from './look.ts';
import type { ContentRecord, Trouble } from './memory.ts';
import type { Reason } from './verdict.ts';

/** Null when it is not Degraded. */
export function assessDegraded(look: Look): Assessment | null {
  const { application, memory, policy, now } = look;
  const { health } = application;
  const { trouble } = memory;
  if (health.status !== 'Degraded' || trouble === null) return null;
  const details = {
    field: 'status.health.status',
    value: 'Degraded',
    since: trouble.degradedSince ?? trouble.since,
    message: messageOf(look, trouble),
  };
  const excuse = whyNoCommit(look, trouble, details);
  if (excuse !== null) return excused(look, trouble, excuse);
  const since = Math.max(trouble.degradedSince ?? now, memory.runningSince ?? 0);
  const until = since + policy.graceMs;
  const record = recordOf(look, trouble);
  const wasHealthy = record?.healthyAt != null && !record.isGuess;
  const reason = reasonFor(look, wasHealthy ? 'degraded-after-healthy' : 'degraded', details);
  if (now < until) {
    return {
      ...answer('in-progress', reason, { lookAgainAt: until }),
      reasons: [reason, reasonFor(look, 'grace-time', { since })],
    };
  }
  return {
    verdict: 'failed',
    reasons: [reason],
    failure: { kind: 'degraded', revisions: trouble.blamed, since: trouble.since },
    lookAgainAt: null,
    isMoving: false,
  };
}

/** No commit's fault; said after the grace time too, because a revert needs a moment until health follows. */
function excused(look: Look, trouble: Trouble, excuse: Reason): Assessment {
  const came = excuse.code === 'degraded-on-last-good' ? (look.memory.runningSince ?? 0) : 0;
  const until = Math.max(trouble.degradedSince ?? look.now, came) + look.policy.graceMs;
  return look.now < until ? answer('in-progress', excuse, { lookAgainAt: until }) : answer('sick', excuse);
}

function recordOf(look: Look, trouble: Trouble): ContentRecord | null {
  if (trouble.blamed === null) return null;
  const blamed = trouble.blamed;
  return (
    look.memory.contents.findLast((record) =>
      sameContent(look.application.sources, record.revisions, blamed, look.facts),
    ) ?? null
  );
}

/** Why the commit is not to blame, or null when it is. */
function whyNoCommit(look: Look, trouble: Trouble, details: Partial<Reason>): Reason | null {
  const { application, memory, facts, policy } = look;
  const { sources } = application;
  const running = memory.running;
  const record = recordOf(look, trouble);
  const lastGood = trouble.blamed === null ? null : lastGoodOf(look, trouble.blamed);
  if (
    trouble.blamed !== null &&
    running !== null &&
    !sameContent(sources, running.revisions, trouble.blamed, facts)
  ) {
    if (lastGood !== null && sameContent(sources, running.revisions, lastGood.revisions, facts)) {
      return reasonFor(look, 'degraded-on-last-good', details);
    }
    if (record?.healthyAt != null) return reasonFor(look, 'unhealthy-before-the-change', details);
    // It was over before anybody looked: whether it had been well on that is not known.
    if (record === null) return reasonFor(look, 'began-before-we-looked', details);
  }
  if (trouble.blamed !== null && wasGoodOtherwise(look, trouble.blamed, record?.configuration ?? null))
    return reasonFor(look, 'template-edited', details);
  if (!trouble.isDated && !isUnderWay(look, trouble))
    return reasonFor(look, 'began-before-we-looked', details);
  if (isSameFailureBefore(look, trouble, lastGood?.revisions ?? null))
    return reasonFor(look, 'same-failure-on-last-good', details);
  if (!trouble.isDated) return null;
  const healthyAt = record?.healthyAt ?? trouble.healthyFrom;
  if (healthyAt !== null && trouble.since - healthyAt > policy.bakeMs)
    return reasonFor(look, 'healthy-beyond-the-bake-time', details);
  // Both known from history alone: nobody saw it Healthy on either, and an old sickness would look the same.
  const isGuessed = record?.isGuess === true && lastGood?.isGuess === true;
  if (isGuessed && !isUnderWay(look, trouble)) return reasonFor(look, 'began-before-we-looked', details);
  if (record?.healthyAt == null || lastGood !== null) return null;
  if (!record.isGuess) return reasonFor(look, 'nothing-new-came', details);
  // History says that it was deployed, and the rollout that it was never through with it: it never was Healthy.
  return isUnderWay(look, trouble) ? null : reasonFor(look, 'began-before-we-looked', details);
}

/** Nothing tells when it began, but the rollout has not been through with what it is blamed on. */
function isUnderWay(look: Look, trouble: Trouble): boolean {
  const { application, entry, facts } = look;
  if (entry === null || (entry.status !== 'Progressing' && entry.status !== 'Pending')) return false;
  return sameContent(application.sources, entry.targetRevisions ?? [], trouble.blamed ?? [], facts);
}

/**
 * It was Degraded on the last good content as well, or where there is none on the one before, not long ago and by the
 * same resources, or by resources that nobody can name: an old trouble that comes and goes (PS25).
 */
function isSameFailureBefore(look: Look, trouble: Trouble, lastGood: Revisions | null): boolean {
  const { application, memory, facts, policy } = look;
  const isBlamed = (record: ContentRecord): boolean =>
    trouble.blamed !== null && sameContent(application.sources, record.revisions, trouble.blamed, facts);
  const record = memory.contents.findLast((candidate) =>
    lastGood === null
      ? !isBlamed(candidate)
      : sameContent(application.sources, candidate.revisions, lastGood, facts),
  );
  if (record?.degraded == null) return false;
  const { endedAt, causes } = record.degraded;
  const isRecent = trouble.since - endedAt <= policy.bakeMs;
  const isSame =
    causes.length === 0 ||
    trouble.causes.length === 0 ||
    trouble.causes.every((cause) => causes.includes(cause));
  return isRecent && isSame;
}

/** What is Degraded and why, in Argo CD's own words. */
function messageOf(look: Look, trouble: Trouble): string {
  const { application } = look;
  const resource = application.resources.find(
    (candidate) => candidate.health === 'Degraded' && candidate.message !== '',
  );
  if (resource !== undefined) return `${resource.kind} ${resource.name}: ${resource.message}`;
  if (application.health.message !== '') return application.health.message;
  return trouble.causes.join(', ');
}
