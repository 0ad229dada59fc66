/**
 * Reasons that say the same of several Applications are said once, with the names of the others behind: when a stage of
 * 2,500 fails for one reason, that is one sentence.
 */
import type { Reason } from '../domain/verdict.ts';
import { listOf } from './lists.ts';
import { reasonInMarkdown } from './reasons.ts';
import { codeSpan } from './safe.ts';

export interface ReasonGroup {
  /** The one that has lasted for longest. */
  first: Reason;
  /** The other Applications of which the same is said. */
  others: readonly string[];
}

/** In the order of their first reasons. `sameness` says what makes two reasons one; the code always does. */
export function groupReasons(
  reasons: readonly Reason[],
  sameness: (reason: Reason) => string = ({ value, message }) => `${value}\n${message}`,
): readonly ReasonGroup[] {
  const groups = new Map<string, Reason[]>();
  for (const reason of reasons) {
    const key = `${reason.code}\n${sameness(reason)}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [reason]);
    else group.push(reason);
  }
  return [...groups.values()].map((group) => {
    const ordered = [...group].sort((one, other) => (one.since ?? 0) - (other.since ?? 0));
    const [first = group[0] as Reason] = ordered;
    const others = new Set(ordered.flatMap(({ application }) => (application === null ? [] : [application])));
    others.delete(first.application ?? '');
    return { first, others: [...others] };
  });
}

/** One sentence, and one more for the others. `namesMax` is at least 1. */
export function groupInMarkdown({ first, others }: ReasonGroup, namesMax: number): string {
  const sentence = reasonInMarkdown(first);
  if (others.length === 0) return sentence;
  const names = listOf(others, namesMax, (name) => codeSpan(name, { max: 80 }));
  return `${sentence} The same goes for ${names}.`;
}
