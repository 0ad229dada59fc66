/**
 * Automated sync, which every Application does by itself where RollingSync is not in charge (flag-off). Ported from
 * `autoSync` and `alreadyAttemptedSync` in https://github.com/argoproj/argo-cd/blob/v3.5.1/controller/appcontroller.go;
 * self-heal is left out, because nothing in the sandbox changes objects behind Argo CD's back.
 */
import { type Comparison, sourcesOf } from './comparison.ts';
import { saysTheSame } from './json.ts';
import type { ApplicationObject, Operation } from './objects.ts';
import { isCompleted } from './operation.ts';

/** The operation that automated sync starts after a comparison, or undefined when it starts none. */
export function automatedSync(application: ApplicationObject, comparison: Comparison): Operation | undefined {
  const { automated, syncOptions, retry } = application.spec.syncPolicy ?? {};
  if (automated === undefined || automated.enabled === false || application.operation !== undefined)
    return undefined;
  if (comparison.sync.status !== 'OutOfSync') return undefined;
  const outOfSync = comparison.resources.filter(({ status }) => status !== 'Synced');
  if (!automated.prune && outOfSync.every(({ requiresPruning }) => requiresPruning)) return undefined;
  if (wasAttempted(application, comparison)) return undefined;
  const { source, sources } = application.spec;
  const { revision, revisions } = comparison.sync;
  return {
    initiatedBy: { automated: true },
    retry: retry ?? { limit: 5 },
    sync: {
      ...(automated.prune ? { prune: true } : {}),
      ...(sources?.length ? { sources, revisions } : { source, revision }),
      ...(syncOptions ? { syncOptions } : {}),
    },
  };
}

/** Whether the last operation was for the same revisions and sources; then it is not tried again, however it ended. */
function wasAttempted(application: ApplicationObject, comparison: Comparison): boolean {
  const state = application.status?.operationState;
  if (state === undefined) return false;
  if (state.syncResult === undefined) return isCompleted(state);
  const { revision, revisions, source, sources } = state.syncResult;
  const isMultiSource = (application.spec.sources?.length ?? 0) > 0;
  return isMultiSource
    ? saysTheSame(revisions, comparison.sync.revisions) && saysTheSame(sources, application.spec.sources)
    : revision === comparison.sync.revision && saysTheSame([source], sourcesOf(application.spec));
}
