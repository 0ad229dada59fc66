/** Two open reverts of one change would be merged one after the other, and the second would bring nothing, or conflict. */

import { botLogin } from '../hub-objects.ts';
import { type Law, takenBackBy } from '../law.ts';

export const oneOpenRevert: Law = {
  name: 'one-open-revert',
  words: 'There is at most one open revert of a change.',
  onEvent(world, event) {
    if (event.kind !== 'pull-request' || event.by !== botLogin || event.action === 'closed') return null;
    const open = world.repository.pulls
      .all()
      .filter((pull) => pull.user === botLogin && pull.state === 'open');
    for (const [index, one] of open.entries()) {
      const shas = takenBackBy(world, one.number);
      for (const other of open.slice(index + 1)) {
        const both = takenBackBy(world, other.number).find((sha) => shas.includes(sha));
        if (both !== undefined)
          return `#${one.number} and #${other.number} are open, and both take back ${both.slice(0, 7)}`;
      }
    }
    return null;
  },
};
