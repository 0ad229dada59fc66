/**
 * What is known of one ApplicationSet from look to look, and the answer that follows from it. A replay and the
 * running product both keep one of these; neither has a rule of its own.
 */
import { type CheckMemory, noChecks } from './check-memory.ts';
import { type ContentFacts, sameContent } from './content.ts';
import { failureOf, type RolloutFailure } from './failure.ts';
import { headsToKeep } from './kept-heads.ts';
import type { Exceptions } from './left-out.ts';
import type { BranchHead } from './look.ts';
import { type ApplicationMemory, remember } from './memory.ts';
import type { Application, ApplicationSet, ObjectKey } from './objects.ts';
import { noOrders, type Orders } from './orders.ts';
import type { Policy } from './policy.ts';
import { type Followed, hasHad, notRecovered, takenBack } from './recovery.ts';
import { everyApplication, type Rollout, rolloutOf, type StageApplication } from './rollout.ts';

/** `failedAt`: when it failed at a look for the last time; null when it never did. */
export type Following = Followed & {
  isRecovered: boolean;
  headAtRecovery: string | null;
  failedAt: number | null;
};

/** What survives of one ApplicationSet: one memory an Application, and what is being followed. */
export interface StageMemory {
  applications: Readonly<Record<ObjectKey, ApplicationMemory>>;
  /** What failed or was taken back, until everything is back and something new comes. */
  followed: Following | null;
  /** What people ordered by commands. */
  orders: Orders;
  /** The commits whose check runs may still change. */
  checks: CheckMemory;
  /** What the branches held, while something cannot be rendered; else none. */
  heads: readonly BranchHead[];
  /** Ids of the incidents that it was part of at the last look and that were not over; absent when there was none. */
  incidents?: readonly string[];
}

export const emptyStageMemory: StageMemory = {
  applications: {},
  followed: null,
  orders: noOrders,
  checks: noChecks,
  heads: [],
};

export interface Answer {
  rollout: Rollout;
  failure: RolloutFailure | null;
  memory: StageMemory;
  /** Null without an incident. */
  isRecovered: boolean | null;
  /** Applications that are not back yet. */
  left: readonly StageApplication[];
}

export interface Sighting {
  applicationSet: ApplicationSet;
  applications: readonly Application[];
  facts: ContentFacts;
  heads: readonly BranchHead[];
  policy: Policy;
  now: number;
  blindness: string | null;
  featureFlag: 'on' | 'off' | 'unknown';
  /** What is configured to count for less; everything counts when absent. */
  exceptions?: Exceptions;
}

/** Folds one look into the memory; Applications that are gone are forgotten. */
export function rememberAll(memory: StageMemory, sighting: Sighting): StageMemory {
  const applications: Record<ObjectKey, ApplicationMemory> = {};
  for (const application of sighting.applications) {
    applications[application.key] = remember(
      memory.applications[application.key] ?? null,
      application,
      sighting.facts,
      sighting.now,
    );
  }
  return { ...memory, applications, heads: headsToKeep(applications, sighting.heads) };
}

/** The answer to one look. `memory` is what `rememberAll` gave for it. Pure. */
export function answerOf(memory: StageMemory, sighting: Sighting): Answer {
  const rollout = rolloutOf({
    ...sighting,
    memories: new Map(Object.entries(memory.applications)),
    orders: memory.orders,
  });
  const failure = asFollowed(failureOf(rollout, sighting.heads), memory.followed, sighting);
  const followed = follow(memory.followed, rollout, failure, sighting);
  if (followed === null)
    return { rollout, failure, memory: { ...memory, followed }, isRecovered: null, left: [] };
  const left = notRecovered(rollout, followed, sighting.facts);
  const isRecovered = left.length === 0 && failure === null;
  const headAtRecovery = isRecovered ? (followed.headAtRecovery ?? newestHead(sighting)) : null;
  return {
    rollout,
    failure,
    memory: { ...memory, followed: { ...followed, isRecovered, headAtRecovery } },
    isRecovered,
    left,
  };
}

/**
 * Applications can name one content by several commits, and which of these is the newest only who has seen them come knows: what is
 * followed keeps its name as long as it fails. What fails again after all was well has landed again, and that did it.
 */
function asFollowed(
  failure: RolloutFailure | null,
  followed: StageMemory['followed'],
  { facts }: Sighting,
): RolloutFailure | null {
  if (failure?.bad == null || followed === null || followed.isRecovered) return failure;
  if (followed.failedAt === null || failure.failingSince > followed.failedAt) return failure;
  const { sources } = failure.first.application;
  if (!sameContent(sources, followed.bad, failure.bad, facts)) return failure;
  const { lastGood } = failure;
  const good = followed.lastGood;
  const isSameGood =
    lastGood !== null && good !== null && sameContent(sources, good, lastGood.revisions, facts);
  return {
    ...failure,
    bad: followed.bad,
    lastGood: isSameGood ? { ...lastGood, revisions: good } : lastGood,
  };
}

function follow(
  before: StageMemory['followed'],
  rollout: Rollout,
  failure: RolloutFailure | null,
  sighting: Sighting,
): StageMemory['followed'] {
  const { facts, heads } = sighting;
  if (failure?.bad != null) {
    const bad = failure.bad;
    const lastGood = failure.lastGood?.revisions ?? null;
    const had = everyApplication(rollout).filter(
      (one) => hasHad(one, { bad, lastGood }, facts) || failure.failing.includes(one),
    );
    const known = before?.bad.join() === bad.join() ? before.applications : [];
    return {
      bad,
      lastGood,
      applications: [...new Set([...known, ...had.map((one) => one.application.key)])],
      isRecovered: false,
      headAtRecovery: null,
      failedAt: sighting.now,
    };
  }
  const isOver = before?.isRecovered === true && before.headAtRecovery !== newestHead(sighting);
  if (before !== null && !isOver) return before;
  const returned = takenBack(rollout, heads, facts);
  return returned === null ? null : { ...returned, isRecovered: false, headAtRecovery: null, failedAt: null };
}

function newestHead(sighting: Sighting): string | null {
  return sighting.heads.at(-1)?.sha ?? null;
}
