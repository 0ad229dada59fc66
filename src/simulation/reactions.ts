/** What people do about the reverts that Stepback opens. */
import type { Dice } from './dice.ts';

/** What a person does about a revert of ours, and after how long. */
export interface Reaction {
  what:
    | 'merge'
    | 'squash'
    | 'close'
    | 'close-and-reopen'
    | 'nothing'
    | 'fix'
    | 'push-on-branch'
    | 'make-it-worse'
    | 'revert-by-hand';
  afterMs: number;
}

const second = 1_000;

/** What somebody does about one revert, drawn when it is opened. */
export function reactionOf(dice: Dice): Reaction {
  const what = dice.pick<Reaction['what']>([
    'merge',
    'merge',
    'merge',
    'squash',
    'squash',
    'close',
    'close-and-reopen',
    'nothing',
    'fix',
    'push-on-branch',
    'make-it-worse',
    'make-it-worse',
    'revert-by-hand',
  ]);
  return { what, afterMs: dice.between(10, 600) * second };
}
