/** What counts for one ApplicationSet: within a file the specific entry, between places the stricter one. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Configuration, heldForGood, modes } from '../../src/config/configuration.ts';
import { completeSettings } from '../../src/config/merge.ts';
import {
  accessTo,
  configurationOf,
  environmentLayer,
  failuresNeeded,
  ignoresApplication,
  ignoresKind,
  modeFor,
  policyFor,
  policyOf,
  repositorySettings,
  settingsFor,
  settingsForAll,
} from '../../src/config/resolve.ts';
import { defaultPolicy } from '../../src/domain/policy.ts';
import { files, setKeys, settingsFrom } from './arbitrary.ts';
import { layerOf } from './reading.ts';

const set = (key: string, annotations: Readonly<Record<string, string>> = {}) => ({ key, annotations });
const of = (...texts: readonly string[]): Configuration => configurationOf(texts.map(layerOf));

describe('without any configuration', () => {
  test('the defaults of the product count', () => {
    const nothing = configurationOf([null]);
    expect(modeFor(nothing, set('argocd/payments'))).toBe('revert');
    expect(policyFor(nothing, set('argocd/payments'))).toEqual(defaultPolicy);
    expect(repositorySettings(nothing)).toMatchObject({
      revertsPerRepositoryMax: 10,
      revertsPerApplicationSetMax: 2,
      revertsPerInstallationMax: 20,
      autoMergesMax: 3,
      contain: 'advise',
      recover: 'advise',
      failureAgeMsMax: 6 * 3_600_000,
      culpritAgeMsMax: 24 * 3_600_000,
      branchTemplate: 'stepback/{instance}/revert-{commit}',
      stopLabels: [],
    });
  });
});

describe('within one file', () => {
  const file = of(`
mode: comment
times: { grace: 5m, bake: 1h }
applicationSets:
  "*": { times: { bake: 2h } }
  "argocd/*": { mode: revert, times: { grace: 1m } }
  "*/pay*": { mode: propose, times: { bake: 3h } }
  payments: { times: { grace: 30s } }
  team-a/payments: { mode: auto-merge }
`);

  test.each([
    ['other/thing', 'comment', 300, 7_200],
    ['argocd/ledger', 'revert', 60, 7_200],
    ['argocd/payments', 'propose', 30, 7_200],
    ['team-a/payments', 'auto-merge', 30, 7_200],
    ['team-a/payroll', 'propose', 300, 7_200],
  ])('%s gets what is said of it', (key, mode, graceSeconds, bakeSeconds) => {
    expect(modeFor(file, set(key))).toBe(mode);
    const { graceMs, bakeMs } = policyOf(settingsFor(file, set(key)).settings);
    expect([graceMs / 1_000, bakeMs / 1_000]).toEqual([graceSeconds, bakeSeconds]);
  });

  test('a repository without an ApplicationSet in question gets the top of the file', () => {
    expect(repositorySettings(file)).toMatchObject({ mode: 'comment', graceMs: 300_000 });
  });
});

describe('between places', () => {
  test('the stricter one wins, whoever says it and whatever it is said of', () => {
    const organisation =
      'mode: propose\nlimits: { repository: 20 }\napplicationSets: { "*-preview": { mode: observe } }';
    const repository =
      'mode: auto-merge\nlimits: { repository: 5 }\napplicationSets: { argocd/ledger: { mode: comment } }';
    for (const both of [of(organisation, repository), of(repository, organisation)]) {
      expect(modeFor(both, set('argocd/payments'))).toBe('propose');
      expect(modeFor(both, set('argocd/ledger'))).toBe('comment');
      expect(modeFor(both, set('argocd/x-preview'))).toBe('observe');
      expect(repositorySettings(both).revertsPerRepositoryMax).toBe(5);
    }
  });

  test('a limit that only one sets counts, also when it is laxer than the default', () => {
    expect(modeFor(of('mode: auto-merge', 'labels: [x]'), set('argocd/payments'))).toBe('auto-merge');
    expect(policyFor(of('labels: [x]', 'times: { grace: 10s }'), set('argocd/payments')).graceMs).toBe(
      10_000,
    );
  });

  test('what is no limit comes from the repository first', () => {
    const both = of(
      'reviewers: { users: [mona], teams: [platform] }\ntemplates: { title: "org: {subject}" }',
      'reviewers: { users: [octocat] }',
    );
    expect(settingsFor(both, set('argocd/payments')).settings).toMatchObject({
      reviewerUsers: ['octocat'],
      reviewerTeams: ['platform'],
      titleTemplate: 'org: {subject}',
    });
  });

  test('labels that stop, opt-outs and what is ignored add up', () => {
    const both = of(
      'stop: { labels: [halt] }\noptOut: { labels: [a] }',
      'stop: { labels: [freeze] }\noptOut: { labels: [b] }',
    );
    expect(repositorySettings(both)).toMatchObject({
      stopLabels: ['freeze', 'halt'],
      optOutLabels: ['a', 'b'],
    });
  });

  test('no file goes beyond the environment', () => {
    fc.assert(
      fc.property(
        files,
        files,
        settingsFrom('environment'),
        fc.constantFrom(...setKeys),
        (one, other, limits, key) => {
          const configuration = configurationOf([one, other, environmentLayer(limits)]);
          const { settings } = settingsFor(configuration, set(key));
          const rung = modes.indexOf(limits.mode ?? 'auto-merge');
          expect(modes.indexOf(settings.mode)).toBeLessThanOrEqual(rung);
          expect(settings.revertsPerRepositoryMax).toBeLessThanOrEqual(
            limits.revertsPerRepositoryMax ?? 1_000,
          );
          expect(settings.graceMs).toBeGreaterThanOrEqual(limits.graceMs ?? 0);
          expect(settings.autoMergesMax).toBeLessThanOrEqual(settings.revertsPerRepositoryMax);
          expect(settings.revertsPerInstallationMax).toBe(limits.revertsPerInstallationMax ?? 20);
        },
      ),
      { numRuns: 100 },
    );
  });
});

describe('how many Applications must fail', () => {
  const stage = (number: number, name: string, applications: number) => ({ number, name, applications });
  const needed = (text: string, ...where: Parameters<typeof stage>): number =>
    failuresNeeded(completeSettings(layerOf(text).settings), stage(...where));

  test.each([
    ['', 1, 'dev', 8, 1],
    ['thresholds: { prod: 25% }', 3, 'prod', 8, 2],
    ['thresholds: { prod: 25% }', 3, 'prod', 9, 3],
    ['thresholds: { prod: 25% }', 2, 'staging', 9, 1],
    ['thresholds: { prod: 3, 3: 2 }', 3, 'prod', 8, 2],
    ['thresholds: { "*": 50%, prod: 1 }', 3, 'prod', 8, 1],
    ['thresholds: { "prod-*": 50%, "*-eu": 2 }', 3, 'prod-eu', 3, 2],
    ['thresholds: { prod: 5 }', 3, 'prod', 2, 2],
    ['thresholds: { prod: 100% }', 3, 'prod', 4, 4],
    ['thresholds: { prod: 5 }', 3, 'prod', 0, 1],
  ])('%s: stage %i (%s) with %i needs %i', (text, number, name, applications, count) => {
    expect(needed(text, number, name, applications)).toBe(count);
  });

  test('both a number and a percentage of two places', () => {
    const { settings } = settingsFor(
      of('thresholds: { prod: 3 }', 'thresholds: { prod: 25% }'),
      set('argocd/payments'),
    );
    expect([4, 8, 20].map((count) => failuresNeeded(settings, stage(3, 'prod', count)))).toEqual([3, 3, 5]);
  });

  test('never fewer because of one place more, at least one, and never more than there are', () => {
    fc.assert(
      fc.property(
        files,
        files,
        fc.constantFrom(...setKeys),
        fc.integer({ min: 1, max: 9 }),
        (one, other, key, count) => {
          const where = stage(2, 'prod-eu', count);
          const alone = failuresNeeded(settingsFor(configurationOf([one]), set(key)).settings, where);
          const both = failuresNeeded(settingsFor(configurationOf([one, other]), set(key)).settings, where);
          expect(both).toBeGreaterThanOrEqual(alone);
          expect(alone).toBeGreaterThanOrEqual(1);
          expect(both).toBeLessThanOrEqual(count);
        },
      ),
      { numRuns: 100 },
    );
  });
});

describe('what is ignored', () => {
  const settings = completeSettings(
    layerOf(
      'ignore: { applications: ["*-canary", argocd/playground], kinds: [Job, "*.example.com/*", batch/CronJob] }',
    ).settings,
  );
  test('is found by name, and by namespace where one is given', () => {
    const names = ['argocd/eu-canary', 'x/playground', 'argocd/playground', 'argocd/canary'];
    expect(names.filter((name) => ignoresApplication(settings, name))).toEqual([
      'argocd/eu-canary',
      'argocd/playground',
    ]);
  });
  test('is found by kind, and by group where one is given', () => {
    const kinds = [
      ['', 'Job'],
      ['batch', 'Job'],
      ['apps', 'CronJob'],
      ['batch', 'CronJob'],
      ['db.example.com', 'Thing'],
      ['', 'Pod'],
    ] as const;
    expect(kinds.map(([group, kind]) => ignoresKind(settings, group, kind))).toEqual([
      true,
      true,
      false,
      true,
      true,
      false,
    ]);
  });
});

describe('who may use a command', () => {
  const access = (...texts: readonly string[]) => {
    const { settings } = settingsFor(of(...texts), set('argocd/payments'));
    return (command: Parameters<typeof accessTo>[1]) => accessTo(settings, command);
  };

  test('nobody what changes the cluster, until somebody is named', () => {
    const nothing = access('');
    expect(nothing('sync')).toEqual({ permission: 'write', people: [], isForNobody: true });
    expect(nothing('revert')).toEqual({ permission: 'write', people: [], isForNobody: false });
    expect(nothing('explain')).toEqual({ permission: 'read', people: [], isForNobody: false });
    expect(access('commands: { sync: { permission: admin } }')('sync').isForNobody).toBe(true);
    const named = access('commands: { sync: { teams: [platform] } }')('sync');
    expect(named).toEqual({
      permission: 'write',
      people: [{ teams: ['platform'], users: [], codeOwners: false }],
      isForNobody: false,
    });
  });

  test('only those that both files name', () => {
    const both = access(
      'commands: { sync: { teams: [platform] }, revert: { permission: maintain } }',
      'commands: { sync: { users: [octocat], permission: admin }, revert: { codeOwners: true } }',
    );
    expect(both('sync').permission).toBe('admin');
    expect(both('sync').people).toEqual([
      { teams: ['platform'], users: [], codeOwners: false },
      { teams: [], users: ['octocat'], codeOwners: false },
    ]);
    expect(both('revert')).toMatchObject({ permission: 'maintain', isForNobody: false });
  });

  test('nobody where a file names nobody', () => {
    const named = {
      source: 'x',
      settings: {
        commands: { sync: { permission: null, people: [{ teams: [], users: [], codeOwners: true }] } },
      },
      applicationSets: [],
    } as const;
    const { settings } = settingsFor(configurationOf([named]), set('argocd/payments'));
    expect(accessTo(settings, 'sync').isForNobody).toBe(true);
  });
});

test('a revert for several ApplicationSets follows the strictest, and everybody is asked', () => {
  const file = of(`
applicationSets:
  payments: { mode: auto-merge, reviewers: { users: [octocat], teams: [payments] }, labels: [a], limits: { applicationSet: 5 } }
  ledger: { mode: propose, reviewers: { users: [mona], teams: [payments] } }
`);
  const settings = settingsForAll([
    settingsFor(file, set('argocd/payments')).settings,
    settingsFor(file, set('argocd/ledger', { 'stepback.dev/hold': 'true' })).settings,
  ]);
  expect(settings).toMatchObject({
    mode: 'propose',
    revertsPerApplicationSetMax: 2,
    reviewerUsers: ['octocat', 'mona'],
    reviewerTeams: ['payments'],
    labels: ['a'],
    heldUntil: heldForGood,
  });
});
