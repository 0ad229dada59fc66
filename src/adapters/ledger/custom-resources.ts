/**
 * What the ledger needs of a Kubernetes client, so that it needs no other adapter: the client of the kubernetes adapter
 * has these verbs, and a test may hand in another.
 */
import type { Json } from '../../domain/read.ts';

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
}

export type LedgerReason = 'already-exists' | 'conflict' | 'not-found';

const apiGroup = { group: 'stepback.dev', version: 'v1alpha1' };
const whenMissing =
  'Stepback keeps what it must remember in custom resources of its own, and works without a memory until they are there. Install them: kubectl apply -f deploy/crds.';

export const stageLedgers: CustomResource = { ...apiGroup, plural: 'stageledgers', whenMissing };
export const rollbacks: CustomResource = { ...apiGroup, plural: 'rollbacks', whenMissing };

export const apiVersion = `${apiGroup.group}/${apiGroup.version}`;
