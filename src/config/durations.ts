/** Durations as people write them: `90s`, `2m`, `1h30m`, `1d`. Whole seconds, inside in milliseconds. */

const units = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1_000 } as const;
type Unit = keyof typeof units;

/** For the schema; the largest unit stands first. */
export const durationPattern = '^(?=.)(\\d{1,6}d)?(\\d{1,6}h)?(\\d{1,6}m)?(\\d{1,6}s)?$';
const duration = new RegExp(durationPattern);

/** Milliseconds, or null when it is no duration. */
export function parseDuration(text: string): number | null {
  if (!duration.test(text)) return null;
  const parts = [...text.matchAll(/(\d+)([dhms])/g)];
  return parts.reduce((sum, [, figure, unit]) => sum + Number(figure) * units[unit as Unit], 0);
}

/** `5400000` → `1h30m`. `ms` is a whole number of seconds. */
export function printDuration(ms: number): string {
  let rest = ms;
  let text = '';
  for (const [unit, unitMs] of Object.entries(units)) {
    const figure = Math.floor(rest / unitMs);
    if (figure > 0) text += `${figure}${unit}`;
    rest -= figure * unitMs;
  }
  return text === '' ? '0s' : text;
}

/** Also what is no unit here, so that its meaning can be told. */
const guessed: Readonly<Record<string, number>> = { ...units, w: 7 * units.d, z: 1 };

const spelledOut: readonly (readonly [RegExp, string])[] = [
  [/milli(?:second)?s?|msecs?|ms/g, 'z'],
  [/weeks?/g, 'w'],
  [/days?/g, 'd'],
  [/hours?|hrs?|std/g, 'h'],
  [/minutes?|mins?/g, 'm'],
  [/seconds?|secs?/g, 's'],
];

/** What somebody meant who wrote `2 min`, `1.5h`, `PT2M` or `2M`, as a duration; null when nobody can tell. */
export function guessDuration(text: string): string | null {
  if (text.length > 40) return null;
  let plain = text
    .toLowerCase()
    .replace(/^p(?:(\d+d))?t?(?=\d)/, '$1')
    .replace(/\band\b|[\s,+_-]+/g, '')
    .replace(/^-/, '');
  for (const [pattern, unit] of spelledOut) plain = plain.replace(pattern, unit);
  const parts = [...plain.matchAll(/(\d{1,6}(?:\.\d{1,4})?)([wdhmsz])/g)];
  if (parts.length === 0 || parts.map(([part]) => part).join('') !== plain) return null;
  const ms = parts.reduce((sum, [, figure, unit]) => sum + Number(figure) * (guessed[unit ?? ''] ?? 0), 0);
  const seconds = Math.max(1, Math.round(ms / 1_000));
  return printDuration(seconds * 1_000);
}
