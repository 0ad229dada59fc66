/**
 * One seed, from the first deployment until everything has settled: the plan happens, then people and trouble rest, and then
 * nothing may be left to do. The first law that is broken ends it.
 */
import type { ApplicationObject } from '../sandbox/argocd/objects.ts';
import { botLogin } from './hub-objects.ts';
import { laws } from './laws/all.ts';
import type { Mistake } from './mistake.ts';
import { letHappen } from './people.ts';
import { planOf } from './plan.ts';
import type { Line } from './story.ts';
import type { FaultCounts } from './tally.ts';
import type { Call } from './through-trouble.ts';
import { World } from './world.ts';

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
  faults: FaultCounts;
  /** Empty unless it was asked for. */
  story: readonly Line[];
}

const minute = 60_000;
/** A look is over by then. */
const lookMs = 20_000;
/** How long it may take until all is quiet, after the last trouble: longer than a bake time, and than it takes until all is swept once. */
const settleMs = 65 * minute;

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
  world.onWrite = (written) => {
    for (const law of laws) note(law.name, law.onWrite?.(world, written) ?? null);
  };
  for (const law of laws) law.watch?.(world, (how) => note(law.name, how));
  letHappen(world);
  world.startMain();
  const pass = (ms: number): Promise<boolean> => lets(world, ms, () => broken !== null);
  await playToTheEnd(world, pass, note);
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
    faults: world.tally.counts(),
    story: world.story.lines,
  };
}

/** Lets so much time pass, a minute at a time; false as soon as a law is broken. */
async function lets(world: World, ms: number, isBroken: () => boolean): Promise<boolean> {
  const until = world.time.now() + ms;
  while (!isBroken() && world.time.now() < until)
    await world.time.runUntil(Math.min(until, world.time.now() + minute));
  return !isBroken();
}

/** People and trouble, then rest, then looks at what has settled; ends where a law is broken. */
async function playToTheEnd(
  world: World,
  pass: (ms: number) => Promise<boolean>,
  note: (law: string, how: string | null) => void,
): Promise<void> {
  if (!(await pass(world.plan.restsAtMs))) return;
  world.isResting = true;
  world.endOthers();
  world.story.tell('world', () => 'people rest, and nothing goes wrong any more');
  if (!(await pass(settleMs))) return;
  for (const law of laws) note(law.name, law.atEnd?.(world) ?? null);
  const before = world.writes.length;
  note('rests', await askedInRest(world));
  if (!(await pass(2 * minute))) return;
  note('settles', leftToDo(world, before, 'a further look'));
  world.replaceMain();
  if (await pass(7 * minute))
    note('settles-after-restart', leftToDo(world, before, 'a look after a restart'));
}

/** What a further look at a world in which all is well asks; what timers ask (failed deliveries, the mailbox) is no look. */
async function askedInRest(world: World): Promise<string | null> {
  const isCalm = isWell(world);
  const asked: Call[] = [];
  world.onCall = (call) => asked.push(call);
  world.nudgeAll();
  await world.time.runUntil(world.time.now() + lookMs);
  world.onCall = () => {};
  const [first] = asked.filter(
    ({ port, method }) => port === 'the cluster' || (port === 'GitHub' && method !== 'failedDeliveries'),
  );
  return first === undefined || !isCalm ? null : `a further look calls ${first.method} of ${first.port}`;
}

/**
 * Every Application is Synced and Healthy, and every incident has recovered: what healed by itself can come back, and is watched. Rows
 * of several sources hide their commit and are read now and then.
 */
function isWell({ plan, store, seen }: World): boolean {
  const isOver = [...seen.incidents.values()].every(({ phase }) => phase === 'recovered');
  const isStill = store.list<ApplicationObject>('applications').every(({ operation, status }) => {
    const isDone = operation === undefined && status?.operationState?.phase === 'Succeeded';
    return isDone && status?.sync?.status === 'Synced' && status.health?.status === 'Healthy';
  });
  return isOver && isStill && plan.sets.every(({ hasBase }) => !hasBase);
}

/** Everything has settled when a further tick finds nothing to write. */
function leftToDo(world: World, before: number, when: string): string | null {
  const [first] = world.writes.slice(before);
  return first === undefined ? null : `${when} calls ${first.call.method} of ${first.call.port}`;
}
