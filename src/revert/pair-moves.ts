/**
 * Finds files that moved on one side: each file that went is paired with the file that came in its place. In git's
 * order: same content, then same name and 75 % alike, then the best of what is left from 50 % on. Files that went for
 * no reason that matters take part only as far as they do in git: they may claim a target of the same content.
 * Rules: `diffcore_rename_extended` of git.
 */
import { type FolderCounts, FolderTally } from './folder-tally.ts';
import { emptyBlobId, type Item, isRegular, ObjectProblem } from './objects.ts';
import { nameOf, parentOf } from './places.ts';
import { type Fingerprint, fingerprint, scoreMax, scoreMin, similarity } from './similarity.ts';
import type { SideSurvey } from './survey-trees.ts';
import type { Workspace } from './workspace.ts';

/** A file that came on one side; `from` is where it was in the base, when it moved. */
interface Arrival {
  path: string;
  item: Item;
  from: string | undefined;
}

export interface Pairing {
  arrivals: readonly Arrival[];
  folderCounts: FolderCounts;
  /** Files that moved or not depending on the version of git. */
  unclear: readonly string[];
}

interface Source {
  path: string;
  item: Item;
  isUsed: boolean;
}

const sameNameScoreMin = scoreMin + (scoreMax - scoreMin) / 2;
const identicalTriedMax = 100;
const candidatesPerTarget = 4;

/** Pairs the files of one side. Reads blobs only where content has to be compared. */
export async function pairMoves(workspace: Workspace, side: SideSurvey): Promise<Pairing> {
  const prints = new Prints(workspace);
  const pairing = await new Pairer(side, prints, false).pair();
  // Git counts an unfinished last line since 2.44. Where that decides, nothing is decided.
  if (!prints.hasRest) return pairing;
  const newer = await new Pairer(side, prints, true).pair();
  const unclear = pairing.arrivals.flatMap((arrival, index) => {
    const other = newer.arrivals[index]!.from;
    return arrival.from === other ? [] : [arrival.from, other].filter((path) => path !== undefined);
  });
  return { ...pairing, unclear: [...new Set(unclear)] };
}

class Pairer {
  readonly #wanted: SideSurvey['wanted'];
  readonly #prints: Prints;
  readonly #countRest: boolean;
  readonly #tally: FolderTally;
  readonly #arrivals: Arrival[] = [];
  #sources: Source[] = [];
  #targets: Arrival[];

  constructor(side: SideSurvey, prints: Prints, countRest: boolean) {
    this.#wanted = side.wanted;
    this.#prints = prints;
    this.#countRest = countRest;
    this.#tally = new FolderTally(new Map(side.goneFolders));
    for (const { kind, path, item } of side.shifts) {
      if (kind === 'added') this.#arrivals.push({ path, item, from: undefined });
      else if (item.id !== emptyBlobId) this.#sources.push({ path, item, isUsed: false });
    }
    this.#targets = this.#arrivals.filter((arrival) => arrival.item.id !== emptyBlobId);
  }

  async pair(): Promise<Pairing> {
    if (this.#wanted.size > 0 && this.#sources.length > 0 && this.#targets.length > 0) {
      this.#pairIdentical();
      await this.#pairSameName();
      this.#dropUnwanted();
      await this.#pairMostAlike();
    }
    return { arrivals: this.#arrivals, folderCounts: this.#tally.counts(), unclear: [] };
  }

  #pairIdentical(): void {
    const byContent = Map.groupBy(this.#sources, (source) => source.item.id);
    for (const target of this.#targets) {
      const fitting = (byContent.get(target.item.id) ?? [])
        .filter((source) => !source.isUsed && hasFittingMode(source.item, target.item))
        .slice(0, identicalTriedMax);
      const source = fitting.find((candidate) => isSameName(candidate, target)) ?? fitting[0];
      if (source) this.#record(source, target);
    }
  }

  async #pairSameName(): Promise<void> {
    this.#forgetPaired();
    const sourceNames = Map.groupBy(this.#sources, (source) => nameOf(source.path));
    const targetNames = Map.groupBy(this.#targets, (target) => nameOf(target.path));
    const targetPaths = new Map(this.#targets.map((target) => [target.path, target]));
    const guesses = this.#tally.guesses();

    const candidates = this.#sources.flatMap((source) => {
      const name = nameOf(source.path);
      const sameName = targetNames.get(name);
      if (!this.#wanted.has(source.path) || !sameName) return [];
      const isUnique = sourceNames.get(name)!.length === 1 && sameName.length === 1;
      const guess = guesses.get(parentOf(source.path));
      const target = isUnique ? sameName[0] : targetPaths.get(`${guess ?? ''}/${name}`);
      return target ? [{ source, target }] : [];
    });
    await this.#prints.load(candidates.flatMap(({ source, target }) => [source.item, target.item]));
    for (const { source, target } of candidates) {
      if (target.from !== undefined) continue;
      if (this.#score(source, target) >= sameNameScoreMin) this.#record(source, target);
    }
  }

  /** Leaves the sources whose new place can still change the merge. */
  #dropUnwanted(): void {
    this.#forgetPaired();
    this.#sources = this.#sources.filter((source) => this.#wanted.has(source.path));
    for (const source of this.#sources) this.#tally.addUnknown(source.path);
    this.#tally.settleCertainFolders();
    this.#sources = this.#sources.filter(
      (source) => this.#wanted.get(source.path) === 'content' || this.#isFolderOpen(source.path),
    );
  }

  #isFolderOpen(path: string): boolean {
    for (let folder = parentOf(path); this.#tally.interest(folder) !== 'none'; folder = parentOf(folder)) {
      if (this.#tally.interest(folder) === 'self') return true;
    }
    return false;
  }

  async #pairMostAlike(): Promise<void> {
    if (this.#sources.length === 0 || this.#targets.length === 0) return;
    await this.#prints.load([...this.#sources, ...this.#targets].map(({ item }) => item));
    const pairs = this.#targets.flatMap((target) =>
      bestOf(this.#sources.map((source) => this.#weigh(source, target))),
    );
    for (const { source, target, score } of pairs.sort(byMerit)) {
      if (score < scoreMin) break;
      if (target.from === undefined && !source.isUsed) this.#record(source, target);
    }
  }

  #weigh(source: Source, target: Arrival): Weighed {
    return { source, target, score: this.#score(source, target), isSameName: isSameName(source, target) };
  }

  #score(source: Source, target: Arrival): number {
    if (!isRegular(source.item) || !isRegular(target.item)) return 0;
    return this.#prints.similarity(source.item.id, target.item.id, this.#countRest);
  }

  #record(source: Source, target: Arrival): void {
    source.isUsed = true;
    target.from = source.path;
    this.#tally.addMove(source.path, target.path);
  }

  #forgetPaired(): void {
    this.#sources = this.#sources.filter((source) => !source.isUsed);
    this.#targets = this.#targets.filter((target) => target.from === undefined);
  }
}

interface Weighed {
  source: Source;
  target: Arrival;
  score: number;
  isSameName: boolean;
}

/** Better ones first: more alike, then of the same name. */
function byMerit(left: Weighed, right: Weighed): number {
  return right.score - left.score || Number(right.isSameName) - Number(left.isSameName);
}

/** The few best sources of one target, in the slots in which git's little tournament leaves them. */
function bestOf(candidates: readonly Weighed[]): Weighed[] {
  const slots: Weighed[] = [];
  for (const candidate of candidates) {
    if (slots.length < candidatesPerTarget) {
      slots.push(candidate);
      continue;
    }
    let worst = 0;
    for (let index = 1; index < slots.length; index++) {
      if (byMerit(slots[index]!, slots[worst]!) > 0) worst = index;
    }
    if (byMerit(slots[worst]!, candidate) > 0) slots[worst] = candidate;
  }
  return slots;
}

function isSameName(source: Source, target: Arrival): boolean {
  return nameOf(source.path) === nameOf(target.path);
}

/** Files may change their executable bit as they move; symlinks and submodules stay what they are. */
function hasFittingMode(source: Item, target: Item): boolean {
  return (isRegular(source) && isRegular(target)) || source.mode === target.mode;
}

/** Fingerprints of blobs, read once. */
class Prints {
  hasRest = false;
  #linesCompared = 0;
  readonly #workspace: Workspace;
  readonly #prints = new Map<string, Fingerprint | 'large'>();

  constructor(workspace: Workspace) {
    this.#workspace = workspace;
  }

  /** Reads the files among these items, at the same time. */
  async load(items: readonly Item[]): Promise<void> {
    await Promise.all(items.filter(isRegular).map((item) => this.#load(item.id)));
  }

  /** Both blobs must be loaded. Throws `ObjectProblem` when both are too large to compare. */
  similarity(left: string, right: string, countRest: boolean): number {
    const [leftPrint, rightPrint] = [this.#prints.get(left)!, this.#prints.get(right)!];
    if (leftPrint !== 'large' && rightPrint !== 'large') {
      this.#linesCompared += leftPrint.wholePieces.size;
      if (this.#linesCompared > this.#workspace.limits.linesComparedMax) throw tooManyFiles(left);
      return similarity(leftPrint, rightPrint, countRest);
    }
    const other = leftPrint === 'large' ? rightPrint : leftPrint;
    // Half as large is not alike, whatever is in it.
    if (other !== 'large' && other.size * 2 < this.#workspace.limits.blobBytesMax) return 0;
    const message = `Blobs ${left} and ${right} are too large to tell whether one is the other, moved.`;
    throw new ObjectProblem('too-large', left, message);
  }

  async #load(id: string): Promise<void> {
    if (this.#prints.has(id)) return;
    try {
      const print = fingerprint(await this.#workspace.readBlob(id));
      if (print.allPieces !== print.wholePieces) this.hasRest = true;
      this.#prints.set(id, print);
    } catch (error) {
      if (!(error instanceof ObjectProblem) || error.reason !== 'too-large') throw error;
      this.#prints.set(id, 'large');
    }
  }
}

function tooManyFiles(blob: string): ObjectProblem {
  const message =
    'So many files went and came that looking for the moved ones takes too long; revert by hand.';
  return new ObjectProblem('too-many', blob, message);
}
