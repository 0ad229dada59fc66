/**
 * A git repository in memory, for tests that say file by file what stands where. Files are text, or an entry of
 * another mode. It counts what is read.
 */
import type { EntryMode, TreeChange, TreeEntry } from '../../src/ports.ts';
import { blobId, treeId } from '../../src/revert/object-ids.ts';
import { emptyTreeId, type GitObjects, ObjectProblem } from '../../src/revert/objects.ts';

/** Text of an ordinary file, or a mode with text, or with the commit id of a submodule. */
export type FileLike = string | { mode: Exclude<EntryMode, '040000'>; content: string | Uint8Array };

export type Files = Readonly<Record<string, FileLike>>;

export class MemoryRepository implements GitObjects {
  /** Ids of the objects read so far, in order. */
  readonly reads: string[] = [];
  readonly trees = new Map<string, readonly TreeEntry[]>();
  readonly blobs = new Map<string, Uint8Array>();

  /** Stores a tree with these files and gives its id. */
  write(files: Files): string {
    const entries: TreeEntry[] = [];
    const folders = new Map<string, Record<string, FileLike>>();
    for (const [path, file] of Object.entries(files)) {
      const slash = path.indexOf('/');
      if (slash < 0) {
        entries.push({ name: path, ...this.#store(file) });
      } else {
        const folder = path.slice(0, slash);
        folders.set(folder, { ...folders.get(folder), [path.slice(slash + 1)]: file });
      }
    }
    for (const [name, inside] of folders) entries.push({ name, mode: '040000', id: this.write(inside) });
    return this.#keep(entries);
  }

  /** Texts of all files below a tree; entries of other modes read `mode content`. */
  read(tree: string): Record<string, string> {
    const files: Record<string, string> = {};
    for (const { name, mode, id } of this.trees.get(tree) ?? []) {
      if (mode === '040000') {
        for (const [path, text] of Object.entries(this.read(id))) files[`${name}/${path}`] = text;
      } else {
        const text = mode === '160000' ? id : Buffer.from(this.blobs.get(id)!).toString();
        files[name] = mode === '100644' ? text : `${mode} ${text}`;
      }
    }
    return files;
  }

  /** Applies the changes of a plan one by one, as a forge does, and gives the id of the new tree. */
  apply(baseTree: string, changes: readonly TreeChange[]): string {
    const files = new Map<string, { mode: EntryMode; id: string }>();
    const load = (tree: string, folder: string) => {
      for (const { name, mode, id } of this.trees.get(tree) ?? []) {
        if (mode === '040000') load(id, `${folder}${name}/`);
        else files.set(folder + name, { mode, id });
      }
    };
    load(baseTree, '');
    for (const change of changes) {
      for (const path of [...files.keys()]) {
        if (path === change.path || path.startsWith(`${change.path}/`)) files.delete(path);
      }
      if ('content' in change) {
        this.blobs.set(blobId(change.content), change.content);
        files.set(change.path, { mode: change.mode, id: blobId(change.content) });
      } else if ('id' in change) {
        if (change.mode === '040000') load(change.id, `${change.path}/`);
        else files.set(change.path, change);
      }
    }
    return this.#build([...files]);
  }

  async readTree(id: string): Promise<readonly TreeEntry[]> {
    this.reads.push(id);
    const entries = this.trees.get(id);
    if (!entries) throw new ObjectProblem('missing', id, `The repository has no tree ${id}.`);
    return entries;
  }

  async readBlob(id: string): Promise<Uint8Array> {
    this.reads.push(id);
    const content = this.blobs.get(id);
    if (!content) throw new ObjectProblem('missing', id, `The repository has no blob ${id}.`);
    return content;
  }

  #build(files: readonly (readonly [string, { mode: EntryMode; id: string }])[]): string {
    const entries: TreeEntry[] = [];
    const folders = Map.groupBy(files, ([path]) => path.slice(0, path.indexOf('/') + 1));
    for (const [folder, inside] of folders) {
      const rest = inside.map(([path, item]) => [path.slice(folder.length), item] as const);
      if (folder === '') entries.push(...rest.map(([name, { mode, id }]) => ({ name, mode, id })));
      else entries.push({ name: folder.slice(0, -1), mode: '040000', id: this.#build(rest) });
    }
    return this.#keep(entries);
  }

  #keep(entries: readonly TreeEntry[]): string {
    const id = entries.length === 0 ? emptyTreeId : treeId(entries);
    this.trees.set(id, entries);
    return id;
  }

  #store(file: FileLike): { mode: EntryMode; id: string } {
    const { mode, content } = typeof file === 'string' ? { mode: '100644' as const, content: file } : file;
    if (mode === '160000') return { mode, id: String(content) };
    const bytes = new Uint8Array(Buffer.from(content));
    this.blobs.set(blobId(bytes), bytes);
    return { mode, id: blobId(bytes) };
  }
}
