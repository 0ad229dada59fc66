/** Bad habits of Argo CD as they are seen to happen: a later stage that gets a commit before the first one, and a sync that is tried again. */
import type { ApplicationObject } from '../sandbox/argocd/objects.ts';
import type { ObjectStore } from '../sandbox/kubernetes/store.ts';
import type { FaultKind } from './tally.ts';

/** Notes each once: of a commit of an ApplicationSet, and of an operation. */
export function noteHabits(
  store: ObjectStore,
  environments: readonly string[],
  onSeen: (kind: FaultKind) => void,
): void {
  const firstStages = new Map<string, number>();
  const tries = new Map<string, number>();
  store.subscribe(({ resource, type, object }) => {
    if (resource !== 'applications' || type !== 'MODIFIED') return;
    const { metadata, status } = object as unknown as ApplicationObject;
    const { name, labels, ownerReferences } = metadata;
    const state = status?.operationState;
    const revision = state?.syncResult?.revision ?? state?.syncResult?.revisions?.join(' ');
    if (state === undefined || revision === undefined) return;
    const stage = environments.indexOf(labels?.env ?? '');
    const rollout = `${ownerReferences?.[0]?.name} ${revision}`;
    if (!firstStages.has(rollout)) {
      firstStages.set(rollout, stage);
      if (stage > 0) onSeen('out-of-order');
    }
    const operation = `${name} ${state.startedAt}`;
    const count = state.retryCount ?? 0;
    if (count > (tries.get(operation) ?? 0)) onSeen('retry');
    tries.set(operation, count);
  });
}
