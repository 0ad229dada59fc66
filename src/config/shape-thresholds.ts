/** Thresholds by stage: `prod: 25%`, `2: 3`. How many Applications of a stage must fail before a change is taken back. */
import type { Threshold, ThresholdTable } from './configuration.ts';
import { childPath, quoted } from './faults.ts';
import { entriesOf } from './sections.ts';
import { type Json, type Shape, type Spot, scalarOf } from './shapes.ts';
import type { Written } from './written.ts';

const stagesMax = 100;
const countMax = 10_000;
const stagePattern = '^[^\\n]{1,100}$';
const valueSchema = {
  oneOf: [
    { type: 'integer', minimum: 1, maximum: countMax },
    { type: 'string', pattern: '^(?:100|[1-9]?[0-9])%$' },
  ],
};

/** One table in a list: tables of other places come beside it when places are merged. */
export const thresholds: Shape<readonly ThresholdTable[]> = {
  schema: {
    type: ['object', 'null'],
    propertyNames: { pattern: stagePattern },
    additionalProperties: valueSchema,
    maxProperties: stagesMax,
  },
  write: (tables) =>
    Object.fromEntries(
      tables.flat().map(({ stage, threshold }): [string, Json] => [stage, writtenThreshold(threshold)]),
    ),
  read(written, spot) {
    const entries = entriesOf(written, spot);
    if (entries === null) return undefined;
    if (entries.length > stagesMax) {
      spot.faults.error(
        written.span,
        spot.path,
        `There are ${entries.length} stages.`,
        `Write at most ${stagesMax}.`,
      );
      return undefined;
    }
    const table: ThresholdTable[number][] = [];
    for (const { key, keySpan, value } of entries) {
      const path = childPath(spot.path, key);
      if (!new RegExp(stagePattern, 'u').test(key)) {
        const mend = 'Write the number of the stage, its name, or a pattern with "*".';
        spot.faults.error(keySpan, path, `${quoted(key)} cannot be a stage.`, mend);
        continue;
      }
      const threshold = readThreshold(value, { ...spot, path });
      if (threshold !== undefined) table.push({ stage: key, threshold });
    }
    table.sort((one, other) => (one.stage < other.stage ? -1 : 1));
    return table.length === 0 ? [] : [table];
  },
};

function readThreshold(written: Written, spot: Spot): Threshold | undefined {
  const scalar = scalarOf(written, spot, 'a number of Applications or a percentage');
  if (scalar === null) return undefined;
  const count = typeof scalar.value === 'number' && /^\d{1,5}$/.test(scalar.text) ? Number(scalar.text) : 0;
  if (count >= 1 && count <= countMax) return { count, percent: 0 };
  const percent = typeof scalar.value === 'string' ? /^(100|[1-9]?\d)%$/.exec(scalar.text)?.[1] : undefined;
  if (percent !== undefined) return { count: 1, percent: Number(percent) };
  const figure = /^"?(\d{1,4})\s*(%|percent)?"?$/.exec(scalar.text.trim());
  const meant = figure?.[2] === undefined ? (figure?.[1] ?? '') : `${figure[1]}%`;
  const isQuoted = typeof scalar.value === 'string' && /^[1-9]\d{0,3}$/.test(scalar.text);
  const mend = isQuoted
    ? 'Take the quotes away.'
    : meant !== '' && meant !== scalar.text && meant !== '0'
      ? `Did you mean ${meant}?`
      : `Write a number of Applications from 1 to ${countMax}, or a percentage such as 25%.`;
  spot.faults.error(scalar.span, spot.path, `${quoted(scalar.text)} is no threshold.`, mend);
  return undefined;
}

function writtenThreshold({ count, percent }: Threshold): Json {
  return percent === 0 ? count : `${percent}%`;
}
