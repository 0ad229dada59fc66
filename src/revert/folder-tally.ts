/**
 * Counts where the files of folders that are gone moved to. The majority says where the folder as a whole went, which
 * helps to find the remaining files and, later, to see that a file was added to a folder that lives elsewhere now.
 * Rules: `update_dir_rename_counts` and its neighbours in git's diffcore-rename.
 */
import { inHashOrder } from './hash-order.ts';
import { nameOf, parentOf } from './places.ts';
import type { FolderInterest } from './survey-trees.ts';

/** Old folder → new folder → number of files. */
export type FolderCounts = ReadonlyMap<string, ReadonlyMap<string, number>>;

export class FolderTally {
  readonly #gone: Map<string, FolderInterest>;
  readonly #counts = new Map<string, Map<string, number>>();
  /** Files of an old folder whose new place is not known. */
  readonly #unknown = new Map<string, number>();

  /** `gone` are the folders that the side removed; it is changed when a folder's new place is certain. */
  constructor(gone: Map<string, FolderInterest>) {
    this.#gone = gone;
  }

  /** Notes one moved file, for its folder and for the folders around it as far as they moved alike. */
  addMove(from: string, to: string): void {
    let oldFolder = parentOf(from);
    let newFolder = parentOf(to);
    let isFilesFolder = true;
    while (this.#gone.has(oldFolder)) {
      const interest = this.#gone.get(oldFolder)!;
      if (interest === 'self' || isFilesFolder) this.#count(oldFolder, newFolder);
      if (interest === 'none' || oldFolder === '' || newFolder === '') return;
      // `a/b/x` → `c/b/x` says that `a` became `c`; `a/b/x` → `c/d/x` says only that `a/b` became `c/d`.
      const isAlikeBelow = nameOf(oldFolder) === nameOf(newFolder);
      oldFolder = parentOf(oldFolder);
      newFolder = parentOf(newFolder);
      if (!isAlikeBelow) return;
      isFilesFolder = false;
    }
  }

  /** Notes a file of which only the old place is known. */
  addUnknown(from: string): void {
    for (let folder = parentOf(from); folder !== '' && this.interest(folder) !== 'none'; ) {
      this.#unknown.set(folder, (this.#unknown.get(folder) ?? 0) + 1);
      folder = parentOf(folder);
    }
  }

  interest(folder: string): FolderInterest {
    return this.#gone.get(folder) ?? 'none';
  }

  /** Folders whose majority no further file can change need no further file. */
  settleCertainFolders(): void {
    for (const [folder, counts] of this.#counts) {
      const [first = 0, second = 0] = [...counts.values()].sort((left, right) => right - left);
      const isCertain = first > second + (this.#unknown.get(folder) ?? 0);
      if (this.interest(folder) === 'self' && isCertain) this.#gone.set(folder, 'ancestor');
    }
  }

  /** Where most files of each folder went so far; of equals the one git's hash table lists first. */
  guesses(): Map<string, string> {
    const guesses = new Map<string, string>();
    for (const [folder, counts] of this.#counts) {
      let most = 0;
      for (const target of inHashOrder([...counts.keys()])) {
        const count = counts.get(target)!;
        if (count <= most) continue;
        most = count;
        guesses.set(folder, target);
      }
    }
    return guesses;
  }

  /** The counts of folders whose new place matters. */
  counts(): FolderCounts {
    return new Map([...this.#counts].filter(([folder]) => this.interest(folder) !== 'none'));
  }

  #count(oldFolder: string, newFolder: string): void {
    const counts = this.#counts.get(oldFolder) ?? new Map<string, number>();
    counts.set(newFolder, (counts.get(newFolder) ?? 0) + 1);
    this.#counts.set(oldFolder, counts);
  }
}
