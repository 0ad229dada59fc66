/**
 * Making a recording over into another one: a copy of every object to change, every text through one replacement,
 * everything later by so much.
 */
import type { RecordedEvent } from '../../src/commands/replay/recording.ts';
import { list, record } from '../../src/domain/read.ts';
import type { Checkpoint, Expectation, Recording } from './recorded.ts';

export type Variant = (recording: Recording) => Recording;

export type Json = Record<string, unknown>;
export type ObjectEvent = Exclude<RecordedEvent, { kind: 'Push' }>;

/** Events with each object changed; `change` gets a copy that is its own. */
export function withObjects(
  recording: Recording,
  change: (object: Json, event: ObjectEvent) => void,
): readonly RecordedEvent[] {
  return recording.events.map((event) => {
    if (event.kind === 'Push') return event;
    const object = structuredClone(event.object) as Json;
    change(object, event);
    return { ...event, object };
  });
}

export const child = (object: Json, key: string): Json => record(object[key]) as Json;
export const items = (value: unknown): Json[] => list(value) as Json[];

/** Every text of events and expectations through one replacement. */
export function rewritten(recording: Recording, rewrite: (text: string) => string): Recording {
  const events = JSON.parse(rewrite(JSON.stringify(recording.events))) as RecordedEvent[];
  return {
    ...recording,
    events,
    expected: JSON.parse(rewrite(JSON.stringify(recording.expected))) as Expectation,
  };
}

/** Everything comes later by so much. */
export function delayed(recording: Recording, lateMs: number): Recording {
  const { events, expected } = recording;
  return {
    ...recording,
    events: events.map((event) => ({ ...event, t: event.t + lateMs })),
    expected: {
      ...expected,
      checkpoints: expected.checkpoints.map((checkpoint) => later(checkpoint, lateMs / 1000)),
    },
  };
}

function later(checkpoint: Checkpoint, seconds: number): Checkpoint {
  const { notBefore } = checkpoint;
  return {
    ...checkpoint,
    seconds: checkpoint.seconds + seconds,
    ...(notBefore === undefined ? {} : { notBefore: notBefore + seconds }),
  };
}
