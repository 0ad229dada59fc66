/**
 * When the radar is enough. Argo CD compares every Application every few minutes and writes it each time, so most
 * events say nothing new; whole objects are read only of ApplicationSets that are rolling, failing, young or in an
 * incident.
 */
import { isAwaited } from '../domain/bystanders.ts';
import { isLeftOpen } from '../domain/decision.ts';
import { isStillHeld } from '../domain/held-steps.ts';
import type { Incident } from '../domain/incident.ts';
import { isOpen } from '../domain/incident.ts';
import type { ApplicationMemory } from '../domain/memory.ts';
import type { ApplicationRow, ObjectKey } from '../domain/objects.ts';
import type { StageMemory } from '../domain/watcher.ts';

/** The last close look of this process at an ApplicationSet. */
export interface LastLook {
  verdict: string;
  ageMs: number;
}

/** With several sources a row shows no commit, so what it hides is read again after so long. */
const hiddenMsMax = 15 * 60_000;

/**
 * True when every row is Synced and Healthy on the revision that is remembered, no incident is open, and the last
 * close look, if there was one, found nothing to do: whatever would be new shows in a row. `last` is null before the first close look.
 */
export function isQuiet(
  key: ObjectKey,
  rows: readonly ApplicationRow[],
  memory: StageMemory,
  incidents: readonly Incident[],
  last: LastLook | null,
): boolean {
  if (last !== null && last.verdict !== 'ok') return false;
  if (rows.length === 0 || rows.length !== Object.keys(memory.applications).length) return false;
  const ours = incidents.filter((incident) => incident.sets.some((set) => set.key === key));
  // Words of a healed one that were held back are due, whoever looks.
  if (ours.some((one) => isOpen(one) || isLeftOpen(one) || isToBeSaid(one))) return false;
  if (incidents.some((incident) => isStillHeld(incident, key) || isAwaited(incident, key))) return false;
  // Whether what was Degraded is good by now no look of this process has told.
  if (last === null && Object.values(memory.applications).some(wasDegraded)) return false;
  return rows.every((row) => {
    const remembered = memory.applications[row.key];
    if (remembered === undefined || remembered.uid !== row.uid) return false;
    if (row.syncStatus !== 'Synced' || row.healthStatus !== 'Healthy' || remembered.trouble !== null)
      return false;
    // What waited for its retry, or had not begun, has ended since, or has not: no row tells.
    const isPending = remembered.operation?.isWaiting === true || remembered.requestedSince !== null;
    if (!wasSeenWell(remembered) || isPending) return false;
    if (row.revision === '') return last !== null && last.ageMs < hiddenMsMax;
    return remembered.running?.revisions.join(',') === row.revision;
  });
}

/** The last close look can have found it on its way and the next have been missed: what it runs would never count as good. */
function wasSeenWell({ running, contents }: ApplicationMemory): boolean {
  const newest = contents.at(-1);
  return running === null || (newest != null && newest.healthyAt !== null && !newest.isGuess);
}

function isToBeSaid({ phase, changedAt, written }: Incident): boolean {
  return phase === 'healed' && changedAt > written.at;
}

function wasDegraded({ contents }: ApplicationMemory): boolean {
  return contents.at(-1)?.degraded != null;
}
