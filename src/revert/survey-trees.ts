/**
 * The walk over the three trees of a merge: what stands at every path that may differ, and which files came and
 * went. It descends only where it must. Where one side did not touch a folder, the folder of the other side is taken
 * whole; unless a file went missing on that other side whose new place has to be known, then its folders are walked
 * after all. Folders that one side removed while the other added files to them are watched: their files may have
 * moved together. Which folders and files count is the rule of `collect_merge_info` in git's merge-ort.
 */
import type { TreeEntry } from '../ports.ts';
import { inHashOrder } from './hash-order.ts';
import { compareBytes } from './object-ids.ts';
import { type Item, isSameItem, isTree, ObjectProblem } from './objects.ts';
import {
  agreementOf,
  hasAny,
  joinPath,
  onlyVersion,
  otherSide,
  type Place,
  type Shift,
  type Side,
  sides,
  type Version,
} from './places.ts';
import type { Workspace } from './workspace.ts';

/** Why the new place of a folder that is gone would matter: for files added to it, or to one inside it. */
export type FolderInterest = 'none' | 'ancestor' | 'self';

export interface SideSurvey {
  /** Files that came and went on this side, in git's order. */
  shifts: Shift[];
  /** Files that went, and why their new place matters: the other side changed them, or their folder moved. */
  wanted: Map<string, 'content' | 'location'>;
  /** Folders of the base that this side no longer has. */
  goneFolders: Map<string, FolderInterest>;
}

export interface Survey {
  places: Map<string, Place>;
  ours: SideSurvey;
  theirs: SideSurvey;
  /** So many paths came to light late that git starts the merge over, with what it then knows of moved files. */
  isStartedOver: boolean;
}

/** A folder on this side that the other side removed; 'all' once a file was added to it; else 'none'. */
type Watch = 'none' | Side | 'all';

type Trees = Partial<Record<Version, string>>;
type Row = { name: string } & Partial<Record<Version, Item>>;

/** A folder that only one side changed, put off until it is known whether it has to be walked. */
interface Deferred {
  place: Place;
  taken: Item | undefined;
  watch: Watch;
}

/** What a stretch of the walk found, in order. */
interface Found {
  shifts: Record<Side, Shift[]>;
  deferred: Record<Side, Deferred[]>;
}

/** Walks three trees. Throws `ObjectProblem` for missing, broken or too many objects. */
export async function surveyTrees(
  workspace: Workspace,
  base: string,
  ours: string,
  theirs: string,
): Promise<Survey> {
  const walk = new Walk(workspace);
  const found = await walk.folder('', { base, ours, theirs }, 'none');
  const placesAtFirst = walk.survey.places.size;
  for (const side of sides) {
    walk.survey[side].shifts = found.shifts[side];
    if (walk.survey[side].wanted.size > 0) {
      const later = await walk.putOff(side, found.deferred[side]);
      walk.survey[side].shifts = [...found.shifts[side], ...later];
    } else {
      for (const { place, taken } of found.deferred[side]) place.settled = { item: taken };
    }
  }
  const growth = Math.floor(walk.survey.places.size / placesAtFirst);
  walk.survey.isStartedOver = growth >= startOverGrowth;
  return walk.survey;
}

const startOverGrowth = 3;

class Walk {
  readonly survey: Survey = { places: new Map(), ours: newSide(), theirs: newSide(), isStartedOver: false };
  readonly #workspace: Workspace;
  readonly #mayDefer: Record<Side, boolean> = { ours: true, theirs: true };

  constructor(workspace: Workspace) {
    this.#workspace = workspace;
  }

  /** Walks the folders that were put off, in the order in which git's hash table gives them. */
  async putOff(side: Side, deferred: readonly Deferred[]): Promise<Shift[]> {
    this.#mayDefer[side] = false;
    const byPath = new Map(deferred.map((entry) => [entry.place.path, entry]));
    const walks = inHashOrder([...byPath.keys()]).map((path) => {
      const { place, watch } = byPath.get(path)!;
      return this.folder(path, place.trees, watch);
    });
    return (await Promise.all(walks)).flatMap((found) => found.shifts[side]);
  }

  async folder(path: string, trees: Trees, outerWatch: Watch): Promise<Found> {
    const { depthMax } = this.#workspace.limits;
    if (path.split('/').length > depthMax) {
      const message = `More than ${depthMax} folders lie inside one another, which no sound repository has.`;
      throw new ObjectProblem('too-deep', trees.ours ?? trees.base ?? trees.theirs ?? '', message);
    }
    const [base, ours, theirs] = await Promise.all(
      [trees.base, trees.ours, trees.theirs].map((id) =>
        id === undefined ? Promise.resolve([]) : this.#workspace.readTree(id),
      ),
    );
    const rows = alignByName(base!, ours!, theirs!);
    const isFileAdded = rows.some((row) => onlyVersion(filesOf(row)) === outerWatch);
    const watch = isFileAdded ? 'all' : outerWatch;
    return joined(await Promise.all(rows.map((row) => this.#row(path, row, watch))));
  }

  async #row(folder: string, row: Row, outerWatch: Watch): Promise<Found> {
    const path = joinPath(folder, row.name);
    const files = filesOf(row);
    const trees = treesOf(row);
    const item = settledItem(row, files);
    if (item) {
      const agreement = agreementOf(files);
      this.survey.places.set(path, { path, files, trees, agreement, settled: { item } });
      return nothingFound();
    }

    const place: Place = { path, files, trees, agreement: agreementOf(files) };
    this.survey.places.set(path, place);
    const watch = watchBelow(trees, outerWatch);
    this.#noteFolders(folder, place, watch);
    const shifts = this.#noteFiles(place, watch);
    if (!hasAny(trees)) return { ...nothingFound(), shifts };

    const changedSide = onlyChangedSide(row, files, trees);
    if (changedSide && watch !== 'all' && this.#mayDefer[changedSide]) {
      const deferred = { ours: [], theirs: [], [changedSide]: [{ place, taken: row[changedSide], watch }] };
      return { shifts, deferred };
    }
    return joined([{ ...nothingFound(), shifts }, await this.folder(path, trees, watch)]);
  }

  #noteFolders(folder: string, place: Place, watch: Watch): void {
    const { path, trees, files } = place;
    for (const side of sides) {
      if (trees.base !== undefined && trees[side] === undefined) {
        this.survey[side].goneFolders.set(path, watch === 'all' ? 'ancestor' : 'none');
      }
    }
    const added = onlyVersion(files);
    if (watch === 'all' && added && added !== 'base') {
      this.survey[otherSide(added)].goneFolders.set(folder, 'self');
    }
  }

  #noteFiles(place: Place, watch: Watch): Record<Side, Shift[]> {
    const shifts: Record<Side, Shift[]> = { ours: [], theirs: [] };
    const { path, files, agreement } = place;
    for (const side of sides) {
      const item = files[side];
      if (files.base && !item) {
        if (agreement === 'none') this.survey[side].wanted.set(path, 'content');
        else if (watch === 'all') this.survey[side].wanted.set(path, 'location');
        shifts[side].push({ kind: 'removed', path, item: files.base });
      } else if (!files.base && item) {
        shifts[side].push({ kind: 'added', path, item });
      }
    }
    return shifts;
  }
}

/** The outcome where all three versions agree, or where two of three files do. */
function settledItem(row: Row, files: Place['files']): Item | undefined {
  const { base, ours, theirs } = row;
  if (base && isSameItem(base, ours) && isSameItem(base, theirs)) return base;
  if (!files.base || !files.ours || !files.theirs) return undefined;
  if (isSameItem(ours, theirs) || isSameItem(theirs, base)) return ours;
  return isSameItem(ours, base) ? theirs : undefined;
}

function watchBelow(trees: Trees, watch: Watch): Watch {
  if (watch === 'all' || trees.base === undefined) return watch;
  if (trees.ours !== undefined && trees.theirs === undefined) return 'ours';
  if (trees.theirs !== undefined && trees.ours === undefined) return 'theirs';
  return watch;
}

/** The side that alone changed, made or removed a folder. */
function onlyChangedSide(row: Row, files: Place['files'], trees: Trees): Side | undefined {
  if (row.base && isSameItem(row.base, row.ours)) return 'theirs';
  if (row.base && isSameItem(row.base, row.theirs)) return 'ours';
  const only = onlyVersion(trees);
  return !hasAny(files) && only && only !== 'base' ? only : undefined;
}

function filesOf(row: Row): Place['files'] {
  const file = (item: Item | undefined) => (isTree(item) ? undefined : item);
  return { base: file(row.base), ours: file(row.ours), theirs: file(row.theirs) };
}

function treesOf(row: Row): Trees {
  const tree = (item: Item | undefined) => (isTree(item) ? item?.id : undefined);
  return { base: tree(row.base), ours: tree(row.ours), theirs: tree(row.theirs) };
}

/**
 * Entries of the same name side by side. Trees are sorted as if a folder's name ended in a slash, so a file `a` and a
 * folder `a` stand apart with `a.b` between them; the first name that any tree shows next goes first.
 */
function alignByName(...trees: [readonly TreeEntry[], readonly TreeEntry[], readonly TreeEntry[]]): Row[] {
  const byName = trees.map((entries) => new Map(entries.map((entry) => [entry.name, entry])));
  const next = [0, 0, 0];
  const done = new Set<string>();
  const rows: Row[] = [];
  while (true) {
    let first: string | undefined;
    for (const [index, entries] of trees.entries()) {
      while (done.has(entries[next[index]!]?.name ?? '')) next[index]!++;
      const name = entries[next[index]!]?.name;
      if (name !== undefined && (first === undefined || compareBytes(name, first) < 0)) first = name;
    }
    if (first === undefined) return rows;
    done.add(first);
    const [base, ours, theirs] = byName.map((entries) => itemOf(entries.get(first)));
    rows.push({ name: first, base, ours, theirs });
  }
}

function itemOf(entry: TreeEntry | undefined): Item | undefined {
  return entry && { mode: entry.mode, id: entry.id };
}

function newSide(): SideSurvey {
  return { shifts: [], wanted: new Map(), goneFolders: new Map() };
}

function nothingFound(): Found {
  return { shifts: { ours: [], theirs: [] }, deferred: { ours: [], theirs: [] } };
}

function joined(parts: readonly Found[]): Found {
  return {
    shifts: {
      ours: parts.flatMap(({ shifts }) => shifts.ours),
      theirs: parts.flatMap(({ shifts }) => shifts.theirs),
    },
    deferred: {
      ours: parts.flatMap(({ deferred }) => deferred.ours),
      theirs: parts.flatMap(({ deferred }) => deferred.theirs),
    },
  };
}
