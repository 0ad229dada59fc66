/**
 * What stood in the steps that Stepback holds, noted on the ApplicationSet itself in the very write that holds them: whoever
 * loses the ledger still finds there what is to be put back. Printer and reader stand together so that they cannot drift
 * apart.
 */

import type { HeldStep } from './held-steps.ts';
import { isPutAway } from './held-steps.ts';
import type { Incident } from './incident.ts';
import type { ApplicationSet, ObjectKey, Step } from './objects.ts';
import { list, record, text, texts } from './read.ts';

/** Outside of `stepback.dev/`, whose annotations are people's. */
export const heldNoteAnnotation = 'ledger.stepback.dev/held';

type NotedStep = Pick<HeldStep, 'name' | 'expressions' | 'former'>;

export interface HeldNote {
  instance: string;
  /** Id of the incident for which it is held, the newest of several. */
  incident: string;
  steps: readonly NotedStep[];
}

/** What is to stand on the ApplicationSet while any incident holds a step of it; null when none does. */
export function heldNote(
  incidents: readonly Incident[],
  { key, uid }: Pick<ApplicationSet, 'key' | 'uid'>,
): string | null {
  const holding = incidents.flatMap((incident) => {
    const one = incident.containments?.find((containment) => containment.key === key);
    const steps = one === undefined || one.uid !== uid ? [] : one.steps.filter(isPutAway);
    return steps.length === 0 ? [] : [{ incident, steps }];
  });
  const newest = holding.at(-1)?.incident;
  if (newest === undefined) return null;
  const steps = holding.flatMap((one) =>
    one.steps.map(({ name, expressions, former }): NotedStep => ({ name, expressions, former })),
  );
  return JSON.stringify({ instance: newest.instance, incident: newest.id, steps } satisfies HeldNote);
}

/** The note on an ApplicationSet; null when there is none that can be read. Never throws. */
export function readHeldNote({ annotations }: Pick<ApplicationSet, 'annotations'>): HeldNote | null {
  const written = annotations[heldNoteAnnotation];
  if (written === undefined) return null;
  try {
    const note = record(JSON.parse(written));
    const steps = list(note.steps).map((one): NotedStep => {
      const { name, expressions, former } = record(one);
      return {
        name: text(name),
        expressions: list(expressions).map((item) => {
          const { key, operator, values } = record(item);
          return { key: text(key), operator: text(operator), values: texts(values) };
        }),
        former: formerOf(former),
      };
    });
    return { instance: text(note.instance), incident: text(note.incident), steps };
  } catch {
    return null;
  }
}

/** What the API server takes; anything else is as if the step had none. */
function formerOf(value: unknown): Step['maxUpdate'] {
  const isNumber = typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
  return isNumber || (typeof value === 'string' && value.length <= 20) ? value : null;
}

/**
 * Steps that the note names, that stand at 0, and that no incident knows of: held by a Stepback whose ledger is lost. A step
 * that holds anything else was changed by somebody since.
 */
export function forgottenSteps(
  applicationSet: ApplicationSet,
  incidents: readonly Incident[],
  instance: string,
  now: number,
): readonly HeldStep[] {
  const note = readHeldNote(applicationSet);
  if (note === null || note.instance !== instance) return [];
  const known = knownSteps(incidents, applicationSet);
  return note.steps.flatMap(({ name, expressions, former }): readonly HeldStep[] => {
    const wanted = JSON.stringify(expressions);
    const steps = applicationSet.steps ?? [];
    const found = steps.flatMap((step, index) =>
      step.maxUpdate === 0 && JSON.stringify(step.expressions) === wanted ? [index] : [],
    );
    const [index] = found;
    if (index === undefined || found.length > 1 || known.has(wanted)) return [];
    return [
      { index, name, expressions, former, state: 'held', at: now, generation: applicationSet.generation },
    ];
  });
}

function knownSteps(
  incidents: readonly Incident[],
  { key, uid }: { key: ObjectKey; uid: string },
): ReadonlySet<string> {
  const steps = incidents
    .flatMap((incident) => incident.containments ?? [])
    .filter((one) => one.key === key && one.uid === uid)
    .flatMap((one) => one.steps.filter(isPutAway));
  return new Set(steps.map((step) => JSON.stringify(step.expressions)));
}
