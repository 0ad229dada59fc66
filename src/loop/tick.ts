/**
 * One tick: look at one ApplicationSet, judge, decide, act. Everything is read again, so a lost, late, doubled or
 * reordered event costs time and never truth. A view that is blind, stale or cut never leads to a write. A second
 * tick on an unchanged world makes no writing call.
 */
import { settingsFor } from '../config/resolve.ts';
import { judge } from '../content/judge.ts';
import { endsOfBrake, landedBy } from '../domain/brakes.ts';
import type { Culprit } from '../domain/culprit.ts';
import { type Decision, hasHealed, isLeftOpen, withStanding } from '../domain/decision.ts';
import { isStillHeld } from '../domain/held-steps.ts';
import { type Incident, isOpen } from '../domain/incident.ts';
import { joinIncident } from '../domain/join-incident.ts';
import type { BranchHead } from '../domain/look.ts';
import type { ObjectKey } from '../domain/objects.ts';
import { ordersEndIn } from '../domain/orders.ts';
import { standingOf } from '../domain/standing.ts';
import { type Answer, answerOf, rememberAll, type Sighting, type StageMemory } from '../domain/watcher.ts';
import { type WhyNot, whyNot } from '../domain/why-not.ts';
import type { CloseLook } from '../ports.ts';
import { describeWhyNot } from '../render/why-not.ts';
import { checksNeedALook, keepChecks } from './checks.ts';
import { headMaxAgeMsOf, holdAgainInMs } from './contain.ts';
import { hasForgottenHolds, withForgottenHolds } from './forgotten-holds.ts';
import { repositoryFor } from './investigate.ts';
import { isQuiet } from './is-quiet.ts';
import { nextEditInMs } from './keep-texts.ts';
import { type Moved, moveOn, placeOf } from './move-on.ts';
import { doubtEndsInMs, keepOneComment } from './one-comment.ts';
import type { Present } from './read-again.ts';
import { recalled, recollect } from './recollect.ts';
import { type AidPolicy, nextAidInMs, recover, sameHeads } from './recover.ts';
import { culpritOf } from './remembered-culprit.ts';
import { setIsGone } from './set-gone.ts';
import { sightingOf } from './sighting.ts';
import { standBy } from './stand-by.ts';
import { stopMaxAgeMs } from './stops.ts';
import { branchTemplateOf, termsOf } from './terms.ts';
import type { World } from './world.ts';

/** What a tick found, for pages and for the next tick. */
export interface TickResult {
  lookedAt: number;
  /** What the branches that feed it held. */
  heads: readonly BranchHead[];
  answer: Answer;
  culprit: Culprit | null;
  incident: Incident | null;
  /** Null when there is no incident, or Stepback only watches it. */
  decision: Decision | null;
  /** Why there is no revert; null when there is one, or nothing is wrong. */
  whyNot: WhyNot | null;
  /** How long until the answer may change without an event; null when only an event can change it. */
  lookAgainInMs: number | null;
}

/**
 * Null when the ApplicationSet is gone; `quiet` when the radar shows that there is nothing to look at, unless a person
 * asked (`isAsked`). `previous` is the result of the last tick of this process. Throws WorldProblem; nothing is lost, the next tick reads again.
 */
export async function tick(
  world: World,
  key: ObjectKey,
  previous: TickResult | null,
  { isAsked = false }: { isAsked?: boolean } = {},
): Promise<TickResult | 'quiet' | null> {
  world.memories.freshen(key);
  const remembered = await world.memories.memory(key);
  const incidents = await world.memories.incidents();
  const last =
    previous === null
      ? null
      : {
          verdict: previous.answer.rollout.verdict,
          ageMs: world.clock.now() - previous.lookedAt,
        };
  const mustLook =
    isAsked ||
    isDue(previous, world.clock.now()) ||
    isForgotten(remembered, incidents) ||
    isHoldOver(key, incidents, world.clock.now()) ||
    doubtOfCommentsMs(world, key, incidents) === 0 ||
    hasForgottenHolds(world, key, incidents) ||
    (await checksNeedALook(world, key, remembered));
  if (!mustLook && isQuiet(key, world.cluster.rows(key), remembered, incidents, last)) {
    await world.memories.flush(key);
    await world.memories.keepThere(key, world.clock.now());
    return 'quiet';
  }
  const look = await world.cluster.closeLook(key);
  if (look === null) {
    await setIsGone(world, key);
    world.memories.forget(key);
    return null;
  }
  const headMaxAgeMs = headMaxAgeMsOf(world, key, incidents);
  const flag = await world.featureFlag();
  const again = (next: CloseLook, before: StageMemory) => sightingOf(world, next, before, flag, headMaxAgeMs);
  const sighting = await again(look, remembered);
  const memory = look.sight.blindness === null ? rememberAll(remembered, sighting) : remembered;
  const isBlind = look.sight.blindness !== null;
  const { answer, culprit } = isBlind
    ? { answer: answerOf(memory, sighting), culprit: null }
    : await judge(memory, sighting, world.content, (failure) => culpritOf(world, sighting, failure));
  const result = isBlind ? null : await concern(world, key, culprit, { answer, sighting, sightingOf: again });
  const told = isBlind ? null : await keepChecks(world, { sighting, answer, culprit });
  const writtenInMs =
    told === null
      ? null
      : await world.memories.saveMemory(
          key,
          withIncidents({ ...answer.memory, checks: told.checks }, key, await world.memories.incidents()),
          world.clock.now(),
        );
  const why = whyNot({
    rollout: answer.rollout,
    failure: answer.failure,
    culprit,
    incident: result?.incident ?? null,
    isObserved: result !== null && result.decision === null,
  });
  logWhyNot(world, key, why, previous);
  return {
    lookedAt: sighting.now,
    heads: sighting.heads,
    answer,
    culprit,
    incident: result?.incident ?? null,
    decision: result?.decision ?? null,
    whyNot: why,
    lookAgainInMs: soonest(
      told?.lookAgainInMs ?? null,
      holdAgainInMs(await world.memories.incidents(), key, sighting.now),
      doubtOfCommentsMs(world, key, await world.memories.incidents()),
      writtenInMs,
      lookAgainIn(answer, result, sighting),
    ),
  };
}

/** The answer may be another one by now although nothing happened. */
function isDue(previous: TickResult | null, now: number): boolean {
  const at = previous?.answer.rollout.lookAgainAt ?? null;
  return at !== null && at <= now;
}

/** What is said of a hold is not so any more, also where all is well again. */
function isHoldOver(key: ObjectKey, incidents: readonly Incident[], now: number): boolean {
  const standings = incidents.filter(isFollowed).flatMap(({ sets }) => sets.filter((set) => set.key === key));
  return standings.some(({ held }) => held != null && held.until <= now);
}

/** An incident that was open is not in the ledger any more: it was lost, and is looked for. */
function isForgotten({ incidents: before = [] }: StageMemory, incidents: readonly Incident[]): boolean {
  return before.some((id) => !incidents.some((incident) => incident.id === id));
}

function withIncidents(memory: StageMemory, key: ObjectKey, all: readonly Incident[]): StageMemory {
  const open = all.filter((incident) => isFollowed(incident) && incident.sets.some((set) => set.key === key));
  return { ...memory, incidents: open.map(({ id }) => id) };
}

/** Once, when it becomes so. */
function logWhyNot({ log }: World, key: ObjectKey, why: WhyNot | null, previous: TickResult | null): void {
  if (why === null || why.code === previous?.whyNot?.code) return;
  log.info('no revert', { applicationSet: key, why: why.code, because: describeWhyNot(why) });
}

function soonest(...waits: readonly (number | null)[]): number | null {
  const known = waits.filter((ms): ms is number => ms !== null);
  return known.length === 0 ? null : Math.min(...known);
}

/** The incident that is told of, what was decided about it, and what its other followers wait for. */
interface Concerned {
  incident: Incident;
  decision: Decision | null;
  waits: readonly number[];
}

/** A grace time ends without an event; so does the time that a healed failure is watched before it is called healed. */
function lookAgainIn(answer: Answer, concerned: Concerned | null, sighting: Sighting): number | null {
  const { incident = null, waits: others = [] } = concerned ?? {};
  const at = answer.rollout.lookAgainAt;
  const waits = at === null ? [...others] : [...others, Math.max(0, at - sighting.now)];
  const standing = incident?.sets.find((set) => set.key === sighting.applicationSet.key);
  const isHealing =
    (incident?.phase === 'noticed' || incident?.phase === 'proposed') &&
    answer.failure === null &&
    // Once it has healed only the others of the incident are waited for.
    standing?.isHealed !== true;
  if (isHealing) waits.push(sighting.policy.graceMs);
  waits.push(...ordersEndIn(answer.memory.orders, sighting.now));
  if (incident?.phase === 'noticed') waits.push(...endsOfBrake(incident.obstacle, sighting.now));
  return waits.length === 0 ? null : Math.min(...waits);
}

/**
 * The incidents that this ApplicationSet is part of, each moved on by one step: the one of its present failure
 * first, then those that are followed still. Gives the first, or null when there is none.
 */
async function concern(
  world: World,
  key: ObjectKey,
  culprit: Culprit | null,
  now: Present,
): Promise<Concerned | null> {
  const { answer, sighting } = now;
  await recollect(world, sighting.applications);
  let known = await world.memories.incidents();
  const repository =
    culprit?.kind === 'suspects' && answer.failure !== null
      ? repositoryFor(world.forge, sighting.applicationSet, answer.failure, culprit.repository)
      : null;
  const context = {
    instance: world.cluster.instance,
    host: repository?.host ?? '',
    now: sighting.now,
    failingSince: answer.failure?.failingSince ?? null,
    branchTemplate: repository === null ? undefined : await branchTemplateOf(world, repository),
  };
  const join = (): Incident | null => (culprit === null ? null : joinIncident(known, culprit, context));
  if (known.every(({ id }) => id !== join()?.id)) {
    // Another replica may have opened one of the same range, under another name than this would have.
    await world.memories.readIncidentsAgain();
    known = await world.memories.incidents();
  }
  const joined = join();
  const isNew = repository !== null && joined !== null && !known.some(({ id }) => id === joined.id);
  const told = isNew ? await recalled(world, repository, joined) : joined;
  const landed = told === null ? null : landedBy(told, sighting.heads);
  const { incidents, present } = await withForgottenHolds(world, known, landed, now);
  const others = incidents.filter(
    (incident) =>
      incident.id !== present?.id &&
      (isFollowed(incident) || isStillHeld(incident, key)) &&
      incident.sets.some((set) => set.key === key),
  );
  const moved: Moved[] = [];
  const waits: number[] = [];
  for (const incident of [...(present === null ? [] : [present]), ...others]) {
    const failure = incident === present ? answer.failure : null;
    const before = incident.sets.find((set) => set.key === key) ?? null;
    const standing = standingOf(answer, failure, before, sighting, incident);
    const isHealed = hasHealed(answer, standing, sighting.policy, sighting.now);
    const stood = withStanding(incident, { ...standing, isHealed }, sighting.now);
    const aid = await aidPolicyFor(world, incident, sighting);
    const aided = await recover(world, stood, key, aid, sighting.now);
    const next = await moveOn(world, aided, now, failure !== null);
    moved.push(next);
    if (next.incident.phase === 'merged' && incident.phase !== 'merged') waits.push(justMergedMs);
    const wait = nextAidInMs(next.incident, key, aid, sighting.now);
    if (wait !== null) waits.push(wait);
    const edit = next.decision === null ? null : nextEditInMs(next.incident, sighting.now);
    if (edit !== null) waits.push(edit);
  }
  await standBy(world, key, now);
  await keepOverOnes(world, key);
  return moved[0] === undefined ? null : { ...moved[0], waits };
}

/** What two wrote about an incident as it ended becomes one as well. */
async function keepOverOnes(world: World, key: ObjectKey): Promise<void> {
  const now = world.clock.now();
  for (const incident of await world.memories.incidents()) {
    const isOurs = incident.sets.some((set) => set.key === key);
    if (!isOurs || doubtEndsInMs(world.commentBook, incident, now) !== 0) continue;
    const repository = placeOf(incident);
    if ((await termsOf(world, repository, incident, now)).mode === 'observe') continue;
    await world.memories.saveIncident(await keepOneComment(world, repository, incident, now));
  }
}

/** In how many milliseconds that is due; null when nothing is. */
function doubtOfCommentsMs(world: World, key: ObjectKey, incidents: readonly Incident[]): number | null {
  const ours = incidents.filter(({ sets }) => sets.some((set) => set.key === key));
  return soonest(...ours.map((one) => doubtEndsInMs(world.commentBook, one, world.clock.now())));
}

/** How far Applications of this set may be helped back, as the repository of the revert says. */
async function aidPolicyFor(
  world: World,
  incident: Incident,
  { applicationSet, applications, heads, policy }: Sighting,
): Promise<AidPolicy> {
  const repository = placeOf(incident);
  const { settings } = settingsFor(await world.configurations.of(repository), applicationSet);
  const { mode, recover: aid, stopLabels } = settings;
  const isFree = mode !== 'observe' && aid !== 'advise' && incident.phase === 'merged';
  const stop = isFree ? await world.stops.of(repository, stopLabels, stopMaxAgeMs) : null;
  return {
    mode: isFree && stop === null ? aid : 'advise',
    graceMs: policy.graceMs,
    holdsStill: async () => sameHeads(heads, await world.heads.of(applications, 0)),
  };
}

/** A look that finds a merge has been made without knowing of it. */
const justMergedMs = 1_000;

/** Open, or healed by itself: that can come back. Or something is left to be done. */
function isFollowed(incident: Incident): boolean {
  return isOpen(incident) || incident.phase === 'healed' || isLeftOpen(incident);
}
