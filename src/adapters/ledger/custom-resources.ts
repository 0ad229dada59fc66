/**
 * What the ledger needs of a Kubernetes client, so that it needs no other adapter: the client of the kubernetes adapter
 * has these verbs, and a test may hand in another.
 */
import { type Json, record, text } from '../../domain/read.ts';
import { WorldProblem } from '../../ports.ts';

export interface CustomResource {
  group: string;
  version: string;
  plural: string;
  /** What to do when the API server does not know the kind, in sentences for people. */
  whenMissing: string;
}

export interface CustomObject {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace: string; resourceVersion?: string; labels?: Record<string, string> };
  spec: Json;
  status?: Json;
}

/** Every verb throws a WorldProblem; its `reason` tells those apart that are no faults (`LedgerReason`). */
export interface ResourceClient {
  readonly cluster: string;
  /** Null when there is no such object; a kind that is not known is a problem. */
  get(resource: CustomResource, namespace: string, name: string): Promise<{ object: Json } | null>;
  list(
    resource: CustomResource,
    namespace: string,
    options: { query: Readonly<Record<string, string>> },
  ): Promise<{ object: Json }>;
  create(resource: CustomResource, namespace: string, object: CustomObject): Promise<{ object: Json }>;
  /** Writes the status over the version that the object carries. */
  replace(
    resource: CustomResource,
    object: CustomObject,
    options: { subresource: 'status' },
  ): Promise<{ object: Json }>;
  /** JSON merge patch; fenced when it carries `metadata.resourceVersion`. */
  patch(
    resource: CustomResource,
    namespace: string,
    name: string,
    patch: Json,
    options?: { subresource?: 'status' },
  ): Promise<{ object: Json }>;
  delete(resource: CustomResource, namespace: string, name: string): Promise<void>;
}

type LedgerReason = 'already-exists' | 'conflict' | 'not-found';

const apiGroup = { group: 'stepback.dev', version: 'v1alpha1' };
const whenMissing =
  'Stepback keeps what it must remember in custom resources of its own, and works without a memory until they are there. Install them: kubectl apply -f deploy/crds.';

export const stageLedgers: CustomResource = { ...apiGroup, plural: 'stageledgers', whenMissing };
export const rollbacks: CustomResource = { ...apiGroup, plural: 'rollbacks', whenMissing };
export const commandRequests: CustomResource = { ...apiGroup, plural: 'commandrequests', whenMissing };

export const apiVersion = `${apiGroup.group}/${apiGroup.version}`;

/** Says what of ours an object is, for people and for other tools. */
export const ourLabels = { 'app.kubernetes.io/managed-by': 'stepback' };

/** What fences the next write of an object. */
export function versionOf(object: Json): string {
  return text(record(object.metadata).resourceVersion);
}

/** Whether a verb was refused for this reason, which is no fault. */
export function hasReason(problem: unknown, reason: LedgerReason): boolean {
  return problem instanceof WorldProblem && (problem as { reason?: string }).reason === reason;
}
