/** The times by which rollouts are judged: the product's defaults, and what the installation says instead. */
import { defaultPolicy, type Policy } from '../domain/policy.ts';
import type { Reader } from './reader.ts';
import type { SettingName } from './settings.ts';

/** Every time of the policy has its name; the compiler says so when one is added. */
const times: Readonly<Record<Exclude<keyof Policy, 'syncAttempts'>, SettingName>> = {
  graceMs: 'STEPBACK_GRACE_SECONDS',
  bakeMs: 'STEPBACK_BAKE_SECONDS',
  stalledMs: 'STEPBACK_STALLED_SECONDS',
  stuckMs: 'STEPBACK_STUCK_SECONDS',
  unnoticedMs: 'STEPBACK_UNNOTICED_SECONDS',
};
const weekSeconds = 7 * 24 * 3600;

export function readPolicy(reader: Reader): Policy {
  const inMs = (key: keyof typeof times): number =>
    1000 * reader.whole(times[key], defaultPolicy[key] / 1000, { min: 1, max: weekSeconds });
  return {
    graceMs: inMs('graceMs'),
    bakeMs: inMs('bakeMs'),
    stalledMs: inMs('stalledMs'),
    stuckMs: inMs('stuckMs'),
    unnoticedMs: inMs('unnoticedMs'),
    syncAttempts: reader.whole('STEPBACK_SYNC_ATTEMPTS', defaultPolicy.syncAttempts, { min: 1, max: 100 }),
  };
}
