/** The times by which rollouts are judged, and how old a matter may be. `src/domain/policy.ts` has their meaning. */
import { defaultPolicy } from '../domain/policy.ts';
import type { Key } from './key.ts';
import { duration, wholeNumber } from './shapes.ts';
import { larger, type Strictness, smaller } from './strictness.ts';

const second = 1_000;
const hour = 3_600 * second;
const day = 24 * hour;

type TimeKey = Key<number>;

export const timeKeys = {
  graceMs: time('grace', defaultPolicy.graceMs, 5 * 60 * second, larger, {
    meaning: 'How long an Application must be failing, without a break, before it counts as failed.',
  }),
  bakeMs: time('bake', defaultPolicy.bakeMs, hour, smaller, {
    meaning: 'How long after an Application was Healthy a degradation still counts against the change.',
  }),
  stalledMs: time('stalled', defaultPolicy.stalledMs, hour, larger, {
    meaning: 'Progressing for so long is told to people. It is never reverted.',
  }),
  stuckMs: time('stuck', defaultPolicy.stuckMs, hour, larger, {
    meaning: 'A sync that runs for so long is told to people. It is never reverted.',
  }),
  unnoticedMs: time('unnoticed', defaultPolicy.unnoticedMs, hour, larger, {
    meaning: 'Out of sync for so long with no sync coming is told to people.',
  }),
  failureAgeMsMax: time('failureTooOld', 6 * hour, 3 * hour, smaller, {
    meaning: 'A failure that has lasted for so long gets no revert any more: people live with it.',
  }),
  culpritAgeMsMax: time('culpritTooOld', day, 12 * hour, smaller, {
    meaning: 'A change that landed so long ago gets no revert any more: too much was built on it.',
  }),
  syncAttempts: {
    path: 'syncAttempts',
    shape: wholeNumber(1, 100),
    fallback: defaultPolicy.syncAttempts,
    strictness: larger,
    setters: ['file', 'applicationSet', 'annotation', 'environment'],
    annotation: 'sync-attempts',
    variable: 'STEPBACK_SYNC_ATTEMPTS',
    meaning: 'So many failed attempts make a sync failed.',
    example: 3,
  } satisfies TimeKey,
};

function time(
  name: string,
  fallback: number,
  example: number,
  strictness: Strictness<number>,
  { meaning }: { meaning: string },
): TimeKey {
  return {
    path: `times.${name}`,
    shape: duration(second, 30 * day),
    fallback,
    strictness,
    setters: ['file', 'applicationSet', 'annotation', 'environment'],
    annotation: name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
    variable: `STEPBACK_${name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}_SECONDS`,
    meaning,
    example,
  };
}
