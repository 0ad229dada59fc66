/**
 * What people ordered about an incident, beside its facts: a hold on one of its ApplicationSets, a dismissal. Said in the
 * revert and in the comment on the change alike.
 */
import type { Dismissal, Incident } from '../domain/incident.ts';
import { listOf } from './lists.ts';
import { codeSpan } from './safe.ts';
import { exactTime } from './times.ts';

const namesMax = 3;

/** Markdown of one sentence for an incident whose revert is open; "" when nothing is held. */
export function heldWords(incident: Incident): string {
  const held = incident.sets.filter((set) => set.held != null);
  const last = held.map((set) => set.held).reduce((one, other) => later(one, other), null);
  if (last == null) return '';
  const names = listOf(held, namesMax, (set) => codeSpan(set.key, { max: 80 }));
  return `**Held**: ${person(last.by)} ordered no reverts for ${names} until ${exactTime(last.until)}. This one was there before and stays open; \`/stepback resume\` ends the hold.`;
}

type Held = Incident['sets'][number]['held'];

function later(one: Held, other: Held): Held {
  return one == null || (other != null && other.until > one.until) ? other : one;
}

/** "`dana` called this a false alarm at 2026-08-01 03:12:05 UTC: `the alert was a test`." */
export function dismissalWords({ by, at, reason }: Dismissal): string {
  return `${person(by)} called this a false alarm at ${exactTime(at)}: ${codeSpan(reason, { max: 200, isPublic: true })}.`;
}

/** A login, which calls nobody. */
export function person(login: string): string {
  return codeSpan(login, { max: 60, isPublic: true });
}
