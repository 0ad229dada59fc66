/**
 * What `kubectl get stageledgers` and `kubectl get rollbacks` show in their columns.
 */
import { isPutAway } from './held-steps.ts';
import type { Incident } from './incident.ts';
import type { ContentRecord } from './memory.ts';
import { countNotBack } from './not-back.ts';
import type { ObjectKey } from './objects.ts';
import { reachOf, recoverySteps, stepsOf } from './recovery-figures.ts';
import type { StoredMemory } from './stored-memory.ts';
import { unpackMemory } from './unpack-memory.ts';

/** How many Applications are remembered, and the newest commit on which they were good and none of them fails. */
export function summarizeMemory(stored: StoredMemory): { applications: number; lastGood: string } {
  const all = Object.values(unpackMemory(stored)?.applications ?? {});
  const short = ({ revisions }: ContentRecord): string =>
    revisions.map((revision) => revision.slice(0, 7)).join('+');
  const broken = new Set(all.flatMap(({ contents }) => contents.filter(isBroken)).map(short));
  const good = all.flatMap(({ contents }) =>
    contents.filter((record) => record.healthyAt !== null && !broken.has(short(record))).slice(-1),
  );
  // What one Application was seen Healthy on is no guess, whatever history says of another.
  const seen = new Set(good.filter(({ isGuess }) => !isGuess).map(short));
  const guessed = new Set(good.map(short).filter((revision) => !seen.has(revision)));
  const lastGood = [...seen, ...[...guessed].map((revision) => `${revision} (a guess)`)];
  return { applications: all.length, lastGood: lastGood.slice(0, 3).join(', ') };
}

/** What it did last on this content was to be Degraded. */
function isBroken({ degraded, healthyUntil }: ContentRecord): boolean {
  return degraded !== null && degraded.endedAt > (healthyUntil ?? 0);
}

/** The phase, where it fails first, the pull request, what is frozen, and how it comes or came back. */
export function summarizeIncident(incident: Incident): {
  applicationSets: readonly ObjectKey[];
  phase: string;
  stage: string;
  pullRequest: string;
  frozen: string;
  recovery: string;
} {
  const stage = incident.sets.flatMap((set) => set.stages).find((one) => one.failing.length > 0);
  return {
    applicationSets: incident.sets.map((set) => set.key),
    phase: incident.rebuiltAt === undefined ? incident.phase : `${incident.phase} (a guess)`,
    stage: stage === undefined ? '' : `${stage.number} (${stage.name})`,
    pullRequest: incident.pullRequest?.url ?? '',
    frozen: frozenIn(incident),
    recovery: recoveryOf(incident),
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

/** "3 of 5 are back" after the merge; "12m: notice 1m, revert 0m, merge 5m, recovery 6m; had it 2, 5, at most 5" at the end. */
function recoveryOf(incident: Incident): string {
  const { notice, merge, worst } = reachOf(incident);
  if (incident.phase === 'merged') {
    const left = countNotBack(incident.sets);
    const had = Math.max(worst, left);
    return `${had - left} of ${had} are back`;
  }
  if (incident.phase !== 'recovered') return '';
  const steps = stepsOf(incident);
  const known = recoverySteps.flatMap((step) => {
    const ms = steps[step];
    return ms === null ? [] : [{ step, ms }];
  });
  const all = known.reduce((sum, { ms }) => sum + ms, 0);
  const parts = known.map(({ step, ms }) => `${step} ${inMinutes(ms)}`).join(', ');
  return `${inMinutes(all)}: ${parts}; had it ${notice ?? '?'}, ${merge ?? '?'}, at most ${worst}`;
}

function inMinutes(ms: number): string {
  return ms < 60_000 ? `${Math.round(ms / 1000)}s` : `${Math.round(ms / 60_000)}m`;
}
