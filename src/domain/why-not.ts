/**
 * "Why I did not": one word for each reason not to open a revert, whatever kept it back (nobody can be named, something is
 * in the way, a brake, what is configured, too early to tell). Every place that says so prints the same sentence of it.
 */
import type { Culprit } from './culprit.ts';
import type { RolloutFailure } from './failure.ts';
import type { Incident, Obstacle } from './incident.ts';
import type { Rollout } from './rollout.ts';
import { type HoldReason, type NeverReason, revertStance } from './stance.ts';

export type WhyNotCode =
  | HoldReason
  | NeverReason
  | Obstacle['kind']
  /** What is configured lets Stepback watch and no more. */
  | 'only-watches'
  /** A person closed the revert, or called it a false alarm. */
  | 'dismissed'
  /** What fails was taken back already, and everything was back. */
  | 'taken-back'
  /** Ill since a change that is taken back by now, and something newer runs: whose failure it is cannot be told. */
  | 'not-well-since';

export type WhyNot =
  | { kind: 'obstacle'; code: WhyNotCode; obstacle: Obstacle }
  /** `detail` is what is known besides: names, a commit; "" for nothing. */
  | { kind: 'reason'; code: WhyNotCode; detail: string };

/** One look at an ApplicationSet, judged. */
export interface WhyNotInput {
  rollout: Rollout;
  failure: RolloutFailure | null;
  culprit: Culprit | null;
  /** The incident of its failure; null when there is none. */
  incident: Incident | null;
  /** What is configured lets Stepback watch and no more. */
  isObserved: boolean;
}

/** Why there is no revert; null when there is one, or nothing is wrong, or one is being opened. Pure. */
export function whyNot(input: WhyNotInput): WhyNot | null {
  const { incident, failure, culprit } = input;
  const isOurs = incident !== null && failure !== null;
  if (isOurs && incident.phase === 'dismissed') return reason('dismissed');
  if (isOurs && (incident.phase === 'merged' || incident.phase === 'recovered')) {
    const newer = incident.sets.find(({ key }) => key === input.rollout.applicationSet.key)?.newer ?? null;
    if (newer !== null) return reason('not-well-since', newer);
    return incident.phase === 'recovered' ? reason('taken-back') : null;
  }
  if (isOurs && input.isObserved && incident.phase === 'noticed') return reason('only-watches');
  if (incident?.phase === 'noticed' && incident.obstacle !== null) return ofObstacle(incident.obstacle);
  if (isOurs) return null;
  if (failure !== null && culprit?.kind === 'none') return reason(culprit.reason, culprit.detail);
  return isWrong(input.rollout) ? ofStance(input) : null;
}

function ofObstacle(obstacle: Obstacle): WhyNot {
  return { kind: 'obstacle', code: obstacle.kind, obstacle };
}

function ofStance({ rollout, failure, culprit }: WhyNotInput): WhyNot | null {
  const stance = revertStance(rollout, failure, culprit);
  return stance.kind === 'propose' ? null : reason(stance.why);
}

function reason(code: WhyNotCode, detail = ''): WhyNot {
  return { kind: 'reason', code, detail };
}

/** What is well, or only on its way, leaves nothing to explain. */
function isWrong({ verdict, reasons }: Rollout): boolean {
  if (verdict === 'ok') return false;
  if (verdict !== 'in-progress') return true;
  return reasons.some(({ code }) => code === 'grace-time' || code === 'below-threshold');
}
