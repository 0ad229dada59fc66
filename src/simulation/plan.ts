/**
 * What a seed is: some ApplicationSets over some clusters, an Argo CD with habits, people who push and react, and what goes
 * wrong. Drawn once, at the start, so that the same seed is the same world whatever Stepback does in it.
 */
import type { Mode, PartialSettings } from '../config/configuration.ts';
import type { Habits } from '../sandbox/argocd/habits.ts';
import type { ArgoVersion, Cluster as Destination } from '../sandbox/argocd/objects.ts';
import { type Dice, diceOf } from './dice.ts';
import { type Happening, happeningsOf } from './happenings.ts';
import { noTrouble, type Trouble } from './trouble.ts';

export interface PlannedSet {
  name: string;
  hasBase: boolean;
  maxUpdates: readonly (number | string | undefined)[];
  prunes: boolean;
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
