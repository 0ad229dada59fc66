/** Two open reverts of one incident would be merged one after the other, and the second would bring nothing, or conflict. */
import type { Law } from '../law.ts';
import { botLogin, type HubPull } from '../memory-hub.ts';
import type { World } from '../world.ts';

export const oneOpenRevert: Law = {
  name: 'one-open-revert',
  words: 'There is at most one open revert of an incident.',
  onEvent(world, event) {
    if (event.kind !== 'pull-request' || event.by !== botLogin || event.action === 'closed') return null;
    const open = world.repository.pulls
      .all()
      .filter((pull) => pull.user === botLogin && pull.state === 'open');
    for (const [index, one] of open.entries()) {
      const incident = incidentOf(world, one);
      const other = open
        .slice(index + 1)
        .find((pull) => incident !== null && incidentOf(world, pull) === incident);
      if (other !== undefined)
        return `#${one.number} and #${other.number} are open, and both are of ${incident}`;
    }
    return null;
  },
};

/** As the commit of the revert names it; a person may have pushed onto the branch after it. */
function incidentOf({ repository }: World, pull: HubPull): string | null {
  for (let sha: string | undefined = pull.headSha; sha !== undefined; ) {
    const commit = repository.git.commit(sha);
    const named = /^Stepback-Incident: (.+)$/m.exec(commit?.message ?? '')?.[1];
    if (named !== undefined) return named;
    sha = commit?.parents[0];
  }
  return null;
}
