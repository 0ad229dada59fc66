/** Reads the memory of one ApplicationSet as `packMemory` wrote it; what cannot be read is as if it had not been kept. */
import { seenLongAgo } from './changed-at.ts';
import { readChecks } from './check-memory.ts';
import { readHeads } from './kept-heads.ts';
import type { ApplicationMemory, ContentRecord } from './memory.ts';
import { readOrders } from './orders.ts';
import { list, number, record, recordOrNull, text, texts } from './read.ts';
import type { StageMemory } from './watcher.ts';

/** Reads what `packMemory` wrote. Null for anything else: people and other versions write objects too. Never throws. */
export function unpackMemory(value: unknown): StageMemory | null {
  const stored = recordOrNull(value);
  if (stored === null || stored.form !== 1) return null;
  const reader = openReader(number(stored.base, 0), texts(stored.texts));
  const applications = Object.entries(record(stored.applications)).map(([key, row]) => [
    key,
    unpackApplication(list(row), reader),
  ]);
  return {
    applications: Object.fromEntries(applications),
    followed: unpackFollowed(stored.followed),
    orders: readOrders(stored.orders),
    checks: readChecks(stored.checks),
    heads: readHeads(stored.heads),
    ...(list(stored.incidents).length === 0 ? {} : { incidents: texts(stored.incidents) }),
  };
}

interface Reader {
  text(index: unknown): string | null;
  revisions(index: unknown): readonly string[] | null;
  time(value: unknown): number | null;
}

function openReader(base: number, kept: readonly string[]): Reader {
  const textAt = (index: unknown): string | null => kept[number(index, -1)] ?? null;
  return {
    text: textAt,
    revisions: (index) => splitText(textAt(index)),
    time: (value) => (typeof value === 'number' ? base + value : null),
  };
}

function splitText(value: string | null): readonly string[] | null {
  if (value === null) return null;
  return value === '' ? [] : value.split('\n');
}

function unpackApplication(row: readonly unknown[], reader: Reader): ApplicationMemory {
  const [
    uid,
    contents,
    running,
    runningSince,
    operation,
    trouble,
    failedSync,
    outOfSync,
    comparisonError,
    progressingSince,
    requestedSince,
    healthySince,
  ] = row;
  const [runs, runsConfiguration, runsAt, isPartial] = list(running);
  const [startedAt, target, staleResult, attemptSince, isWaiting, failures, elsewhere, hasLeftOvers] =
    list(operation);
  const [troubleSince, degradedSince, blamed, isDated, causes, healthyFrom] = list(trouble);
  const [failedOn, failedConfiguration, attempts, failedSince, lastAttemptAt, message, failingSince] =
    list(failedSync);
  const [outSince, outRevisions] = list(outOfSync);
  const { time } = reader;
  const comparisonSince = time(comparisonError);
  return {
    uid: text(uid),
    // What was not kept is as if it had been seen long ago: the next look is newer than that.
    resourceVersion: '',
    seenAt: seenLongAgo,
    running: !Array.isArray(running)
      ? null
      : {
          revisions: reader.revisions(runs) ?? [],
          configuration: reader.text(runsConfiguration),
          at: time(runsAt) ?? 0,
          isPartial: isPartial === 1,
        },
    runningSince: time(runningSince),
    operation: !Array.isArray(operation)
      ? null
      : {
          startedAt: time(startedAt),
          target: reader.revisions(target),
          staleResult: typeof staleResult === 'string' ? staleResult : null,
          attemptSince: time(attemptSince) ?? 0,
          isWaiting: isWaiting === 1,
          failures: number(failures, 0),
          elsewhere: number(elsewhere, 0),
          hasLeftOvers: hasLeftOvers === 1,
        },
    contents: list(contents).map((content) => unpackContent(list(content), reader)),
    trouble: !Array.isArray(trouble)
      ? null
      : {
          since: time(troubleSince) ?? 0,
          degradedSince: time(degradedSince),
          blamed: reader.revisions(blamed),
          isDated: isDated === 1,
          causes: texts(causes),
          healthyFrom: time(healthyFrom),
        },
    failedSync: !Array.isArray(failedSync)
      ? null
      : {
          revisions: reader.revisions(failedOn) ?? [],
          configuration: reader.text(failedConfiguration),
          attempts: number(attempts, 0),
          since: time(failedSince) ?? 0,
          failingSince: time(failingSince) ?? time(failedSince) ?? 0,
          lastAttemptAt: time(lastAttemptAt),
          message: text(message),
        },
    outOfSync: !Array.isArray(outOfSync)
      ? null
      : { since: time(outSince) ?? 0, revisions: reader.revisions(outRevisions) ?? [] },
    comparisonError: comparisonSince === null ? null : { since: comparisonSince },
    progressingSince: time(progressingSince),
    requestedSince: time(requestedSince),
    healthySince: time(healthySince),
  };
}

function unpackContent(row: readonly unknown[], reader: Reader): ContentRecord {
  const [revisions, configuration, appliedAt, healthyAt, healthySince, healthyUntil, origin, degraded] = row;
  const [from, lastedMs, after, causes] = list(degraded);
  const { time } = reader;
  return {
    revisions: reader.revisions(revisions) ?? [],
    configuration: reader.text(configuration),
    appliedAt: time(appliedAt) ?? 0,
    healthyAt: time(healthyAt),
    healthySince: time(healthySince),
    healthyUntil: time(healthyUntil),
    degraded: !Array.isArray(degraded)
      ? null
      : {
          from: time(from) ?? 0,
          lastedMs: number(lastedMs, 0),
          endedAt: (time(from) ?? 0) + number(lastedMs, 0) + number(after, 0),
          causes: texts(causes),
        },
    isGuess: origin === 1 || origin === 3,
    isFromHistory: origin === 2 || origin === 3,
  };
}

function unpackFollowed(value: unknown): StageMemory['followed'] {
  const followed = recordOrNull(value);
  if (followed === null) return null;
  const headAtRecovery = text(followed.headAtRecovery);
  return {
    bad: texts(followed.bad),
    lastGood: Array.isArray(followed.lastGood) ? texts(followed.lastGood) : null,
    applications: texts(followed.applications),
    isRecovered: followed.isRecovered === true,
    headAtRecovery: headAtRecovery === '' ? null : headAtRecovery,
    failedAt: typeof followed.failedAt === 'number' ? followed.failedAt : null,
  };
}
