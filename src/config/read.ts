/**
 * One file, `.github/stepback.yaml` of a repository or of an organisation's `.github` repository, as a layer of a
 * configuration. Every fault of the file is collected. A file with an error counts for nothing: half of what somebody
 * wanted could be laxer than all of it, so whoever calls keeps the last good one.
 */
import type { Fault } from '../domain/fault.ts';
import type { Layer, PartialSettings, Settings } from './configuration.ts';
import { writtenIn } from './document.ts';
import { childPath, Faults, quoted } from './faults.ts';
import type { Key, Setter } from './key.ts';
import { keyNames, keys, keysOf, put } from './keys.ts';
import { applicationSetPattern } from './names.ts';
import { entriesOf, noteUnknown } from './sections.ts';
import { name, type Spot } from './shapes.ts';
import type { Written, WrittenEntry } from './written.ts';

export const applicationSetsMax = 1_000;
/** The key of the file below which ApplicationSets have settings of their own. */
export const applicationSetsKey = 'applicationSets';

export interface ReadOptions {
  /** Where the text comes from, for people: `acme/gitops:.github/stepback.yaml at 5db8d21`. */
  source: string;
  /** The account that owns the repository, to tell teams of others; null when it is not known. */
  owner: string | null;
}

export interface ReadResult {
  /** Null when there is an error. An empty file is a layer that says nothing. */
  layer: Layer | null;
  /** In the order of the text, warnings included. */
  faults: readonly Fault[];
}

/** Never throws, and takes about a second for the worst text. */
export function readConfiguration(text: string, { source, owner }: ReadOptions): ReadResult {
  const faults = new Faults(source, text);
  const { root, breaksAt } = writtenIn(text, faults);
  const found = breaksAt === null ? faults : new Faults(source, text);
  const layer =
    root === null ? emptyLayer(source) : readRoot(root, source, { path: '', faults: found, owner });
  if (breaksAt !== null) faults.takeBefore(breaksAt, found);
  return { layer: faults.hasErrors ? null : layer, faults: faults.list() };
}

function emptyLayer(source: string): Layer {
  return { source, settings: {}, applicationSets: [] };
}

function readRoot(root: Written, source: string, spot: Spot): Layer {
  const settings: PartialSettings = {};
  let applicationSets: Layer['applicationSets'] = [];
  const entries = entriesOf(root, spot) ?? [];
  for (const entry of entries) {
    if (entry.key !== applicationSetsKey) readEntry(entry, spot, 'file', settings);
    else applicationSets = readApplicationSets(entry.value, { ...spot, path: applicationSetsKey });
  }
  return { source, settings, applicationSets };
}

function readApplicationSets(written: Written, spot: Spot): Layer['applicationSets'] {
  const pattern = name(applicationSetPattern);
  const entries = entriesOf(written, spot) ?? [];
  if (entries.length > applicationSetsMax) {
    const mend = `Write at most ${applicationSetsMax}; a pattern with "*" stands for many.`;
    spot.faults.error(written.span, spot.path, `There are ${entries.length} entries.`, mend);
    return [];
  }
  return entries.flatMap(({ key, keySpan, value }) => {
    const below = { ...spot, path: childPath(spot.path, key) };
    const read = pattern.read({ kind: 'scalar', value: key, text: key, span: keySpan }, below);
    const settings: PartialSettings = {};
    for (const entry of entriesOf(value, below) ?? []) readEntry(entry, below, 'applicationSet', settings);
    return read === undefined ? [] : [{ pattern: read, settings }];
  });
}

/** A key, or a section with keys below it. Paths have one dot at the most, and keys of a file have none. */
function readEntry(entry: WrittenEntry, spot: Spot, setter: Setter, settings: PartialSettings): void {
  const key = entry.key.includes('.') ? null : keyAt(entry.key, setter);
  const section = sectionAt(entry.key, setter);
  if (key !== null) readValue(key, entry, spot, settings);
  else if (section.length > 0) readSection(entry, spot, setter, settings);
  else
    noteUnknown(
      entry,
      spot,
      () => wordsAt(setter),
      () => placeOf(entry.key, '', setter),
    );
}

function readSection(section: WrittenEntry, spot: Spot, setter: Setter, settings: PartialSettings): void {
  const below = { ...spot, path: childPath(spot.path, section.key) };
  for (const entry of entriesOf(section.value, below) ?? []) {
    const key = keyAt(`${section.key}.${entry.key}`, setter);
    if (key !== null) readValue(key, entry, below, settings);
    else {
      const known = () => sectionAt(section.key, setter);
      noteUnknown(entry, below, known, () => placeOf(entry.key, section.key, setter));
    }
  }
}

function readValue(
  settingName: keyof Settings,
  entry: WrittenEntry,
  spot: Spot,
  settings: PartialSettings,
): void {
  const key: Key<never> = keys[settingName] as Key<never>;
  const value = key.shape.read(entry.value, { ...spot, path: childPath(spot.path, entry.key) });
  put(settings, settingName, value);
}

function keyAt(path: string, setter: Setter): keyof Settings | null {
  return keysOf(setter).find((candidate) => keys[candidate].path === path) ?? null;
}

/** Last words of the paths below a section. */
function sectionAt(section: string, setter: Setter): readonly string[] {
  const paths = keysOf(setter).map((candidate) => keys[candidate].path);
  return paths.filter((path) => path.startsWith(`${section}.`)).map((path) => path.slice(section.length + 1));
}

/** The words that may begin a path. */
function wordsAt(setter: Setter): readonly string[] {
  const words = keysOf(setter).map((candidate) => keys[candidate].path.split('.')[0] ?? '');
  return [...new Set(setter === 'file' ? [...words, applicationSetsKey] : words)];
}

/** Where a key belongs that somebody wrote in a place where it does nothing; null when there is no such key. */
function placeOf(key: string, section: string, setter: Setter): string | null {
  const paths = keyNames.map((candidate) => keys[candidate].path);
  const path =
    paths.find((candidate) => candidate === `${section}.${key}`) ??
    paths.find((candidate) => candidate === key || candidate.endsWith(`.${key}`));
  const found = keyNames.find((candidate) => keys[candidate].path === path);
  if (found === undefined)
    return isOfTop(key, section, setter) ? `Move ${quoted(key)} to the top of the file.` : null;
  const { setters, annotation, variable } = keys[found];
  const [first = '', second] = keys[found].path.split('.');
  const place =
    second === undefined ? 'at the top of the file' : `as ${quoted(second)} below ${quoted(first)}`;
  if (setters.includes(setter))
    return second === undefined ? `Move it out of ${quoted(section)}.` : `Write it ${place}.`;
  if (setters.includes('file')) {
    const top = second === undefined ? '' : ' at the top of the file';
    return `It is for the whole repository: write it ${place}${top}.`;
  }
  if (annotation !== undefined)
    return `It is an annotation of the ApplicationSet: "stepback.dev/${annotation}".`;
  return `Whoever runs Stepback sets it${variable === undefined ? '' : ` as ${variable}`}.`;
}

function isOfTop(key: string, section: string, setter: Setter): boolean {
  const isElsewhere = setter !== 'file' || section !== '';
  return isElsewhere && (key === applicationSetsKey || sectionAt(key, 'file').length > 0);
}
