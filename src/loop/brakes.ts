/**
 * Gathers what the brakes are judged by. What is known already is asked first, so that a brake that holds for hours costs
 * no request at each look; the rest is asked at once, just before a revert would be opened.
 */
import type { Settings } from '../config/configuration.ts';
import { learnRevisions } from '../content/learn.ts';
import { type Brake, type BrakeFacts, firstBrake } from '../domain/brakes.ts';
import { failureOf, type RolloutFailure } from '../domain/failure.ts';
import type { Incident } from '../domain/incident.ts';
import type { Source } from '../domain/objects.ts';
import { limitReached } from '../domain/revert-limits.ts';
import { everyApplication, type Rollout } from '../domain/rollout.ts';
import { destinationOf, joinedStorm, othersMin, stormOf } from '../domain/storm.ts';
import type { PullRequest, Repository } from '../ports.ts';
import { notNeededAnyMore, notOpenAgain } from '../render/outcome.ts';
import { rolloutsBeside, wellBeside } from './beside.ts';
import { humanRevertOf } from './human-revert.ts';
import type { World } from './world.ts';

/** How it stands with the ApplicationSet that is looked at. */
interface Moment {
  failure: RolloutFailure | null;
  rollout: Rollout;
  now: number;
}

/** Labels are read of so many pull requests. */
const pullRequestsMax = 10;

/**
 * The first brake that holds by what is known without a request; while one does, nothing else need be asked. Null when
 * none does.
 */
export async function knownBrake(
  world: World,
  settings: Settings,
  incident: Incident,
  moment: Moment,
): Promise<Brake | null> {
  return firstBrake(incident, await knownFacts(world, settings, incident, moment));
}

/** What only GitHub knows, as of now. */
export type Asked = Pick<BrakeFacts, 'stop' | 'abandoned' | 'humanRevert' | 'labels'>;

/** Side by side. Throws WorldProblem, a transient one when the kill switch cannot be read. */
export async function askGitHub(
  world: World,
  repository: Repository,
  settings: Settings,
  incident: Incident,
  sources: readonly Source[],
): Promise<Asked> {
  const { forge } = world;
  const [stop, own, humanRevert, labels] = await Promise.all([
    world.stops.of(repository, settings.stopLabels, 0),
    forge.pullRequestsFrom(repository, incident.revertBranch),
    humanRevertOf({ forge, repository, sources }, incident),
    labelsOf(world, repository, settings, incident),
  ]);
  // One that we closed ourselves, or that a person asked for again, is not abandoned.
  const known = incident.pullRequest?.closedAt == null ? null : incident.pullRequest.number;
  const abandoned = own.find((one) => one.number !== known && isAbandoned(one))?.number ?? null;
  return { stop, abandoned, humanRevert, labels };
}

/** The first brake of all, or null. */
export async function brakeOn(
  world: World,
  settings: Settings,
  incident: Incident,
  moment: Moment,
  asked: Asked,
): Promise<Brake | null> {
  return firstBrake(incident, { ...(await knownFacts(world, settings, incident, moment)), ...asked });
}

async function knownFacts(
  world: World,
  settings: Settings,
  incident: Incident,
  moment: Moment,
): Promise<BrakeFacts> {
  return {
    now: moment.now,
    stop: null,
    abandoned: null,
    humanRevert: null,
    labels: new Map(),
    optOutLabels: settings.optOutLabels,
    optOutTrailers: settings.optOutTrailers,
    failureAgeMsMax: settings.failureAgeMsMax,
    culpritAgeMsMax: settings.culpritAgeMsMax,
    limit: limitReached(await world.everyIncident(), incident, settings, moment.now),
    storm: await stormNow(world, incident, moment),
    newerCommit: null,
  };
}

/**
 * The storm that explains why every ApplicationSet of the incident fails, whichever is looked at: where one fails that no storm
 * explains, the change does. The same storm is told in the same words while it lasts.
 */
async function stormNow(
  world: World,
  incident: Incident,
  { failure, rollout, now }: Moment,
): Promise<BrakeFacts['storm']> {
  if (failure === null || failure.bad === null) return null;
  const { key } = rollout.applicationSet;
  const rollouts = [rollout, ...(await rolloutsBeside(world, key))];
  const failing = new Set(incident.sets.filter((set) => set.isFailing).map((set) => set.key));
  const failures = [
    failure,
    ...rollouts
      .filter(({ applicationSet }) => applicationSet.key !== key && failing.has(applicationSet.key))
      .map((other) => failureOf(other, [])),
  ].filter((one) => one !== null);
  await learnOthers(world, failures, rollouts, now);
  const seen = stormOverAll(world, incident, failures, rollouts);
  if (seen === null) return null;
  const isDoubtful = seen.others.length < seen.destinations.length * othersMin;
  const well = isDoubtful ? ((await wellBeside(world, key)) ?? []) : [];
  await learnOthers(world, failures, well, now);
  const storm = well.length === 0 ? seen : stormOverAll(world, incident, failures, [...rollouts, ...well]);
  const before = incident.obstacle;
  const isSame =
    storm !== null && before?.kind === 'storm' && before.destinations.join() === storm.destinations.join();
  return isSame ? before : storm;
}

/** Whether a change feeds what stands where it fails is told by content, which a process that has just begun does not know. */
async function learnOthers(
  world: World,
  failures: readonly RolloutFailure[],
  rollouts: readonly Rollout[],
  now: number,
): Promise<void> {
  for (const { failing, bad, lastGood } of failures) {
    const places = new Set(failing.map(({ application }) => destinationOf(application)));
    const here = rollouts
      .flatMap(everyApplication)
      .map(({ application }) => application)
      .filter((application) => places.has(destinationOf(application)));
    await learnRevisions(world.forge, world.content, here, [bad ?? [], lastGood?.revisions ?? []], now);
  }
}

/** Null when one of them fails where there is no storm. */
function stormOverAll(
  world: World,
  incident: Incident,
  failures: readonly RolloutFailure[],
  rollouts: readonly Rollout[],
): BrakeFacts['storm'] {
  const landedAt = firstLanding(incident);
  const isOfRepository = (repoURL: string): boolean => {
    const place = world.forge.repositoryOf(repoURL);
    return (
      place !== null && `${place.owner}/${place.name}`.toLowerCase() === incident.repository.toLowerCase()
    );
  };
  const storms = failures.map((failure) => {
    const { bad } = failure;
    if (bad === null) return null;
    const change = { bad, lastGood: failure.lastGood?.revisions ?? null, landedAt, isOfRepository };
    return stormOf(failure, rollouts, change, world.content);
  });
  const known = storms.filter((storm) => storm !== null);
  return known.length < storms.length ? null : joinedStorm(known);
}

function firstLanding({ suspects }: Incident): number | null {
  const times = suspects.map(({ landedAt }) => landedAt ?? null).filter((at) => at !== null);
  return times.length === suspects.length && times.length > 0 ? Math.min(...times) : null;
}

/** How the body of one begins that we closed. */
const ownClosings = [notNeededAnyMore, notOpenAgain];

/** A person closed it: one that we closed says why, and is opened again when it is needed. */
function isAbandoned({ isOurs, state, isMerged, body }: PullRequest): boolean {
  return isOurs && state === 'closed' && !isMerged && !ownClosings.some((words) => body.startsWith(words));
}

/** Of the pull requests that brought the suspects in, as they are now; none is asked where no label opts out. */
async function labelsOf(
  { forge }: World,
  repository: Repository,
  { optOutLabels }: Settings,
  { suspects }: Incident,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const asked = optOutLabels.length === 0 ? [] : suspects.filter(({ pullRequest }) => pullRequest !== null);
  const entries = await Promise.all(
    asked.slice(0, pullRequestsMax).map(async ({ sha, pullRequest }) => {
      const found = await forge.pullRequest(repository, pullRequest?.number ?? 0);
      return [sha, found?.labels ?? []] as const;
    }),
  );
  return new Map(entries);
}
