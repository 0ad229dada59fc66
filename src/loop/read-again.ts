/**
 * Everything is read again just before a pull request is made: the cluster, what is configured, whether somebody stopped
 * Stepback, what people opened meanwhile. A revert that nobody needs any more, or that nobody wants, is never opened.
 */
import type { Settings } from '../config/configuration.ts';
import { learnContent } from '../content/learn.ts';
import { sameContent } from '../domain/content.ts';
import type { RolloutFailure } from '../domain/failure.ts';
import type { Incident, Obstacle } from '../domain/incident.ts';
import type { Source } from '../domain/objects.ts';
import type { Rollout } from '../domain/rollout.ts';
import { type Answer, answerOf, rememberAll, type Sighting, type StageMemory } from '../domain/watcher.ts';
import { isWanted } from '../domain/wish.ts';
import { type CloseLook, type Repository, WorldProblem } from '../ports.ts';
import { askGitHub, brakeOn, knownBrake } from './brakes.ts';
import type { Terms } from './terms.ts';
import type { World } from './world.ts';

/** How it stands with the ApplicationSet that is looked at. */
export interface Present {
  sighting: Sighting;
  answer: Answer;
  /** A close look as the judge wants it. */
  sightingOf(look: CloseLook, memory: StageMemory): Promise<Sighting>;
}

/** `not-needed`: nothing fails on the change any more, so there is nothing to take back and nothing to say. */
export type Objection = Obstacle | 'not-needed';

/**
 * Why the revert must not be opened after all, or null. What is read here is read side by side. Throws a transient
 * WorldProblem when something cannot be seen.
 */
export async function readAgain(
  world: World,
  repository: Repository,
  incident: Incident,
  present: Present,
  before: Settings,
  terms: () => Promise<Terms>,
): Promise<Objection | null> {
  const known = await knownBrake(world, before, incident, momentOf(present));
  if (known !== null) return known;
  world.configurations.changed(repository);
  const [{ mode, heldBy, settings }, again, asked] = await Promise.all([
    terms(),
    lookAgain(world, present),
    askGitHub(world, repository, before, incident, sourcesOf(present)),
  ]);
  if (mode === 'observe') return 'not-needed';
  if (heldBy !== null) return { kind: 'held', by: heldBy.by, until: heldBy.until };
  if (mode === 'comment') return { kind: 'mode', mode };
  const set = incident.sets.find(({ key }) => key === again.sighting.applicationSet.key);
  const isOver = set?.verdict === 'failed' && (again.answer.failure === null || !isSameBad(again, set.bad));
  if (isOver && !isWanted(incident, again.sighting.now)) return 'not-needed';
  // Other labels count now: whether there is one of them has not been asked.
  const isSame = labelsIn(settings) === labelsIn(before);
  const fresh = isSame ? asked : await askGitHub(world, repository, settings, incident, sourcesOf(again));
  return brakeOn(world, settings, incident, momentOf(again), fresh);
}

/** What feeds the Applications that are looked at. */
export function sourcesOf({ sighting }: Pick<Present, 'sighting'>): readonly Source[] {
  return sighting.applications.flatMap(({ sources }) => sources);
}

function momentOf({ sighting, answer }: Again): {
  failure: RolloutFailure | null;
  rollout: Rollout;
  now: number;
} {
  return { failure: answer.failure, rollout: answer.rollout, now: sighting.now };
}

function labelsIn({ stopLabels, optOutLabels }: Settings): string {
  return JSON.stringify([stopLabels, optOutLabels]);
}

/** What nobody overrules: somebody stopped Stepback. Throws a transient WorldProblem when it cannot be read. */
export async function stoppedNow(
  world: World,
  repository: Repository,
  { stopLabels }: Settings,
): Promise<Obstacle | null> {
  const stop = await world.stops.of(repository, stopLabels, 0);
  return stop === null ? null : { kind: 'stopped', ...stop };
}

interface Again {
  sighting: Sighting;
  answer: Answer;
}

async function lookAgain(world: World, { sighting, answer, sightingOf }: Present): Promise<Again> {
  const { key } = sighting.applicationSet;
  const look = await world.cluster.closeLook(key);
  if (look === null || look.sight.blindness !== null)
    throw new WorldProblem(
      'transient',
      `${key} could not be seen again just before its revert was to be opened, so I open none yet and look again.`,
    );
  const next = await sightingOf(look, answer.memory);
  return { sighting: next, answer: answerOf(rememberAll(answer.memory, next), next) };
}

function isSameBad({ sighting, answer }: Again, bad: readonly string[] | null): boolean {
  const { failure } = answer;
  if (failure?.bad == null || bad === null) return failure?.bad === bad;
  return sameContent(failure.first.application.sources, failure.bad, bad, sighting.facts);
}

/** For so long after the first notice a newer commit is waited for; a stream of them must not put the revert off for ever. */
const fixWaitMs = 10 * 60_000;

/**
 * True when the branch holds a newer commit that changes what fails, which has not been tried yet: it may be the fix.
 * Throws WorldProblem.
 */
export async function isOvertaken(
  world: World,
  incident: Incident,
  { sighting, answer }: Present,
  headSha: string,
): Promise<boolean> {
  const { failure } = answer;
  if (failure?.bad == null || incident.suspects.some(({ sha }) => sha === headSha)) return false;
  if (isWanted(incident, sighting.now) || sighting.now - incident.openedAt > fixWaitMs) return false;
  const { bad } = failure;
  const { sources } = failure.first.application;
  const changed = sources.findIndex((_, index) => incident.suspects.some(({ sha }) => sha === bad[index]));
  const source = sources[changed];
  if (source === undefined) return false;
  const head = { repoURL: source.repoURL, branch: source.targetRevision, sha: headSha, at: sighting.now };
  const { applicationSet, applications, heads } = sighting;
  const memories = new Map(Object.entries(answer.memory.applications));
  const named = { applicationSet, applications, memories, heads: [...heads, head] };
  await learnContent(world.forge, world.content, named, sighting.now);
  const then = bad.map((revision, index) => (index === changed ? headSha : revision));
  return !sameContent(sources, then, bad, world.content);
}
