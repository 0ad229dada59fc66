/**
 * `stepback.dev/*` annotations of an ApplicationSet. Whoever may edit the object in the cluster can hold Stepback back with
 * them, and nothing else: what they say is merged after everything else, where only the stricter value counts. One
 * that nobody understands holds as well, because somebody wanted less than what would happen without it.
 */
import type { Fault } from '../domain/fault.ts';
import { heldForGood, type PartialSettings, type Settings } from './configuration.ts';
import { Faults, quoted, type Span } from './faults.ts';
import type { Key } from './key.ts';
import { keys, keysOf, put } from './keys.ts';
import { completeSettings, mergeSettings } from './merge.ts';
import type { Spot } from './shapes.ts';
import { closest } from './suggest.ts';
import type { WrittenScalar } from './written.ts';

const annotationPrefix = 'stepback.dev/';

const annotationsMax = 50;

/**
 * What counts with the annotations of one ApplicationSet after `before`, what counts without them, and what is wrong
 * with them. Never throws.
 */
export function narrowed(
  before: Settings,
  annotations: Readonly<Record<string, string>>,
  source: string,
): { settings: Settings; faults: readonly Fault[] } {
  const own = Object.entries(annotations)
    .filter(([key]) => key.startsWith(annotationPrefix))
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .slice(0, annotationsMax)
    .map(([key, value]) => ({ key, name: key.slice(annotationPrefix.length), value }));
  const text = own.map(({ key, value }) => `${key}: ${oneLine(value)}`).join('\n');
  const faults = new Faults(source, text);
  const settings: PartialSettings = {};
  let offset = 0;
  for (const { key, name, value } of own) {
    const keySpan = { from: offset, to: offset + key.length };
    const valueFrom = keySpan.to + ': '.length;
    const valueSpan = { from: valueFrom, to: valueFrom + oneLine(value).length };
    const found = keysOf('annotation').find((candidate) => keys[candidate].annotation === name);
    if (found === undefined) noteUnknown(key, name, keySpan, faults);
    else
      readAnnotation(
        found,
        scalarOf(oneLine(value), valueSpan),
        { path: key, faults, owner: null },
        before,
        settings,
      );
    offset = valueSpan.to + 1;
  }
  if (faults.hasErrors) settings.heldUntil = heldForGood;
  return { settings: completeSettings(mergeSettings(before, settings)), faults: faults.list() };
}

function readAnnotation<Name extends keyof Settings>(
  name: Name,
  written: WrittenScalar,
  spot: Spot,
  before: Settings,
  settings: PartialSettings,
): void {
  const { shape, strictness }: Key<Settings[Name]> = keys[name];
  const value = shape.read(written, spot);
  if (value === undefined) return;
  put(settings, name, value);
  if (value === before[name] || strictness.join(before[name], value) === value) return;
  const now = JSON.stringify(shape.write(before[name]));
  const problem = `${quoted(written.text)} does nothing, because annotations only narrow and ${now} counts already.`;
  spot.faults.warning(written.span, spot.path, problem, 'Take it out.');
}

/** Annotations of other tools, or of a newer Stepback, are no reason to hold. */
function noteUnknown(key: string, name: string, span: Span, faults: Faults): void {
  const known = keysOf('annotation').map((candidate) => keys[candidate].annotation ?? '');
  const near = closest(name, known);
  const mend =
    near === null
      ? `Known are ${known.join(', ')}.`
      : `Did you mean ${quoted(`${annotationPrefix}${near}`)}?`;
  faults.warning(span, key, `${quoted(key)} does nothing.`, mend);
}

/** An annotation is a text; a number in it is one. */
function scalarOf(text: string, span: Span): WrittenScalar {
  const value = text === '' ? null : /^\d{1,9}$/.test(text) ? Number(text) : text;
  return { kind: 'scalar', value, text, span };
}

function oneLine(value: string): string {
  return value.slice(0, 200).replace(/\s+/g, ' ').trim();
}
