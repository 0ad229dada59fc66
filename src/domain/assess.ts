/**
 * One Application: what it runs, what it is told to run, and how it fares. The rules are tried in the order
 * of what must not be mistaken for a commit's fault; the first that speaks decides. Each answer names its
 * field and since when, and a grace time that ends without an event says when to look again.
 */
import {
  destinationRefuses,
  heldBySyncWindow,
  neverStarts,
  otherOperation,
  runsTooLong,
} from './assess-operation.ts';
import { isResolved, sameContent } from './content.ts';
import { assessDegraded } from './failure-degraded.ts';
import { assessComparisonError } from './failure-render.ts';
import { assessFailedSync } from './failure-sync.ts';
import {
  type Assessment,
  answer,
  isOutOfSyncTowardsOther,
  isSyncMeant,
  type Look,
  reasonFor,
} from './look.ts';
import { isActive, isWaitingForRetry } from './running.ts';

/** Judges one Application. Pure; every time is a field of `look`. */
export function assess(look: Look): Assessment {
  for (const rule of rules) {
    const assessment = rule(look);
    if (assessment !== null) return withEndOfPatience(look, assessment);
  }
  const reason = reasonFor(look, 'healthy', {
    field: 'status.health.status',
    value: look.application.health.status,
  });
  return withEndOfPatience(look, answer('ok', reason));
}

/** Whatever is said now, an attempt that is under way is stuck one day. */
function withEndOfPatience(look: Look, assessment: Assessment): Assessment {
  const { operation } = look.application;
  if (!isActive(operation) || isWaitingForRetry(operation) || look.memory.operation === null)
    return assessment;
  const until = look.memory.operation.attemptSince + look.policy.stuckMs;
  if (until <= look.now) return assessment;
  return { ...assessment, lookAgainAt: Math.min(assessment.lookAgainAt ?? until, until) };
}

type Rule = (look: Look) => Assessment | null;

const rules: readonly Rule[] = [
  beingDeleted,
  assessComparisonError,
  heldBySyncWindow,
  assessFailedSync,
  needsPrune,
  runsTooLong,
  destinationRefuses,
  otherOperation,
  neverStarts,
  moving,
  assessDegraded,
  pendingForAnotherRevision,
  suspended,
  progressing,
  healthUnknown,
  stillOutOfSync,
];

/** While its resources go, it is Missing, Degraded or OutOfSync, which no commit did; and nothing is going to sync it. */
function beingDeleted(look: Look): Assessment | null {
  if (!look.application.isBeingDeleted) return null;
  return answer('ok', reasonFor(look, 'being-deleted', { field: 'metadata.deletionTimestamp', value: '' }));
}

/**
 * It has all that it was told to run, and all that is still out of sync would have to be deleted: whether that is synced
 * once or again and again. Rule 11 of docs/argocd.md.
 */
function needsPrune(look: Look): Assessment | null {
  const { application, applicationSet, facts, memory, policy, now } = look;
  const { running } = memory;
  if (application.sync.status !== 'OutOfSync' || running === null || running.isPartial) return null;
  if (!sameContent(application.sources, running.revisions, application.sync.revisions, facts)) return null;
  // A template that prunes does so in the same operation; the list of resources follows a moment later.
  if (applicationSet.templatePrunes && now < (memory.runningSince ?? now) + policy.graceMs) return null;
  const left = application.resources.filter(
    (resource) => resource.status === 'OutOfSync' && resource.hookType === '',
  );
  if (left.length === 0 || !left.every((resource) => resource.requiresPruning)) return null;
  const names = left.map((resource) => `${resource.kind} ${resource.name}`).join(', ');
  return answer(
    'blocked',
    reasonFor(look, 'needs-prune', {
      field: 'status.resources[].requiresPruning',
      value: names,
      since: look.memory.outOfSync?.since ?? null,
    }),
  );
}

/** Out of sync: a sync is meant, or has been missed. While it is out of sync towards other content it is no failure. */
function moving(look: Look): Assessment | null {
  const { application, memory, policy, now } = look;
  if (application.sync.status !== 'OutOfSync') return null;
  if (look.step === -1) {
    return isOutOfSyncTowardsOther(look)
      ? answer(
          'ok',
          reasonFor(look, 'unselected', {
            field: 'status.sync.status',
            value: 'OutOfSync',
            since: memory.outOfSync?.since ?? null,
          }),
        )
      : null;
  }
  if (isSyncMeant(look)) {
    if (!isOutOfSyncTowardsOther(look)) return null;
    const isFirst = memory.running === null;
    const code = isFirst
      ? 'never-deployed'
      : look.entry?.status === 'Waiting'
        ? 'waits-for-its-turn'
        : 'sync-is-coming';
    return answer(
      'in-progress',
      reasonFor(look, code, {
        field: 'status.sync.status',
        value: 'OutOfSync',
        since: memory.outOfSync?.since ?? null,
      }),
      { isMoving: true },
    );
  }
  const since = Math.max(memory.outOfSync?.since ?? now, look.entry?.lastTransitionAt ?? 0);
  const until = Math.min(since, now) + policy.unnoticedMs;
  const reason = reasonFor(look, 'no-sync-is-coming', {
    field: 'status.sync.status',
    value: `OutOfSync, ${look.entry === null ? 'no status in the ApplicationSet' : `${look.entry.status} in the ApplicationSet`}`,
    since: Math.min(since, now),
  });
  return now >= until
    ? answer('unnoticed', reason, { isMoving: true })
    : answer('in-progress', reason, { lookAgainAt: until, isMoving: true });
}

/** Argo CD before 3.0 keeps an Application Pending for a revision that was overtaken (PS06). */
function pendingForAnotherRevision(look: Look): Assessment | null {
  const { application, entry, facts, policy, now } = look;
  if (entry?.status !== 'Pending' || entry.targetRevisions === null || application.sync.status !== 'Synced')
    return null;
  if (application.operation?.phase !== 'Succeeded' || application.operation.result === null) return null;
  if (!isResolved(application.sources, entry.targetRevisions)) return null;
  const isOvertaken = [application.operation.result.revisions, application.sync.revisions].every(
    (revisions) => !sameContent(application.sources, entry.targetRevisions ?? [], revisions, facts),
  );
  if (!isOvertaken) return null;
  const since = entry.lastTransitionAt ?? now;
  const until = since + policy.stuckMs;
  const isOver = now >= until;
  // Notices that come late overtake each other all the time: only what lasts is that fault.
  const reason = reasonFor(look, isOver ? 'pending-for-another-revision' : 'sync-is-coming', {
    field: 'ApplicationSet status.applicationStatus[].status',
    value: 'Pending',
    since,
  });
  return isOver ? answer('stuck', reason) : answer('in-progress', reason, { lookAgainAt: until });
}

function suspended(look: Look): Assessment | null {
  const { health } = look.application;
  if (health.status !== 'Suspended') return null;
  return answer(
    'paused',
    reasonFor(look, 'suspended', {
      field: 'status.health.status',
      value: 'Suspended',
      since: health.lastTransitionAt,
      message: health.message,
    }),
  );
}

/** On its way to Healthy; without an end it is told to people and never reverted. */
function progressing(look: Look): Assessment | null {
  const { application, memory, policy, now } = look;
  const { health } = application;
  if (health.status !== 'Progressing' && health.status !== 'Missing') return null;
  const since = Math.max(memory.progressingSince ?? now, memory.runningSince ?? 0);
  const until = since + policy.stalledMs;
  const isOver = now >= until;
  const reason = reasonFor(look, isOver ? 'progressing-too-long' : 'progressing', {
    field: 'status.health.status',
    value: health.status,
    since,
    message: health.message,
  });
  return isOver ? answer('stalled', reason) : answer('in-progress', reason, { lookAgainAt: until });
}

function healthUnknown(look: Look): Assessment | null {
  const { health, sync } = look.application;
  if (health.status !== 'Unknown' && sync.status !== 'Unknown' && health.status !== '') return null;
  if (health.status === '' && sync.status === '') {
    return answer('in-progress', reasonFor(look, 'never-deployed', { field: 'status', value: 'empty' }), {
      isMoving: true,
    });
  }
  return answer(
    'sick',
    reasonFor(look, 'health-unknown', {
      field: 'status.health.status',
      value: health.status,
      since: health.lastTransitionAt,
      message: health.message,
    }),
  );
}

/**
 * It has what it was told to run, is well, and differs from it all the same. For a moment that is only a comparison that
 * is late; for longer it is a stage that cannot end.
 */
function stillOutOfSync(look: Look): Assessment | null {
  const { application, entry, memory, policy, now } = look;
  if (application.sync.status !== 'OutOfSync' || look.step === -1) return null;
  const finishedAt = application.operation?.finishedAt ?? 0;
  const since = Math.min(now, Math.max(memory.outOfSync?.since ?? now, memory.runningSince ?? 0, finishedAt));
  const lookAgainAt = since + policy.stuckMs;
  // Waiting and Pending: another sync is to come. Progressing: it has been, and none follows.
  const isThrough = entry?.status === 'Progressing' && !isActive(application.operation);
  const isOver = isThrough && now >= lookAgainAt;
  const names = application.resources
    .filter((resource) => resource.status === 'OutOfSync')
    .map((resource) => `${resource.kind} ${resource.name}`);
  const reason = reasonFor(look, isOver ? 'still-out-of-sync' : 'sync-is-coming', {
    field: 'status.sync.status',
    value: names.length === 0 ? 'OutOfSync' : `OutOfSync: ${names.slice(0, 5).join(', ')}`,
    since,
  });
  if (isOver) return answer('stuck', reason);
  return answer('in-progress', reason, { lookAgainAt: isThrough ? lookAgainAt : null });
}
