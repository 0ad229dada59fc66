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
import type { ContentSource } from '../../content/source.ts';
import type { Commit, EntryMode, Repository, TreeEntry } from '../../ports.ts';
import { WorldProblem } from '../../ports.ts';

const run = promisify(execFile);
const outputMax = 256 * 1024 * 1024;

export interface LocalRepositories extends ContentSource {
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
  const commits = new Map<string, Promise<Commit | null>>();
  const trees = new Map<string, Promise<readonly TreeEntry[]>>();
  const git = (repository: Repository, ...args: string[]): Promise<string> =>
    runGit(gitDirectory(root, repository.name), args);
  const repositories: LocalRepositories = {
    repositoryOf(repoURL) {
      const segments = repoURL.replace(/\.git$/i, '').split(/[/:]/);
      const name = names.get((segments.at(-1) ?? '').toLowerCase());
      return name === undefined ? null : { host: 'local', owner: segments.at(-2) ?? '', name };
    },
    commit(repository, sha) {
      return memoised(commits, `${repository.name} ${sha}`, async () => {
        const text = await git(repository, 'log', '-1', `--format=${commitFormat}`, sha).catch(() => null);
        return text === null ? null : (parseCommits(text)[0] ?? null);
      });
    },
    async range(repository, base, head) {
      const ends = await Promise.all([
        repositories.commit(repository, base),
        repositories.commit(repository, head),
      ]);
      if (ends.includes(null)) return null;
      const mergeBase = (await git(repository, 'merge-base', base, head).catch(() => '')).trim();
      const found = parseCommits(
        await git(repository, 'log', '--reverse', `--format=${commitFormat}`, `${base}..${head}`),
      );
      const status =
        base === head
          ? 'identical'
          : mergeBase === base
            ? 'ahead'
            : mergeBase === head
              ? 'behind'
              : 'diverged';
      return { status, mergeBase, commits: found, isComplete: true };
    },
    readTree(repository, treeId) {
      return memoised(trees, `${repository.name} ${treeId}`, async () =>
        parseTree(await git(repository, 'ls-tree', '-z', treeId)),
      );
    },
    async readBlob(repository, blobId) {
      const { stdout } = await run('git', ['cat-file', 'blob', blobId], {
        cwd: gitDirectory(root, repository.name),
        encoding: 'buffer',
        maxBuffer: outputMax,
      });
      return stdout;
    },
    pullRequestsOf: async () => [],
    close: () => rmSync(root, { recursive: true, force: true }),
  };
  return repositories;
}

const commitFormat = '%H%x00%T%x00%P%x00%an%x00%ct%x00%B%x01';

function parseCommits(text: string): Commit[] {
  return text
    .split('\x01')
    .map((entry) => entry.replace(/^\n/, ''))
    .filter((entry) => entry !== '')
    .map((entry) => {
      const [sha = '', tree = '', parents = '', name = '', seconds = '0', message = ''] = entry.split('\x00');
      return {
        sha,
        tree,
        parents: parents.split(' ').filter((parent) => parent !== ''),
        message: message.trimEnd(),
        author: { login: null, name },
        committedAt: Number(seconds) * 1000,
      };
    });
}

function parseTree(text: string): TreeEntry[] {
  return text
    .split('\0')
    .filter((entry) => entry !== '')
    .map((entry) => {
      const [mode = '', , rest = ''] = entry.split(' ');
      const [id = '', ...name] = rest.split('\t');
      return {
        mode: mode as EntryMode,
        id,
        name: [...name, ...entry.split('\t').slice(2)].join('\t') || (entry.split('\t')[1] ?? ''),
      };
    });
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
    await run('git', ['init', '--bare', '--quiet', directory]);
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
  known: Map<string, Promise<Value>>,
  key: string,
  make: () => Promise<Value>,
): Promise<Value> {
  const before = known.get(key);
  if (before !== undefined) return before;
  const made = make();
  known.set(key, made);
  return made;
}
