/**
 * A check run is found again by its name, and GitHub shows the newest of a name. One that was made twice, because the first one was
 * not seen or not known of, cannot be taken away: then the newest must be the one that is kept true.
 */
import type { Law } from '../law.ts';
import type { HubCheckRun } from '../memory-hub.ts';

export const oneCheckRun: Law = {
  name: 'one-check-run',
  words:
    'In the end there is one check run of ours of each name on a commit; where doubt made two, the newest is the true one.',
  atEnd({ repository, doubts }) {
    const isExcused = ['createCheckRun', 'checkRuns', 'second'].some((doubt) => doubts.has(doubt));
    const groups = new Map<string, HubCheckRun[]>();
    for (const run of repository.checkRuns.all()) {
      const key = `${run.name} on ${run.sha.slice(0, 7)}`;
      groups.set(key, [...(groups.get(key) ?? []), run]);
    }
    for (const [key, runs] of groups) {
      if (runs.length === 1) continue;
      if (!isExcused) return `there are ${runs.length} check runs ${key}`;
      const newest = runs.at(-1);
      const isOver = ({ title }: HubCheckRun): boolean => /newer check run/.test(title);
      const isTruer = (run: HubCheckRun): boolean =>
        !isOver(run) && run.writtenAt > (newest?.writtenAt ?? 0) && run.title !== newest?.title;
      if (runs.some(isTruer))
        return `of ${runs.length} check runs ${key} an older one is kept true, and the newest is shown`;
    }
    return null;
  },
};
