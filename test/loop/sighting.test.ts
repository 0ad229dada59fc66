/** What a process that has just begun looks up before it judges an ApplicationSet in which all is well. */
import { expect, it } from 'vitest';
import { emptyContent } from '../../src/content/learn.ts';
import { emptyStageMemory } from '../../src/domain/watcher.ts';
import { sightingOf } from '../../src/loop/sighting.ts';
import type { World } from '../../src/loop/world.ts';
import {
  A,
  applicationOf,
  applicationSetOf,
  B,
  beginning,
  rawApplication,
  rawApplicationSet,
} from '../domain/world.ts';
import { incident, standing } from '../render/sample-incident.ts';

async function lookedUp(
  incidents: readonly ReturnType<typeof incident>[],
  memory = emptyStageMemory,
): Promise<readonly string[]> {
  const asked = new Set<string>();
  const world = {
    heads: { of: async () => [] },
    content: emptyContent(),
    memories: { incidents: async () => incidents },
    forge: {
      repositoryOf: () => ({ host: 'github.com', owner: 'acme', name: 'shop' }),
      commit: async (_: unknown, sha: string) => {
        asked.add(sha);
        return null;
      },
    },
    configurations: { of: async () => ({ layers: [] }) },
  } as unknown as World;
  const look = {
    applicationSet: applicationSetOf(rawApplicationSet()),
    applications: [applicationOf(rawApplication('dev'))],
    observedAt: beginning,
    sight: { lastHeardAt: beginning, blindness: null },
  };
  await sightingOf(world, look, memory, { state: 'on', evidence: [] }, 0);
  return [...asked].sort();
}

it('looks up what an incident that is followed says of it, and nothing where none is', async () => {
  const sets = [standing({ key: 'argocd/shop', bad: [B], lastGood: [A] })];
  expect(await lookedUp([incident({ sets })])).toEqual([A, B]);
  expect(await lookedUp([incident({ sets, phase: 'recovered' })])).toEqual([]);
  expect(await lookedUp([incident()])).toEqual([]);
});

it('looks up what is followed without an incident until all is back: what it runs can be the same by another name', async () => {
  const followed = { bad: [B], lastGood: [A], applications: [], headAtRecovery: null, failedAt: null };
  expect(await lookedUp([], { ...emptyStageMemory, followed: { ...followed, isRecovered: false } })).toEqual([
    A,
    B,
  ]);
  expect(await lookedUp([], { ...emptyStageMemory, followed: { ...followed, isRecovered: true } })).toEqual(
    [],
  );
});
