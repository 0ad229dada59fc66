import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { BareRepository } from '../../../src/sandbox/github/git/bare-repository.ts';
import { mergeBases, range, touching } from '../../../src/sandbox/github/git/history.ts';
import { type MergeOutcome, mergeCommits, mergeTrees } from '../../../src/sandbox/github/git/merging.ts';
import { EMPTY_TREE } from '../../../src/sandbox/github/git/objects.ts';
import { changedFilesWithLines } from '../../../src/sandbox/github/git/tree-diff.ts';
import { type Edit, editTree, listRecursive } from '../../../src/sandbox/github/git/tree-walk.ts';

/** Thousands of small files are written faster into memory, where a machine has such a place. */
const MEMORY = '/dev/shm';

const PATHS = ['a.yaml', 'apps/x.yaml', 'apps/y.yaml', 'apps/x', 'Grüße/ü.txt', 'deep/er/still.txt', 'deep'];
const LINES = ['one\n', 'two\n', 'three\n', 'four\n', 'no newline at the end'];

/** One step: on which earlier commits it stands and what it writes. */
type Step = { onto: number; merges: number | null; path: string; mode: string; lines: string[] | null };

const step: fc.Arbitrary<Step> = fc.record({
  onto: fc.nat(),
  merges: fc.option(fc.nat(), { freq: 3 }),
  path: fc.constantFrom(...PATHS),
  mode: fc.constantFrom('100644', '100644', '100755', '120000'),
  lines: fc.option(fc.array(fc.constantFrom(...LINES), { minLength: 1, maxLength: 8 }), { freq: 6 }),
});

function freshRepository(): BareRepository {
  const directory = mkdtempSync(join(existsSync(MEMORY) ? MEMORY : tmpdir(), 'histories-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return new BareRepository(directory, 'main');
}

/** Writes the steps as commits a minute apart and gives their ids. */
function build(git: BareRepository, steps: readonly Step[]): string[] {
  const ids: string[] = [];
  steps.forEach(({ onto, merges, path, mode, lines }, i) => {
    const parent = ids[onto % Math.max(1, ids.length)];
    const other = merges === null ? undefined : ids[merges % Math.max(1, ids.length)];
    const parents = [...new Set([parent, other])].filter((id) => id !== undefined);
    const edit: Edit = lines === null ? null : { mode, id: git.writeBlob(Buffer.from(lines.join(''))) };
    const tree = editTree(
      git,
      parent === undefined ? undefined : git.commit(parent)?.tree,
      new Map([[path, edit]]),
    );
    const person = {
      name: 'Dana',
      email: 'dana@acme.example',
      seconds: 1_796_000_000 + i * 60,
      zone: '+0100',
    };
    ids.push(git.writeCommit({ tree, parents, author: person, committer: person, message: `Step ${i}\n` }));
  });
  return ids;
}

function lines(git: BareRepository, ...args: string[]): string[] {
  return git.git(args).toString('utf8').split('\n').filter(Boolean);
}

test('git finds nothing wrong with the objects, and reads the same history from them', () => {
  const git = freshRepository();
  fc.assert(
    fc.property(fc.array(step, { minLength: 2, maxLength: 12 }), (steps) => {
      const ids = build(git, steps);
      const [head, other] = [ids.at(-1) as string, ids.at(-2) as string];
      expect(range(git, [], [head])).toEqual(lines(git, 'log', '--date-order', '--format=%H', head));
      expect(range(git, [other], [head])).toEqual(
        lines(git, 'log', '--date-order', '--format=%H', `${other}..${head}`),
      );
      expect(mergeBases(git, other, head).sort()).toEqual(basesByGit(git, other, head));
      const path = steps.at(-1)?.path as string;
      expect(touching(git, head, path)).toEqual(
        lines(git, 'log', '--date-order', '--format=%H', head, '--', path),
      );
    }),
    { numRuns: 15, seed: 1 },
  );
  const trouble = execFileSync('git', ['--git-dir=.', 'fsck', '--strict'], {
    cwd: git.directory,
    encoding: 'utf8',
    stdio: 'pipe',
  });
  expect(trouble.split('\n').filter((line) => line !== '' && !line.startsWith('dangling'))).toEqual([]);
});

function basesByGit(git: BareRepository, a: string, b: string): string[] {
  try {
    return lines(git, 'merge-base', '--all', a, b).sort();
  } catch {
    return [];
  }
}

test('git counts the same lines and finds the same renames between two trees', () => {
  const git = freshRepository();
  fc.assert(
    fc.property(fc.array(step, { minLength: 2, maxLength: 10 }), (steps) => {
      const ids = build(git, steps);
      const [before, after] = [
        git.commit(ids[0] as string)?.tree as string,
        git.commit(ids.at(-1) as string)?.tree as string,
      ];
      const ours = changedFilesWithLines(git, before, after).map((file) =>
        [file.additions, file.deletions, file.previousPath, file.path]
          .filter((part) => part !== undefined)
          .join(' '),
      );
      const theirs = lines(
        git,
        '-c',
        'core.quotePath=false',
        'diff-tree',
        '-r',
        '-M',
        '--numstat',
        '-z',
        before,
        after,
      )
        .join('')
        .replace(
          /(\d+)\t(\d+)\t(?:\0([^\0]+)\0)?([^\0]+)\0/g,
          (_, add, del, from, to) =>
            `${[add, del, from, to].filter((part) => part !== undefined).join(' ')}\n`,
        )
        .split('\n')
        .filter(Boolean);
      expect(ours.sort()).toEqual(theirs.sort());
    }),
    { numRuns: 25, seed: 2 },
  );
});

test('a patch applied by git to the old file gives the new one', () => {
  const git = freshRepository();
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...LINES), { maxLength: 12 }),
      fc.array(fc.constantFrom(...LINES), { maxLength: 12 }),
      (a, b) => {
        const tree = (content: string) =>
          editTree(
            git,
            undefined,
            new Map([['f', { mode: '100644', id: git.writeBlob(Buffer.from(content)) }]]),
          );
        const [before, after] = [a.join(''), b.join('')];
        const [file] = changedFilesWithLines(git, tree(before), tree(after));
        expect(file === undefined ? before : applied(before, file.patch ?? '')).toBe(after);
      },
    ),
    { numRuns: 200, seed: 3 },
  );
});

/** A patch applied by the book: hunks in order, old lines checked. */
function applied(before: string, patch: string): string {
  const old = before === '' ? [] : before.split(/(?<=\n)/);
  const out: string[] = [];
  let at = 0;
  const rows = patch.split('\n');
  rows.forEach((row, i) => {
    const hunk = /^@@ -(\d+)(?:,(\d+))? /.exec(row);
    if (hunk !== null) {
      const start = Number(hunk[1]) - (hunk[2] === '0' ? 0 : 1);
      out.push(...old.slice(at, start));
      at = start;
      return;
    }
    if (row.startsWith('\\')) return;
    const text = row.slice(1) + (rows[i + 1]?.startsWith('\\') ? '' : '\n');
    if (row.startsWith('+')) out.push(text);
    else expect(old[at++]).toBe(text);
    if (row.startsWith(' ')) out.push(text);
  });
  return [...out, ...old.slice(at)].join('');
}

test('merging trees is what git makes of the same three', () => {
  const git = freshRepository();
  fc.assert(
    fc.property(fc.array(step, { minLength: 3, maxLength: 10 }), (steps) => {
      const ids = build(git, steps);
      const [ours, theirs] = [ids.at(-1) as string, ids.at(-2) as string];
      const bases = mergeBases(git, ours, theirs);
      const merged = mergeCommits(git, ours, theirs);
      const [tree] = gitMerge(git, ours, theirs);
      if (bases.length === 1) expect(treeOf(merged)).toBe(tree);
      const trees = [bases[0] ?? ours, ours, theirs].map((id) => git.commit(id)?.tree as string) as [
        string,
        string,
        string,
      ];
      if (bases.length === 1) expect(treeOf(mergeTrees(git, ...trees))).toBe(tree);
    }),
    { numRuns: 20, seed: 4 },
  );
});

function treeOf(outcome: MergeOutcome): string | undefined {
  return 'tree' in outcome ? outcome.tree : undefined;
}

function gitMerge(git: BareRepository, ours: string, theirs: string): (string | undefined)[] {
  try {
    return lines(git, 'merge-tree', '--write-tree', ours, theirs);
  } catch {
    return [undefined];
  }
}

test('a packed repository is read like a loose one', () => {
  const git = freshRepository();
  const blob = git.writeBlob(Buffer.from('packed\n'));
  const tree = editTree(git, undefined, new Map([['a/b', { mode: '100644', id: blob }]]));
  const person = { name: 'Dana', email: 'dana@acme.example', seconds: 1, zone: '+0000' };
  const id = git.writeCommit({ tree, parents: [], author: person, committer: person, message: 'One\n' });
  git.writeRef('refs/heads/main', id);
  git.git(['gc', '--quiet', '--prune=now']);
  // The same directory without anything in memory; `git init` leaves what is there.
  const fresh = new BareRepository(git.directory, 'main');
  expect(listRecursive(fresh, fresh.commit(id)?.tree as string).map(({ path }) => path)).toEqual([
    'a',
    'a/b',
  ]);
  expect(fresh.tree(EMPTY_TREE)).toEqual([]);
});
