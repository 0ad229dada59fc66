/**
 * That an incident was put together again after the ledger was lost. Whoever reads its figures must know that they are
 * partly a guess.
 */
import type { Incident } from '../domain/incident.ts';
import { exactTime } from './times.ts';

/** One paragraph, in plain text and Markdown alike; "" for an incident of which everything is known. */
export function rebuiltWords({ rebuiltAt }: Pick<Incident, 'rebuiltAt'>): string {
  return rebuiltAt === undefined
    ? ''
    : `Partly a guess: my own record of this was lost, and at ${exactTime(rebuiltAt)} I put it together again from what I had written on GitHub.`;
}
