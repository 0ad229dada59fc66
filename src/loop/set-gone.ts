/**
 * An ApplicationSet that is not there any more: nothing of it fails, and nothing of it will come back. Its incidents must not
 * wait for it, and a revert that was for it alone is not needed.
 */
import { isAwaited, withBystander } from '../domain/bystanders.ts';
import { decide } from '../domain/decision.ts';
import { type Incident, isOpen } from '../domain/incident.ts';
import type { ObjectKey } from '../domain/objects.ts';
import { closeRevert } from './act.ts';
import { keepTexts } from './keep-texts.ts';
import { placeOf, revertOf } from './move-on.ts';
import { stopMaxAgeMs } from './stops.ts';
import { termsOf } from './terms.ts';
import type { World } from './world.ts';

/** Takes the ApplicationSet out of what its open incidents wait for. Throws WorldProblem; the next look goes on. */
export async function setIsGone(world: World, key: ObjectKey): Promise<void> {
  const concerned = (await world.memories.incidents()).filter(
    (incident) => isOpen(incident) && incident.sets.some((set) => set.key === key && set.isGone !== true),
  );
  for (const incident of concerned) await withoutIt(world, incident, key, world.clock.now());
  for (const incident of await world.memories.incidents())
    if (isAwaited(incident, key))
      await world.memories.saveIncident(withBystander(incident, key, [], world.clock.now()));
}

async function withoutIt(world: World, incident: Incident, key: ObjectKey, now: number): Promise<void> {
  const next: Incident = {
    ...incident,
    changedAt: now,
    sets: incident.sets.map((set) =>
      set.key === key
        ? {
            ...set,
            verdict: 'ok',
            isGone: true,
            isFailing: false,
            isHealed: true,
            isRecovered: true,
            left: [],
          }
        : set,
    ),
  };
  // Those that are left are looked at by themselves, and move it on.
  if (next.sets.some((set) => set.isGone !== true)) return world.memories.saveIncident(next);
  const repository = placeOf(next);
  const revert = await revertOf(world, repository, next);
  const { incident: moved, decision } = decide({ incident: next, revert, now });
  await world.memories.saveIncident(moved);
  const { mode, settings } = await termsOf(world, repository, next, now);
  if (mode === 'observe') return;
  const stop = await world.stops.of(repository, settings.stopLabels, stopMaxAgeMs);
  const links = world.linksFor(repository);
  const told =
    decision.kind === 'close-revert'
      ? await closeRevert(world, { repository, stop, now }, moved)
      : await keepTexts(world, repository, moved, links, now);
  await world.memories.saveIncident(told);
}
