/**
 * A step that was frozen holds the way back up as well: it is put back as soon as the branch holds nothing any more that fails,
 * also when Stepback dies on the way, and when a person says so.
 */
import type { ApplicationSetObject } from '../../sandbox/argocd/objects.ts';
import type { Law } from '../law.ts';
import type { World } from '../world.ts';

/** So long may it take in the midst of trouble: a lost webhook, a refusal that is not asked again for a while, and crashes. */
const patienceMs = 12 * 60_000;
const everyMs = 20_000;

export const thawed: Law = {
  name: 'thawed',
  words:
    'Every step that was frozen is put back within minutes after the branch holds nothing any more that fails, or a person thaws it.',
  watch(world, report) {
    const free = new Map<string, number>();
    const look = (): void => {
      for (const name of world.wantedSteps.keys()) {
        const isHeld = changedStep(world, name) !== null;
        if (!isHeld || mayHold(world, name)) free.delete(name);
        else if (!free.has(name)) free.set(name, world.time.now());
        const since = free.get(name);
        if (since !== undefined && world.time.now() - since > patienceMs)
          report(`for ${patienceMs / 60_000} minutes nothing holds it, and ${changedStep(world, name)}`);
      }
      world.time.world.after(everyMs, look);
    };
    look();
  },
  atEnd(world) {
    for (const name of world.wantedSteps.keys()) {
      const how = changedStep(world, name);
      if (how !== null && !mayHold(world, name)) return how;
    }
    return null;
  },
};

/** Something that fails is on the branch, and no person has thawed it since. */
function mayHold({ truth, seen }: World, name: string): boolean {
  const isBad = truth
    .failures()
    .some((one) => one.applicationSet === name && truth.blobNow(one.path) === one.blob);
  const order = seen.orders.get(`argocd/${name}`)?.freezes.at(-1);
  if (order?.kind !== 'thaw') return isBad;
  // A thaw is about the incidents of its time.
  const isLater = [...seen.incidents.values()].some(
    ({ openedAt, sets }) => openedAt > order.at && sets.some(({ key }) => key === `argocd/${name}`),
  );
  return isBad && isLater;
}

/** What is not as people left it; null when all is. */
function changedStep({ store, wantedSteps }: World, name: string): string | null {
  const wanted = wantedSteps.get(name) ?? [];
  const set = store.get<ApplicationSetObject>('applicationsets', 'argocd', name);
  const steps = (set?.spec.strategy?.rollingSync?.steps ?? []).map((step) => step.maxUpdate);
  const changed = steps.findIndex((maxUpdate, index) => maxUpdate !== wanted[index]);
  if (changed < 0) return null;
  return `step ${changed + 1} of ${name} has maxUpdate ${steps[changed]}, where ${wanted[changed] ?? 'nothing'} stood`;
}
