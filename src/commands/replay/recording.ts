/**
 * A recording on disk: `events.jsonl.gz` (or plain `events.jsonl`), one event a line in the order they
 * arrived. People record incidents of their own in this form, so every fault names its line.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { list, record, text } from '../../domain/read.ts';
import { WorldProblem } from '../../ports.ts';

export type RecordedEvent =
  | { line: number; t: number; kind: 'ApplicationSet' | 'Application'; type: string; object: unknown }
  | {
      line: number;
      t: number;
      kind: 'Push';
      repository: string;
      branch: string;
      sha: string;
      subject: string;
    };

/** Milliseconds since the start are `t`; notes and unknown kinds are left out. Throws WorldProblem with the line. */
export function readRecording(folder: string): readonly RecordedEvent[] {
  const packed = join(folder, 'events.jsonl.gz');
  const plain = join(folder, 'events.jsonl');
  const file = existsSync(packed) ? packed : plain;
  if (!existsSync(file)) {
    throw new WorldProblem(
      'permanent',
      `${folder} holds no events.jsonl.gz and no events.jsonl. A recording is a folder with one of them.`,
    );
  }
  const bytes = readFileSync(file);
  const content = file === packed ? gunzipSync(bytes).toString('utf8') : bytes.toString('utf8');
  const events = content
    .split('\n')
    .map((line, index) => ({ line, number: index + 1 }))
    .filter(({ line }) => line.trim() !== '')
    .map(({ line, number }) => parseEvent(line, number, file))
    .filter((event): event is RecordedEvent => event !== null);
  if (events.length === 0)
    throw new WorldProblem(
      'permanent',
      `${file} holds no event of an ApplicationSet, an Application or a push, so there is nothing to judge. See the format in test/recordings/README.md.`,
    );
  return events;
}

function parseEvent(line: string, number: number, file: string): RecordedEvent | null {
  let event: Record<string, unknown>;
  try {
    event = record(JSON.parse(line));
  } catch (error) {
    throw new WorldProblem(
      'permanent',
      `Line ${number} of ${file} is no JSON: ${error instanceof Error ? error.message : ''}. Mend or remove the line.`,
      { cause: error },
    );
  }
  if (typeof event.t !== 'number')
    throw new WorldProblem(
      'permanent',
      `Line ${number} of ${file} has no time \`t\` in milliseconds since the start.`,
    );
  const at = { line: number, t: event.t };
  if (event.kind === 'Push') {
    return {
      ...at,
      kind: 'Push',
      repository: text(event.repository),
      branch: text(event.branch),
      sha: text(event.sha),
      subject: text(event.subject),
    };
  }
  if (event.kind !== 'Application' && event.kind !== 'ApplicationSet') return null;
  return { ...at, kind: event.kind, type: text(event.type), object: event.object };
}

/**
 * The cluster's time at `t` = 0, milliseconds since the epoch: no time in an object is later than the event
 * that showed it, and times of the cluster are cut to the second, so the latest bound is at most a second early.
 */
export function startOf(events: readonly RecordedEvent[]): number {
  let start = Number.NEGATIVE_INFINITY;
  for (const event of events) {
    if (event.kind === 'Push') continue;
    for (const time of timesIn(event.object)) start = Math.max(start, time - event.t);
  }
  return Number.isFinite(start) ? start : 0;
}

/** Every time, milliseconds since the epoch, that Argo CD wrote into an Application or an ApplicationSet. */
export function timesIn(object: unknown): readonly number[] {
  const status = record(record(object).status);
  const operation = record(status.operationState);
  const values = [
    record(record(object).metadata).creationTimestamp,
    record(status.health).lastTransitionTime,
    status.reconciledAt,
    operation.startedAt,
    operation.finishedAt,
    ...list(status.history).map((entry) => record(entry).deployedAt),
    ...list(status.applicationStatus).map((entry) => record(entry).lastTransitionTime),
    ...list(status.conditions).map((condition) => record(condition).lastTransitionTime),
  ];
  return values.map((value) => Date.parse(text(value))).filter((time) => !Number.isNaN(time));
}
