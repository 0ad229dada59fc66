/** Random settings that a file can have, for properties, and the file that says them. */
import fc from 'fast-check';
import { stringify } from 'yaml';
import { commandNeeds } from '../../src/config/command-needs.ts';
import {
  type CommandRules,
  commandNames,
  containments,
  type Layer,
  modes,
  type PartialSettings,
  permissions,
  recoveries,
  type Settings,
  type ThresholdTable,
} from '../../src/config/configuration.ts';
import type { Setter } from '../../src/config/key.ts';
import { keys, keysOf } from '../../src/config/keys.ts';
import type { Json, Shape } from '../../src/config/shapes.ts';

const seconds = (max: number) => fc.integer({ min: 1, max }).map((figure) => figure * 1_000);
const month = 30 * 24 * 3_600;

function listOf(word: fc.Arbitrary<string>, max: number, isSorted: boolean): fc.Arbitrary<readonly string[]> {
  const list = fc.uniqueArray(word, { maxLength: max, selector: (text) => text.toLowerCase() });
  return isSorted ? list.map((words) => words.sort()) : list;
}

const logins = fc.constantFrom('octocat', 'Hubot', 'a-b', 'mona_acme', '0');
const teams = fc.constantFrom('platform', 'payments', 'on-call', 'a_b', 'sre');
const labels = fc.constantFrom(
  'rollback',
  'stepback: skip',
  'priority/1',
  '🚨 urgent',
  'no',
  '#1',
  '*',
  '1.0',
  '~',
);

const table: fc.Arbitrary<readonly ThresholdTable[]> = fc
  .uniqueArray(
    fc.record({
      stage: fc.constantFrom('1', '2', 'dev', 'prod', 'prod-*', '*', 'eu and us'),
      threshold: fc.oneof(
        fc.integer({ min: 1, max: 20 }).map((count) => ({ count, percent: 0 })),
        fc.integer({ min: 1, max: 100 }).map((percent) => ({ count: 1, percent })),
      ),
    }),
    { selector: ({ stage }) => stage, maxLength: 4 },
  )
  // Keys that are numbers come first in every object of JavaScript.
  .map((entries) => entries.sort((one, other) => (one.stage < other.stage ? -1 : 1)))
  .map((entries) => (entries.length === 0 ? [] : [entries]));

const rules: fc.Arbitrary<CommandRules> = fc
  .uniqueArray(fc.constantFrom(...commandNames), { maxLength: 4 })
  .chain((names) =>
    fc.tuple(...names.map((name) => fc.tuple(fc.constant(name), ruleFor(commandNeeds[name].permission)))),
  )
  .map((entries) => Object.fromEntries(entries));

function ruleFor(least: (typeof permissions)[number]) {
  return fc.record({
    permission: fc.option(fc.constantFrom(...permissions.slice(permissions.indexOf(least)))),
    people: fc
      .option(
        fc.record({
          teams: listOf(teams, 3, true).filter((list) => list.length > 0),
          users: listOf(logins, 3, true),
          codeOwners: fc.boolean(),
        }),
      )
      .map((people) => (people === null ? [] : [people])),
  });
}

const values: { readonly [Name in keyof Settings]: fc.Arbitrary<Settings[Name]> } = {
  mode: fc.constantFrom(...modes),
  graceMs: seconds(3_600),
  bakeMs: seconds(86_400),
  stalledMs: seconds(month),
  stuckMs: seconds(month),
  unnoticedMs: seconds(month),
  failureAgeMsMax: seconds(month),
  culpritAgeMsMax: seconds(month),
  syncAttempts: fc.integer({ min: 1, max: 100 }),
  thresholds: table,
  ignoredApplications: listOf(fc.constantFrom('*-canary', 'argocd/x', 'a*b*c', '*'), 4, true),
  ignoredKinds: listOf(fc.constantFrom('Job', 'batch/*', '*.example.com/Thing', '*'), 4, true),
  reviewerUsers: listOf(logins, 5, false),
  reviewerTeams: listOf(teams, 5, false),
  labels: listOf(labels, 5, false),
  branchTemplate: fc.constantFrom('{instance}{commit}', 'a/{instance}/b-{commit}.x', 'x={instance}+{commit}'),
  titleTemplate: fc.constantFrom(
    '{subject}',
    'Revert "{subject}": {failure}',
    '{{}} # {stage}',
    'null',
    '- x',
    "it's",
  ),
  messageTemplate: fc.constantFrom('x\n\n{body}', 'Revert {subject}\n', 'a: b\n  c\n\n\nd', '{commit} '),
  signsOff: fc.boolean(),
  optOutLabels: listOf(labels, 4, true),
  optOutTrailers: listOf(fc.constantFrom('Stepback-Skip', 'No-Revert', 'X'), 3, true),
  commands: rules,
  revertsPerRepositoryMax: fc.integer({ min: 0, max: 1_000 }),
  revertsPerApplicationSetMax: fc.integer({ min: 0, max: 1_000 }),
  revertsPerInstallationMax: fc.integer({ min: 0, max: 10_000 }),
  autoMergesMax: fc.integer({ min: 0, max: 1_000 }),
  contain: fc.constantFrom(...containments),
  freezesOwned: fc.boolean(),
  recover: fc.constantFrom(...recoveries),
  stopLabels: listOf(labels, 3, true),
  heldUntil: fc.integer({ min: 1, max: 4e12 }),
};

/** Some of the keys that a place may set. */
export function settingsFrom(setter: Setter): fc.Arbitrary<PartialSettings> {
  const names = keysOf(setter);
  const all = Object.fromEntries(names.map((name) => [name, values[name]])) as {
    [Name in keyof Settings]: fc.Arbitrary<Settings[Name]>;
  };
  return fc.record(all, { requiredKeys: [] }).map((settings) => ({ ...settings }));
}

export const setKeys = ['argocd/payments', 'argocd/ledger', 'team-a/payments', 'team-a/x'] as const;

/** A file. Its patterns fit some of `setKeys`, often several of them. */
export const files: fc.Arbitrary<Layer> = fc.record({
  source: fc.constant('stepback.yaml'),
  settings: settingsFrom('file'),
  applicationSets: fc.uniqueArray(
    fc.record({
      pattern: fc.constantFrom(
        'argocd/payments',
        'payments',
        'argocd/*',
        '*/pay*',
        '*',
        'team-a/x',
        'x',
        'p*s',
      ),
      settings: settingsFrom('applicationSet'),
    }),
    { selector: ({ pattern }) => pattern, maxLength: 4 },
  ),
});

/** A layer as a person could have written it. */
export function textOf({ settings, applicationSets }: Layer): string {
  const root = nested(settings);
  if (applicationSets.length > 0)
    root.applicationSets = Object.fromEntries(
      applicationSets.map((one) => [one.pattern, nested(one.settings)]),
    );
  return stringify(root);
}

function nested(settings: PartialSettings): Record<string, Json> {
  const root: Record<string, Json> = {};
  for (const [name, value] of Object.entries(settings) as [keyof Settings, unknown][]) {
    const [first = '', second] = keys[name].path.split('.');
    const written = (keys[name].shape as Shape<unknown>).write(value);
    root[first] =
      second === undefined ? written : { ...(root[first] as Record<string, Json>), [second]: written };
  }
  return root;
}
