/** A check run is found again by its name: of one name on one commit there is one that people see. */
import type { Law } from '../law.ts';

export const oneCheckRun: Law = {
  name: 'one-check-run',
  words: 'In the end there is one check run of ours of each name on a commit.',
  atEnd({ repository }) {
    const seen = new Map<string, number>();
    for (const { sha, name } of repository.checkRuns.all()) {
      const key = `${name} on ${sha.slice(0, 7)}`;
      seen.set(key, (seen.get(key) ?? 0) + 1);
    }
    const twice = [...seen].find(([, times]) => times > 1);
    return twice === undefined ? null : `There are ${twice[1]} check runs ${twice[0]}`;
  },
};
