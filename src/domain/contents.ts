/**
 * The contents that an Application has run, newest last, each with how it fared: healthy since when, degraded by what.
 * Our own record, because history keeps ten entries, three of them for each rollout, and tells nothing about health.
 */
import { changedAt, seenLongAgo } from './changed-at.ts';
import { isMadeAlike } from './configuration.ts';
import { type ContentFacts, isResolved, type Revisions, sameContent } from './content.ts';
import { deployedSince } from './history.ts';
import type { ApplicationMemory, ContentRecord, Trouble } from './memory.ts';
import type { Application } from './objects.ts';
import { isActive, type Running } from './running.ts';

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
      isFromHistory: true,
    });
  }
  return records;
}

/**
 * What was known of the contents, and of those that nobody saw Healthy what history tells: a look can have been missed
 * while an Application was Healthy for the first time, and then a commit that fails would have nothing to go back to. Which
 * looks were missed is known of a content that no look found, and after a restart or a change of replicas of every one.
 */
export function guessWhatWasMissed(
  known: ApplicationMemory,
  running: Running | null,
  application: Application,
  facts: ContentFacts,
): readonly ContentRecord[] {
  const { contents } = known;
  if (contents.some((record) => record.healthyAt !== null && !record.isGuess)) return contents;
  const wasAway = known.seenAt === seenLongAgo;
  const guesses = guessFromHistory(application, facts).filter((guess) => {
    const isRunning = running !== null && isOf(guess, application, running, facts);
    const record = contents.findLast((candidate) => isOf(candidate, application, guess, facts));
    if (record === undefined) return wasAway || !isRunning;
    // What was seen to fail is no guess any more, what was seen to be followed by another was seen to its end, and what runs is
    // looked at now.
    const isLast = record === contents.at(-1);
    return wasAway && isLast && !isRunning && record.healthyAt === null && record.degraded === null;
  });
  const isGuessed = (record: ContentRecord): boolean =>
    guesses.some((guess) => isOf(guess, application, record, facts));
  const all = [...guesses, ...contents.filter((record) => !isGuessed(record))];
  return all.sort((one, other) => one.appliedAt - other.appliedAt);
}

/** True when a record is about this content. */
function isOf(
  record: ContentRecord,
  application: Application,
  content: { revisions: Revisions; configuration: string | null },
  facts: ContentFacts,
): boolean {
  return isMadeAlike(application.sources, record, content, facts);
}

/** The records after one more look; content that comes back (a revert) is the newest again. */
export function rememberContents(
  known: ApplicationMemory | null,
  memory: ApplicationMemory,
  application: Application,
  facts: ContentFacts,
  now: number,
): readonly ContentRecord[] {
  const { running } = memory;
  const contents = withEndedSpell(known, memory.contents, application, facts, now);
  if (running === null) return contents;
  const index = contents.findLastIndex((record) => isOf(record, application, running, facts));
  const found = index === -1 ? null : (contents[index] ?? null);
  const record: ContentRecord = found ?? {
    revisions: running.revisions,
    configuration: running.configuration,
    appliedAt: memory.runningSince ?? now,
    healthyAt: null,
    healthySince: null,
    healthyUntil: null,
    degraded: null,
    isGuess: false,
    isFromHistory: false,
  };
  const updated = {
    ...withHealth(record, known, memory, application, facts, now),
    configuration: running.configuration ?? record.configuration,
  };
  const others = contents.filter((_, position) => position !== index);
  const wasLast = index === contents.length - 1;
  const ordered =
    wasLast && index !== -1
      ? [...others, updated]
      : [...others, { ...updated, revisions: running.revisions }];
  return ordered.slice(-contentsMax);
}

/** Nothing may happen while it is Degraded: that it lasted until now is only known when it ends. */
function withEndedSpell(
  known: ApplicationMemory | null,
  contents: readonly ContentRecord[],
  application: Application,
  facts: ContentFacts,
  now: number,
): readonly ContentRecord[] {
  const { health, sources } = application;
  const trouble = known?.trouble ?? null;
  if (trouble?.blamed == null || trouble.degradedSince === null || health.status === 'Degraded')
    return contents;
  const { blamed } = trouble;
  const index = contents.findLastIndex((record) => sameContent(sources, record.revisions, blamed, facts));
  const until = changedAt(known, health.lastTransitionAt, now);
  return contents.map((record, position) =>
    position === index ? withDegraded(record, trouble, until) : record,
  );
}

/** The longest spell counts, and the end of the newest; `until` is that end, or the present while it lasts. */
function withDegraded(record: ContentRecord, trouble: Trouble, until: number): ContentRecord {
  const from = trouble.degradedSince;
  if (from === null) return record;
  const lastedMs = Math.max(0, until - from);
  const before = record.degraded;
  const isShorter = before !== null && before.from !== from && before.lastedMs > lastedMs;
  const spell = isShorter ? before : { from, lastedMs, causes: trouble.causes };
  return { ...record, degraded: { ...spell, endedAt: until } };
}

function withHealth(
  record: ContentRecord,
  known: ApplicationMemory | null,
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
      healthyAt: record.healthyAt ?? firstHealthy(known, application, record, facts, now),
      healthySince: isSpell && !wasDegradedSince(record) ? record.healthySince : now,
      healthyUntil: now,
      isGuess: false,
    };
  }
  const { trouble } = memory;
  if (trouble?.blamed == null) return record;
  const isBlamed = sameContent(application.sources, trouble.blamed, record.revisions, facts);
  return isBlamed ? withDegraded(record, trouble, now) : record;
}

/**
 * When it was first Healthy on a content on which this look finds it so: looks can have been missed, and a bake time
 * that begins too late would blame the commit for too long. Not before it was deployed, nor before it was Healthy.
 */
function firstHealthy(
  known: ApplicationMemory | null,
  application: Application,
  record: ContentRecord,
  facts: ContentFacts,
  now: number,
): number {
  const { lastTransitionAt } = application.health;
  const deployed = deployedSince(application, record.revisions, facts);
  if (deployed === null || lastTransitionAt === null) return now;
  return changedAt(known, Math.max(deployed, lastTransitionAt), now);
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
