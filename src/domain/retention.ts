/**
 * How long incidents are kept: what is over is cut by age and by count, so that neither the cluster nor the page fills up.
 * What is open stays, however old it is.
 */
import { type Incident, isOpen } from './incident.ts';

/** Long enough for a retrospective; every limit and age that looks back looks less far. */
export const keptMs = 90 * 24 * 60 * 60_000;
/** Of those that are over, the newest. */
export const keptMax = 200;

/** The incidents to forget, oldest first. `now` is milliseconds since the epoch. */
export function toForget(incidents: readonly Incident[], now: number): readonly Incident[] {
  const over = incidents
    .filter((incident) => !isOpen(incident))
    .sort((one, other) => endOf(other) - endOf(one) || (one.id < other.id ? -1 : 1));
  return over.filter((incident, index) => index >= keptMax || now - endOf(incident) > keptMs).reverse();
}

function endOf({ changedAt, timeline }: Incident): number {
  return Math.max(changedAt, timeline.at(-1)?.at ?? 0);
}
