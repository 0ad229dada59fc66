/**
 * An incident must fit into an object of 1.5 MB, also when one commit breaks hundreds of ApplicationSets at once and each of
 * their Applications says why in a thousand words. What is told in full comes first in it and gives way last: who has it,
 * who is not back and every number stay whatever happens.
 */
import type { Incident, SetStanding } from './incident.ts';
import type { Reason } from './verdict.ts';

/** Leaves room for the object around it. */
export const incidentBytesMax = 1_200_000;

/** Of so many ApplicationSets people read details. */
const toldMax = 10;

interface Cut {
  /** From which ApplicationSet on. */
  from: number;
  reasons: number;
  /** Of each Application that is not back. */
  reasonsLeft: number;
  message: number;
}

/** Gentlest first. */
const cuts: readonly Cut[] = [
  { from: toldMax, reasons: 3, reasonsLeft: 1, message: 200 },
  { from: toldMax, reasons: 1, reasonsLeft: 0, message: 100 },
  { from: 0, reasons: 10, reasonsLeft: 1, message: 200 },
  { from: 0, reasons: 1, reasonsLeft: 0, message: 100 },
];

/** The incident itself when it fits, else as much of it as does. `bytes` is what it takes as JSON. Pure. */
export function fitIncident(incident: Incident, bytes: number): Incident {
  let fitted = incident;
  let size = bytes;
  for (const cut of cuts) {
    if (size <= incidentBytesMax) break;
    const sets = fitted.sets.map((set, index) => (index < cut.from ? set : shortened(set, cut)));
    fitted = { ...incident, sets };
    size = bytesOf(JSON.stringify(fitted));
  }
  return fitted;
}

/** In UTF-8, as it is stored; of what is far from the limit a guess that is never too small. */
export function bytesOf(text: string): number {
  return 3 * text.length <= incidentBytesMax ? 3 * text.length : new TextEncoder().encode(text).length;
}

function shortened(set: SetStanding, cut: Cut): SetStanding {
  return {
    ...set,
    evidence: some(set.evidence, cut.reasons, cut.message),
    left: set.left.map((left) => ({ ...left, reasons: some(left.reasons, cut.reasonsLeft, cut.message) })),
  };
}

function some(reasons: readonly Reason[], max: number, message: number): readonly Reason[] {
  return reasons
    .slice(0, max)
    .map((reason) =>
      reason.message.length <= message
        ? reason
        : { ...reason, message: `${reason.message.slice(0, message - 1)}…`.toWellFormed() },
    );
}
