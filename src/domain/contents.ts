/**
 * The contents that an Application has run, newest last, each with how it fared: healthy since when, degraded by what.
 * Our own record, because history keeps ten entries, three of them for each rollout, and tells nothing about health.
 */
import { sameConfiguration } from './configuration.ts';
import { type ContentFacts, isResolved, type Revisions, sameContent } from './content.ts';
import type { ApplicationMemory, ContentRecord } from './memory.ts';
import type { Application } from './objects.ts';
import { isActive } from './running.ts';

const contentsMax = 12;

/** History is only the first guess: what was deployed there may have been bad. */
export function guessFromHistory(application: Application, facts: ContentFacts): readonly ContentRecord[] {
  const records: ContentRecord[] = [];
  for (const entry of application.history) {
    if (!isResolved(application.sources, entry.revisions)) continue;
    const isKnown = records.some((record) => isOf(record, application, entry, facts));
    if (isKnown) continue;
    records.push({
      revisions: entry.revisions,
      configuration: entry.configuration,
      appliedAt: entry.deployStartedAt ?? entry.deployedAt,
      healthyAt: entry.deployedAt,
      healthySince: entry.deployedAt,
      healthyUntil: entry.deployedAt,
      degraded: null,
      isGuess: true,
    });
  }
  return records;
}

/** True when a record is about this content. */
function isOf(
  record: ContentRecord,
  application: Application,
  content: { revisions: Revisions; configuration: string | null },
  facts: ContentFacts,
): boolean {
  return (
    sameConfiguration(record.configuration, content.configuration) &&
    sameContent(application.sources, record.revisions, content.revisions, facts)
  );
}

/** The records after one more look; content that comes back (a revert) is the newest again. */
export function rememberContents(
  memory: ApplicationMemory,
  application: Application,
  facts: ContentFacts,
  now: number,
): readonly ContentRecord[] {
  const running = memory.running;
  if (running === null) return memory.contents;
  const index = memory.contents.findLastIndex((record) => isOf(record, application, running, facts));
  const found = index === -1 ? null : (memory.contents[index] ?? null);
  const record: ContentRecord = found ?? {
    revisions: running.revisions,
    configuration: running.configuration,
    appliedAt: memory.runningSince ?? now,
    healthyAt: null,
    healthySince: null,
    healthyUntil: null,
    degraded: null,
    isGuess: false,
  };
  const updated = {
    ...withHealth(record, memory, application, facts, now),
    configuration: running.configuration ?? record.configuration,
  };
  const others = memory.contents.filter((_, position) => position !== index);
  const wasLast = index === memory.contents.length - 1;
  const ordered =
    wasLast && index !== -1
      ? [...others, updated]
      : [...others, { ...updated, revisions: running.revisions }];
  return ordered.slice(-contentsMax);
}

function withHealth(
  record: ContentRecord,
  memory: ApplicationMemory,
  application: Application,
  facts: ContentFacts,
  now: number,
): ContentRecord {
  if (isQuietlyHealthy(application, memory, facts)) {
    const isSpell =
      record.healthySince !== null &&
      !record.isGuess &&
      record.healthyUntil !== null &&
      memory.trouble === null;
    return {
      ...record,
      revisions: memory.running?.revisions ?? record.revisions,
      healthyAt: record.healthyAt ?? now,
      healthySince: isSpell && !wasDegradedSince(record) ? record.healthySince : now,
      healthyUntil: now,
      isGuess: false,
    };
  }
  const { trouble } = memory;
  if (trouble?.degradedSince == null || trouble.blamed === null) return record;
  if (!sameContent(application.sources, trouble.blamed, record.revisions, facts)) return record;
  const lastedMs = now - trouble.degradedSince;
  if (
    record.degraded !== null &&
    record.degraded.lastedMs > lastedMs &&
    record.degraded.from !== trouble.degradedSince
  )
    return record;
  return { ...record, degraded: { from: trouble.degradedSince, lastedMs, causes: trouble.causes } };
}

/** The newest healthy spell ended in a degradation: the next look that is Healthy begins another. */
function wasDegradedSince(record: ContentRecord): boolean {
  return (
    record.degraded !== null && record.healthyUntil !== null && record.degraded.from >= record.healthyUntil
  );
}

/** Synced and Healthy on what it runs, with no operation on anything else. */
export function isQuietlyHealthy(
  application: Application,
  memory: ApplicationMemory,
  facts: ContentFacts,
): boolean {
  const { sources, sync, health } = application;
  const running = memory.running;
  if (running === null || running.isPartial || sync.status !== 'Synced' || health.status !== 'Healthy')
    return false;
  if (!sameContent(sources, sync.revisions, running.revisions, facts)) return false;
  return !hasOtherOperation(application, memory, running.revisions, facts);
}

/** An operation on other content than this runs or waits for its retry. Rule 8: on the same it is housekeeping. */
export function hasOtherOperation(
  application: Application,
  memory: ApplicationMemory,
  revisions: Revisions,
  facts: ContentFacts,
): boolean {
  if (!isActive(application.operation)) return false;
  const target = memory.operation?.target ?? null;
  return target !== null && !sameContent(application.sources, target, revisions, facts);
}
