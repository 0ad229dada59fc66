/**
 * Helps Applications back after the merge, as far as people allow it: asks Argo CD to compare, to sync, to end an operation
 * on the bad commit. What was tried is kept in the incident, so that it is said, and not tried for ever.
 */
import type { Incident, SetStanding } from '../domain/incident.ts';
import type { BranchHead } from '../domain/look.ts';
import type { ObjectKey } from '../domain/objects.ts';
import { type Attempt, type DueAid, nextAid, type RecoverMode } from '../domain/recovery-aid.ts';
import { tallied } from '../domain/recovery-figures.ts';
import type { Interventions } from '../ports/interventions.ts';
import { WorldProblem } from '../ports.ts';
import type { World } from './world.ts';

/** So many Applications are helped in one look; the others at the next. */
const aidsMax = 20;

/** Whether two looks at the branches found the same newest commits. */
export function sameHeads(before: readonly BranchHead[], after: readonly BranchHead[]): boolean {
  return newest(before) === newest(after);
}

function newest(heads: readonly BranchHead[]): string {
  const last = new Map(heads.map(({ repoURL, branch, sha }) => [`${repoURL} ${branch}`, sha]));
  return JSON.stringify([...last].sort());
}

/** How far may be gone for one ApplicationSet, and how long waiting gets. */
export interface AidPolicy {
  mode: RecoverMode;
  graceMs: number;
  /** Asks the forge whether every branch holds what it held when its Applications were looked at. */
  holdsStill(): Promise<boolean>;
}

/** A merge is looked at again this soon: what keeps each from coming back is found by a look that knows of it. */
const afterMergeMs = 1_000;

/** The incident after its Applications in one ApplicationSet were helped. Throws a transient WorldProblem. */
export async function recover(
  world: World,
  incident: Incident,
  key: ObjectKey,
  policy: AidPolicy,
  now: number,
): Promise<Incident> {
  const set = incident.sets.find((one) => one.key === key);
  if (incident.phase !== 'merged' || set === undefined) return incident;
  const due = aidsOf(set, policy)
    .filter(({ at }) => at <= now)
    .slice(0, aidsMax);
  // Argo CD takes what the branch holds when it is asked, so the branch is looked at right before. The push is looked at next.
  if (due.length === 0 || !(await policy.holdsStill())) return incident;
  let next = incident;
  for (const { due: aid } of due) {
    const attempt = await give(world.cluster.interventions, incident, aid, now);
    world.log.info('helped an Application back', { application: aid.key, ...attempt });
    next = withAttempt(next, key, aid.key, attempt);
    // Kept at once: a crash after the next one must not forget this one.
    await world.memories.saveIncident(next);
  }
  return next;
}

/** How long until an Application is due to be helped, or it is to be found out what helps; null when nothing is. */
export function nextAidInMs(
  incident: Incident,
  key: ObjectKey,
  policy: AidPolicy,
  now: number,
): number | null {
  const set = incident.sets.find((one) => one.key === key);
  if (incident.phase !== 'merged' || set === undefined) return null;
  if (set.bad !== null && set.left.some(({ wayBack }) => wayBack === undefined)) return afterMergeMs;
  const waits = aidsOf(set, policy).map(({ at }) => Math.max(0, at - now));
  return waits.length === 0 ? null : Math.min(...waits);
}

function aidsOf(set: SetStanding, { mode, graceMs }: AidPolicy): readonly { due: DueAid; at: number }[] {
  return set.left.flatMap(({ wayBack }) => {
    const aid = wayBack === undefined ? null : nextAid(wayBack, mode, graceMs);
    return aid === null ? [] : [aid];
  });
}

async function give(
  interventions: Interventions,
  incident: Incident,
  { key, aid, operationStartedAt }: DueAid,
  now: number,
): Promise<Attempt> {
  try {
    return { aid, at: now, outcome: await ask(), detail: '' };
  } catch (problem) {
    // What is not allowed is told to people; what went wrong for the moment is tried at the next look.
    if (!(problem instanceof WorldProblem) || problem.kind === 'transient') throw problem;
    return { aid, at: now, outcome: 'refused', detail: problem.message };
  }

  function ask(): Promise<Attempt['outcome']> {
    switch (aid) {
      case 'refresh':
        return interventions.refresh(key);
      case 'sync':
        return interventions.sync(key, { reason: `brings ${key} back after ${revertWords(incident)}` });
      case 'terminate':
        return operationStartedAt === null
          ? Promise.resolve('over' as const)
          : interventions.terminate(key, operationStartedAt);
    }
  }
}

function revertWords({ pullRequest }: Incident): string {
  return pullRequest === null ? 'a revert' : `revert ${pullRequest.url}`;
}

function withAttempt(incident: Incident, set: ObjectKey, application: ObjectKey, attempt: Attempt): Incident {
  return {
    ...incident,
    changedAt: attempt.at,
    aids: tallied(incident.aids ?? [], attempt),
    sets: incident.sets.map((one) =>
      one.key !== set
        ? one
        : {
            ...one,
            left: one.left.map((left) =>
              left.wayBack?.key === application
                ? { ...left, wayBack: { ...left.wayBack, attempts: [...left.wayBack.attempts, attempt] } }
                : left,
            ),
          },
    ),
  };
}
