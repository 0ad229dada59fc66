/**
 * What happens in a seed beside Stepback, drawn before it begins: what people push and propose, what goes wrong around them, and
 * what becomes of the ledger.
 */
import type { Cluster as Destination } from '../sandbox/argocd/objects.ts';
import { type Dice, diceOf } from './dice.ts';
import type { PlannedSet } from './plan.ts';

export type Badness =
  | 'degraded'
  | 'degraded-slowly'
  | 'degraded-late'
  | 'refused'
  | 'unreadable'
  | 'hook-hangs'
  | 'hook-fails'
  /** Ill for a moment after it starts, which is nobody's fault. */
  | 'slow-start';

export type Happening = { at: number } & (
  | {
      kind: 'change';
      how: 'push' | 'squash' | 'merge';
      /** Names of ApplicationSets, or `base`. */
      what: readonly string[];
      badness: Badness | null;
      /** Names of clusters on which it is bad; empty: on all. */
      where: readonly string[];
      by: string;
    }
  | { kind: 'innocent'; by: string }
  | { kind: 'unreachable'; cluster: string; forMs: number }
  | { kind: 'window'; cluster: string; forMs: number }
  | { kind: 'sick'; application: string; forMs: number }
  | { kind: 'finish-hooks' }
  | { kind: 'cut-watch'; forMs: number }
  | { kind: 'crash' }
  | { kind: 'second-replica'; forMs: number }
  /** Somebody deletes what Stepback remembers while it is down, or a while before it goes down. */
  | { kind: 'lost-ledger'; what: LostPart; downAfterMs: number }
  | { kind: 'expire-watch' }
  | { kind: 'stop'; forMs: number }
  | { kind: 'archive'; forMs: number }
  /** A person, or a parent Application, writes `maxUpdate` of a step; null puts all of them back as people left them. */
  | { kind: 'edit-steps'; set: string; step: { index: number; value: number | string } | null }
  | { kind: 'touch-set'; set: string }
  | { kind: 'proposal'; what: string; badness: Badness | null; by: string; forMs: number; isMerged: boolean }
);

export type LostPart = 'incidents' | 'memories' | 'everything';

const second = 1_000;
const minute = 60 * second;

/** The first minutes belong to the first deployment. */
export const peopleBeginMs = 4 * minute;

/** All of them, in the order in which they happen. */
export function happeningsOf(
  seed: number,
  sets: readonly PlannedSet[],
  clusters: readonly Destination[],
  restsAtMs: number,
): readonly Happening[] {
  const dice = diceOf(seed, 'happenings');
  const at = (): number => dice.between(peopleBeginMs, restsAtMs - 8 * minute);
  const changes = Array.from({ length: dice.between(1, 4) }, () => changeOf(dice, at(), sets, clusters));
  const around = Array.from({ length: dice.between(0, 4) }, () => aroundOf(dice, at(), sets, clusters));
  const more = diceOf(seed, 'more happenings');
  const others = Array.from({ length: more.pick([0, 0, 1, 1, 2, 3]) }, () =>
    otherOf(more, more.between(peopleBeginMs, restsAtMs - 6 * minute), sets),
  );
  return [...changes, ...around, ...others, ...lossesOf(seed, restsAtMs)].sort(
    (one, other) => one.at - other.at,
  );
}

/** With dice of their own, so that a seed is the same world in all else. */
function lossesOf(seed: number, restsAtMs: number): readonly Happening[] {
  const dice = diceOf(seed, 'losses');
  if (!dice.chance(0.15)) return [];
  const at = dice.between(peopleBeginMs, restsAtMs - 6 * minute);
  const what = dice.pick<LostPart>(['incidents', 'memories', 'everything', 'everything']);
  const downAfterMs = dice.chance(0.6) ? 0 : dice.between(10, 180) * second;
  return [{ at, kind: 'lost-ledger', what, downAfterMs }];
}

function changeOf(
  dice: Dice,
  at: number,
  sets: readonly PlannedSet[],
  clusters: readonly Destination[],
): Happening {
  const by = dice.pick(['dana', 'sam', 'image-updater']);
  if (dice.chance(0.15)) return { at, kind: 'innocent', by };
  const isBase = sets.some((set) => set.hasBase) && dice.chance(0.3);
  const some = sets.filter(() => dice.chance(0.35)).map((set) => set.name);
  const what = isBase ? ['base'] : some.length > 0 ? some : [dice.pick(sets).name];
  const isBad = dice.chance(0.65);
  const badness = isBad
    ? dice.pick<Badness>([
        'degraded',
        'degraded',
        'degraded-slowly',
        'degraded-late',
        'refused',
        'unreadable',
        'hook-hangs',
        'hook-fails',
        'slow-start',
        'slow-start',
      ])
    : null;
  const where = dice.chance(0.5)
    ? []
    : clusters.filter(() => dice.chance(0.4)).map((cluster) => cluster.name);
  return {
    at,
    kind: 'change',
    how: dice.pick(['push', 'squash', 'squash', 'merge']),
    what,
    badness,
    where,
    by,
  };
}

function aroundOf(
  dice: Dice,
  at: number,
  sets: readonly PlannedSet[],
  clusters: readonly Destination[],
): Happening {
  const cluster = dice.pick(clusters).name;
  const forMs = dice.between(1, 8) * minute;
  const happenings: readonly Happening[] = [
    { at, kind: 'innocent', by: 'sam' },
    { at, kind: 'unreachable', cluster, forMs },
    { at, kind: 'window', cluster, forMs },
    { at, kind: 'sick', application: `${dice.pick(sets).name}-${cluster}`, forMs },
    { at, kind: 'finish-hooks' },
    { at, kind: 'cut-watch', forMs: dice.between(5, 90) * second },
    { at, kind: 'crash' },
    { at, kind: 'second-replica', forMs },
    { at, kind: 'second-replica', forMs: 20 * minute },
  ];
  return dice.pick(happenings);
}

/** What people and controllers do beside the changes. */
function otherOf(dice: Dice, at: number, sets: readonly PlannedSet[]): Happening {
  const forMs = dice.between(1, 5) * minute;
  const { name: set, maxUpdates } = dice.pick(sets);
  const step = { index: dice.between(0, maxUpdates.length - 1), value: dice.pick([1, 2, '50%', '100%']) };
  const happenings: readonly Happening[] = [
    { at, kind: 'expire-watch' },
    { at, kind: 'stop', forMs },
    { at, kind: 'archive', forMs },
    { at, kind: 'edit-steps', set, step },
    { at, kind: 'edit-steps', set, step: null },
    { at, kind: 'touch-set', set },
    {
      at,
      kind: 'proposal',
      what: set,
      badness: dice.pick([null, null, 'degraded', 'refused']),
      by: 'sam',
      forMs,
      isMerged: dice.chance(0.5),
    },
  ];
  return dice.pick(happenings);
}
