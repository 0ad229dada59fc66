/** A step that was frozen holds the way back up as well: it is put back when the branch holds nothing any more that fails. */
import type { ApplicationSetObject } from '../../sandbox/argocd/objects.ts';
import type { Law } from '../law.ts';

export const thawed: Law = {
  name: 'thawed',
  words:
    'In the end every step that was frozen is as it was, where the branch holds nothing any more that fails.',
  atEnd({ store, plan, truth }) {
    for (const { name, maxUpdates } of plan.sets) {
      const isBad = truth
        .failures()
        .some((one) => one.applicationSet === name && truth.blobNow(one.path) === one.blob);
      const set = store.get<ApplicationSetObject>('applicationsets', 'argocd', name);
      const steps = (set?.spec.strategy?.rollingSync?.steps ?? []).map((step) => step.maxUpdate);
      const changed = steps.findIndex((maxUpdate, index) => maxUpdate !== maxUpdates[index]);
      if (!isBad && changed >= 0)
        return `step ${changed + 1} of ${name} has maxUpdate ${steps[changed]}, where ${maxUpdates[changed] ?? 'nothing'} stood`;
    }
    return null;
  },
};
