/**
 * What every command works with: the letter that it came in, the ApplicationSets that it is about, and looks at them that
 * are made at once. A command is carried out in the loop's own queue, so no other look runs meanwhile.
 */
import type { Command } from '../domain/command.ts';
import { printCommand } from '../domain/command.ts';
import { type Incident, isOpen, noted } from '../domain/incident.ts';
import type { ObjectKey } from '../domain/objects.ts';
import type { Orders } from '../domain/orders.ts';
import type { Letter } from '../ports/mailbox.ts';
import type { Sentence } from '../render/sentence.ts';
import { isIn } from './command-subject.ts';
import { type TickResult, tick } from './tick.ts';
import type { World } from './world.ts';

export interface Desk {
  world: World;
  letter: Letter;
  keys: readonly ObjectKey[];
  /** See `Subject`. */
  incidents: readonly Incident[];
}

/** What came of a command that was accepted. */
export interface Result {
  words: Sentence;
  /** A code for the audit trail when nothing was done; "" when it took effect. */
  why: string;
}

export function done(words: Sentence): Result {
  return { words, why: '' };
}

/** So many ApplicationSets are looked at for one command. */
export const looksMax = 20;

/** Everything of an ApplicationSet is read again, judged and acted on. Null when it is gone. Throws WorldProblem. */
export async function lookAt({ world }: Desk, key: ObjectKey): Promise<TickResult | null> {
  const result = await tick(world, key, null, { isAsked: true });
  return result === 'quiet' ? null : result;
}

/** Changes what people ordered for each of the ApplicationSets, and notes that in the incidents that it concerns. */
export async function order(desk: Desk, command: Command, change: (orders: Orders) => Orders): Promise<void> {
  const { world, keys } = desk;
  for (const key of keys) {
    const memory = await world.memories.memory(key);
    await world.memories.saveMemory(key, { ...memory, orders: change(memory.orders) }, world.clock.now());
    // An order is answered: it must not wait for a batch.
    await world.memories.flush(key);
  }
  for (const incident of await openIncidents(desk))
    await world.memories.saveIncident(withOrder(incident, desk, command));
}

/** Open incidents that the ApplicationSets are part of, in this repository. */
export async function openIncidents({ world, keys, letter }: Desk): Promise<readonly Incident[]> {
  return (await world.memories.incidents()).filter(
    (one) => isOpen(one) && isIn(one, letter.repository) && one.sets.some((set) => keys.includes(set.key)),
  );
}

/** A line in the timeline; the same command of the same letter stands there once. */
export function withOrder(incident: Incident, { letter }: Desk, command: Command): Incident {
  const detail = `${letter.sender.login}: /stepback ${printCommand(command)}`;
  const isKnown = incident.timeline.some(
    (entry) => entry.what === 'ordered' && entry.at === letter.receivedAt && entry.detail === detail,
  );
  if (isKnown) return incident;
  return { ...noted(incident, letter.receivedAt, 'ordered', detail), changedAt: letter.receivedAt };
}

/** The incident as it is kept now. */
export async function fresh({ world }: Desk, incident: Incident): Promise<Incident> {
  return (await world.memories.incidents()).find((one) => one.id === incident.id) ?? incident;
}
