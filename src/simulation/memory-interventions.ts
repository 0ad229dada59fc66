/** What Stepback may do to a cluster, done to the memory of a small Kubernetes API server, as the adapter does it over HTTP. */
import { heldNoteAnnotation } from '../domain/held-note.ts';
import type { ObjectKey } from '../domain/objects.ts';
import type { Interventions, StepChange } from '../ports/interventions.ts';
import {
  type ApplicationObject,
  type ApplicationSetObject,
  REFRESH_ANNOTATION,
} from '../sandbox/argocd/objects.ts';
import type { ObjectStore } from '../sandbox/kubernetes/store.ts';

export function memoryInterventions(store: ObjectStore): Interventions {
  const application = (key: ObjectKey) => store.get<ApplicationObject>('applications', ...parts(key));
  const patch = (resource: string, key: ObjectKey, change: object): 'done' => {
    store.patchMerge(resource, ...parts(key), change);
    return 'done';
  };
  return {
    async refresh(key) {
      if (application(key) === undefined) return 'gone';
      return patch('applications', key, { metadata: { annotations: { [REFRESH_ANNOTATION]: 'normal' } } });
    },
    async sync(key, { reason }) {
      const found = application(key);
      if (found?.metadata.deletionTimestamp !== undefined || found === undefined) return 'gone';
      const phase = found.status?.operationState?.phase;
      if (found.operation !== undefined || phase === 'Running' || phase === 'Terminating') return 'busy';
      const policy = found.spec.syncPolicy;
      const { syncOptions = [] } = policy ?? {};
      const operation = {
        info: [{ name: 'Reason', value: reason }],
        initiatedBy: { username: 'stepback' },
        retry: policy?.retry ?? { limit: 5 },
        sync: {
          ...(policy?.automated?.prune === true ? { prune: true } : {}),
          ...(syncOptions.length > 0 ? { syncOptions } : {}),
        },
      };
      return patch('applications', key, { operation });
    },
    async terminate(key, startedAt) {
      const found = application(key);
      if (found === undefined) return 'gone';
      const state = found.status?.operationState;
      if (state === undefined || Date.parse(state.startedAt) !== startedAt || found.operation === undefined)
        return 'over';
      if (state.phase === 'Terminating') return 'done';
      if (state.phase !== 'Running') return 'over';
      return patch('applications', key, { status: { operationState: { phase: 'Terminating' } } });
    },
    async setMaxUpdates({ key, uid, generation }, changes, note) {
      const found = store.get<ApplicationSetObject>('applicationsets', ...parts(key));
      if (found === undefined) return 'gone';
      if (found.metadata.uid !== uid || found.metadata.generation !== generation) return 'changed';
      const steps = changedSteps(found, changes);
      if (steps === null) return 'changed';
      const spec = changes.length === 0 ? {} : { spec: { strategy: { rollingSync: { steps } } } };
      return patch('applicationsets', key, {
        metadata: { annotations: { [heldNoteAnnotation]: note } },
        ...spec,
      });
    },
  };
}

function changedSteps(set: ApplicationSetObject, changes: readonly StepChange[]): object[] | null {
  const steps = (set.spec.strategy?.rollingSync?.steps ?? []).map((step) => ({ ...step }));
  for (const { index, expected, value } of changes) {
    const step = steps[index];
    if (step === undefined || (step.maxUpdate ?? null) !== expected) return null;
    if (value === null) delete step.maxUpdate;
    else step.maxUpdate = value;
  }
  return steps;
}

function parts(key: ObjectKey): [string, string] {
  const [namespace = '', name = ''] = key.split('/', 2);
  return [namespace, name];
}
