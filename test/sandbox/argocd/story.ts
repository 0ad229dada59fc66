/** The words in which stories about the simulated Argo CD are told. */
import { expect } from 'vitest';
import { argoWorld, type World, type WorldOptions } from './world.ts';

/** Starts a world in which it is not left to luck which Applications notice a push first. */
export async function begin(
  recording: string,
  clusters: 7 | 12,
  first: string[],
  more: Partial<WorldOptions> = {},
): Promise<World> {
  const world = argoWorld({ recording, clusters, habits: { pollMs: 150_000 }, ...more });
  const set = world.applicationSet().metadata.name;
  world.argocd.habits.noticeFirst = first.map((cluster) => `${set}-${cluster}`);
  return world;
}

export function agrees(world: World, checkpoint: number): void {
  const { expected, found } = world.compare(checkpoint);
  expect(found).toEqual(expected);
}

export const health = (world: World, cluster: string) => world.application(cluster)?.status?.health.status;
export const operation = (world: World, cluster: string) =>
  world.application(cluster)?.status?.operationState;
export const isRunning = (world: World, letter: string) => (cluster: string) =>
  world.runs(cluster).includes(letter);
export const name = (world: World, cluster: string) => world.application(cluster).metadata.name;

/** A few seconds more: each sync is followed by another one, and that would take a commit that is pushed at once. */
export async function everywhere(world: World, letter: string): Promise<void> {
  await world.until(`all Healthy on ${letter}`, () => world.isEverywhere(letter));
  await world.seconds(4);
}

export function setMaxUpdate(world: World, step: number, maxUpdate: number | string): void {
  const { spec, metadata } = world.applicationSet();
  const steps = structuredClone(spec.strategy!.rollingSync!.steps!);
  steps[step] = { ...steps[step], maxUpdate };
  world.store.patchMerge('applicationsets', 'argocd', metadata.name, {
    spec: { strategy: { rollingSync: { steps } } },
  });
}
