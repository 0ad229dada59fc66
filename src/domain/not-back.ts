/** How many Applications are not back: those that are named in the incident, and those that are only counted there. */
import type { SetStanding } from './incident.ts';

export function countNotBack(sets: readonly SetStanding[]): number {
  return sets.reduce((sum, set) => sum + set.left.length + (set.leftMore ?? 0), 0);
}
