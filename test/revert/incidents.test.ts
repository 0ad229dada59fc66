/**
 * The git cases of test/incidents. Each tells what people committed, what was taken back and how it came out with
 * git; the engine must come to the same, and the git on this machine is asked again.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { commitsInTheWay } from '../../src/revert/blame-conflicts.ts';
import type { CommitTrees } from '../../src/revert/objects.ts';
import { planRevert, type RevertPlan } from '../../src/revert/plan-revert.ts';
import { GitLab } from './git-lab.ts';
import { MemoryRepository } from './memory-repository.ts';

interface Step {
  name: string;
  write?: Record<string, string>;
  rename?: [string, string];
  branch?: string;
  merge?: string;
  revert?: string;
}

interface GitCase {
  commits: Step[];
  revert: string | string[];
  result: {
    plain: 'clean' | 'conflict' | 'error-merge';
    mainline1?: 'clean';
    files?: Record<string, string>;
    absent?: string[];
    mustNotContain?: string[];
  };
  oldestFirst?: 'conflict';
}

const incidents = join(import.meta.dirname, '../incidents');
const names = readdirSync(incidents).filter((name) => name.startsWith('GT'));

/** A case played into a repository: its commits by name, and the head. */
interface Played {
  repository: MemoryRepository;
  commits: Map<string, CommitTrees>;
  head: string;
  suspects: CommitTrees[];
}

let lab: GitLab;

beforeAll(() => {
  lab = new GitLab();
});

afterAll(() => lab.close());

test('every git case is here', () => {
  expect(names).toHaveLength(10);
});

describe.each(names)('%s', (name) => {
  const gitCase = readCase(name);

  test('comes out as the case says', async () => {
    const played = await play(gitCase);
    const plan = await planRevert(played.repository, { headTree: played.head, suspects: played.suspects });
    const { plain, mainline1, files, absent, mustNotContain } = gitCase.result;
    if ((mainline1 ?? plain) === 'conflict') {
      expect(plan.kind).toBe('conflict');
      expect(JSON.stringify(plan)).not.toMatch(new RegExp((mustNotContain ?? ['<<<<<<<']).join('|')));
      return;
    }
    const left = played.repository.read(resultTree(played, plan));
    expect(left).toMatchObject(files!);
    for (const path of absent ?? []) expect(left).not.toHaveProperty([path]);
  });

  test('comes out as with the git on this machine', async () => {
    const played = await play(gitCase);
    const plan = await planRevert(played.repository, { headTree: played.head, suspects: played.suspects });
    const wanted = gitOutcome(played);
    if (plan.kind === 'conflict') {
      expect(plan.conflicts.map(({ path }) => path)).toEqual(wanted.kind === 'conflict' && wanted.paths);
    } else {
      expect(wanted).toEqual({ kind: 'clean', tree: resultTree(played, plan) });
    }
  });
});

test('GT03: the later commit is named as the one in the way', async () => {
  const played = await play(readCase('GT03-later-commit-same-line'));
  const plan = await planRevert(played.repository, { headTree: played.head, suspects: played.suspects });
  const later = [played.commits.get('updater')!];
  const inTheWay =
    plan.kind === 'conflict' && (await commitsInTheWay(played.repository, plan.conflicts, later));
  expect(inTheWay).toEqual(new Map([['apps/shop/dev/values.yaml', ['updater']]]));
});

test('GT13: oldest first conflicts, and all at once is clean', async () => {
  const played = await play(readCase('GT13-range-of-commits-dependent'));
  const { repository, head, suspects } = played;
  const oldestFirst = await planRevert(repository, { headTree: head, suspects: suspects.toReversed() });
  expect(oldestFirst.kind).toBe('conflict');
  const lastGood = played.commits.get('init')!.tree;
  const atOnce = await planRevert(repository, { headTree: head, suspects, wholeRange: lastGood });
  expect(atOnce).toEqual({ kind: 'tree', tree: lastGood });
});

function readCase(name: string): GitCase {
  const text = readFileSync(join(incidents, name, 'case.yaml'), 'utf8');
  return parseAllDocuments(text).map((document) => document.toJS() as unknown)[1] as GitCase;
}

async function play(gitCase: GitCase): Promise<Played> {
  const repository = new MemoryRepository();
  const commits = new Map<string, CommitTrees>();
  const branches = new Map<string, Record<string, string>>();
  let files: Record<string, string> = {};
  for (const step of gitCase.commits) {
    const before = repository.write(files);
    const next = { ...files, ...step.write };
    if (step.rename) {
      const [from, to] = step.rename;
      next[to] = next[from]!;
      delete next[from];
    }
    if (step.merge) Object.assign(next, branches.get(step.merge));
    if (step.branch) {
      branches.set(step.branch, step.write!);
      continue;
    }
    let tree = repository.write(next);
    if (step.revert) {
      const suspects = [commits.get(step.revert)!];
      tree = resultTree(
        { repository, head: before },
        await planRevert(repository, { headTree: before, suspects }),
      );
    }
    files = repository.read(tree);
    commits.set(step.name, { commit: step.name, tree, firstParentTree: before });
  }
  const suspects = [gitCase.revert].flat().map((suspect) => commits.get(suspect)!);
  return { repository, commits, head: repository.write(files), suspects };
}

function resultTree({ repository, head }: Pick<Played, 'repository' | 'head'>, plan: RevertPlan): string {
  if (plan.kind === 'tree') return plan.tree;
  if (plan.kind === 'nothing') return head;
  if (plan.kind !== 'changes') throw new Error(`Expected a tree, got ${JSON.stringify(plan)}`);
  expect(repository.apply(plan.baseTree, plan.changes)).toBe(plan.tree);
  return plan.tree;
}

/** The same merges, by git. */
function gitOutcome({ repository, head, suspects }: Played) {
  const trees = [head, ...suspects.flatMap(({ tree, firstParentTree }) => [tree, firstParentTree])];
  lab.writeHistories(
    trees.map((tree) => ({
      tree: new Map(
        Object.entries(repository.read(tree)).map(([path, text]) => [
          path,
          { mode: '100644' as const, content: Buffer.from(text) },
        ]),
      ),
      parents: [],
    })),
  );
  let outcome = lab.mergeTrees([
    { base: suspects[0]!.tree, ours: head, theirs: suspects[0]!.firstParentTree },
  ])[0]!;
  for (const { tree, firstParentTree } of suspects.slice(1)) {
    if (outcome.kind !== 'clean') break;
    outcome = lab.mergeTrees([{ base: tree, ours: outcome.tree, theirs: firstParentTree }])[0]!;
  }
  return outcome;
}
