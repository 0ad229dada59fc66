/**
 * The Ledger over custom resources: a StageLedger beside each ApplicationSet, a Rollback for each incident. The values are the domain's
 * JSON and are kept as they are, readable with kubectl, in `status`: people may be given `spec` to write (commands),
 * and `status` stays ours. Every write is fenced by the resourceVersion that was read. An object must fit into 1.5 MB;
 * 5,000 Applications at 200 bytes do.
 */
import type { ObjectKey } from '../../domain/objects.ts';
import { type Json, list, record, recordOrNull, text } from '../../domain/read.ts';
import { type Clock, type Ledger, type Stored, WorldProblem } from '../../ports.ts';
import {
  apiVersion,
  type CustomObject,
  type CustomResource,
  hasReason,
  ourLabels,
  type ResourceClient,
  rollbacks,
  stageLedgers,
  versionOf,
} from './custom-resources.ts';
import { objectName } from './names.ts';

/** What `kubectl get stageledgers` shows of a memory. */
interface MemorySummary {
  applications: number;
  /** Short commits or words, "" when there is none. */
  lastGood: string;
}

/** What `kubectl get rollbacks` shows of an incident. */
interface IncidentSummary {
  applicationSets: readonly ObjectKey[];
  phase: string;
  stage: string;
  /** The address of the pull request, "" while there is none. */
  pullRequest: string;
  /** Stages that are frozen, and what stood there; "" when none is. */
  frozen?: string;
  /** How far it is back, and at the end how long that took; "" before a merge. */
  recovery?: string;
}

export interface LedgerOptions<Memory, Incident> {
  client: ResourceClient;
  /** The instance's name; two that share a cluster keep apart what they remember. */
  instance: string;
  /** Where Rollbacks live. */
  namespace: string;
  clock: Clock;
  summarizeMemory(memory: Memory): MemorySummary;
  summarizeIncident(incident: Incident): IncidentSummary;
  /** False for what another version or a person wrote and nobody understands; all is understood when absent. */
  isReadable?(incident: unknown): boolean;
  /** Told of a Rollback that is not understood: it is as if it were not there, until it is written anew. */
  onUnreadable?(rollback: string): void;
}

/** etcd takes 1.5 MiB for a request; some of it is metadata. */
const objectBytesMax = 1_500_000;
const pageSize = '100';

export class KubernetesLedger<Memory, Incident> implements Ledger<Memory, Incident> {
  readonly #options: LedgerOptions<Memory, Incident>;

  constructor(options: LedgerOptions<Memory, Incident>) {
    this.#options = options;
  }

  /** Throws WorldProblem, a permanent one when the kinds are not installed. */
  async memory(applicationSet: ObjectKey): Promise<Stored<Memory> | null> {
    const object = this.#ledgerOf(applicationSet);
    const found = await this.#find(stageLedgers, object);
    return found === null ? null : storedOf<Memory>(found, 'memory');
  }

  /** Throws WorldProblem, a permanent one when the memory is too large for an object. */
  saveMemory(applicationSet: ObjectKey, value: Memory, version: string | null): Promise<string | 'conflict'> {
    const { applications, lastGood } = this.#options.summarizeMemory(value);
    const status = {
      applications,
      lastGood: cut(lastGood, 1024),
      savedAt: this.#now(),
      memory: value,
    };
    return this.#save(stageLedgers, this.#ledgerOf(applicationSet), status, 'memory', version);
  }

  /** The incidents of this instance. Throws WorldProblem. */
  async incidents(): Promise<readonly Stored<Incident>[]> {
    const { client, namespace, instance } = this.#options;
    const stored: Stored<Incident>[] = [];
    let token = '';
    do {
      const query = { limit: pageSize, ...(token === '' ? {} : { continue: token }) };
      const { object } = await client.list(rollbacks, namespace, { query });
      for (const item of list(object.items).map(record)) {
        const incident = storedOf<Incident>(item, 'incident');
        if (record(item.spec).instance !== instance || incident === null) continue;
        if (this.#isReadable(incident.value)) stored.push(incident);
        else this.#options.onUnreadable?.(`${namespace}/${text(record(item.metadata).name)}`);
      }
      token = text(record(object.metadata).continue);
    } while (token !== '');
    return stored;
  }

  /** Throws WorldProblem. */
  saveIncident(id: string, value: Incident, version: string | null): Promise<string | 'conflict'> {
    const summary = this.#options.summarizeIncident(value);
    const status = {
      phase: cut(summary.phase, 64),
      stage: cut(summary.stage, 256),
      pullRequest: cut(summary.pullRequest, 2048),
      frozen: cut(summary.frozen ?? '', 1024),
      recovery: cut(summary.recovery ?? '', 256),
      applicationSets: cut(summary.applicationSets.join(', '), 4096),
      savedAt: this.#now(),
      incident: value,
    };
    return this.#save(rollbacks, this.#rollbackOf(id), status, 'incident', version);
  }

  /** Throws WorldProblem. */
  async forgetIncident(id: string): Promise<void> {
    const rollback = this.#rollbackOf(id);
    // One of this name that is about something else is somebody's, and stays.
    if ((await this.#find(rollbacks, rollback)) === null) return;
    const { namespace, name } = rollback.metadata;
    try {
      await this.#options.client.delete(rollbacks, namespace, name);
    } catch (problem) {
      if (!hasReason(problem, 'not-found')) throw problem;
    }
  }

  #ledgerOf(applicationSet: ObjectKey): CustomObject {
    const [namespace = '', name = ''] = applicationSet.split('/', 2);
    const spec = { instance: this.#options.instance, applicationSet: name };
    return {
      apiVersion,
      kind: 'StageLedger',
      metadata: { name: objectName(name), namespace, labels: ourLabels },
      spec,
    };
  }

  #rollbackOf(id: string): CustomObject {
    const { instance, namespace } = this.#options;
    // Two instances may have incidents of one name: ApplicationSets of two clusters can have the same.
    const name = objectName(id);
    const metadata = { name, namespace, labels: ourLabels };
    return { apiVersion, kind: 'Rollback', metadata, spec: { instance, id } };
  }

  /** The status is written apart, so what is new takes two writes; one that was cut off between them is continued. */
  async #save(
    resource: CustomResource,
    object: CustomObject,
    status: Json,
    field: string,
    version: string | null,
  ): Promise<string | 'conflict'> {
    this.#refuseTooLarge({ ...object, status });
    try {
      const base = version ?? (await this.#createEmpty(resource, object, field));
      if (base === null) return 'conflict';
      const metadata = { ...object.metadata, resourceVersion: base };
      const written = await this.#options.client.replace(
        resource,
        { ...object, metadata, status },
        { subresource: 'status' },
      );
      return versionOf(written.object);
    } catch (problem) {
      // Gone is as good as changed: the next read finds nothing, and the next write makes it anew.
      if (hasReason(problem, 'conflict') || hasReason(problem, 'not-found')) return 'conflict';
      throw problem;
    }
  }

  /** The version of a new object, or of one that holds nothing that is understood; null when somebody has written it. */
  async #createEmpty(resource: CustomResource, object: CustomObject, field: string): Promise<string | null> {
    try {
      const created = await this.#options.client.create(resource, object.metadata.namespace, object);
      return versionOf(created.object);
    } catch (problem) {
      if (!hasReason(problem, 'already-exists')) throw problem;
      const found = await this.#find(resource, object);
      if (found === null) return null;
      const value = recordOrNull(record(found.status)[field]);
      const isTaken = value !== null && (resource !== rollbacks || this.#isReadable(value));
      return isTaken ? null : versionOf(found);
    }
  }

  #isReadable(incident: unknown): boolean {
    return this.#options.isReadable?.(incident) ?? true;
  }

  /** The object of this name, or null. Refuses one that is about something else. */
  async #find(resource: CustomResource, object: CustomObject): Promise<Json | null> {
    const { namespace, name } = object.metadata;
    const answer = await this.#options.client.get(resource, namespace, name);
    if (answer === null) return null;
    const spec = record(answer.object.spec);
    const isOurs = Object.entries(object.spec).every(([key, value]) => spec[key] === value);
    if (isOurs) return answer.object;
    throw new WorldProblem(
      'permanent',
      `${object.kind} ${namespace}/${name} in cluster "${this.#options.client.cluster}" is about something else than its name says, so nothing is read from it or written to it. Delete it, or give the two Stepbacks that share it different namespaces.`,
    );
  }

  #refuseTooLarge(object: CustomObject): void {
    const bytes = Buffer.byteLength(JSON.stringify(object));
    if (bytes <= objectBytesMax) return;
    const { namespace, name } = object.metadata;
    throw new WorldProblem(
      'permanent',
      `What must be remembered in ${object.kind} ${namespace}/${name} has ${(bytes / 1e6).toFixed(1)} MB, and Kubernetes keeps no object above 1.5 MB, so it was not saved. Split the ApplicationSet, or let Stepback remember less per Application.`,
    );
  }

  #now(): string {
    return new Date(this.#options.clock.now()).toISOString();
  }
}

/** Summaries are for people; one that is longer than the schema takes must not keep a value from being saved. */
function cut(words: string, lengthMax: number): string {
  return words.length <= lengthMax ? words : `${words.slice(0, lengthMax - 1)}…`;
}

function storedOf<Value>(object: Json, field: string): Stored<Value> | null {
  const value = recordOrNull(record(object.status)[field]);
  return value === null ? null : { value: value as Value, version: versionOf(object) };
}
