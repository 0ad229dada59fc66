/**
 * How many check runs may be written: GitHub allows 500 calls an hour that make something people see, and the reverts
 * and their comments must always find room among them.
 */

const hourMs = 60 * 60_000;

/** Of the 500 an hour; the rest is for pull requests, comments and replies. */
const writesMax = 340;

/** Words that can wait leave this room to states that cannot. */
const routineWritesMax = 240;

export interface WriteBudget {
  /** How long until there is room: 0 when there is. `isRoutine`: only numbers moved. */
  roomInMs(now: number, isRoutine: boolean): number;
  spend(now: number): void;
}

/** One for all that one process writes. */
export function openWriteBudget(): WriteBudget {
  const spent: number[] = [];
  return {
    roomInMs(now, isRoutine) {
      while ((spent[0] ?? now) <= now - hourMs) spent.shift();
      const max = isRoutine ? routineWritesMax : writesMax;
      const oldest = spent[spent.length - max];
      return oldest === undefined ? 0 : oldest + hourMs - now;
    },
    spend: (now) => void spent.push(now),
  };
}
