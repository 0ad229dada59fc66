/**
 * Names that begin like ours and are not: nearly always a slip, and a brake that was misspelt brakes nothing.
 * Kubernetes puts STEPBACK_SERVICE_HOST and its like into every Pod beside a Service called stepback: those are not
 * meant for us (https://kubernetes.io/docs/concepts/services-networking/service/#environment-variables).
 */
import { settings, type Variables } from './settings.ts';

const serviceLink =
  /^STEPBACK_([A-Z0-9_]+_)?(SERVICE_HOST|SERVICE_PORT(_[A-Z0-9_]+)?|PORT(_\d+_(TCP|UDP|SCTP)(_[A-Z]+)?)?)$/;
/** So many letters may be wrong. */
const slipsMax = 4;

/** A sentence for each. */
export function unknownNames(variables: Variables): readonly string[] {
  return Object.keys(variables)
    .filter((name) => /^STEPBACK_/i.test(name) && !Object.hasOwn(settings, name) && !serviceLink.test(name))
    .map((name) => {
      const meant = nearest(name.toUpperCase());
      return `There is no setting ${name}, so it changes nothing. ${meant === null ? 'Unset it; the README lists all of them.' : `Did you mean ${meant}?`}`;
    });
}

function nearest(name: string): string | null {
  const ours = Object.keys(settings).filter((known) => known.startsWith('STEPBACK_'));
  const begun = ours.filter((known) => known.startsWith(name));
  if (begun.length === 1) return begun[0] ?? null;
  const [best] = ours
    .map((known) => ({ known, slips: slipsBetween(known, name) }))
    .sort((one, other) => one.slips - other.slips);
  return best !== undefined && best.slips <= slipsMax ? best.known : null;
}

/** Letters to add, take away or change: the distance of Levenshtein. */
function slipsBetween(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [index, letter] of [...one].entries()) {
    const next = [index + 1];
    for (const [column, otherLetter] of [...other].entries()) {
      const change = (row[column] ?? 0) + (letter === otherLetter ? 0 : 1);
      next.push(Math.min(change, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
