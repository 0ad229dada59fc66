/** Two open reverts of one change would be merged one after the other, and the second would bring nothing, or conflict. */
import type { Law } from '../law.ts';
import { takenBackBy } from '../law.ts';
import { botLogin } from '../memory-hub.ts';

export const oneOpenRevert: Law = {
  name: 'one-open-revert',
  words: 'There is at most one open revert for a change.',
  onEvent(world, event) {
    if (event.kind !== 'pull-request' || event.by !== botLogin || event.action === 'closed') return null;
    const open = world.repository.pulls
      .all()
      .filter((pull) => pull.user === botLogin && pull.state === 'open');
    for (const [index, one] of open.entries()) {
      const shas = takenBackBy(world, one.number);
      const other = open
        .slice(index + 1)
        .find((pull) => takenBackBy(world, pull.number).some((sha) => shas.includes(sha)));
      if (other !== undefined)
        return `#${one.number} and #${other.number} are open, and both take back ${shas[0]?.slice(0, 7)}`;
    }
    return null;
  },
};
