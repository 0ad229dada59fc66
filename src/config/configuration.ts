/**
 * What people may settle in `.github/stepback.yaml`, in an organisation's `.github` repository, in the environment and in
 * annotations of an ApplicationSet, as values. `keys.ts` says for every field how it is written, what stands when nobody
 * says anything, and which of two values is the stricter one. Durations are milliseconds.
 */

/** The mode ladder: each rung does what the one before does, and more. */
export const modes = ['observe', 'comment', 'propose', 'revert', 'auto-merge'] as const;
export type Mode = (typeof modes)[number];

/** What is done about Applications that are still ahead of the bad commit. */
export const containments = ['off', 'advise', 'freeze'] as const;
type Containment = (typeof containments)[number];

/** What is done for an Application that does not come back after the revert. */
export const recoveries = ['advise', 'refresh', 'sync'] as const;
type Recovery = (typeof recoveries)[number];

/** Repository roles of GitHub, from the least to the most. */
export const permissions = ['read', 'triage', 'write', 'maintain', 'admin'] as const;
export type Permission = (typeof permissions)[number];

export const commandNames = [
  'help',
  'status',
  'explain',
  'revert',
  'restore',
  'sync',
  'hold',
  'resume',
  'snooze',
  'dismiss',
  'retry',
  'freeze',
  'thaw',
] as const;
export type CommandName = (typeof commandNames)[number];

/** People, one of whose ways in is enough. One that names nobody lets nobody in. */
export interface People {
  /** Slugs of teams of the organisation that owns the repository. */
  teams: readonly string[];
  /** Logins. */
  users: readonly string[];
  /** Also the code owners of the path that feeds the ApplicationSet. */
  codeOwners: boolean;
}

export interface CommandRule {
  /** The least repository role; null when only what the command itself needs counts. */
  permission: Permission | null;
  /** A person must be in every one of these; one for each file that narrows the command. */
  people: readonly People[];
}

export type CommandRules = Readonly<Partial<Record<CommandName, CommandRule>>>;

/** So many Applications of a stage must fail; both must be met. */
export interface Threshold {
  count: number;
  percent: number;
}

/** Thresholds of one file: by number of the stage, by its name, or by a pattern with `*`. */
export type ThresholdTable = readonly { stage: string; threshold: Threshold }[];

export interface Settings {
  mode: Mode;
  graceMs: number;
  bakeMs: number;
  stalledMs: number;
  stuckMs: number;
  unnoticedMs: number;
  syncAttempts: number;
  /** A failure that is older than this gets no revert. */
  failureAgeMsMax: number;
  /** A change that landed longer ago than this gets no revert. */
  culpritAgeMsMax: number;
  /** All of them must be met; one for each file that has any. */
  thresholds: readonly ThresholdTable[];
  /** Patterns of `name` or `namespace/name`. */
  ignoredApplications: readonly string[];
  /** Patterns of `Kind` or `group/Kind`. */
  ignoredKinds: readonly string[];
  reviewerUsers: readonly string[];
  /** Slugs of teams of the organisation that owns the repository. */
  reviewerTeams: readonly string[];
  /** Put on the revert pull request. */
  labels: readonly string[];
  branchTemplate: string;
  titleTemplate: string;
  messageTemplate: string;
  /** The commit of a revert gets a `Signed-off-by` line (Developer Certificate of Origin). */
  signsOff: boolean;
  /** A pull request with one of these is never reverted. */
  optOutLabels: readonly string[];
  /** A commit with one of these trailers, whatever its value, is never reverted. */
  optOutTrailers: readonly string[];
  commands: CommandRules;
  /** Reverts in 24 hours. */
  revertsPerRepositoryMax: number;
  revertsPerApplicationSetMax: number;
  revertsPerInstallationMax: number;
  /** Reverts of a repository in 24 hours that GitHub is asked to merge by itself. */
  autoMergesMax: number;
  contain: Containment;
  /** Also freezes an ApplicationSet that another controller owns. */
  freezesOwned: boolean;
  recover: Recovery;
  /** An open issue with one of these labels stops Stepback, as one with `stepback: stop` always does. */
  stopLabels: readonly string[];
  /** No reverts before this moment, milliseconds since the epoch; 0 for no hold, `heldForGood` for one without an end. */
  heldUntil: number;
}

export type PartialSettings = Partial<Settings>;

/** What one place says: one file, the environment. */
export interface Layer {
  /** Where it comes from, in words for people. */
  source: string;
  settings: PartialSettings;
  /** By pattern of `name` or `namespace/name`. */
  applicationSets: readonly { pattern: string; settings: PartialSettings }[];
}

/**
 * All that is said about one repository, from the most general to the most specific place. The layers stay apart, because
 * each settles by itself what it says of an ApplicationSet before the stricter one wins.
 */
export interface Configuration {
  layers: readonly Layer[];
}

/** The last moment that a date can name. */
export const heldForGood = 8.64e15;

/** The kill switch that every document names. It works whatever a file says. */
export const stopLabel = 'stepback: stop';
