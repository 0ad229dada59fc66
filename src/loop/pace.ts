/**
 * How often words are edited while only numbers in them move: GitHub counts every edit, and the longer something lasts,
 * the less one number more tells.
 */

const editEveryMs = 30_000;

/** Half of its age passes between two edits. */
const ageParts = 2;

/** The least time between two edits of what was begun at `bornAt` and written last at `writtenAt`. */
export function pauseMs(bornAt: number, writtenAt: number): number {
  return Math.max(editEveryMs, (writtenAt - bornAt) / ageParts);
}
