/**
 * The repositories of a recording, read with the git on the machine: `NAME.fast-export` is imported into a
 * bare repository of its own for the time of the replay. Answers what the content room asks of a forge, so a
 * replay judges by the same facts as the running product.
 */
import { execFile } from 'node:child_process';
import { createReadStream, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import type { PinSource } from '../../content/pins.ts';
import { branchOf } from '../../domain/configuration.ts';
import type { Commit, CommitRange, EntryMode, Repository, TreeEntry } from '../../ports.ts';
import { WorldProblem } from '../../ports.ts';
import { type GitObject, type ObjectReader, openObjectReader } from './object-reader.ts';

const run = promisify(execFile);
const outputMax = 256 * 1024 * 1024;

export interface LocalRepositories extends PinSource {
  /** Removes what was imported. */
  close(): void;
}

/**
 * Imports every `*.fast-export` of the folder. A `repoURL` belongs to the one that has the name of its last
 * segment. Throws WorldProblem when there is no git on the machine or an export cannot be imported.
 */
export async function openLocalRepositories(folder: string): Promise<LocalRepositories> {
  const root = mkdtempSync(join(tmpdir(), 'stepback-replay-'));
  const exports = readdirSync(folder).filter((name) => name.endsWith('.fast-export'));
  for (const file of exports)
    await importRepository(join(folder, file), gitDirectory(root, basename(file, '.fast-export')));
  const names = new Map(
    exports.map((file) => [basename(file, '.fast-export').toLowerCase(), basename(file, '.fast-export')]),
  );
  const memories = new Map<string, Promise<unknown>>();
  const readers = new Map<string, ObjectReader>();
  const git = (repository: Repository, ...args: string[]): Promise<string> =>
    runGit(gitDirectory(root, repository.name), args);
  const read = (repository: Repository, id: string): Promise<GitObject | null> => {
    const reader = readers.get(repository.name) ?? openObjectReader(gitDirectory(root, repository.name));
    readers.set(repository.name, reader);
    return memoised(memories, `${repository.name} ${id}`, () => reader.read(id));
  };
  const repositories: LocalRepositories = {
    repositoryOf(repoURL) {
      const segments = repoURL.replace(/\.git$/i, '').split(/[/:]/);
      const name = names.get((segments.at(-1) ?? '').toLowerCase());
      return name === undefined ? null : { host: 'local', owner: segments.at(-2) ?? '', name };
    },
    async commit(repository, sha) {
      const object = await read(repository, sha);
      return object === null ? null : commitOf(sha, object);
    },
    async branchHead(repository, branch) {
      const names = branchOf(branch) === 'HEAD' ? ['main', 'master'] : [branchOf(branch)];
      for (const name of names) {
        const sha = await git(repository, 'rev-parse', '--verify', '--quiet', `refs/heads/${name}`).catch(
          () => '',
        );
        if (sha !== '') return repositories.commit(repository, sha.trim());
      }
      return null;
    },
    range(repository, base, head) {
      return memoised(memories, `${repository.name} ${base}..${head}`, () =>
        rangeOf(repositories, git, repository, base, head),
      );
    },
    async readTree(repository, treeId) {
      const object = await read(repository, treeId);
      return object?.type === 'tree' ? entriesOf(object.content) : [];
    },
    async readBlob(repository, blobId) {
      return (await read(repository, blobId))?.content ?? new Uint8Array();
    },
    pullRequestsOf: async () => [],
    close() {
      for (const reader of readers.values()) reader.close();
      rmSync(root, { recursive: true, force: true });
    },
  };
  return repositories;
}

/** Null when one of the ends is not there. */
async function rangeOf(
  repositories: LocalRepositories,
  git: (repository: Repository, ...args: string[]) => Promise<string>,
  repository: Repository,
  base: string,
  head: string,
): Promise<CommitRange | null> {
  const ends = await Promise.all([
    repositories.commit(repository, base),
    repositories.commit(repository, head),
  ]);
  if (ends.includes(null)) return null;
  const mergeBase = (await git(repository, 'merge-base', base, head).catch(() => '')).trim();
  const ids = (await git(repository, 'rev-list', '--reverse', `${base}..${head}`)).split('\n');
  const commits = await Promise.all(
    ids.filter((id) => id !== '').map((id) => repositories.commit(repository, id)),
  );
  const status =
    base === head ? 'identical' : mergeBase === base ? 'ahead' : mergeBase === head ? 'behind' : 'diverged';
  return {
    status,
    mergeBase,
    commits: commits.filter((commit): commit is Commit => commit !== null),
    isComplete: true,
  };
}

/** A commit from its raw form: headers, an empty line, the message. Null when the object is another. */
function commitOf(sha: string, object: GitObject): Commit | null {
  if (object.type !== 'commit') return null;
  const raw = new TextDecoder().decode(object.content);
  const end = raw.indexOf('\n\n');
  const headers = raw.slice(0, end).split('\n');
  const values = (name: string): string[] =>
    headers.filter((line) => line.startsWith(`${name} `)).map((line) => line.slice(name.length + 1));
  const [author = ''] = values('author');
  const [committer = ''] = values('committer');
  return {
    sha,
    tree: values('tree')[0] ?? '',
    parents: values('parent'),
    message: raw.slice(end + 2).trimEnd(),
    author: { login: null, name: author.replace(/ <[^>]*> \S+ \S+$/, '') },
    committedAt: Number(/> (\d+) \S+$/.exec(committer)?.[1] ?? 0) * 1000,
  };
}

/** Entries of a raw tree: `MODE NAME\0` and twenty bytes of id each; modes are written without leading zeros. */
function entriesOf(content: Uint8Array): readonly TreeEntry[] {
  const entries: TreeEntry[] = [];
  for (let at = 0; at < content.length; ) {
    const space = content.indexOf(32, at);
    const end = content.indexOf(0, space);
    const text = (from: number, to: number): string => new TextDecoder().decode(content.subarray(from, to));
    entries.push({
      mode: text(at, space).padStart(6, '0') as EntryMode,
      name: text(space + 1, end),
      id: Buffer.from(content.subarray(end + 1, end + 21)).toString('hex'),
    });
    at = end + 21;
  }
  return entries;
}

function gitDirectory(root: string, name: string): string {
  return join(root, `${name}.git`);
}

async function runGit(directory: string, args: readonly string[]): Promise<string> {
  const { stdout } = await run('git', [...args], { cwd: directory, encoding: 'utf8', maxBuffer: outputMax });
  return stdout;
}

async function importRepository(file: string, directory: string): Promise<void> {
  try {
    await run('git', ['init', '--bare', '--quiet', '--template=', directory]);
    await new Promise<void>((resolve, reject) => {
      const child = execFile('git', ['fast-import', '--quiet', '--force'], { cwd: directory }, (error) =>
        error === null ? resolve() : reject(error),
      );
      createReadStream(file).pipe(child.stdin as NodeJS.WritableStream);
    });
  } catch (error) {
    throw new WorldProblem(
      'permanent',
      `git could not import ${file}: ${error instanceof Error ? error.message : String(error)}. A replay needs git on the machine and a whole export.`,
      { cause: error },
    );
  }
}

function memoised<Value>(
  known: Map<string, Promise<unknown>>,
  key: string,
  make: () => Promise<Value>,
): Promise<Value> {
  const before = known.get(key) as Promise<Value> | undefined;
  if (before !== undefined) return before;
  const made = make();
  known.set(key, made);
  return made;
}
