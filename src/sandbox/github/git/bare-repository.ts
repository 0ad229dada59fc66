/**
 * One real bare git repository. Objects are made here as git makes them and written as loose files, refs as loose ref
 * files, so that any git command sees what the small GitHub serves. Until somebody looks at the directory (git itself
 * does, for merges, renames and packs) they are kept in memory: hundreds of stories would else wait for the disk.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { deflateSync, inflateSync } from 'node:zlib';
import {
  type Commit,
  decodeCommit,
  decodeTree,
  EMPTY_TREE,
  encodeCommit,
  encodeTree,
  type GitObject,
  type ObjectType,
  objectId,
  type TreeEntry,
} from './objects.ts';

/** How many objects are kept in memory; they never change, so dropping them only costs a read. */
const CACHED_OBJECTS_MAX = 20_000;

/** Settings that decide an answer, so that a person's own git configuration does not. */
const SETTINGS = ['-c', 'gc.auto=0', '-c', 'merge.renames=true', '-c', 'merge.directoryRenames=conflict'];

/** Objects and refs of one repository. Ids are 40 hexadecimal digits. */
export class BareRepository {
  readonly directory: string;
  readonly #objects = new Map<string, GitObject>();
  readonly #commits = new Map<string, Commit>();
  readonly #trees = new Map<string, TreeEntry[]>();
  readonly #answers = new Map<string, unknown>();
  /** What is still to be written, when nobody has looked at the directory since. */
  readonly #unwritten = new Map<string, GitObject>();
  readonly #unwrittenRefs = new Map<string, string | undefined>();
  #head: string;
  #isMade = false;
  #isWatched = false;

  /** An empty repository for `directory`, its HEAD on `defaultBranch`; what is there already is read as it is. */
  constructor(directory: string, defaultBranch: string) {
    this.directory = directory;
    this.#head = defaultBranch;
    this.writeObject('tree', Buffer.alloc(0));
  }

  /** Writes what is in memory, and from now on everything at once: somebody reads the directory. */
  watch(): void {
    this.#flush();
    this.#isWatched = true;
  }

  /** Runs git in this repository and gives its standard output. Throws when git says no. */
  git(args: readonly string[], input?: string | Buffer): Buffer {
    this.#flush();
    return this.#run(args, input);
  }

  #run(args: readonly string[], input?: string | Buffer): Buffer {
    // The directory is named outright, because a git hook that runs us would leave its own in the environment.
    return execFileSync('git', ['--git-dir=.', ...SETTINGS, ...args], {
      cwd: this.directory,
      input,
      maxBuffer: 1 << 30,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
  }

  /** Computes an answer that follows from object ids alone (a diff, a merge) once, and gives it again for the same key. */
  once<T>(key: string, compute: () => T): T {
    if (!this.#answers.has(key)) this.#answers.set(key, compute());
    return this.#answers.get(key) as T;
  }

  /** The object of this id, or undefined when the repository does not hold it. */
  read(id: string): GitObject | undefined {
    const known = this.#objects.get(id) ?? this.#unwritten.get(id);
    if (known !== undefined) return known;
    if (!/^[0-9a-f]{40}$/.test(id)) return undefined;
    const found = this.#readLoose(id) ?? (this.#unpack() ? this.#readLoose(id) : undefined);
    if (found !== undefined) this.#remember(id, found);
    return found;
  }

  /** The commit of this id, or undefined when it is missing or something else. */
  commit(id: string): Commit | undefined {
    const known = this.#commits.get(id);
    if (known !== undefined) return known;
    const object = this.read(id);
    if (object?.type !== 'commit') return undefined;
    const commit = decodeCommit(object.content);
    this.#commits.set(id, commit);
    return commit;
  }

  /** The entries of the tree of this id, or undefined when it is missing or something else. */
  tree(id: string): TreeEntry[] | undefined {
    if (id === EMPTY_TREE) return [];
    const known = this.#trees.get(id);
    if (known !== undefined) return known;
    const object = this.read(id);
    if (object?.type !== 'tree') return undefined;
    const entries = decodeTree(object.content);
    this.#trees.set(id, entries);
    return entries;
  }

  /** The bytes of the blob of this id, or undefined. */
  blob(id: string): Buffer | undefined {
    const object = this.read(id);
    return object?.type === 'blob' ? object.content : undefined;
  }

  writeBlob(content: Buffer): string {
    return this.writeObject('blob', content);
  }

  writeTree(entries: readonly TreeEntry[]): string {
    return this.writeObject('tree', encodeTree(entries));
  }

  writeCommit(commit: Commit): string {
    return this.writeObject('commit', encodeCommit(commit));
  }

  /** Writes an object and gives its id; writing what is there already changes nothing. */
  writeObject(type: ObjectType, content: Buffer): string {
    const id = objectId(type, content);
    if (this.#objects.has(id)) return id;
    const object = { type, content };
    if (this.#isWatched) this.#writeLoose(id, object);
    else this.#unwritten.set(id, object);
    this.#remember(id, object);
    return id;
  }

  /** Writes a ref (`refs/heads/main`), or removes it when `id` is undefined. */
  writeRef(name: string, id: string | undefined): void {
    if (this.#isWatched) this.#writeLooseRef(name, id);
    else this.#unwrittenRefs.set(name, id);
  }

  /** Points HEAD at a branch, as a change of the default branch does. */
  writeHead(branch: string): void {
    this.#head = branch;
    if (this.#isMade) writeFileSync(join(this.directory, 'HEAD'), `ref: refs/heads/${branch}\n`);
  }

  /** Full ids that begin with these hexadecimal digits; what GitHub needs to serve a short commit id. */
  idsBeginningWith(prefix: string): string[] {
    const folder = join(this.directory, 'objects', prefix.slice(0, 2));
    const names = existsSync(folder) ? readdirSync(folder) : [];
    const written = names.filter((name) => name.length === 38).map((name) => prefix.slice(0, 2) + name);
    return [...new Set([...written, ...this.#unwritten.keys()])].filter((id) => id.startsWith(prefix));
  }

  #flush(): void {
    if (!this.#isMade) {
      this.#isMade = true;
      mkdirSync(this.directory, { recursive: true });
      this.#run(['init', '--quiet', '--bare', '--template=', `--initial-branch=${this.#head}`]);
    }
    for (const [id, object] of this.#unwritten) this.#writeLoose(id, object);
    this.#unwritten.clear();
    // Those that go make room first: a branch may have the name of another one's folder.
    for (const [name, id] of this.#unwrittenRefs) if (id === undefined) this.#writeLooseRef(name, id);
    for (const [name, id] of this.#unwrittenRefs) if (id !== undefined) this.#writeLooseRef(name, id);
    this.#unwrittenRefs.clear();
  }

  #writeLoose(id: string, { type, content }: GitObject): void {
    const path = this.#pathOf(id);
    if (existsSync(path)) return;
    mkdirSync(dirname(path), { recursive: true });
    const bytes = Buffer.concat([Buffer.from(`${type} ${content.length}\0`), content]);
    // Written aside and moved, so that a git command running at the same time never sees half an object.
    writeFileSync(`${path}.tmp`, deflateSync(bytes, { level: 1 }), { mode: 0o444 });
    renameSync(`${path}.tmp`, path);
  }

  #writeLooseRef(name: string, id: string | undefined): void {
    const path = join(this.directory, name);
    if (id === undefined) {
      rmSync(path, { force: true });
      this.#dropEmptyFolders(dirname(path));
      return;
    }
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(`${path}.lock`, `${id}\n`);
    renameSync(`${path}.lock`, path);
  }

  #pathOf(id: string): string {
    return join(this.directory, 'objects', id.slice(0, 2), id.slice(2));
  }

  #readLoose(id: string): GitObject | undefined {
    const path = this.#pathOf(id);
    if (!existsSync(path)) return undefined;
    const bytes = inflateSync(readFileSync(path));
    const end = bytes.indexOf(0);
    const [type] = bytes.toString('latin1', 0, end).split(' ');
    return { type: type as ObjectType, content: bytes.subarray(end + 1) };
  }

  /** Turns packs (of a big import, or of somebody's `git gc`) into loose objects. True when there was one. */
  #unpack(): boolean {
    const folder = join(this.directory, 'objects', 'pack');
    const packs = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.pack')) : [];
    for (const pack of packs) {
      const bytes = readFileSync(join(folder, pack));
      for (const ending of ['.idx', '.rev', '.pack']) {
        rmSync(join(folder, pack.replace(/\.pack$/, ending)), { force: true });
      }
      this.git(['unpack-objects', '-q'], bytes);
    }
    return packs.length > 0;
  }

  #remember(id: string, object: GitObject): void {
    if (this.#objects.size >= CACHED_OBJECTS_MAX) {
      this.#objects.clear();
      this.#commits.clear();
      this.#trees.clear();
    }
    this.#objects.set(id, object);
  }

  #dropEmptyFolders(folder: string): void {
    // A folder left behind would stand in the way of a branch of the same name.
    const stop = join(this.directory, 'refs', 'heads');
    let at = folder;
    while (at.startsWith(`${stop}/`) && existsSync(at) && readdirSync(at).length === 0) {
      rmSync(at, { recursive: true });
      at = dirname(at);
    }
  }
}
