/**
 * What Stepback does to a cluster where it is allowed to, as the Interventions port. An object is read right before it is
 * written and written only over that version, so nothing that somebody else wrote in between is lost. The API server
 * knows no status of an Application apart from the rest, so ending an operation is an ordinary patch.
 */
import { heldNoteAnnotation } from '../../domain/held-note.ts';
import type { ObjectKey } from '../../domain/objects.ts';
import { type Json, list, record, text, time } from '../../domain/read.ts';
import type { Interventions, StepChange } from '../../ports/interventions.ts';
import type { ApiClient } from './api-client.ts';
import { ApiProblem, type ApiReason } from './api-problem.ts';
import { applicationSets, applications, type Resource } from './resource.ts';
import { syncOperation } from './sync-operation.ts';

/** An Application that is being synced is written every few hundred milliseconds. */
const triesMax = 5;
const freezeRights = 'deploy/rbac-freeze.yaml';
const recoverRights = 'deploy/rbac-recover.yaml';

/** What to write over the object as it was read, or the answer when nothing is to be written. */
type Plan<Answer> = { patch: Json } | { answer: Answer };

export class KubernetesInterventions implements Interventions {
  readonly #client: ApiClient;

  constructor(client: ApiClient) {
    this.#client = client;
  }

  /** One patch, over whatever is there. Throws WorldProblem. */
  refresh(application: ObjectKey): Promise<'done' | 'gone'> {
    const annotations = { 'argocd.argoproj.io/refresh': 'normal' };
    return this.#patch(applications, application, { metadata: { annotations } }, recoverRights);
  }

  /** Throws WorldProblem, a transient one when others keep writing it. */
  sync(application: ObjectKey, order: { reason: string }): Promise<'done' | 'busy' | 'gone'> {
    return this.#over<'busy' | 'gone'>(applications, application, recoverRights, async (found) => {
      // An operation on what is being deleted would make again what its finalizer takes away.
      if (record(found.metadata).deletionTimestamp !== undefined) return { answer: 'gone' };
      if (isBusy(found)) return { answer: 'busy' };
      return { patch: { operation: syncOperation(found, await this.#ownerOf(found), order.reason) } };
    });
  }

  /** Throws WorldProblem, a transient one when others keep writing it. */
  terminate(application: ObjectKey, startedAt: number): Promise<'done' | 'over' | 'gone'> {
    return this.#over<'over' | 'done'>(applications, application, recoverRights, async (found) => {
      const state = record(record(found.status).operationState);
      const phase = text(state.phase);
      if (time(state.startedAt) !== startedAt || found.operation === undefined) return { answer: 'over' };
      if (phase === 'Terminating') return { answer: 'done' };
      if (phase !== 'Running') return { answer: 'over' };
      return { patch: { status: { operationState: { phase: 'Terminating' } } } };
    });
  }

  /** Throws WorldProblem, a transient one when others keep writing it. */
  setMaxUpdates(
    { key, uid, generation }: { key: ObjectKey; uid: string; generation: number },
    changes: readonly StepChange[],
    note: string | null,
  ): Promise<'done' | 'changed' | 'gone'> {
    return this.#over<'changed'>(applicationSets, key, freezeRights, async (found) => {
      const metadata = record(found.metadata);
      if (metadata.uid !== uid || metadata.generation !== generation) return { answer: 'changed' };
      const steps = changedSteps(found, changes);
      if (steps === null) return { answer: 'changed' };
      const spec = changes.length === 0 ? {} : { spec: { strategy: { rollingSync: { steps } } } };
      return { patch: { metadata: { annotations: { [heldNoteAnnotation]: note } }, ...spec } };
    });
  }

  /** Reads, plans and writes over exactly what was read, again when somebody else was faster. */
  async #over<Answer>(
    resource: Resource,
    key: ObjectKey,
    rights: string,
    plan: (found: Json) => Promise<Plan<Answer>>,
  ): Promise<Answer | 'done' | 'gone'> {
    const [namespace = '', name = ''] = key.split('/', 2);
    for (let tries = 1; ; tries += 1) {
      const answer = await this.#client.get(resource, namespace, name);
      if (answer === null) return 'gone';
      const planned = await plan(answer.object);
      if ('answer' in planned) return planned.answer;
      const { resourceVersion } = record(answer.object.metadata);
      try {
        const metadata = { ...record(planned.patch.metadata), resourceVersion };
        return await this.#patch(resource, key, { ...planned.patch, metadata }, rights);
      } catch (problem) {
        if (!isReason(problem, 'conflict') || tries === triesMax) throw problem;
      }
    }
  }

  async #patch(resource: Resource, key: ObjectKey, patch: Json, rights: string): Promise<'done' | 'gone'> {
    const [namespace = '', name = ''] = key.split('/', 2);
    try {
      await this.#client.patch(resource, namespace, name, patch, { rights });
      return 'done';
    } catch (problem) {
      if (isReason(problem, 'not-found')) return 'gone';
      throw problem;
    }
  }

  /** The ApplicationSet that made an Application; null when there is none. */
  async #ownerOf(application: Json): Promise<Json | null> {
    const metadata = record(application.metadata);
    const owner = list(metadata.ownerReferences)
      .map(record)
      .find(({ kind }) => kind === 'ApplicationSet');
    if (owner === undefined) return null;
    const answer = await this.#client.get(applicationSets, text(metadata.namespace), text(owner.name));
    return answer?.object ?? null;
  }
}

function isReason(problem: unknown, reason: ApiReason): boolean {
  return problem instanceof ApiProblem && problem.reason === reason;
}

/** An operation that was asked for and not begun counts, and so does an attempt that waits for its retry. */
function isBusy(application: Json): boolean {
  const phase = text(record(record(application.status).operationState).phase);
  return application.operation !== undefined || phase === 'Running' || phase === 'Terminating';
}

/** A merge patch replaces a list whole, so all steps are written, with whatever else they hold. Null: not as expected. */
function changedSteps(applicationSet: Json, changes: readonly StepChange[]): readonly Json[] | null {
  const strategy = record(record(applicationSet.spec).strategy);
  const steps = list(record(strategy.rollingSync).steps).map((step) => ({ ...record(step) }));
  for (const { index, expected, value } of changes) {
    const step = steps[index];
    if (step === undefined || (step.maxUpdate ?? null) !== expected) return null;
    if (value === null) delete step.maxUpdate;
    else step.maxUpdate = value;
  }
  return steps;
}
