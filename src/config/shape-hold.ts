/** A hold: `true`, or the moment it ends. A duration would need a beginning, and an annotation has none. */
import { heldForGood } from './configuration.ts';
import { quoted } from './faults.ts';
import { type Shape, scalarOf } from './shapes.ts';

const moment = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(?::(\d{2})(?:\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2}))?$/;

/** Milliseconds since the epoch; a day by itself ends when it ends in UTC. */
export const hold: Shape<number> = {
  schema: { oneOf: [{ type: 'boolean' }, { type: 'string', pattern: moment.source }] },
  write: (value) => (value === heldForGood ? true : value <= 0 ? false : new Date(value).toISOString()),
  read(written, spot) {
    const scalar = scalarOf(written, spot, '"true" or a moment');
    if (scalar === null) return undefined;
    if (scalar.text === 'true') return heldForGood;
    if (scalar.text === 'false') return 0;
    const until = momentOf(scalar.text);
    if (until !== null) return until;
    const mend = 'Write "true", or a moment with its time zone, such as 2026-08-01T12:00Z.';
    spot.faults.error(scalar.span, spot.path, `${quoted(scalar.text)} is no moment.`, mend);
    return undefined;
  },
};

function momentOf(text: string): number | null {
  const [, day, time, seconds = '00', zone] = moment.exec(text) ?? [];
  if (day === undefined) return null;
  const isReal = new Date(`${day}T00:00:00Z`).toJSON()?.startsWith(day) === true;
  const at = Date.parse(time === undefined ? `${day}T24:00:00Z` : `${day}T${time}:${seconds}${zone}`);
  return isReal && Number.isFinite(at) && at > 0 ? at : null;
}
