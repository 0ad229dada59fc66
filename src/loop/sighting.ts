/**
 * What one look at the cluster is judged with: the objects, what their commits contain, what the branches hold, and what people
 * configured.
 */
import { exceptionsOf, policyOf, settingsFor } from '../config/resolve.ts';
import { learnContent, learnRevision, learnRevisions } from '../content/learn.ts';
import { isAwaited } from '../domain/bystanders.ts';
import { contentKey } from '../domain/content.ts';
import { type Incident, isOpen, type SetStanding } from '../domain/incident.ts';
import { withKeptHeads } from '../domain/kept-heads.ts';
import type { Application, ApplicationSet, ObjectKey } from '../domain/objects.ts';
import { isActive } from '../domain/running.ts';
import { takenCommits } from '../domain/still-on.ts';
import type { Sighting, StageMemory } from '../domain/watcher.ts';
import type { CloseLook, FeatureFlag } from '../ports.ts';
import type { World } from './world.ts';

/** `headMaxAgeMs`: how old a look at a branch may be. Throws WorldProblem when GitHub cannot be read. */
export async function sightingOf(
  world: World,
  look: CloseLook,
  memory: StageMemory,
  flag: FeatureFlag,
  headMaxAgeMs: number,
): Promise<Sighting> {
  const { applicationSet, applications } = look;
  const heads = withKeptHeads(memory.heads, await world.heads.of(applications, headMaxAgeMs));
  const isFollowing = memory.followed !== null && !memory.followed.isRecovered;
  const standings = await standingsOf(world, applicationSet.key);
  const taken = await takenFrom(world, applicationSet.key);
  if (isFollowing || standings.length > 0 || taken.length > 0 || !isCalm(applications)) {
    const remembered = new Map(Object.entries(memory.applications));
    await learnContent(
      world.forge,
      world.content,
      { applicationSet, applications, memories: remembered, heads },
      look.observedAt,
    );
    const failed = isFollowing && memory.followed !== null ? [...standings, memory.followed] : standings;
    await learnFailed(world, applications, failed, look.observedAt);
    await learnTaken(world, applications, taken, look.observedAt);
  }
  return {
    applicationSet,
    applications,
    facts: world.content,
    heads,
    ...(await configuredFor(world, applicationSet, applications)),
    now: look.observedAt,
    blindness: look.sight.blindness,
    featureFlag: flag.state,
  };
}

/** How the ApplicationSet stands in what is followed: what is said there is compared with what it runs. */
async function standingsOf({ memories }: World, key: ObjectKey): Promise<readonly SetStanding[]> {
  const followed = (await memories.incidents()).filter(
    (incident) => isOpen(incident) || incident.phase === 'healed',
  );
  return followed.flatMap(({ sets }) => sets.filter((set) => set.key === key));
}

/** A process that has just begun knows nothing of what failed before it. Throws WorldProblem. */
async function learnFailed(
  world: World,
  applications: readonly Application[],
  changes: readonly Pick<SetStanding, 'bad' | 'lastGood'>[],
  now: number,
): Promise<void> {
  const several = changes.flatMap(({ bad, lastGood }) => [bad ?? [], lastGood ?? []]);
  await learnRevisions(world.forge, world.content, applications, several, now);
}

/** What took back a change that the ApplicationSet had, or could have. */
async function takenFrom({ memories }: World, key: ObjectKey): Promise<readonly Incident[]> {
  return (await memories.incidents()).filter(
    (incident) =>
      incident.phase === 'merged' &&
      (incident.sets.some((set) => set.key === key) || isAwaited(incident, key)),
  );
}

/** What was taken back is compared with what it runs, source by source. Throws WorldProblem. */
async function learnTaken(
  world: World,
  applications: readonly Application[],
  incidents: readonly Incident[],
  now: number,
): Promise<void> {
  const sources = new Map(
    applications.flatMap((one) => one.sources).map((source) => [contentKey(source, ''), source]),
  );
  for (const incident of incidents)
    for (const source of sources.values()) {
      const place = world.forge.repositoryOf(source.repoURL);
      const isHere =
        place !== null && `${place.owner}/${place.name}`.toLowerCase() === incident.repository.toLowerCase();
      for (const { sha, before } of isHere ? takenCommits(incident) : [])
        for (const revision of [sha, before])
          await learnRevision(world.forge, world.content, source, revision, now);
    }
}

/** What is configured in the repository of its first source. */
async function configuredFor(
  world: World,
  applicationSet: ApplicationSet,
  applications: readonly Application[],
): Promise<Pick<Sighting, 'policy' | 'exceptions'>> {
  const sources = applications.flatMap((application) => application.sources);
  const repository = sources
    .map((source) => world.forge.repositoryOf(source.repoURL))
    .find((one) => one !== null);
  if (repository == null) return { policy: world.policy };
  const { settings } = settingsFor(await world.configurations.of(repository), applicationSet);
  return { policy: policyOf(settings), exceptions: exceptionsOf(settings) };
}

/**
 * Nothing moves and nothing is wrong: what the commits contain does not matter. A fleet that is seen for the first time is
 * mostly so, and asking GitHub about the history of each of its folders would use up an hour's requests.
 */
function isCalm(applications: readonly Application[]): boolean {
  return applications.every(
    ({ sync, health, operation, requestedOperation }) =>
      sync.status === 'Synced' &&
      health.status === 'Healthy' &&
      !isActive(operation) &&
      requestedOperation === null,
  );
}
