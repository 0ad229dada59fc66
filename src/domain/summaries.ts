/**
 * What `kubectl get stageledgers` and `kubectl get rollbacks` show in their columns.
 */
import { isPutAway } from './held-steps.ts';
import type { Incident } from './incident.ts';
import type { ObjectKey } from './objects.ts';
import { type StoredMemory, unpackMemory } from './stored-memory.ts';

/** How many Applications are remembered, and the newest commit on which they were good. */
export function summarizeMemory(stored: StoredMemory): { applications: number; lastGood: string } {
  const all = Object.values(unpackMemory(stored)?.applications ?? {});
  const good = all
    .flatMap((one) => one.contents.filter((record) => record.healthyAt !== null).slice(-1))
    .map((record) => record.revisions.map((revision) => revision.slice(0, 7)).join('+'));
  return { applications: all.length, lastGood: [...new Set(good)].slice(0, 3).join(', ') };
}

/** The phase, where it fails first, the pull request, and what is frozen. */
export function summarizeIncident(incident: Incident): {
  applicationSets: readonly ObjectKey[];
  phase: string;
  stage: string;
  pullRequest: string;
  frozen: string;
} {
  const stage = incident.sets.flatMap((set) => set.stages).find((one) => one.failing.length > 0);
  return {
    applicationSets: incident.sets.map((set) => set.key),
    phase: incident.phase,
    stage: stage === undefined ? '' : `${stage.number} (${stage.name})`,
    pullRequest: incident.pullRequest?.url ?? '',
    frozen: frozenIn(incident),
  };
}

/** "argocd/payments: prod (was 1)"; what is only noted may be frozen already. */
function frozenIn({ containments = [] }: Incident): string {
  return containments
    .flatMap(({ key, steps }) => {
      const frozen = steps
        .filter(isPutAway)
        .map(({ name, former }) => `${name} (was ${former ?? 'not set'})`);
      return frozen.length === 0 ? [] : [`${key}: ${frozen.join(', ')}`];
    })
    .join('; ');
}
