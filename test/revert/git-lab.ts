/**
 * The git on this machine, in bare repositories under the temporary folder: many commits and many merges a process,
 * because starting one costs more than all it does. Nobody's configuration is read.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EntryMode } from '../../src/ports.ts';
import { CatFile } from './cat-file.ts';
import { type GitMerge, readMerges } from './merge-output.ts';

/** One file of a commit; `content` is the commit id for a submodule. */
export interface LabFile {
  mode: Exclude<EntryMode, '040000'>;
  content: Buffer;
}

export type LabTree = ReadonlyMap<string, LabFile>;

const gitEnvironment = {
  PATH: process.env.PATH,
  HOME: '/nonexistent',
  LC_ALL: 'C',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_AUTHOR_NAME: 'lab',
  GIT_AUTHOR_EMAIL: 'lab@localhost',
  GIT_COMMITTER_NAME: 'lab',
  GIT_COMMITTER_EMAIL: 'lab@localhost',
};

export class GitLab {
  readonly folder: string;
  readonly objects: CatFile;
  #marks = 0;

  constructor() {
    this.folder = mkdtempSync(join(tmpdir(), 'stepback-lab-'));
    this.run(['init', '-q', '--bare', '.']);
    this.objects = new CatFile(this.folder, gitEnvironment);
  }

  async close(): Promise<void> {
    await this.objects.close();
    rmSync(this.folder, { recursive: true });
  }

  /** Runs git in the repository. Throws when it fails. */
  run(args: readonly string[], input?: Buffer): Buffer {
    const result = this.#spawn(args, input);
    if (result.status !== 0) throw new Error(`git ${args[0]} failed: ${result.stderr}`);
    return result.stdout;
  }

  /**
   * Writes commits given as file trees, each with its parents by index into the same list, and gives their tree ids.
   * Only what differs from the first parent is sent.
   */
  writeHistories(commits: readonly { tree: LabTree; parents: readonly number[] }[]): string[] {
    const first = this.#marks + 1;
    const parts: Buffer[] = [];
    for (const [index, commit] of commits.entries()) {
      const [parent, ...others] = commit.parents;
      parts.push(commitHead(first + index));
      if (parent !== undefined) parts.push(Buffer.from(`from :${first + parent}\n`));
      for (const other of others) parts.push(Buffer.from(`merge :${first + other}\n`));
      const before: LabTree = parent === undefined ? new Map() : commits[parent]!.tree;
      parts.push(...changesBetween(before, commit.tree));
    }
    return this.#import(Buffer.concat(parts), commits.length);
  }

  /** Applies changes over existing trees, by git's own hand, and gives the resulting tree ids. */
  applyChanges(plans: readonly { baseTree: string; changes: readonly LabChange[] }[]): string[] {
    const first = this.#marks + 1;
    const parts = plans.flatMap(({ baseTree, changes }, index) => [
      commitHead(first + index),
      rootTree(baseTree),
      ...changes.map(writeChange),
    ]);
    return this.#import(Buffer.concat(parts), plans.length);
  }

  /** Merges trees: for each a base, and two commits on it, as git before 2.40 needs it. */
  mergeTrees(merges: readonly { base: string; ours: string; theirs: string }[]): GitMerge[] {
    const first = this.#marks + 1;
    const parts = merges.flatMap(({ base, ours, theirs }, index) => {
      const mark = first + index * 3;
      const onBase = Buffer.from(`from :${mark}\n`);
      return [
        commitHead(mark),
        rootTree(base),
        commitHead(mark + 1),
        onBase,
        rootTree(ours),
        commitHead(mark + 2),
        onBase,
        rootTree(theirs),
      ];
    });
    const commits = this.#importCommits(Buffer.concat(parts), merges.length * 3);
    const pairs = merges.map((_, index) => `${commits[index * 3 + 1]} ${commits[index * 3 + 2]}\n`);
    const outcomes: GitMerge[] = [];
    while (outcomes.length < merges.length) {
      outcomes.push(...this.#mergePairs(pairs.slice(outcomes.length)).merges);
      // When git dies it takes answers along that it had not flushed: from here one by one, up to the culprit.
      for (let isCulprit = false; !isCulprit && outcomes.length < merges.length; ) {
        const { merges: one, stderr } = this.#mergePairs([pairs[outcomes.length]!]);
        isCulprit = one.length === 0;
        outcomes.push(one[0] ?? { kind: 'died', stderr });
      }
    }
    return outcomes;
  }

  #mergePairs(pairs: readonly string[]): { merges: GitMerge[]; stderr: string } {
    const args = ['-c', 'core.fsync=none', 'merge-tree', '--write-tree', '--stdin', '-z'];
    const { stdout, stderr } = this.#spawn(args, Buffer.from(pairs.join('')));
    return { merges: readMerges(stdout), stderr: String(stderr) };
  }

  /** What git sees between two trees, pair by pair: files that moved (by their old path) and files that changed. */
  shiftsBetween(
    pairs: readonly (readonly [string, string])[],
  ): { moved: Set<string>; changed: Set<string> }[] {
    const input = pairs.map(([before, after]) => `${before} ${after}\n`).join('');
    const output = this.run(['diff-tree', '--stdin', '-r', '-M', '--name-status'], Buffer.from(input));
    const found = new Map(
      pairs.map((pair) => [pair.join(' '), { moved: new Set<string>(), changed: new Set<string>() }]),
    );
    let pair = '';
    for (const line of output.toString().split('\n')) {
      const [status, path] = line.split('\t');
      if (path === undefined) pair = line;
      else if (status!.startsWith('R')) found.get(pair)!.moved.add(path);
      else if (status === 'M') found.get(pair)!.changed.add(path);
    }
    return pairs.map((known) => found.get(known.join(' '))!);
  }

  #import(stream: Buffer, count: number): string[] {
    const commits = this.#importCommits(stream, count);
    const names = commits.map((commit) => `${commit}^{tree}\n`).join('');
    const lines = this.run(['cat-file', '--batch-check=%(objectname)'], Buffer.from(names));
    return lines.toString().trimEnd().split('\n');
  }

  #importCommits(stream: Buffer, count: number): string[] {
    const marks = join(this.folder, 'marks');
    this.run(
      ['-c', 'core.fsync=none', 'fast-import', '--quiet', '--force', `--export-marks=${marks}`],
      stream,
    );
    const ids = new Map(
      readFileSync(marks, 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => line.split(' ') as [string, string]),
    );
    const commits = Array.from({ length: count }, (_, index) => ids.get(`:${this.#marks + 1 + index}`)!);
    this.#marks += count;
    return commits;
  }

  #spawn(args: readonly string[], input?: Buffer) {
    return spawnSync('git', args, { cwd: this.folder, env: gitEnvironment, input, maxBuffer: 2 ** 30 });
  }
}

/** A change in the form of `TreeChange`. */
type LabChange =
  | { path: string; deleted: true }
  | { path: string; mode: EntryMode; id: string }
  | { path: string; mode: EntryMode; content: Uint8Array };

function commitHead(mark: number): Buffer {
  const ref = 'refs/heads/lab';
  return Buffer.from(
    `reset ${ref}\n\ncommit ${ref}\nmark :${mark}\ncommitter lab <lab@localhost> 1700000000 +0000\ndata 1\n.\n`,
  );
}

function rootTree(tree: string): Buffer {
  return Buffer.from(`deleteall\n${tree === emptyTree ? '' : `M 040000 ${tree} ""\n`}`);
}

const emptyTree = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

function writeChange(change: LabChange): Buffer {
  const path = quoted(change.path);
  if ('deleted' in change) return Buffer.from(`D ${path}\n`);
  if ('id' in change) return Buffer.from(`M ${change.mode} ${change.id} ${path}\n`);
  const head = `M ${change.mode} inline ${path}\ndata ${change.content.length}\n`;
  return Buffer.concat([Buffer.from(head), change.content, Buffer.from('\n')]);
}

function changesBetween(before: LabTree, after: LabTree): Buffer[] {
  const parts: Buffer[] = [];
  for (const path of before.keys()) {
    if (!after.has(path)) parts.push(writeChange({ path, deleted: true }));
  }
  for (const [path, { mode, content }] of after) {
    const known = before.get(path);
    if (known?.mode === mode && known.content.equals(content)) continue;
    if (mode === '160000') parts.push(writeChange({ path, mode, id: content.toString() }));
    else parts.push(writeChange({ path, mode, content }));
  }
  return parts;
}

function quoted(path: string): string {
  return `"${path.replace(/["\\]/g, '\\$&').replace(/\n/g, '\\n')}"`;
}
