/**
 * The forms that a value may be written in. Each form reads what was written, says what is wrong with it, describes itself to an
 * editor as JSON Schema and writes a value as a person would: in one place, so that the four cannot drift apart.
 */
import { durationPattern, guessDuration, parseDuration, printDuration } from './durations.ts';
import { type Faults, quoted } from './faults.ts';
import type { NameKind } from './names.ts';
import { closest, didYouMean } from './suggest.ts';
import { placeholders, type TemplateKind, templateProblems } from './templates.ts';
import { type Written, type WrittenScalar, whatIs } from './written.ts';

export type JsonSchema = Readonly<Record<string, unknown>>;

/** A value of JSON, for examples and defaults. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** Where a value stands and who is told of its faults. */
export interface Spot {
  path: string;
  faults: Faults;
  /** The account that owns the repository; null when nobody knows. */
  owner: string | null;
}

export interface Shape<Value> {
  /** The value, or undefined when there is none and a fault was noted. */
  read(written: Written, spot: Spot): Value | undefined;
  schema: JsonSchema;
  /** As a person would write it; what `read` makes the same value of. */
  write(value: Value): Json;
}

/** One of a few words. YAML's older readers take `off` for false, so people write that. */
export function oneOf<Value extends string>(values: readonly Value[]): Shape<Value> {
  return {
    schema: { enum: values },
    write: (value) => value,
    read(written, spot) {
      const scalar = scalarOf(written, spot, `one of ${values.join(', ')}`);
      if (scalar === null) return undefined;
      const value = values.find((candidate) => candidate === scalar.value);
      if (value !== undefined) return value;
      const meant = values.find((candidate) => scalar.value === false && candidate === 'off');
      const mend = () =>
        meant === undefined ? didYouMean(scalar.text, values) : `Did you mean ${quoted(meant)}?`;
      spot.faults.error(scalar.span, spot.path, `${quoted(scalar.text)} is not known here.`, mend);
      return undefined;
    },
  };
}

/** A time such as `90s` or `1h30m`, between two limits, in milliseconds. */
export function duration(minMs: number, maxMs: number): Shape<number> {
  const limits = `from ${printDuration(minMs)} to ${printDuration(maxMs)}`;
  return {
    schema: { type: 'string', pattern: durationPattern },
    write: printDuration,
    read(written, spot) {
      const scalar = scalarOf(written, spot, `a time ${limits}`);
      if (scalar === null) return undefined;
      if (typeof scalar.value === 'number') {
        const mend = `Write it with its unit: "${scalar.text}s" or "${scalar.text}m".`;
        spot.faults.error(scalar.span, spot.path, `${quoted(scalar.text)} has no unit.`, mend);
        return undefined;
      }
      const ms = typeof scalar.value === 'string' ? parseDuration(scalar.value) : null;
      if (ms === null) {
        const meant = guessDuration(scalar.text);
        const mend =
          meant === null ? 'Write it like "90s", "2m", "1h30m" or "1d".' : `Did you mean "${meant}"?`;
        spot.faults.error(scalar.span, spot.path, `${quoted(scalar.text)} is no time.`, mend);
        return undefined;
      }
      if (ms >= minMs && ms <= maxMs) return ms;
      const size = ms < minMs ? 'too short' : 'too long';
      spot.faults.error(
        scalar.span,
        spot.path,
        `${quoted(scalar.text)} is ${size}.`,
        `Write a time ${limits}.`,
      );
      return undefined;
    },
  };
}

export function wholeNumber(min: number, max: number): Shape<number> {
  return {
    schema: { type: 'integer', minimum: min, maximum: max },
    write: (value) => value,
    read(written, spot) {
      const scalar = scalarOf(written, spot, `a whole number from ${min} to ${max}`);
      if (scalar === null) return undefined;
      const isWhole = typeof scalar.value === 'number' && /^\d{1,9}$/.test(scalar.text);
      if (isWhole && Number(scalar.text) >= min && Number(scalar.text) <= max) return Number(scalar.text);
      const isQuoted = typeof scalar.value === 'string' && /^\d{1,9}$/.test(scalar.text);
      const problem = isQuoted ? 'is a text' : isWhole ? 'is out of range' : 'is no whole number';
      const mend = isQuoted ? 'Take the quotes away.' : `Write a whole number from ${min} to ${max}.`;
      spot.faults.error(scalar.span, spot.path, `${quoted(scalar.text)} ${problem}.`, mend);
      return undefined;
    },
  };
}

export function yesOrNo(): Shape<boolean> {
  const yes = ['yes', 'on', 'y', 'true'];
  const no = ['no', 'off', 'n', 'false'];
  return {
    schema: { type: 'boolean' },
    write: (value) => value,
    read(written, spot) {
      const scalar = scalarOf(written, spot, 'true or false');
      if (scalar === null) return undefined;
      if (typeof scalar.value === 'boolean') return scalar.value;
      const word = scalar.text.toLowerCase();
      const meant = yes.includes(word) ? 'true' : no.includes(word) ? 'false' : 'true or false';
      const mend = `Write ${meant}, without quotes.`;
      spot.faults.error(scalar.span, spot.path, `${quoted(scalar.text)} is neither true nor false.`, mend);
      return undefined;
    },
  };
}

export function name(kind: NameKind): Shape<string> {
  const pattern = new RegExp(kind.pattern, 'u');
  const canonical = kind.canonical ?? ((text: string) => text);
  return {
    schema: { type: 'string', pattern: kind.pattern, maxLength: kind.lengthMax },
    write: (value) => value,
    read(written, spot) {
      const text = textOf(written, spot, kind.words);
      if (text === null) return undefined;
      if (text.length > kind.lengthMax || !pattern.test(text)) {
        const mend = () => kind.mend(text) ?? `Write ${kind.words}, such as ${quoted(kind.example)}.`;
        spot.faults.error(written.span, spot.path, `${quoted(text)} cannot be ${kind.noun}.`, mend);
        return undefined;
      }
      const fault = kind.problem?.(text, spot.owner) ?? null;
      if (fault === null) return canonical(text);
      spot.faults.error(written.span, spot.path, fault.problem, fault.mend);
      return undefined;
    },
  };
}

/** A list of names without doubles, whatever their case. Where their order means nothing they are kept in one order. */
export function names(kind: NameKind, max: number, order: 'as written' | 'sorted'): Shape<readonly string[]> {
  const item = name(kind);
  return {
    schema: { type: 'array', items: item.schema, maxItems: max, uniqueItems: true },
    write: (value) => value,
    read(written, spot) {
      if (written.kind !== 'list') {
        const isOne = written.kind === 'scalar' && typeof written.value === 'string';
        const mend = isOne
          ? `Put it in brackets: [${written.text.slice(0, 60)}].`
          : 'Write "- " before each entry.';
        spot.faults.error(written.span, spot.path, `This is ${whatIs(written)}, and a list is needed.`, mend);
        return undefined;
      }
      if (written.items.length > max) {
        const problem = `There are ${written.items.length} entries.`;
        spot.faults.error(written.span, spot.path, problem, `Write at most ${max}.`);
        return undefined;
      }
      const found = new Map<string, string>();
      for (const [index, one] of written.items.entries()) {
        const path = `${spot.path}[${index}]`;
        const value = item.read(one, { ...spot, path });
        if (value === undefined) continue;
        if (found.has(value.toLowerCase())) {
          spot.faults.error(one.span, path, `${quoted(value)} is there twice.`, 'Keep one of them.');
        } else found.set(value.toLowerCase(), value);
      }
      const values = [...found.values()];
      return order === 'sorted' ? values.sort() : values;
    },
  };
}

export function template(kind: TemplateKind): Shape<string> {
  const known = Object.keys(placeholders[kind]);
  return {
    schema: { type: 'string', minLength: 1, maxLength: { branch: 100, title: 200, message: 2_000 }[kind] },
    write: (value) => value,
    read(written, spot) {
      const text = textOf(written, spot, 'a template');
      if (text === null) return undefined;
      const problems = templateProblems(kind, text);
      for (const { problem, mend, unknown } of problems) {
        const near = unknown === undefined ? null : closest(unknown, known);
        spot.faults.error(
          written.span,
          spot.path,
          problem,
          near === null ? mend : `Did you mean "{${near}}"?`,
        );
      }
      return problems.length === 0 ? text : undefined;
    },
  };
}

/** A scalar that says something, or null with a fault. */
export function scalarOf(written: Written, spot: Spot, expected: string): WrittenScalar | null {
  if (written.kind === 'scalar' && written.value !== null) return written;
  const isNothing = written.kind === 'scalar';
  const problem = isNothing ? 'There is no value.' : `This is ${whatIs(written)}, and ${expected} is needed.`;
  const mend = isNothing ? `Write ${expected}, or leave the key out.` : 'Write one value behind the colon.';
  spot.faults.error(written.span, spot.path, problem, mend);
  return null;
}

/** A text that is one for every reader of YAML, or null with a fault. */
function textOf(written: Written, spot: Spot, expected: string): string | null {
  const scalar = scalarOf(written, spot, expected);
  if (scalar === null || typeof scalar.value === 'string') return scalar?.text ?? null;
  const problem = `${quoted(scalar.text)} is ${whatIs(scalar)} in YAML, and not a text.`;
  spot.faults.error(scalar.span, spot.path, problem, `Put it in quotes: "${scalar.text.slice(0, 60)}".`);
  return null;
}
