/**
 * Reasons in sentences. One code, one sentence: comment, check run, page, command line and log print the same.
 */
import type { Reason } from '../domain/verdict.ts';

/** One reason as one sentence of plain text; the caller escapes it for where it goes. */
export function describeReason(reason: Reason): string {
  const who = reason.application ?? 'The ApplicationSet';
  return `${who}: ${reason.code} (${reason.field} ${reason.value}${reason.message === '' ? '' : `: ${reason.message}`})`;
}
