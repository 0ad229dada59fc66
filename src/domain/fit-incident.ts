/**
 * An incident must fit into an object of 1.5 MB, also when one commit breaks hundreds of ApplicationSets at once and each of
 * their Applications says why in a thousand words. What is told in full comes first in it and gives way last: every number
 * stays whatever happens, and so does which ApplicationSets are back.
 *
 * Nothing is decided by the names and lists that give way. Who runs the bad commit and who is not back is found anew at
 * each look from the cluster, and kept as `having` and `isRecovered` of the ApplicationSet; of a stage the lengths of its
 * lists are read, and the first few names. What is in an Application's way is needed to help it back: where it gave way,
 * each look takes it for a hindrance that has just begun, so that help waits until fewer are left and there is room again.
 */
import type { Incident, Left, SetStanding, StageStanding } from './incident.ts';
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
  /** In each list of names of a stage, and among those that are not back; all when absent. */
  names?: number;
  /** Of how many Applications is kept what is in their way, over all; all when absent. */
  waysBack?: number;
}

/** Gentlest first. The last ones are for fleets of ten thousands of Applications that one commit broke. */
const cuts: readonly Cut[] = [
  { from: toldMax, reasons: 3, reasonsLeft: 1, message: 200 },
  { from: toldMax, reasons: 1, reasonsLeft: 0, message: 100 },
  { from: 0, reasons: 10, reasonsLeft: 1, message: 200 },
  { from: 0, reasons: 1, reasonsLeft: 0, message: 100 },
  { from: toldMax, reasons: 1, reasonsLeft: 0, message: 100, names: 20 },
  { from: toldMax, reasons: 1, reasonsLeft: 0, message: 100, names: 20, waysBack: 2_000 },
  { from: toldMax, reasons: 1, reasonsLeft: 0, message: 100, names: 5, waysBack: 500 },
  { from: toldMax, reasons: 1, reasonsLeft: 0, message: 20, names: 0, waysBack: 100 },
  // No text names more than five of them.
  { from: 0, reasons: 1, reasonsLeft: 0, message: 20, names: 5, waysBack: 100 },
];

/**
 * The incident itself when it fits, else as much of it as does. What does not fit after the last cut (a hundred thousand
 * Applications) is the ledger's to refuse, in words. `bytes` is what it takes as JSON. Pure.
 */
export function fitIncident(incident: Incident, bytes: number): Incident {
  let fitted = incident;
  let size = bytes;
  for (const cut of cuts) {
    if (size <= incidentBytesMax) break;
    fitted = { ...incident, sets: shortenedSets(fitted.sets, cut) };
    size = bytesOf(JSON.stringify(fitted));
  }
  return fitted;
}

/** In UTF-8, as it is stored; of what is far from the limit a guess that is never too small. */
export function bytesOf(text: string): number {
  return 3 * text.length <= incidentBytesMax ? 3 * text.length : new TextEncoder().encode(text).length;
}

function shortenedSets(sets: readonly SetStanding[], cut: Cut): readonly SetStanding[] {
  let room = cut.waysBack ?? Number.POSITIVE_INFINITY;
  return sets.map((set, index) => {
    if (index < cut.from) return set;
    const ways = set.left.filter(isHelped).slice(0, room);
    room -= ways.length;
    return shortened(set, cut, new Set(ways));
  });
}

/** What only a person or time can help is said of it and no more. */
function isHelped({ wayBack }: Left): boolean {
  return wayBack !== undefined && wayBack.remedy !== 'wait' && wayBack.remedy !== 'person';
}

/** `ways`: of those that are not back, whose way back is kept. */
function shortened(set: SetStanding, cut: Cut, ways: ReadonlySet<Left>): SetStanding {
  const { names = Number.POSITIVE_INFINITY, waysBack } = cut;
  const isKept = (one: Left): boolean =>
    one.wayBack !== undefined && (waysBack === undefined || ways.has(one));
  const left = set.left
    .filter((one, index) => index < names || isKept(one))
    .map((one) => ({
      application: one.application,
      reasons: some(one.reasons, cut.reasonsLeft, cut.message),
      ...(isKept(one) ? { wayBack: one.wayBack } : {}),
    }));
  const more = (set.leftMore ?? 0) + set.left.length - left.length;
  return {
    ...set,
    stages:
      names === Number.POSITIVE_INFINITY
        ? set.stages
        : set.stages.map((stage) => withNames(stage, names, cut.message)),
    evidence: some(set.evidence, cut.reasons, cut.message),
    left,
    ...(more === 0 ? {} : { leftMore: more }),
  };
}

/** A name that gives way leaves its place empty, because the length of each list is a number that people are told. */
function withNames(stage: StageStanding, max: number, message: number): StageStanding {
  const few = (names: readonly string[]): readonly string[] =>
    names.map((name, index) => (index < max ? name : ''));
  return {
    ...stage,
    having: few(stage.having),
    partly: few(stage.partly),
    outOfOrder: few(stage.outOfOrder),
    failing: few(stage.failing),
    ahead: few(stage.ahead),
    message: cutText(stage.message, message),
  };
}

function some(reasons: readonly Reason[], max: number, message: number): readonly Reason[] {
  return reasons.slice(0, max).map((reason) => ({ ...reason, message: cutText(reason.message, message) }));
}

function cutText(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, max - 1)}…`.toWellFormed();
}
