/**
 * Steps that are held and that no incident knows of: the ledger was lost. The note on the ApplicationSet says what stood there.
 * They go on with the incident for which they were held, else with the one that there is now; where there is none they
 * are put back at once.
 */
import { forgottenSteps, heldNote, readHeldNote } from '../domain/held-note.ts';
import { containmentFor, withContainment } from '../domain/held-steps.ts';
import { type Incident, noted } from '../domain/incident.ts';
import type { ObjectKey } from '../domain/objects.ts';
import type { Answer, Sighting } from '../domain/watcher.ts';
import { WorldProblem } from '../ports.ts';
import type { World } from './world.ts';

/** Whether the note on an ApplicationSet says more than the ledger does, however quiet all else is. */
export function hasForgottenHolds(
  { cluster }: Pick<World, 'cluster'>,
  key: ObjectKey,
  incidents: readonly Incident[],
): boolean {
  const applicationSet = cluster.applicationSets().get(key);
  if (applicationSet === undefined || heldNote(incidents, applicationSet) !== null) return false;
  return readHeldNote(applicationSet)?.instance === cluster.instance;
}

/**
 * The incidents with the one that goes on with what is held of the ApplicationSet; `present` is that of its failure now. Throws
 * WorldProblem when the ledger cannot be written.
 */
export async function withForgottenHolds(
  world: World,
  incidents: readonly Incident[],
  present: Incident | null,
  { sighting, answer }: { sighting: Sighting; answer: Answer },
): Promise<{ incidents: readonly Incident[]; present: Incident | null }> {
  const { applicationSet, now } = sighting;
  const all = present === null ? incidents : [...incidents.filter(({ id }) => id !== present.id), present];
  const steps = forgottenSteps(applicationSet, all, world.cluster.instance, now);
  if (steps.length === 0) {
    await keepNote(world, all, sighting);
    return { incidents, present };
  }
  const { key, uid } = applicationSet;
  const note = readHeldNote(applicationSet);
  const heir =
    all.find(({ id, sets }) => id === note?.incident && sets.some((set) => set.key === key)) ?? present;
  world.log.warn('found steps held that the ledger does not know of', {
    applicationSet: key,
    incident: heir?.id ?? null,
  });
  if (heir === null) {
    // Whether something is failing is only waited for: until it is known, nothing more is let go on.
    if (!isUndecided(answer)) await putBack(world, sighting, steps, all);
    return { incidents, present };
  }
  const known = containmentFor(heir, key);
  const before = known?.uid === uid ? known.steps : [];
  const next = withContainment(
    noted(heir, now, 'held', `${key}: ${steps.map((step) => step.name).join(', ')}`),
    {
      key,
      uid,
      will: known?.will ?? 'hold',
      order: known?.order ?? null,
      plan: known?.plan ?? null,
      steps: [...before, ...steps],
      obstacle: null,
    },
    now,
  );
  await world.memories.saveIncident(next);
  return {
    incidents: incidents.map((one) => (one.id === next.id ? next : one)),
    present: present?.id === next.id ? next : present,
  };
}

function isUndecided({ failure, rollout }: Answer): boolean {
  return failure === null && rollout.reasons.some(({ code }) => code === 'grace-time');
}

async function putBack(
  world: World,
  { applicationSet }: Sighting,
  steps: ReturnType<typeof forgottenSteps>,
  incidents: readonly Incident[],
): Promise<void> {
  const changes = steps.map(({ index, former }) => ({ index, expected: 0, value: former }));
  await tryTo(world, applicationSet.key, () =>
    world.cluster.interventions.setMaxUpdates(applicationSet, changes, heldNote(incidents, applicationSet)),
  );
}

/** A note of what is not held any more would put back some day what a person had written since. */
async function keepNote(
  world: World,
  incidents: readonly Incident[],
  { applicationSet }: Sighting,
): Promise<void> {
  const note = readHeldNote(applicationSet);
  if (note?.instance !== world.cluster.instance || heldNote(incidents, applicationSet) !== null) return;
  await tryTo(world, applicationSet.key, () =>
    world.cluster.interventions.setMaxUpdates(applicationSet, [], null),
  );
}

/** What the cluster does not take now is tried again at the next look. */
async function tryTo(world: World, applicationSet: string, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (problem) {
    if (!(problem instanceof WorldProblem)) throw problem;
    world.log.warn('steps could not be changed', { applicationSet, problem: problem.message });
  }
}
