/**
 * What a seed is: some ApplicationSets over some clusters, an Argo CD with habits, people who push and react, and what goes
 * wrong. Drawn once, at the start, so that the same seed is the same world whatever Stepback does in it.
 */
import type { Mode, PartialSettings } from '../config/configuration.ts';
import type { Habits } from '../sandbox/argocd/habits.ts';
import type { ArgoVersion, Cluster as Destination } from '../sandbox/argocd/objects.ts';
import { type Dice, diceOf } from './dice.ts';
import { noTrouble, type Trouble } from './trouble.ts';

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

export interface PlannedSet {
  name: string;
  hasBase: boolean;
  maxUpdates: readonly (number | string | undefined)[];
  prunes: boolean;
}

/** What a person does about a revert of ours, and after how long. */
export interface Reaction {
  what:
    | 'merge'
    | 'squash'
    | 'close'
    | 'close-and-reopen'
    | 'nothing'
    | 'fix'
    | 'push-on-branch'
    | 'make-it-worse'
    | 'revert-by-hand';
  afterMs: number;
}

export interface Plan {
  seed: number;
  environments: readonly string[];
  clusters: readonly Destination[];
  sets: readonly PlannedSet[];
  version: ArgoVersion;
  habits: Partial<Habits>;
  /** What the repository configures; null: nothing, as most do. */
  mode: Mode | null;
  /** What is set for the installation: times, and how far Stepback may go. */
  limits: PartialSettings;
  skewMs: number;
  trouble: Trouble;
  happenings: readonly Happening[];
  /** When people and trouble rest, after the start. */
  restsAtMs: number;
}

/** Most repositories have no file. */
const modes = [
  ...Array<null>(12).fill(null),
  'auto-merge',
  'auto-merge',
  'auto-merge',
  'propose',
  'comment',
  'observe',
] as const;

const second = 1_000;
const minute = 60 * second;

/** The first minutes belong to the first deployment. */
export const peopleBeginMs = 4 * minute;

/** Draws the plan of a seed. */
export function planOf(seed: number): Plan {
  const dice = diceOf(seed, 'plan');
  const environments = ['dev', 'staging', 'canary', 'prod'].slice(0, dice.pick([1, 2, 2, 3, 3, 4]));
  const clusters = environments.flatMap((env) =>
    Array.from({ length: dice.pick([1, 1, 1, 2, 2, 3]) }, (_, index) => destination(env, index + 1)),
  );
  const sets = ['orders', 'payments', 'returns'].slice(0, dice.pick([1, 1, 1, 2, 2, 3])).map((name) => ({
    name,
    hasBase: dice.chance(0.35),
    maxUpdates: environments.map(() =>
      dice.pick([undefined, '100%', '50%', 1, 1, 2, dice.chance(0.1) ? 0 : 1]),
    ),
    prunes: dice.chance(0.8),
  }));
  const restsAtMs = dice.between(22, 40) * minute;
  return {
    seed,
    environments,
    clusters,
    sets,
    version: dice.pick(['3.4', '3.5', '3.5', '3.6']),
    habits: habitsOf(dice, sets, clusters),
    mode: diceOf(seed, 'mode').pick(modes),
    limits: limitsOf(dice),
    skewMs: dice.pick([0, 0, 0, dice.between(-90, 90) * second]),
    trouble: troubleOf(dice),
    happenings: happeningsOf(seed, sets, clusters, restsAtMs),
    restsAtMs,
  };
}

function destination(env: string, number: number): Destination {
  const name = `${env}-${number}`;
  return { name, labels: { env }, server: `https://${name}.k8s.acme.example:6443` };
}

function habitsOf(
  dice: Dice,
  sets: readonly PlannedSet[],
  clusters: readonly Destination[],
): Partial<Habits> {
  const all = sets.flatMap((set) => clusters.map((cluster) => `${set.name}-${cluster.name}`));
  return {
    // With polling people wait for minutes; the order is a matter of luck.
    noticeSpreadMs: dice.pick([40, 40, 400, 3_000]),
    noticeFirst: dice.chance(0.4) ? [dice.pick(all)] : [],
    noticeLeadMs: dice.pick([700, 3_000]),
    pollMs: 3 * minute,
    missedWakeUps: dice.pick([0, 0, 0, 0.05]),
    slowness: dice.pick([1, 1, 1, 3, 8]),
  };
}

function limitsOf(dice: Dice): PartialSettings {
  return {
    graceMs: dice.pick([30 * second, minute, 2 * minute]),
    bakeMs: dice.pick([5 * minute, 30 * minute]),
    stalledMs: 15 * minute,
    stuckMs: 10 * minute,
    unnoticedMs: 5 * minute,
    syncAttempts: dice.pick([1, 2, 2]),
    contain: dice.pick(['off', 'advise', 'freeze', 'freeze']),
    recover: dice.pick(['advise', 'refresh', 'sync']),
  };
}

function troubleOf(dice: Dice): Trouble {
  const heat = dice.pick([0, 0.3, 1, 1, 3]);
  if (heat === 0) return noTrouble;
  const some = (most: number): number => dice.random() * most * heat;
  return {
    failsBefore: some(0.03),
    failsAfter: some(0.02),
    refused: some(0.006),
    limited: some(0.01),
    stale: some(0.04),
    crash: some(0.008),
    rival: some(0.03),
    lost: some(0.1),
    doubled: some(0.1),
    late: some(0.03),
  };
}

function happeningsOf(
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

/** What somebody does about one revert, drawn when it is opened. */
export function reactionOf(dice: Dice): Reaction {
  const what = dice.pick<Reaction['what']>([
    'merge',
    'merge',
    'merge',
    'squash',
    'squash',
    'close',
    'close-and-reopen',
    'nothing',
    'fix',
    'push-on-branch',
    'make-it-worse',
    'make-it-worse',
    'revert-by-hand',
  ]);
  return { what, afterMs: dice.between(10, 600) * second };
}
