/**
 * The times and thresholds that a recording, a case, or the person at the command line asks for, in seconds as people
 * write them.
 */
import { existsSync, readFileSync } from 'node:fs';
import { defaultPolicy, type Policy } from '../../domain/policy.ts';
import { record, recordOrNull } from '../../domain/read.ts';
import { WorldProblem } from '../../ports.ts';

/** A policy from `graceSeconds` and its like; defaults for what is not named or is no number. */
export function policyOf(found: Readonly<Record<string, unknown>>): Policy {
  const milliseconds = (name: string, fallback: number): number => {
    const value = found[name];
    return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value * 1000 : fallback;
  };
  const attempts = found.syncAttempts;
  return {
    graceMs: milliseconds('graceSeconds', defaultPolicy.graceMs),
    bakeMs: milliseconds('bakeSeconds', defaultPolicy.bakeMs),
    stalledMs: milliseconds('stalledSeconds', defaultPolicy.stalledMs),
    stuckMs: milliseconds('stuckSeconds', defaultPolicy.stuckMs),
    unnoticedMs: milliseconds('unnoticedSeconds', defaultPolicy.unnoticedMs),
    syncAttempts: typeof attempts === 'number' && attempts >= 1 ? attempts : defaultPolicy.syncAttempts,
  };
}

/** The `policy` of `expect.json`, or of a file of that form; nothing else of it is read. */
export function readPolicyFile(file: string): Record<string, unknown> | null {
  if (!existsSync(file)) return null;
  try {
    const document = record(JSON.parse(readFileSync(file, 'utf8')));
    return recordOrNull(document.policy) ?? document;
  } catch (error) {
    throw new WorldProblem(
      'permanent',
      `${file} is no JSON: ${error instanceof Error ? error.message : ''}.`,
      { cause: error },
    );
  }
}
