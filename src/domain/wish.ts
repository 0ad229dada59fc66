/** How long a person's wish for the revert of an incident overrules what only holds it back. */
import type { Incident } from './incident.ts';

/** A wish is for now: what kept its revert from being opened for so long is a matter to be decided again. */
const wishMs = 24 * 3_600_000;

/** The revert that a wish brought stays wanted while it is open. Pure. */
export function isWanted({ wanted, pullRequest }: Incident, now: number): boolean {
  if (wanted == null) return false;
  const isOpen = pullRequest !== null && pullRequest.closedAt === null;
  return isOpen || now - wanted.at < wishMs;
}
