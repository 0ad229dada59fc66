/**
 * One seed, from the first deployment until everything has settled: the plan happens, then people and trouble rest, and then
 * nothing may be left to do. The first law that is broken ends it.
 */
import { laws } from './laws/all.ts';
import { botLogin } from './memory-hub.ts';
import type { Mistake } from './mistake.ts';
import { letHappen } from './people.ts';
import { planOf } from './plan.ts';
import type { Line } from './story.ts';
import { startOfTime, World } from './world.ts';

export interface Broken {
  law: string;
  how: string;
  at: number;
}

export interface SeedOutcome {
  seed: number;
  broken: Broken | null;
  reverts: number;
  merged: number;
  failures: number;
  crashes: number;
  ticks: number;
  writes: number;
  timers: number;
  /** Empty unless it was asked for. */
  story: readonly Line[];
}

const minute = 60_000;
/** How long it may take until all is quiet, after the last trouble. */
const settleMs = 20 * minute;

/** Plays a seed. Throws only when the simulation itself is wrong. */
export async function runSeed(
  seed: number,
  options: { isTold?: boolean; mistake?: Mistake | null } = {},
): Promise<SeedOutcome> {
  const plan = planOf(seed);
  const world = new World(plan, { isTold: options.isTold ?? false, mistake: options.mistake ?? null });
  let broken: Broken | null = null;
  const note = (law: string, how: string | null): void => {
    if (how !== null) broken ??= { law, how, at: world.time.now() };
  };
  world.hub.subscribe((event) => {
    for (const law of laws) note(law.name, law.onEvent?.(world, event) ?? null);
  });
  world.onWrite = (call) => {
    for (const law of laws) note(law.name, law.onWrite?.(world, call) ?? null);
  };
  letHappen(world);
  world.startMain();
  await world.time.runUntil(startOfTime + plan.restsAtMs);
  world.isResting = true;
  world.endOthers();
  world.story.tell('world', () => 'people rest, and nothing goes wrong any more');
  const pass = (ms: number): Promise<void> => world.time.runUntil(world.time.now() + ms);
  await pass(settleMs);
  for (const law of laws) note(law.name, law.atEnd?.(world) ?? null);
  const before = world.writes.length;
  world.nudgeAll();
  await pass(2 * minute);
  note('settles', leftToDo(world, before, 'a further look'));
  world.replaceMain();
  await pass(7 * minute);
  note('settles-after-restart', leftToDo(world, before, 'a look after a restart'));
  world.argocd.stop();
  const reverts = world.repository.pulls.all().filter((pull) => pull.user === botLogin);
  return {
    seed,
    broken,
    reverts: reverts.length,
    merged: reverts.filter((pull) => pull.mergedAt !== null).length,
    failures: world.truth.failures().length,
    crashes: world.figures.crashes,
    ticks: world.figures.ticks,
    writes: world.writes.length,
    timers: world.time.ran,
    story: world.story.lines,
  };
}

/** Everything has settled when a further tick finds nothing to write. */
function leftToDo(world: World, before: number, when: string): string | null {
  const [first] = world.writes.slice(before);
  return first === undefined ? null : `${when} calls ${first.call.method} of ${first.call.port}`;
}
