/** The shortest story with a revert in it: version 1 everywhere, then a change that dev-1 does not bear. */

import { everywhereOnVersionOne, oneRevert, repository } from '../../src/sandbox/stories/staging.ts';
import { land, type StageDirector, type Story, workload } from '../../src/sandbox/story.ts';

export const config = 'apps/payments/config.json';

/** Up to the bad change; gives the number of its pull request. */
export async function landABadChange(
  stage: StageDirector,
  method: 'merge' | 'squash' | 'rebase' = 'squash',
): Promise<number> {
  const files = {
    [config]: workload('payments', {
      version: '2',
      'health.dev-1': 'Degraded',
      message: 'back-off restarting failed container',
    }),
  };
  return land(stage.world, repository, 'payments: new ledger endpoint', files, 'dana', method);
}

/** `meanwhile` happens between the bad change and the revert. */
export function badChange(meanwhile: (stage: StageDirector) => Promise<void> | void = () => {}): Story {
  return {
    name: 'bad-change',
    about: 'A change that dev-1 does not bear.',
    async play(stage) {
      await everywhereOnVersionOne(stage);
      await landABadChange(stage);
      await meanwhile(stage);
      await oneRevert(stage, repository, 12);
    },
  };
}
