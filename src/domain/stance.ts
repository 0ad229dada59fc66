/**
 * Whether to take a change back: propose, hold, or never. Only a failure that a commit can be blamed for is ever
 * proposed; hold means not yet, or not enough is known; never means that another cause explains what is seen, or that
 * there is nothing to go back to.
 */
import { type Culprit, type NoCulpritReason, whyNoRange } from './culprit.ts';
import type { RolloutFailure } from './failure.ts';
import { never } from './never.ts';
import { everyApplication, type Rollout } from './rollout.ts';

export type HoldReason =
  /** It may still become well, or fail. */
  | 'still-moving'
  /** The rollout has not come to try the commit. */
  | 'not-tried-yet'
  | 'cannot-see'
  /** A commit is to blame, and which one cannot be told. */
  | Extract<
      NoCulpritReason,
      'bad-is-not-a-commit' | 'baseline-is-gone' | 'range-is-cut' | 'several-repositories'
    >;

export type NeverReason =
  | 'nothing-failed'
  | 'misconfigured'
  /** A window, a destination, an object that must be pruned or whose kind is missing. */
  | 'outside-the-commit'
  /** An operation or a stage that cannot end by itself. */
  | 'cannot-end'
  | 'no-commit-explains-it'
  | 'only-slow'
  /** A pause or a gate that a person has to open. */
  | 'waits-for-a-person'
  | 'no-sync-is-coming'
  | Exclude<NoCulpritReason, HoldReason>;

export type Stance =
  | { kind: 'propose' }
  | { kind: 'hold'; why: HoldReason }
  | { kind: 'never'; why: NeverReason };

const hold = (why: HoldReason): Stance => ({ kind: 'hold', why });
const refuse = (why: NeverReason): Stance => ({ kind: 'never', why });

/**
 * `failure` is that of the rollout, null when it has none. `culprit` null: nobody has looked at the history, and what
 * the failure itself tells must do.
 */
export function revertStance(
  rollout: Rollout,
  failure: RolloutFailure | null,
  culprit: Culprit | null,
): Stance {
  if (failure === null) return withoutFailure(rollout);
  const found = culprit ?? whyNoRange(failure);
  return found === null || found.kind === 'suspects' ? { kind: 'propose' } : withoutCulprit(found.reason);
}

function withoutCulprit(reason: NoCulpritReason): Stance {
  switch (reason) {
    case 'bad-is-not-a-commit':
    case 'baseline-is-gone':
    case 'range-is-cut':
    case 'several-repositories':
      return hold(reason);
    default:
      return refuse(reason);
  }
}

function withoutFailure(rollout: Rollout): Stance {
  // The controller cannot write down how far it is, whatever the commit (PS07).
  if (rollout.reasons.some((reason) => reason.code === 'status-write-rejected'))
    return refuse('misconfigured');
  switch (rollout.verdict) {
    case 'unknown':
      return hold('cannot-see');
    case 'failed':
    case 'in-progress':
      return hasBaseline(rollout) ? hold('still-moving') : refuse('no-baseline');
    case 'blocked':
      return rollout.reasons.some((reason) => reason.code === 'slot-held-by-unselected')
        ? hold('not-tried-yet')
        : refuse('outside-the-commit');
    case 'misconfigured':
      return refuse('misconfigured');
    case 'stuck':
      return refuse('cannot-end');
    case 'sick':
      return refuse(
        rollout.reasons.some((reason) => reason.code === 'template-edited')
          ? 'template-edited'
          : 'no-commit-explains-it',
      );
    case 'stalled':
      return refuse('only-slow');
    case 'paused':
    case 'manual-gate':
      return refuse('waits-for-a-person');
    case 'unnoticed':
      return refuse('no-sync-is-coming');
    case 'ok':
      return refuse('nothing-failed');
    default:
      return never(rollout.verdict);
  }
}

/** Something was good here once; where nothing was, nothing can be gone back to. */
function hasBaseline(rollout: Rollout): boolean {
  return everyApplication(rollout).some((one) =>
    one.memory.contents.some((record) => record.healthyAt !== null),
  );
}
