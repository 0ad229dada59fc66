/**
 * The memory of an ApplicationSet as it is kept in the cluster. An object there holds 1.5 MB, and an ApplicationSet can
 * have 5,000 Applications: texts that many share are kept once, times are counted from one base, and of a large set
 * only the newest contents are kept. The reader is `unpack-memory.ts`, and a property holds the two together.
 */
import type { CheckMemory } from './check-memory.ts';
import type { ApplicationMemory, ContentRecord } from './memory.ts';
import type { Orders } from './orders.ts';
import type { StageMemory } from './watcher.ts';

export interface StoredMemory {
  form: 1;
  /** Times are milliseconds after this one. */
  base: number;
  /** Revisions (a line each) and configurations, each once. */
  texts: readonly string[];
  followed: StageMemory['followed'];
  orders: Orders;
  checks: CheckMemory;
  /** Absent when there are none, as of before they were kept. */
  heads?: StageMemory['heads'];
  /** Absent when there is none, as of before they were kept. */
  incidents?: readonly string[];
  /** By key; the fields are those of `packApplication`, in their order. */
  applications: Readonly<Record<string, readonly unknown[]>>;
}

/** How many contents of each Application are kept, so that the whole fits. */
function contentsKept(applications: number): number {
  if (applications <= 300) return 12;
  return applications <= 1_500 ? 4 : 2;
}

/** Packs a memory. What is missed by it is a moment, never a baseline: the newest good content is always kept. */
export function packMemory(memory: StageMemory): StoredMemory {
  const entries = Object.entries(memory.applications);
  const packer = openPacker(
    Math.min(
      ...entries.flatMap(([, one]) => one.contents.map((content) => content.appliedAt)),
      Number.MAX_SAFE_INTEGER,
    ),
  );
  const kept = contentsKept(entries.length);
  const applications = Object.fromEntries(
    entries.map(([key, one]) => [key, packApplication(one, packer, kept)]),
  );
  return {
    form: 1,
    base: packer.base,
    texts: packer.texts,
    followed: memory.followed,
    orders: memory.orders,
    checks: memory.checks,
    ...(memory.heads.length === 0 ? {} : { heads: memory.heads }),
    ...((memory.incidents ?? []).length === 0 ? {} : { incidents: memory.incidents }),
    applications,
  };
}

interface Packer {
  base: number;
  texts: string[];
  /** Index of a text that is kept once; -1 for null. */
  textOf(value: string | null): number;
  revisionsOf(revisions: readonly string[] | null): number;
  time(at: number | null): number | null;
}

function openPacker(earliest: number): Packer {
  const base = earliest === Number.MAX_SAFE_INTEGER ? 0 : earliest;
  const kept: string[] = [];
  const indexes = new Map<string, number>();
  const textOf = (value: string | null): number => {
    if (value === null) return -1;
    const known = indexes.get(value);
    if (known !== undefined) return known;
    indexes.set(value, kept.length);
    return kept.push(value) - 1;
  };
  return {
    base,
    texts: kept,
    textOf,
    revisionsOf: (revisions) => textOf(revisions === null ? null : revisions.join('\n')),
    time: (at) => (at === null ? null : Math.round(at - base)),
  };
}

function packApplication(one: ApplicationMemory, packer: Packer, kept: number): readonly unknown[] {
  const { time, textOf, revisionsOf } = packer;
  const { running, operation, trouble, failedSync } = one;
  return trimmed([
    one.uid,
    newestAndGood(one.contents, kept).map((content) => packContent(content, packer)),
    running === null
      ? null
      : [
          revisionsOf(running.revisions),
          textOf(running.configuration),
          time(running.at),
          running.isPartial ? 1 : 0,
        ],
    time(one.runningSince),
    operation === null
      ? null
      : [
          time(operation.startedAt),
          revisionsOf(operation.target),
          operation.staleResult,
          time(operation.attemptSince),
          operation.isWaiting ? 1 : 0,
          ...(operation.failures === 0 && !operation.hasLeftOvers
            ? []
            : [operation.failures, operation.elsewhere, operation.hasLeftOvers ? 1 : 0]),
        ],
    trouble === null
      ? null
      : [
          time(trouble.since),
          time(trouble.degradedSince),
          revisionsOf(trouble.blamed),
          trouble.isDated ? 1 : 0,
          trouble.causes,
          time(trouble.healthyFrom),
        ],
    failedSync === null
      ? null
      : [
          revisionsOf(failedSync.revisions),
          textOf(failedSync.configuration),
          failedSync.attempts,
          time(failedSync.since),
          time(failedSync.lastAttemptAt),
          failedSync.message.slice(0, 500),
          ...(failedSync.failingSince === failedSync.since ? [] : [time(failedSync.failingSince)]),
        ],
    one.outOfSync === null ? null : [time(one.outOfSync.since), revisionsOf(one.outOfSync.revisions)],
    time(one.comparisonError?.since ?? null),
    time(one.progressingSince),
    time(one.requestedSince),
    time(one.healthySince),
  ]);
}

function packContent(content: ContentRecord, { time, textOf, revisionsOf }: Packer): readonly unknown[] {
  const { degraded } = content;
  return trimmed([
    revisionsOf(content.revisions),
    textOf(content.configuration),
    time(content.appliedAt),
    time(content.healthyAt),
    time(content.healthySince),
    time(content.healthyUntil),
    (content.isGuess ? 1 : 0) + (content.isFromHistory ? 2 : 0),
    degraded === null
      ? null
      : [
          time(degraded.from),
          degraded.lastedMs,
          degraded.endedAt - degraded.from - degraded.lastedMs,
          degraded.causes,
        ],
  ]);
}

/** The newest, and whatever it costs the newest that was ever healthy. */
function newestAndGood(contents: readonly ContentRecord[], kept: number): readonly ContentRecord[] {
  const newest = contents.slice(-kept);
  if (newest.some((content) => content.healthyAt !== null)) return newest;
  const good = contents.findLast((content) => content.healthyAt !== null);
  return good === undefined ? newest : [good, ...newest];
}

/** Nothing at the end of a row needs no place in it. */
function trimmed(row: readonly unknown[]): readonly unknown[] {
  const last = row.findLastIndex((value) => value !== null);
  return row.slice(0, last + 1);
}
