/**
 * What "at least as strict" means for every limit, said apart from the product: not by its merging, but by what people
 * would say of two values.
 */
import { modes, type PartialSettings, permissions, type Settings } from '../../src/config/configuration.ts';

type Order<Name extends keyof Settings> = (value: Settings[Name], than: Settings[Name]) => boolean;

const longer = (value: number, than: number): boolean => value >= than;
const shorter = (value: number, than: number): boolean => value <= than;
const holdsAll = <Value>(value: readonly Value[], than: readonly Value[]): boolean => {
  const held = new Set(value.map((one) => JSON.stringify(one)));
  return than.every((one) => held.has(JSON.stringify(one)));
};

/** True when the value lets Stepback do no more than the other. Null for what is no limit. */
export const atLeastAsStrict: { readonly [Name in keyof Settings]: Order<Name> | null } = {
  mode: (value, than) => modes.indexOf(value) <= modes.indexOf(than),
  graceMs: longer,
  bakeMs: shorter,
  stalledMs: longer,
  stuckMs: longer,
  unnoticedMs: longer,
  syncAttempts: longer,
  failureAgeMsMax: shorter,
  culpritAgeMsMax: shorter,
  thresholds: holdsAll,
  ignoredApplications: holdsAll,
  ignoredKinds: holdsAll,
  reviewerUsers: null,
  reviewerTeams: null,
  labels: null,
  branchTemplate: null,
  titleTemplate: null,
  messageTemplate: null,
  signsOff: (value, than) => value || !than,
  optOutLabels: holdsAll,
  optOutTrailers: holdsAll,
  commands: (value, than) =>
    Object.entries(than).every(([name, rule]) => {
      const merged = value[name as keyof typeof value];
      if (merged === undefined) return false;
      const rank = (permission: string | null): number =>
        ['none', ...permissions].indexOf(permission ?? 'none');
      return rank(merged.permission) >= rank(rule.permission) && holdsAll(merged.people, rule.people);
    }),
  revertsPerRepositoryMax: shorter,
  revertsPerApplicationSetMax: shorter,
  revertsPerInstallationMax: shorter,
  autoMergesMax: shorter,
  contain: (value, than) =>
    ['off', 'advise', 'freeze'].indexOf(value) <= ['off', 'advise', 'freeze'].indexOf(than),
  freezesOwned: (value, than) => than || !value,
  recover: (value, than) =>
    ['advise', 'refresh', 'sync'].indexOf(value) <= ['advise', 'refresh', 'sync'].indexOf(than),
  stopLabels: holdsAll,
  heldUntil: longer,
};

/** Names of the limits that are laxer than, or lost against, the other settings. */
export function laxerThan(settings: PartialSettings, other: PartialSettings): readonly string[] {
  return (Object.keys(atLeastAsStrict) as (keyof Settings)[]).filter((name) =>
    isLaxer(name, settings, other),
  );
}

function isLaxer<Name extends keyof Settings>(
  name: Name,
  settings: PartialSettings,
  other: PartialSettings,
): boolean {
  const [value, than] = [settings[name], other[name]] as [
    Settings[Name] | undefined,
    Settings[Name] | undefined,
  ];
  const order = atLeastAsStrict[name] as Order<Name> | null;
  if (order === null || than === undefined) return false;
  return value === undefined || !order(value, than);
}
