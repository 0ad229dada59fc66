/** Finds the ApplicationSets that a change feeds and that did not fail on it, once its revert is merged. */
import { placeName } from '../content/place-name.ts';
import type { Bystander } from '../domain/bystanders.ts';
import type { Incident } from '../domain/incident.ts';
import type { ObjectKey } from '../domain/objects.ts';
import type { Repository } from '../ports.ts';
import { followersOf } from './check-book.ts';
import { feeds } from './check-lines.ts';
import type { World } from './world.ts';

/** Of a range of hundreds of commits the newest are asked about. */
const suspectsMax = 20;

/** The incident with those that it has to wait for as well, found once. Throws WorldProblem. */
export async function withBystanders(
  world: World,
  repository: Repository,
  incident: Incident,
): Promise<Incident> {
  if (incident.phase !== 'merged' || incident.bystanders !== undefined) return incident;
  const bystanders: Bystander[] = [];
  for (const key of followersOf(world, repository)) {
    if (incident.sets.some((set) => set.key === key)) continue;
    const name = world.cluster.applicationSets().get(key)?.name ?? key;
    if (await couldHaveIt(world, repository, incident, key)) bystanders.push({ key, name, left: null });
  }
  return { ...incident, bystanders };
}

/** In doubt, where nothing of it was looked at yet, it could. */
async function couldHaveIt(
  world: World,
  repository: Repository,
  incident: Incident,
  key: ObjectKey,
): Promise<boolean> {
  const known = world.checkBook.follows.get(key);
  if (known === undefined) return true;
  const lines = known.filter((line) => placeName(line.repository) === placeName(repository));
  for (const { sha } of lines.length === 0 ? [] : incident.suspects.slice(0, suspectsMax)) {
    const commit = await world.forge.commit(repository, sha);
    for (const line of lines) if (commit === null || (await feeds(world, line, commit))) return true;
  }
  return false;
}
