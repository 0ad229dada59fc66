import { describe, expect, it } from 'vitest';
import { patchBetween } from '../../../src/sandbox/argocd/json.ts';
import type { ApplicationObject } from '../../../src/sandbox/argocd/objects.ts';
import { expectationOf, linesOf } from './recorded.ts';
import { begin, everywhere, health, isRunning, name, operation } from './story.ts';
import type { World, WorldOptions } from './world.ts';

/**
 * The fields that one write changed, and what the telling ones say now. Which fields go together, and in which order
 * they come, is the controller's; the second in which something starts is luck.
 */
function signature(before: ApplicationObject, after: ApplicationObject): string {
  const changed = fields(patchBetween(before, after) ?? {}).map((field) =>
    field
      .replace('-metadata.annotations', '-refresh')
      .replace('metadata.annotations.argocd.argoproj.io/', ''),
  );
  const { sync, health: healthStatus, operationState } = after.status!;
  const telling: Record<string, string | undefined> = {
    'sync.status': sync.status,
    'health.status': healthStatus.status,
    'operationState.phase': operationState?.phase,
    'operationState.message': operationState?.message?.replace(/\d+:\d\d[AP]M/, 'TIME').slice(0, 80),
  };
  return changed
    .map((field) => field.replace(/^(-?)status\./, '$1'))
    .filter((field) => field !== 'operationState.startedAt')
    .map((field) => (telling[field] === undefined ? field : `${field}=${telling[field]}`))
    .sort()
    .join(' ');
}

function fields(patch: object, prefix = ''): string[] {
  return Object.entries(patch).flatMap(([key, value]) => {
    const field = prefix === '' ? key : `${prefix}.${key}`;
    if (/^metadata\.(resourceVersion|generation|managedFields)$/.test(field)) return [];
    if (value === null) return [`-${field}`];
    const isInner = typeof value === 'object' && !Array.isArray(value) && field !== 'operation';
    return isInner ? fields(value, field) : [field];
  });
}

/** When a comparison only moved `reconciledAt`, and when an operation was only looked at, is luck. */
const isTelling = (one: string) => one !== 'reconciledAt' && one !== '';

/** The writes to the Application on one cluster from the push of the second commit on, as recorded. */
function recordedWrites(recording: string, cluster: string): string[] {
  const { commits, applicationSets } = expectationOf(recording);
  const writes: string[] = [];
  let before: ApplicationObject | undefined;
  let hasBegun = false;
  for (const line of linesOf(recording)) {
    if ((line as { sha?: string }).sha === commits.B?.sha) hasBegun = true;
    if (line.kind !== 'Application' || line.object.metadata.name !== `${applicationSets[0]}-${cluster}`)
      continue;
    if (hasBegun && before !== undefined) writes.push(signature(before, line.object));
    before = line.object;
  }
  return writes.filter(isTelling);
}

interface Case {
  recording: string;
  cluster: string;
  first: string[];
  seed: number;
  more?: Partial<WorldOptions>;
  /** How many of the recorded writes; where luck decides how often the same commit is synced again, those before. */
  count?: number;
  play(world: World): Promise<void>;
}

async function simulatedWrites({ recording, cluster, first, seed, more, play }: Case): Promise<string[]> {
  const world = await begin(recording, 7, first, { seed, ...more });
  await everywhere(world, 'A');
  const writes: string[] = [];
  world.store.subscribe(({ resource, object, previous }) => {
    const after = object as unknown as ApplicationObject;
    if (resource !== 'applications' || after.spec.destination.namespace !== cluster) return;
    writes.push(signature(previous as unknown as ApplicationObject, after));
  });
  await play(world);
  return writes.filter(isTelling);
}

const waitsForHook = (world: World) =>
  world.until('dev-1 waits for its hook', () => /hook/.test(operation(world, 'dev-1')?.message ?? ''));

async function failThenRevert(world: World, sick: string, seconds: number): Promise<void> {
  world.push('B');
  await world.until(`${sick} is Degraded`, () => health(world, sick) === 'Degraded');
  await world.seconds(seconds);
  world.push('C');
  await everywhere(world, 'C');
}

const CASES: Case[] = [
  {
    recording: 'degraded-in-staging',
    cluster: 'dev-1',
    first: ['dev-1'],
    seed: 6,
    play: (world) => failThenRevert(world, 'staging-1', 40),
  },
  {
    recording: 'late-degradation',
    cluster: 'dev-1',
    first: ['dev-1'],
    seed: 1,
    play: async (world) => {
      world.push('B');
      await world.until('staging-2 has begun', () => isRunning(world, 'B')('staging-2'));
      await world.seconds(4);
      world.argocd.setHealth(name(world, 'dev-1'), { status: 'Degraded', message: '' });
      await world.seconds(12);
      world.argocd.setHealth(name(world, 'staging-2'), { status: 'Healthy', message: '' });
      await world.seconds(40);
      world.push('C');
      await everywhere(world, 'C');
    },
  },
  {
    recording: 'sync-failed-revert-while-retrying',
    cluster: 'dev-1',
    first: ['dev-1'],
    seed: 1,
    play: async (world) => {
      world.push('B');
      await world.until('the second retry', () => operation(world, 'dev-1')?.retryCount === 2);
      world.push('C');
      await world.seconds(40);
    },
  },
  {
    recording: 'sync-failed-exhausted',
    cluster: 'dev-1',
    first: ['dev-1'],
    seed: 68,
    count: 41,
    play: async (world) => {
      world.push('B');
      await world.until('no retry is left', () => operation(world, 'dev-1')?.phase === 'Failed', 600);
      await world.seconds(60);
      world.push('C');
      await everywhere(world, 'C');
    },
  },
  {
    recording: 'hook-never-ends',
    cluster: 'dev-1',
    first: ['dev-1'],
    seed: 1,
    count: 11,
    play: async (world) => {
      world.push('B');
      await waitsForHook(world);
      await world.seconds(30);
      world.push('C');
      await world.until('all Healthy on the revert', () => world.isEverywhere('C'));
      await world.seconds(10);
      world.argocd.terminate(name(world, 'dev-1'));
      await world.seconds(10);
    },
  },
  {
    recording: 'late-hook-brought-back-by-a-sync',
    cluster: 'dev-1',
    first: ['dev-1'],
    seed: 1,
    play: async (world) => {
      world.push('B');
      await waitsForHook(world);
      await world.seconds(5);
      world.push('C');
      await world.until('all Healthy on the revert', () => world.isEverywhere('C'));
      await world.seconds(3);
      world.argocd.finishHook(name(world, 'dev-1'));
      await world.seconds(25);
      world.argocd.refresh(name(world, 'dev-1'));
      await world.seconds(15);
      world.argocd.syncByHand(name(world, 'dev-1'));
      await world.seconds(5);
    },
  },
  {
    recording: 'render-error',
    cluster: 'prod-1',
    first: ['staging-3', 'prod-1', 'dev-1'],
    seed: 1,
    play: async (world) => {
      world.push('B');
      await world.seconds(30);
      world.push('C');
      await everywhere(world, 'C');
    },
  },
  {
    recording: 'render-error',
    cluster: 'staging-3',
    first: ['staging-3', 'dev-1'],
    seed: 1,
    play: async (world) => {
      world.push('B');
      await world.seconds(30);
      world.push('C');
      await everywhere(world, 'C');
    },
  },
  {
    recording: 'render-error',
    cluster: 'dev-1',
    first: ['dev-1'],
    seed: 1,
    play: async (world) => {
      world.argocd.habits.missedWakeUps = 1;
      world.push('B');
      await world.seconds(30);
      world.argocd.habits.missedWakeUps = 0;
      world.push('C');
      await everywhere(world, 'C');
    },
  },
  {
    recording: 'cluster-unreachable',
    cluster: 'prod-2',
    first: ['dev-1'],
    seed: 4,
    play: async (world) => {
      world.push('B');
      await everywhere(world, 'B');
      world.argocd.setReachable('prod-2', false);
      world.argocd.refresh(name(world, 'prod-2'));
      await world.seconds(60);
      world.argocd.setReachable('prod-2', true);
      await world.seconds(60);
    },
  },
  {
    recording: 'flag-off',
    cluster: 'dev-1',
    first: [],
    seed: 3,
    more: { isProgressive: false },
    play: async (world) => {
      world.push('B');
      await world.seconds(20);
      world.push('C');
      await world.seconds(20);
    },
  },
];

describe('the simulated application controller, held against what the real one wrote', () => {
  it.each(CASES.map((one) => [one.recording, one.cluster, one] as const))(
    '%s: the same fields of the Application on %s, together and in the same order',
    async (recording, cluster, one) => {
      const recorded = recordedWrites(recording, cluster).slice(0, one.count);
      expect(recorded.length).toBeGreaterThan(3);
      const simulated = await simulatedWrites(one);
      expect(simulated.slice(0, recorded.length)).toEqual(recorded);
    },
  );
});
