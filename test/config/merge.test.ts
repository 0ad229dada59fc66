/** The laws of merging, over random settings: the stricter one wins, in whatever order and however often. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Settings } from '../../src/config/configuration.ts';
import { keyNames, keys } from '../../src/config/keys.ts';
import { completeSettings, mergeSettings, overlaySettings } from '../../src/config/merge.ts';
import { files, settingsFrom } from './arbitrary.ts';
import { atLeastAsStrict, laxerThan } from './strictest.ts';

const some = fc.oneof(
  settingsFrom('file'),
  settingsFrom('applicationSet'),
  settingsFrom('environment'),
  settingsFrom('annotation'),
);
/** Also what was merged before. */
const merged = fc.oneof(
  some,
  fc.tuple(some, some).map(([one, other]) => mergeSettings(one, other)),
);

describe('merging', () => {
  test('is never laxer than any of its inputs', () => {
    fc.assert(
      fc.property(merged, merged, (one, other) => {
        const both = mergeSettings(one, other);
        expect([laxerThan(both, one), laxerThan(both, other)]).toEqual([[], []]);
      }),
      { numRuns: 300 },
    );
  });

  test('takes every value from one of its inputs, where a value is a single one', () => {
    const single = keyNames.filter((name) => typeof keys[name].fallback !== 'object');
    fc.assert(
      fc.property(merged, merged, (one, other) => {
        const both = mergeSettings(one, other);
        for (const name of single) expect([one[name], other[name]]).toContain(both[name]);
      }),
    );
  });

  test('gives the same when it is done twice', () => {
    fc.assert(
      fc.property(merged, merged, (one, other) => {
        expect(mergeSettings(one, one)).toEqual(one);
        const both = mergeSettings(one, other);
        expect(mergeSettings(both, other)).toEqual(both);
      }),
    );
  });

  test('does not depend on how places are grouped', () => {
    fc.assert(
      fc.property(merged, merged, merged, (one, two, three) => {
        expect(mergeSettings(mergeSettings(one, two), three)).toEqual(
          mergeSettings(one, mergeSettings(two, three)),
        );
      }),
      { numRuns: 300 },
    );
  });

  test('of limits does not depend on their order', () => {
    const limits = keyNames.filter((name) => keys[name].strictness.isLimit);
    fc.assert(
      fc.property(merged, merged, (one, other) => {
        const [there, back] = [mergeSettings(one, other), mergeSettings(other, one)];
        for (const name of limits) expect(there[name]).toEqual(back[name]);
      }),
      { numRuns: 300 },
    );
  });

  test('lets the more specific place choose what is no limit', () => {
    fc.assert(
      fc.property(some, some, (general, specific) => {
        const both = mergeSettings(general, specific);
        for (const name of keyNames.filter((candidate) => !keys[candidate].strictness.isLimit))
          expect(both[name]).toEqual(specific[name] ?? general[name]);
      }),
    );
  });

  test('says of every key whether it is a limit', () => {
    const said = Object.fromEntries(keyNames.map((name) => [name, keys[name].strictness.isLimit]));
    const meant = Object.fromEntries(
      (Object.keys(atLeastAsStrict) as (keyof Settings)[]).map((name) => [
        name,
        atLeastAsStrict[name] !== null,
      ]),
    );
    expect(said).toEqual(meant);
  });
});

describe('within one place', () => {
  test('what is said of one ApplicationSet goes over what is said of all', () => {
    fc.assert(
      fc.property(settingsFrom('file'), settingsFrom('applicationSet'), (general, specific) => {
        const both = overlaySettings(general, specific);
        for (const name of keyNames.filter(
          (candidate) => candidate !== 'thresholds' && candidate !== 'commands',
        ))
          expect(both[name]).toEqual(specific[name] ?? general[name]);
      }),
    );
  });

  test('a stage and a command that only the whole file speaks of stay as they are', () => {
    const both = overlaySettings(
      {
        thresholds: [
          [
            { stage: 'dev', threshold: { count: 1, percent: 50 } },
            { stage: 'prod', threshold: { count: 3, percent: 0 } },
          ],
        ],
        commands: {
          revert: { permission: 'maintain', people: [{ teams: ['platform'], users: [], codeOwners: false }] },
          sync: { permission: null, people: [{ teams: ['platform'], users: [], codeOwners: false }] },
        },
      },
      {
        thresholds: [[{ stage: 'prod', threshold: { count: 1, percent: 10 } }]],
        commands: { revert: { permission: 'admin', people: [] } },
      },
    );
    expect(both.thresholds).toEqual([
      [
        { stage: 'dev', threshold: { count: 1, percent: 50 } },
        { stage: 'prod', threshold: { count: 1, percent: 10 } },
      ],
    ]);
    expect(both.commands).toEqual({
      revert: { permission: 'admin', people: [{ teams: ['platform'], users: [], codeOwners: false }] },
      sync: { permission: null, people: [{ teams: ['platform'], users: [], codeOwners: false }] },
    });
  });
});

test('what nobody sets is the default, and nothing that somebody sets is', () => {
  fc.assert(
    fc.property(files, ({ settings }) => {
      const complete = completeSettings(settings);
      for (const name of keyNames) expect(complete[name]).toEqual(settings[name] ?? keys[name].fallback);
    }),
  );
});
