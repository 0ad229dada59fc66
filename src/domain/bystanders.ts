/**
 * ApplicationSets that a change feeds and that did not fail on it: it made others fail, or something else makes them fail. They
 * are in no sentence about what went wrong; but while one of them has what was taken back, not every Application is back.
 */
import type { Incident } from './incident.ts';
import type { ObjectKey } from './objects.ts';

export interface Bystander {
  key: ObjectKey;
  name: string;
  /** Names of its Applications that are not back; null: it was not looked at since the merge. */
  left: readonly string[] | null;
}

/** So many Applications of each are named. */
const namedMax = 20;

type Concerned = Pick<Incident, 'phase' | 'bystanders' | 'sets'>;

/** Whether it must be looked at whatever the radar shows, and is told of in the incident. */
export function isAwaited(incident: Concerned, key: ObjectKey): boolean {
  return bystandersLeft(incident).some((one) => one.key === key);
}

/** Those that are not known to be back. None before the merge. */
export function bystandersLeft({ phase, bystanders = [], sets }: Concerned): readonly Bystander[] {
  if (phase !== 'merged') return [];
  return bystanders.filter(({ key, left }) => left?.length !== 0 && !sets.some((set) => set.key === key));
}

/** The incident after a look at one of them. */
export function withBystander(
  incident: Incident,
  key: ObjectKey,
  left: readonly string[],
  now: number,
): Incident {
  const before = incident.bystanders?.find((one) => one.key === key);
  const named = left.slice(0, namedMax);
  if (before === undefined || before.left?.join() === named.join()) return incident;
  const bystanders =
    incident.bystanders?.map((one) => (one === before ? { ...one, left: named } : one)) ?? [];
  return { ...incident, bystanders, changedAt: now };
}
