/** What Stepback may do at all, how often, and about what. */
import { containments, heldForGood, modes, recoveries, type Settings, stopLabel } from './configuration.ts';
import type { Key, Setter } from './key.ts';
import { applicationPattern, kindPattern, labelName, trailerName } from './names.ts';
import { commands } from './shape-commands.ts';
import { hold } from './shape-hold.ts';
import { thresholds } from './shape-thresholds.ts';
import { names, oneOf, wholeNumber, yesOrNo } from './shapes.ts';
import { all, allTables, bothSay, commandRules, larger, lower, smaller } from './strictness.ts';

const everywhere: readonly Setter[] = ['file', 'applicationSet', 'annotation', 'environment'];
const inFiles: readonly Setter[] = ['file', 'applicationSet'];

type KeyOf<Name extends keyof Settings> = Key<Settings[Name]>;

export const brakeKeys = {
  mode: {
    path: 'mode',
    shape: oneOf(modes),
    fallback: 'revert',
    strictness: lower(modes),
    setters: everywhere,
    annotation: 'mode',
    variable: 'STEPBACK_MODE',
    meaning:
      'How far Stepback goes: `observe` says nothing on GitHub, `comment` only comments, `propose` opens the revert as a draft, `revert` opens it, `auto-merge` also asks GitHub to merge it once the required checks pass.',
    example: 'propose',
  } satisfies KeyOf<'mode'>,
  heldUntil: {
    path: 'hold',
    shape: hold,
    fallback: 0,
    strictness: larger,
    setters: ['annotation'],
    annotation: 'hold',
    meaning:
      'No reverts: `true` until the annotation is taken away, or until a moment such as `2026-08-01T12:00Z`.',
    example: heldForGood,
  } satisfies KeyOf<'heldUntil'>,
  thresholds: {
    path: 'thresholds',
    shape: thresholds,
    fallback: [],
    strictness: allTables,
    setters: inFiles,
    meaning:
      'How many Applications of a stage must fail before the change is taken back: a number, or a percentage of the stage. By number of the stage, by its name, or by a pattern with `*`. One is enough where nothing is said; all of a stage are always enough.',
    example: [[{ stage: 'prod', threshold: { count: 1, percent: 25 } }]],
  } satisfies KeyOf<'thresholds'>,
  ignoredApplications: {
    path: 'ignore.applications',
    shape: names(applicationPattern, 200, 'sorted'),
    fallback: [],
    strictness: all,
    setters: inFiles,
    meaning:
      'Applications whose failures do not count: `name` or `namespace/name`, `*` stands for any characters.',
    example: ['*-canary'],
  } satisfies KeyOf<'ignoredApplications'>,
  ignoredKinds: {
    path: 'ignore.kinds',
    shape: names(kindPattern, 200, 'sorted'),
    fallback: [],
    strictness: all,
    setters: inFiles,
    meaning: 'Kinds of objects whose failures do not count: `Kind` or `group/Kind`.',
    example: ['batch/Job'],
  } satisfies KeyOf<'ignoredKinds'>,
  optOutLabels: {
    path: 'optOut.labels',
    shape: names(labelName, 20, 'sorted'),
    fallback: ['stepback: skip'],
    strictness: all,
    setters: inFiles,
    meaning: 'A change whose pull request has one of these labels is never taken back.',
    example: ['do-not-revert'],
  } satisfies KeyOf<'optOutLabels'>,
  optOutTrailers: {
    path: 'optOut.trailers',
    shape: names(trailerName, 20, 'sorted'),
    fallback: ['Stepback-Skip'],
    strictness: all,
    setters: inFiles,
    meaning:
      'A commit whose message ends with one of these trailers, whatever its value, is never taken back.',
    example: ['No-Revert'],
  } satisfies KeyOf<'optOutTrailers'>,
  commands: {
    path: 'commands',
    shape: commands,
    fallback: {},
    strictness: commandRules,
    setters: inFiles,
    meaning:
      'Who may use which `/stepback` command, besides what each needs anyway. `sync`, `freeze` and `thaw` change the cluster and are for nobody until a team or a person is named.',
    example: { sync: { permission: null, people: [{ teams: ['platform'], users: [], codeOwners: false }] } },
  } satisfies KeyOf<'commands'>,
  revertsPerRepositoryMax: {
    path: 'limits.repository',
    shape: wholeNumber(0, 1_000),
    fallback: 10,
    strictness: smaller,
    setters: ['file', 'environment'],
    variable: 'STEPBACK_REPOSITORY_REVERTS_PER_DAY',
    meaning: 'Reverts for the repository in 24 hours. Over it there is one comment and no pull request.',
    example: 5,
  } satisfies KeyOf<'revertsPerRepositoryMax'>,
  revertsPerApplicationSetMax: {
    path: 'limits.applicationSet',
    shape: wholeNumber(0, 1_000),
    fallback: 2,
    strictness: smaller,
    setters: everywhere,
    annotation: 'reverts-max',
    variable: 'STEPBACK_APPLICATION_SET_REVERTS_PER_DAY',
    meaning: 'Reverts for one ApplicationSet in 24 hours.',
    example: 1,
  } satisfies KeyOf<'revertsPerApplicationSetMax'>,
  autoMergesMax: {
    path: 'limits.autoMerge',
    shape: wholeNumber(0, 1_000),
    fallback: 3,
    strictness: smaller,
    setters: ['file', 'environment'],
    variable: 'STEPBACK_AUTO_MERGES_PER_DAY',
    meaning:
      'Reverts for the repository in 24 hours that are merged by themselves; those after them wait for a person.',
    example: 1,
  } satisfies KeyOf<'autoMergesMax'>,
  revertsPerInstallationMax: {
    path: 'limits.installation',
    shape: wholeNumber(0, 10_000),
    fallback: 20,
    strictness: smaller,
    setters: ['environment'],
    variable: 'STEPBACK_REVERTS_PER_DAY',
    meaning: 'Reverts for all repositories together in 24 hours.',
    example: 20,
  } satisfies KeyOf<'revertsPerInstallationMax'>,
  contain: {
    path: 'contain',
    shape: oneOf(containments),
    fallback: 'advise',
    strictness: lower(containments),
    setters: everywhere,
    annotation: 'contain',
    variable: 'STEPBACK_CONTAIN',
    meaning:
      'What is done for Applications that could still get the bad change: `off` nothing, `advise` says how to hold them, `freeze` holds them until the change is taken back.',
    example: 'freeze',
  } satisfies KeyOf<'contain'>,
  freezesOwned: {
    path: 'freezeOwned',
    shape: yesOrNo(),
    fallback: false,
    strictness: bothSay,
    setters: inFiles,
    meaning:
      'With `contain: freeze`, also freeze an ApplicationSet that another controller owns, which may undo it.',
    example: true,
  } satisfies KeyOf<'freezesOwned'>,
  recover: {
    path: 'recover',
    shape: oneOf(recoveries),
    fallback: 'advise',
    strictness: lower(recoveries),
    setters: everywhere,
    annotation: 'recover',
    variable: 'STEPBACK_RECOVER',
    meaning:
      'What is done for an Application that does not come back after the revert: `advise` says what to do, `refresh` also refreshes it, `sync` also syncs it.',
    example: 'refresh',
  } satisfies KeyOf<'recover'>,
  stopLabels: {
    path: 'stop.labels',
    shape: names(labelName, 3, 'sorted'),
    fallback: [],
    strictness: all,
    setters: ['file'],
    meaning: `Labels that stop Stepback in this repository while an open issue has one, besides \`${stopLabel}\`, which always does.`,
    example: ['incident: freeze'],
  } satisfies KeyOf<'stopLabels'>,
};
