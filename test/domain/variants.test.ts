/**
 * The same world told in another way gets the same answers. By default each variant is tried on every third recording,
 * another third for each; `STEPBACK_THOROUGH=1` tries all of them on all.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { faultsOf, openRecording, type Recording, recordingNames, rowsOf } from './recorded.ts';
import type { Variant } from './rewriting.ts';
import * as seen from './variants-seen.ts';
import * as written from './variants-written.ts';

const isThorough = process.env.STEPBACK_THOROUGH === '1';
const { inFolders, ...inOtherWords } = written;
const { sideBySide, ...inOtherEyes } = seen;
const all: readonly (readonly [string, Variant])[] = Object.entries({ ...inOtherWords, ...inOtherEyes });

/** They change only what some recordings have. */
const changesSome = [
  'lateDegradationStops',
  'reopenedWatches',
  'madeAgain',
  'pluralSources',
  'withoutHistory',
];

/** Argo CD 3.3, which puts a late degradation back to Progressing, syncs the revert again after a late hook as well. */
const otherStories = [
  'lateDegradationStops hook-finishes-after-the-revert',
  'lateDegradationStops late-hook-brought-back-by-a-sync',
];

const recordings = new Map<string, Recording>();

beforeAll(async () => {
  for (const name of recordingNames) recordings.set(name, await openRecording(name));
});

afterAll(() => {
  for (const recording of recordings.values()) recording.repositories.close();
});

describe.for(all.map(([name], index) => ({ name, index })))('$name', ({ name, index }) => {
  const tried = recordingNames
    .filter((_, at) => isThorough || at % 3 === index % 3)
    .filter((recordingName) => !otherStories.includes(`${name} ${recordingName}`));

  it.for(tried)('%s', async (recordingName) => {
    const recording = recordingOf(recordingName);
    const change = all[index]?.[1];
    if (change === undefined) throw new Error(`There is no variant ${name}.`);
    const varied = change(recording);
    if (!changesSome.includes(name)) expect(varied.events).not.toEqual(recording.events);
    expect(faultsOf(await rowsOf(varied), varied.expected)).toEqual([]);
  });
});

function recordingOf(name: string): Recording {
  const recording = recordings.get(name);
  if (recording === undefined) throw new Error(`There is no recording ${name}.`);
  return recording;
}

describe('a commit that feeds one environment of a repository', () => {
  it.for([
    ['staging', 'degraded-in-staging'],
    ['staging', 'batch-of-two-one-bad'],
    ['staging', 'fixed-forward'],
    ['staging', 'heals-by-itself'],
    ['dev', 'degraded-in-dev-manual-sync-policy'],
    ['dev', 'late-degradation'],
    ['dev', 'sync-failed-revert-while-retrying'],
    ['dev', 'hook-never-ends'],
    ['prod', 'neighbours-of-an-unreachable-cluster-synced'],
  ] as const)('%s in %s', async ([environment, name]) => {
    const varied = inFolders(recordingOf(name), environment);
    expect(faultsOf(await rowsOf(varied), varied.expected)).toEqual([]);
  });
});

describe('several ApplicationSets in one recording', () => {
  it.for([
    ['happy', 'degraded-in-staging'],
    ['late-degradation', 'render-error'],
    ['hook-never-ends', 'sync-failed-exhausted'],
  ] as const)('%s beside %s', async ([one, other]) => {
    const { events, repositories, expectedOfOther } = sideBySide(recordingOf(one), recordingOf(other));
    const rows = await rowsOf({ ...recordingOf(one), repositories }, events);
    for (const expected of [recordingOf(one).expected, expectedOfOther]) {
      const own = rows.filter((row) =>
        expected.applicationSets.includes(row.applicationSet.split('/').at(-1) ?? ''),
      );
      expect(faultsOf(own, expected)).toEqual([]);
    }
  });
});
