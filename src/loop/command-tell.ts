/** `/stepback status` and `/stepback explain`: looks made now, told as they are. */

import type { Incident } from '../domain/incident.ts';
import type { ObjectKey } from '../domain/objects.ts';
import { holdAt, snoozesAt } from '../domain/orders.ts';
import { type Explained, explainReply } from '../render/explain-reply.ts';
import { statusReply } from '../render/status-reply.ts';
import { type Desk, lookAt, looksMax } from './command-desk.ts';
import { isIn } from './command-subject.ts';

/** Markdown; null when every ApplicationSet is gone. Throws WorldProblem. */
export async function tell(desk: Desk, verb: 'status' | 'explain'): Promise<string | null> {
  const { world, letter } = desk;
  const now = world.clock.now();
  const all: Explained[] = [];
  for (const key of desk.keys.slice(0, looksMax)) {
    const result = await lookAt(desk, key);
    if (result === null) continue;
    const { rollout, failure, memory } = result.answer;
    const { culprit } = result;
    all.push({
      rollout,
      failure,
      culprit,
      incident: result.incident ?? (await newestOf(desk, key)),
      whyNot: result.whyNot,
      hold: holdAt(memory.orders, `${letter.repository.owner}/${letter.repository.name}`, now),
      snoozes: snoozesAt(memory.orders, now),
    });
  }
  if (all.length === 0) return null;
  const links = world.linksFor(letter.repository);
  return verb === 'status' ? statusReply(all, links, now) : explainReply(all, links, now);
}

/** The last that happened to it, as long as nothing else did. */
async function newestOf({ world, letter, incidents }: Desk, key: ObjectKey): Promise<Incident | null> {
  const own = (await world.memories.incidents()).filter(
    (one) => isIn(one, letter.repository) && one.sets.some((set) => set.key === key),
  );
  const said = own.filter((one) => incidents.some((other) => other.id === one.id));
  return (said.length > 0 ? said : own).sort((one, other) => other.openedAt - one.openedAt)[0] ?? null;
}
