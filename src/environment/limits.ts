/**
 * What the installation allows at the most, for everybody: a layer of the configuration beside the files of repositories,
 * of which the stricter one wins. Only what is set is a limit; a default is none, so that a file can go beyond it.
 */
import {
  containments,
  modes,
  type PartialSettings,
  recoveries,
  type Settings,
} from '../config/configuration.ts';
import { put } from '../config/keys.ts';
import type { Reader } from './reader.ts';
import type { SettingName } from './settings.ts';

/** Every time in seconds, by the key of the configuration that it limits. */
const times = {
  graceMs: 'STEPBACK_GRACE_SECONDS',
  bakeMs: 'STEPBACK_BAKE_SECONDS',
  stalledMs: 'STEPBACK_STALLED_SECONDS',
  stuckMs: 'STEPBACK_STUCK_SECONDS',
  unnoticedMs: 'STEPBACK_UNNOTICED_SECONDS',
  failureAgeMsMax: 'STEPBACK_FAILURE_TOO_OLD_SECONDS',
  culpritAgeMsMax: 'STEPBACK_CULPRIT_TOO_OLD_SECONDS',
} as const satisfies Partial<Record<keyof Settings, SettingName>>;
const monthSeconds = 30 * 24 * 3600;

/** Numbers of reverts in 24 hours; 0 allows none. */
const reverts = {
  revertsPerInstallationMax: 'STEPBACK_REVERTS_PER_DAY',
  revertsPerRepositoryMax: 'STEPBACK_REPOSITORY_REVERTS_PER_DAY',
  revertsPerApplicationSetMax: 'STEPBACK_APPLICATION_SET_REVERTS_PER_DAY',
  autoMergesMax: 'STEPBACK_AUTO_MERGES_PER_DAY',
} as const satisfies Partial<Record<keyof Settings, SettingName>>;

/** Holds what was set and nothing else. */
export function readLimits(reader: Reader): PartialSettings {
  const limits: PartialSettings = {};
  put(limits, 'mode', reader.oneOf('STEPBACK_MODE', modes) ?? undefined);
  for (const key of namesOf(times)) {
    const seconds = reader.whole(times[key], null, { min: 1, max: monthSeconds });
    if (seconds !== null) limits[key] = 1000 * seconds;
  }
  const attempts = reader.whole('STEPBACK_SYNC_ATTEMPTS', null, { min: 1, max: 100 });
  put(limits, 'syncAttempts', attempts ?? undefined);
  for (const key of namesOf(reverts))
    put(limits, key, reader.whole(reverts[key], null, { min: 0, max: 10_000 }) ?? undefined);
  put(limits, 'contain', reader.oneOf('STEPBACK_CONTAIN', containments) ?? undefined);
  put(limits, 'recover', reader.oneOf('STEPBACK_RECOVER', recoveries) ?? undefined);
  return limits;
}

function namesOf<Name extends string>(table: Readonly<Record<Name, string>>): readonly Name[] {
  return Object.keys(table) as Name[];
}
