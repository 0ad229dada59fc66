/** A commit that feeds nothing that fails is innocent, wherever it stands in the range. */

import { botLogin } from '../hub-objects.ts';
import { type Law, takenBackBy } from '../law.ts';

export const onlyWhatFeeds: Law = {
  name: 'only-what-feeds',
  words: 'No commit is taken back that does not feed an ApplicationSet that fails.',
  onEvent(world, event) {
    if (event.kind !== 'pull-request' || event.by !== botLogin) return null;
    if (event.action !== 'opened' && event.action !== 'synchronize') return null;
    const { truth, plan } = world;
    const failing = new Set(truth.failures().map((one) => one.applicationSet));
    const folders = plan.sets
      .filter((set) => failing.has(set.name))
      .flatMap((set) => [`apps/${set.name}/`, ...(set.hasBase ? ['base/'] : [])]);
    const innocent = takenBackBy(world, event.number).find(
      (sha) => !truth.pathsOf(sha).some((path) => folders.some((folder) => path.startsWith(folder))),
    );
    return innocent === undefined
      ? null
      : `#${event.number} takes back ${innocent.slice(0, 7)}, which changes ${truth.pathsOf(innocent).join(', ') || 'nothing'}`;
  },
};
