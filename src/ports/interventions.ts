/**
 * The few things that Stepback ever does to a cluster, each with a right of its own. What is not there any more, runs
 * already or was changed meanwhile is an answer. What is not allowed is a permanent WorldProblem that names the missing
 * right and the file that grants it.
 */
import type { ObjectKey, Step } from '../domain/objects.ts';

/** A step of an ApplicationSet whose `maxUpdate` is changed. */
export interface StepChange {
  /** From 0, as in `spec.strategy.rollingSync.steps`. */
  index: number;
  /** What must stand there for the change to be made; null: nothing. */
  expected: Step['maxUpdate'];
  /** Null takes the field away. */
  value: Step['maxUpdate'];
}

export interface Interventions {
  /** Asks Argo CD to compare again, by its own annotation. */
  refresh(application: ObjectKey): Promise<'done' | 'gone'>;
  /**
   * Asks Argo CD to sync to what the branch holds, as its own command line does. `busy`: an operation runs or waits. `gone`
   * also while it is being deleted. The options (prune, retry, sync options) are those of the Application's own automated
   * sync. `reason` is kept with the operation, for people who look at it.
   */
  sync(application: ObjectKey, order: { reason: string }): Promise<'done' | 'busy' | 'gone'>;
  /**
   * Ends the operation that began at `startedAt`, milliseconds since the epoch. `over`: it is not running any more.
   * `done` also when it is being ended already.
   */
  terminate(application: ObjectKey, startedAt: number): Promise<'done' | 'over' | 'gone'>;
  /**
   * Changes `maxUpdate` of steps, all or none, and in the same write what is noted of it in `heldNoteAnnotation`; null
   * takes the note away. `changed`: its spec is not the one of `generation` any more, or a step does not hold what was
   * expected. A change of the status alone is no change: the controller writes it all the time.
   */
  setMaxUpdates(
    applicationSet: { key: ObjectKey; uid: string; generation: number },
    changes: readonly StepChange[],
    note: string | null,
  ): Promise<'done' | 'changed' | 'gone'>;
}
