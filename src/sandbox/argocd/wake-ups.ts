/**
 * Which changes make the ApplicationSet controller look again. Ported from `shouldRequeueForApplication` and
 * `shouldRequeueForApplicationSet` in
 * https://github.com/argoproj/argo-cd/blob/v3.5.1/applicationset/controllers/applicationset_controller.go. What is not
 * here wakes nobody: a new `sync.revision` alone does not, nor does `reconciledAt`.
 */
import { saysTheSame } from './json.ts';
import { type ApplicationObject, type ApplicationSetObject, SET_REFRESH_ANNOTATION } from './objects.ts';

/** Whether a change of an owned Application wakes the controller. */
export function wakesForApplication(
  before: ApplicationObject,
  after: ApplicationObject,
  isProgressive: boolean,
): boolean {
  const owned = ({ spec, metadata }: ApplicationObject) => {
    const { annotations, labels, finalizers } = metadata;
    return { spec, annotations, labels, finalizers };
  };
  if (!saysTheSame(owned(before), owned(after))) return true;
  if (!isProgressive) return false;
  const one = before.status;
  const other = after.status;
  if (one?.health?.status !== other?.health?.status || one?.sync?.status !== other?.sync?.status) return true;
  const old = one?.operationState;
  const now = other?.operationState;
  // The very first operation of an Application is not noticed when it starts.
  if (old === undefined || now === undefined) return false;
  return old.phase !== now.phase || old.startedAt !== now.startedAt;
}

/** Whether a change of the ApplicationSet itself wakes the controller; its own `applicationStatus` does. */
export function wakesForApplicationSet(
  before: ApplicationSetObject,
  after: ApplicationSetObject,
  isProgressive: boolean,
): boolean {
  if (isProgressive && !saysTheSame(before.status?.applicationStatus, after.status?.applicationStatus))
    return true;
  const own = ({ spec, metadata }: ApplicationSetObject) => {
    const { labels, finalizers, deletionTimestamp } = metadata;
    return { spec, labels, finalizers, deletionTimestamp };
  };
  if (!saysTheSame(own(before), own(after))) return true;
  if (saysTheSame(before.metadata.annotations, after.metadata.annotations)) return false;
  const had = before.metadata.annotations?.[SET_REFRESH_ANNOTATION] !== undefined;
  const has = after.metadata.annotations?.[SET_REFRESH_ANNOTATION] !== undefined;
  return !had || has;
}
