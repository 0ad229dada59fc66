/** What is configured for an incident: the strictest of what is configured for each of its ApplicationSets. */
import type { Mode, Settings } from '../config/configuration.ts';
import { repositorySettings, settingsFor, settingsForAll } from '../config/resolve.ts';
import type { Incident } from '../domain/incident.ts';
import { type Hold, longestHold } from '../domain/orders.ts';
import { isWanted } from '../domain/wish.ts';
import type { Repository } from '../ports.ts';
import type { World } from './world.ts';

export interface Terms {
  settings: Settings;
  /** How far Stepback goes: what the most careful of the ApplicationSets allows; while one is held, words alone. */
  mode: Mode;
  /** The order of a person that there be no reverts, the one that lasts longest. */
  heldBy: Hold | null;
}

/** An incident that is about no ApplicationSet (yet) is only watched. Throws WorldProblem. */
export async function termsOf(
  world: Pick<World, 'configurations' | 'cluster' | 'memories'>,
  repository: Repository,
  incident: Incident,
  now: number,
): Promise<Terms> {
  const configuration = await world.configurations.of(repository);
  const known = world.cluster.applicationSets();
  const [first, ...others] = incident.sets.map(({ key }) => {
    const annotations = known.get(key)?.annotations ?? {};
    return settingsFor(configuration, { key, annotations }).settings;
  });
  if (first === undefined)
    return { settings: repositorySettings(configuration), mode: 'observe', heldBy: null };
  const settings = settingsForAll([first, ...others]);
  const { mode, heldUntil } = settings;
  const memories = await Promise.all(incident.sets.map((set) => world.memories.memory(set.key)));
  const orders = memories.map((memory) => memory.orders);
  // A person who asks for this one revert has seen the hold and the ladder; that Stepback is to watch alone stays.
  if (isWanted(incident, now)) return { settings, mode: mode === 'comment' ? 'revert' : mode, heldBy: null };
  const isHeld = heldUntil > now && mode !== 'observe';
  return { settings, mode: isHeld ? 'comment' : mode, heldBy: longestHold(orders, incident.repository, now) };
}

/** How the branch of a revert is called. It is one for the whole repository, because one revert can be for many. */
export async function branchTemplateOf(
  { configurations }: Pick<World, 'configurations'>,
  repository: Repository,
): Promise<string> {
  return repositorySettings(await configurations.of(repository)).branchTemplate;
}
