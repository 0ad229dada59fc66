/**
 * What counts for one ApplicationSet: each place settles what it says of it, the stricter one of the places wins, what
 * nobody set is the product's default, and annotations narrow the rest.
 */
import type { Fault } from '../domain/fault.ts';
import type { Exceptions } from '../domain/left-out.ts';
import type { ApplicationSet } from '../domain/objects.ts';
import type { Policy } from '../domain/policy.ts';
import { narrowed } from './annotations.ts';
import { commandNeeds } from './command-needs.ts';
import {
  type CommandName,
  type Configuration,
  type Layer,
  type Mode,
  type PartialSettings,
  type People,
  type Permission,
  permissions,
  type Settings,
  type Threshold,
  type ThresholdTable,
} from './configuration.ts';
import { completeSettings, mergeSettings, overlaySettings } from './merge.ts';
import { matches, matchesKey } from './patterns.ts';

/** What is asked of an ApplicationSet. */
export type ConfiguredSet = Pick<ApplicationSet, 'key' | 'annotations'>;

/** The layers of one repository, the most general first: organisation, repository, environment. */
export function configurationOf(layers: readonly (Layer | null)[]): Configuration {
  return { layers: layers.filter((layer) => layer !== null) };
}

/** The environment as a layer. `limits` holds only what was set: defaults are no limits. */
export function environmentLayer(limits: PartialSettings): Layer {
  return { source: 'the environment', settings: limits, applicationSets: [] };
}

/** What counts where no ApplicationSet is in question: limits of the repository, labels that stop it. */
export function repositorySettings(configuration: Configuration): Settings {
  const all = configuration.layers.map((layer) => layer.settings);
  return within(completeSettings(all.reduce(mergeSettings, {})));
}

/** What counts for one ApplicationSet, and what is wrong with its annotations. */
export function settingsFor(
  configuration: Configuration,
  set: ConfiguredSet,
): { settings: Settings; faults: readonly Fault[] } {
  const all = configuration.layers.map((layer) => settingsIn(layer, set.key));
  const before = completeSettings(all.reduce(mergeSettings, {}));
  const { settings, faults } = narrowed(before, set.annotations, `Annotations of ${set.key}`);
  return { settings: within(settings), faults };
}

/** What counts for a revert that is for several ApplicationSets: the strictest of each, and everybody is asked. */
export function settingsForAll(several: readonly [Settings, ...Settings[]]): Settings {
  const strictest = completeSettings(several.reduce<PartialSettings>(mergeSettings, {}));
  const each = <Value>(of: (settings: Settings) => readonly Value[]): readonly Value[] => [
    ...new Set(several.flatMap(of)),
  ];
  return {
    ...strictest,
    reviewerUsers: each((settings) => settings.reviewerUsers),
    reviewerTeams: each((settings) => settings.reviewerTeams),
    labels: each((settings) => settings.labels),
  };
}

export function policyFor(configuration: Configuration, set: ConfiguredSet): Policy {
  return policyOf(settingsFor(configuration, set).settings);
}

export function modeFor(configuration: Configuration, set: ConfiguredSet): Mode {
  return settingsFor(configuration, set).settings.mode;
}

export function policyOf(settings: Settings): Policy {
  const { graceMs, bakeMs, stalledMs, stuckMs, unnoticedMs, syncAttempts } = settings;
  return { graceMs, bakeMs, stalledMs, stuckMs, unnoticedMs, syncAttempts };
}

/** What counts for less in the verdict. */
export function exceptionsOf(settings: Settings): Exceptions {
  return {
    ignoresApplication: (key) => ignoresApplication(settings, key),
    ignoresKind: (group, kind) => ignoresKind(settings, group, kind),
    failuresNeeded: (stage) => failuresNeeded(settings, stage),
  };
}

/** How many Applications of a stage must fail. At least 1, and at most as many as there are. */
export function failuresNeeded(
  settings: Settings,
  stage: { number: number; name: string; applications: number },
): number {
  const needed = settings.thresholds.flatMap((table) =>
    thresholdsIn(table, stage).map(({ count, percent }) =>
      Math.max(count, Math.ceil((stage.applications * percent) / 100)),
    ),
  );
  return Math.max(1, Math.min(stage.applications, Math.max(1, ...needed)));
}

/** `name` or `namespace/name`. */
export function ignoresApplication(settings: Settings, key: string): boolean {
  return settings.ignoredApplications.some((pattern) => matchesKey(pattern, key));
}

/** `group` is "" for the core group. */
export function ignoresKind(settings: Settings, group: string, kind: string): boolean {
  return settings.ignoredKinds.some((pattern) =>
    matchesKey(pattern, group === '' ? kind : `${group}/${kind}`),
  );
}

export interface CommandAccess {
  permission: Permission;
  /** A person must be in every one of these. */
  people: readonly People[];
  /** Nobody was named for a command that changes the cluster, or nobody can be in all of them. */
  isForNobody: boolean;
}

/** Who may use a command. */
export function accessTo(settings: Settings, command: CommandName): CommandAccess {
  const { permission: least, changesCluster } = commandNeeds[command];
  const rule = settings.commands[command] ?? { permission: null, people: [] };
  const isHigher =
    rule.permission !== null && permissions.indexOf(rule.permission) > permissions.indexOf(least);
  const isNamed = (one: People): boolean => one.teams.length > 0 || one.users.length > 0;
  const isEmpty = rule.people.some((one) => !isNamed(one) && (changesCluster || !one.codeOwners));
  return {
    permission: isHigher ? (rule.permission ?? least) : least,
    people: rule.people,
    isForNobody: isEmpty || (changesCluster && rule.people.length === 0),
  };
}

/**
 * What one place says of an ApplicationSet, from the least to the most specific: of all, of those that fit a pattern (the
 * stricter one where several do), of its name, of its `namespace/name`.
 */
function settingsIn(layer: Layer, key: string): PartialSettings {
  const name = key.slice(key.lastIndexOf('/') + 1);
  const said = (fits: (pattern: string) => boolean): PartialSettings =>
    layer.applicationSets
      .filter(({ pattern }) => fits(pattern))
      .map(({ settings }) => settings)
      .reduce(mergeSettings, {});
  const levels = [
    said((pattern) => pattern.includes('*') && matchesKey(pattern, key)),
    said((pattern) => pattern === name),
    said((pattern) => pattern === key && pattern !== name),
  ];
  return levels.reduce(overlaySettings, layer.settings);
}

/** Of one table the most specific entry counts: the number, the name, then all patterns that fit. */
function thresholdsIn(table: ThresholdTable, stage: { number: number; name: string }): readonly Threshold[] {
  const exact =
    table.find((entry) => entry.stage === String(stage.number)) ??
    table.find((entry) => entry.stage === stage.name);
  const fitting = exact === undefined ? table.filter((entry) => matches(entry.stage, stage.name)) : [exact];
  return fitting.map(({ threshold }) => threshold);
}

/** The smaller limit of reverts that merge by themselves stays the smaller one. */
function within(settings: Settings): Settings {
  return { ...settings, autoMergesMax: Math.min(settings.autoMergesMax, settings.revertsPerRepositoryMax) };
}
