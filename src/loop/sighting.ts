/**
 * What one look at the cluster is judged with: the objects, what their commits contain, what the branches hold, and what people
 * configured.
 */
import { exceptionsOf, policyOf, settingsFor } from '../config/resolve.ts';
import { learnContent } from '../content/learn.ts';
import { withKeptHeads } from '../domain/kept-heads.ts';
import type { Application, ApplicationSet } from '../domain/objects.ts';
import { isActive } from '../domain/running.ts';
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
  if (isFollowing || !isCalm(applications)) {
    const remembered = new Map(Object.entries(memory.applications));
    await learnContent(world.forge, world.content, applications, remembered, heads, look.observedAt);
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
