/**
 * What somebody may have meant who typed a command that does not exist: a slip of the thumb, or the word that another
 * tool has for it.
 */

/** The words of other tools, and of people. */
const otherWords: Readonly<Record<string, string>> = {
  rollback: 'revert',
  undo: 'revert',
  backout: 'revert',
  reset: 'restore',
  deploy: 'sync',
  apply: 'sync',
  refresh: 'retry',
  rerun: 'retry',
  recheck: 'retry',
  pause: 'hold',
  stop: 'hold',
  lock: 'hold',
  unhold: 'resume',
  unpause: 'resume',
  continue: 'resume',
  unlock: 'resume',
  start: 'resume',
  ignore: 'snooze',
  mute: 'snooze',
  skip: 'snooze',
  close: 'dismiss',
  cancel: 'dismiss',
  reject: 'dismiss',
  why: 'explain',
  reason: 'explain',
  show: 'status',
  info: 'status',
  unfreeze: 'thaw',
  contain: 'freeze',
  commands: 'help',
  usage: 'help',
};

/** Longer than any command with two slips. */
const lengthMax = 16;

/** One of `known`, or null when the word is like none of them. `word` is in lower case. */
export function suggestionFor<Known extends string>(word: string, known: readonly Known[]): Known | null {
  const typed = word.replace(/[^a-z]+/g, '');
  if (typed === '' || word.length > lengthMax) return null;
  const other = otherWords[typed];
  const slipsMax = typed.length <= 4 ? 1 : 2;
  const ranked = known
    .map((name) => ({ name, slips: name === other ? 0 : slipsBetween(typed, name) }))
    .sort((one, next) => one.slips - next.slips);
  const [best, second] = ranked;
  if (best === undefined || best.slips > slipsMax) return null;
  // Between two that are as near, nobody can tell.
  return best.slips > 0 && best.slips === second?.slips ? null : best.name;
}

/** Letters left out, added, changed, or exchanged with their neighbour (optimal string alignment). */
function slipsBetween(one: string, other: string): number {
  let before: readonly number[] = [];
  let last: readonly number[] = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let row = 1; row <= one.length; row += 1) {
    const next = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const isSame = one[row - 1] === other[column - 1];
      const isSwap = row > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      next[column] = Math.min(
        (last[column] ?? 0) + 1,
        (next[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (isSame ? 0 : 1),
        isSwap ? (before[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    before = last;
    last = next;
  }
  return last[other.length] ?? 0;
}
