/**
 * A check run is found again by its name, and GitHub shows the newest of a name. One that was made twice, because the first one was
 * not seen or not known of, cannot be taken away: the older one is completed as neutral, and says so.
 */

import type { HubCheckRun } from '../hub-objects.ts';
import type { Law } from '../law.ts';

export const oneCheckRun: Law = {
  name: 'one-check-run',
  words:
    'In the end one check run of ours of each name on a commit speaks; where doubt made two, the older is neutral and says so.',
  atEnd({ repository, doubts, figures, seen }) {
    // Whoever starts after the ledger was lost, and the maker died, does not know that one was made.
    const isForgotten = seen.isLedgerLost && figures.crashes > 0;
    // Of a pull request that is closed nobody looks again whose maker died.
    const open = new Set(
      repository.pulls.all().flatMap((one) => (one.state === 'open' ? [one.headSha] : [])),
    );
    const isExcused = ['createCheckRun', 'checkRuns', 'second'].some((doubt) => doubts.has(doubt));
    const groups = new Map<string, HubCheckRun[]>();
    for (const run of repository.checkRuns.all()) {
      if (figures.crashes > 0 && run.name.endsWith('blast radius') && !open.has(run.sha)) continue;
      const key = `${run.name} on ${run.sha.slice(0, 7)}`;
      groups.set(key, [...(groups.get(key) ?? []), run]);
    }
    for (const [key, runs] of groups) {
      const speaking = runs.filter((run) => !isNeutralised(run));
      if (runs.length > 1 && !isExcused) return `there are ${runs.length} check runs ${key}`;
      if (speaking.length > 1 && isForgotten) continue;
      if (speaking.length > 1) return `${speaking.length} check runs ${key} speak at once`;
      if (speaking[0] !== runs.at(-1)) return `of ${runs.length} check runs ${key} the newest is silent`;
    }
    return null;
  },
};

function isNeutralised({ title, status, conclusion }: HubCheckRun): boolean {
  return /newer check run/.test(title) && status === 'completed' && conclusion === 'neutral';
}
