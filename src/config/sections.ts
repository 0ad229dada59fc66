/** Maps with known keys: what is unknown in them gets a fault that says what was meant or where it belongs. */
import { childPath, quoted } from './faults.ts';
import type { Spot } from './shapes.ts';
import { didYouMean } from './suggest.ts';
import { type Written, type WrittenEntry, whatIs } from './written.ts';

/** The entries of a map, none when only its name stands there; null with a fault when it is something else. */
export function entriesOf(written: Written, spot: Spot): readonly WrittenEntry[] | null {
  if (written.kind === 'map') return written.entries;
  if (written.kind === 'scalar' && written.value === null) return [];
  const problem = `This is ${whatIs(written)}, and keys with values are needed.`;
  const mend =
    spot.path === ''
      ? 'Write lines such as "mode: propose", with a space behind the colon.'
      : 'Write each key on a line of its own below, with two spaces before it.';
  spot.faults.error(written.span, spot.path, problem, mend);
  return null;
}

/** Notes a key that is none of those known. `belongs` says where it belongs instead, when it does. */
export function noteUnknown(
  entry: WrittenEntry,
  spot: Spot,
  known: () => readonly string[],
  belongs: () => string | null = () => null,
): void {
  const path = childPath(spot.path, entry.key);
  const problem = `${quoted(entry.key)} is not known ${spot.path === '' ? 'at the top of the file' : 'here'}.`;
  spot.faults.error(entry.keySpan, path, problem, () => belongs() ?? didYouMean(entry.key, known()));
}
