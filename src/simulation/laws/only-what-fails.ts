/** A revert needs a reason in the world: an Application that runs the change and is ill, cannot sync it, or cannot render it. */

import { botLogin } from '../hub-objects.ts';
import { type Law, takenBackBy } from '../law.ts';

export const onlyWhatFails: Law = {
  name: 'only-what-fails',
  words:
    'A revert is opened only when an Application fails on a commit that it takes back: it runs it, tries to sync it, or cannot render it.',
  onEvent(world, event) {
    if (event.kind !== 'pull-request' || event.by !== botLogin || event.action !== 'opened') return null;
    const taken = takenBackBy(world, event.number);
    const { truth } = world;
    const isReason = truth
      .failures()
      .some((one) => truth.introducers(one.path, one.blob).some((sha) => taken.includes(sha)));
    const names = taken.map((sha) => sha.slice(0, 7)).join(', ');
    return isReason
      ? null
      : `#${event.number} takes back ${names || 'nothing that it names'}, and no Application has ever failed on that`;
  },
};
