/**
 * The engine against the git on this machine, on made-up histories. Every tree must be the one git makes, and every
 * conflict lie at the paths where git has it. The only difference allowed is a conflict more, of a kind that
 * docs/decisions/0003-three-way-merge-and-where-it-differs-from-git.md names, in less than 1 % of the histories.
 *
 * STEPBACK_GIT_HISTORIES  how many (300; `npm run test:git` takes 2000)
 * STEPBACK_GIT_SEED       seed of the first history; each one after it has the next number
 */
import { beforeAll, expect, test } from 'vitest';
import { type Comparison, compareWithGit, knownDifferences } from './compare-with-git.ts';
import { GitLab } from './git-lab.ts';
import { makeHistory } from './history-maker.ts';

const count = Number(process.env.STEPBACK_GIT_HISTORIES ?? 300);
const firstSeed = Number(process.env.STEPBACK_GIT_SEED ?? 20_260_101);

const batchSize = 500;
const comparisons: Comparison[] = [];
const moves: Moves[] = [];

beforeAll(async () => {
  for (let first = 0; first < count; first += batchSize) {
    const seeds = Array.from(
      { length: Math.min(batchSize, count - first) },
      (_, index) => firstSeed + first + index,
    );
    const lab = new GitLab();
    try {
      const batch = await compareWithGit(lab, seeds.map(makeHistory));
      comparisons.push(...batch);
      moves.push(...movesIn(lab, batch));
    } finally {
      await lab.close();
    }
  }
  console.log(figures());
}, 600_000);

test('every history ends as git ends it, or in a conflict more of a known kind', () => {
  const wrong = comparisons.filter((comparison) => comparison.verdict === 'wrong');
  expect(wrong.map(report).join('\n\n')).toBe('');
});

test('conflicts that git does not have stay below one history in a hundred', () => {
  const more = comparisons.filter(({ verdict }) => verdict === 'more-conflicts');
  expect(more.length * 100).toBeLessThan(Math.max(count, 300));
});

test('commits between and after the suspects are still there', () => {
  const lost = comparisons.filter(isTold).flatMap(lostChanges);
  expect(lost).toEqual([]);
});

test.runIf(count >= 300)('the histories are rich enough to mean something', () => {
  const share = (fits: (comparison: Comparison, index: number) => boolean) =>
    comparisons.filter(fits).length / comparisons.length;
  expect(share(({ git }) => git.kind === 'conflict')).toBeGreaterThan(0.2);
  expect(share(({ git }) => git.kind === 'clean')).toBeGreaterThan(0.2);
  expect(share((_, index) => moves[index]!.any)).toBeGreaterThan(0.1);
  expect(share(({ verdict }, index) => verdict === 'same-tree' && moves[index]!.met)).toBeGreaterThan(0.01);
  expect(share(({ plan }) => plan.kind === 'changes')).toBeGreaterThan(0.2);
  expect(share(({ request }) => request.suspects.length > 1)).toBeGreaterThan(0.2);
  expect(
    share(({ plan }) => plan.kind === 'changes' && plan.changes.some((change) => 'content' in change)),
  ).toBeGreaterThan(0.05);
  expect(share(isTold)).toBeGreaterThan(0.03);
  for (const habit of [
    'moveFolder',
    'mode',
    'type',
    'opaque',
    'lineEnds',
    'fileToFolder',
    'folderToFile',
    'merge',
    'undo',
  ]) {
    expect(share(({ history }) => history.commits.some(({ did }) => did.includes(habit)))).toBeGreaterThan(
      0.02,
    );
  }
});

function report(comparison: Comparison): string {
  const { history, plan, git, request } = comparison;
  return [
    comparison.fault,
    `STEPBACK_GIT_SEED=${history.seed} STEPBACK_GIT_HISTORIES=1 npx vitest run test/revert/random-histories.test.ts`,
    ...history.commits.map(
      ({ did, parents }, index) => `  commit ${index} on ${parents.join(' and ')}: ${did}`,
    ),
    `  take back ${history.suspects.join(', then ')}${history.isWholeRange ? ' in one' : ''}`,
    `  trees ${JSON.stringify(request)}`,
    `  stepback: ${JSON.stringify(plan)}`,
    `  git: ${JSON.stringify(git)}`,
  ].join('\n');
}

/** Histories in which every path speaks for itself, because git sees no file that moved. */
function isTold({ plan }: Comparison, index: number): boolean {
  return plan.kind === 'changes' && !moves[index]!.any;
}

/** Paths that only other commits touched and that the plan changes all the same; there must be none. */
function lostChanges({ history, plan }: Comparison): string[] {
  if (plan.kind !== 'changes') return [];
  const touched = history.suspects.flatMap((suspect) => {
    const { tree, parents } = history.commits[suspect]!;
    const before = history.commits[parents[0]!]!.tree;
    return [...new Set([...tree.keys(), ...before.keys()])].filter((path) => {
      const [left, right] = [before.get(path), tree.get(path)];
      return left?.mode !== right?.mode || !left?.content.equals(right!.content);
    });
  });
  return plan.changes
    .filter(({ path }) => !touched.some((known) => known === path || known.startsWith(`${path}/`)))
    .map(({ path }) => `${history.seed}: ${path}`);
}

interface Moves {
  /** A file moved between any two of the trees that are merged, as git sees it. */
  any: boolean;
  /** In the first merge a file moved on one side and changed on the other. */
  met: boolean;
}

function movesIn(lab: GitLab, batch: readonly Comparison[]): Moves[] {
  const pairs = batch.map(({ request: { headTree, suspects, wholeRange }, plan }) =>
    suspects.flatMap(({ tree, firstParentTree }) => [
      [tree, headTree] as const,
      [tree, wholeRange ?? firstParentTree] as const,
      [tree, plan.kind === 'changes' ? plan.tree : headTree] as const,
    ]),
  );
  const shifts = lab.shiftsBetween(pairs.flat());
  let next = 0;
  return pairs.map(({ length }) => {
    const own = shifts.slice(next, next + length);
    next += length;
    const [ours, theirs] = [own[0]!, own[1]!];
    return {
      any: own.some(({ moved }) => moved.size > 0),
      met: meet(ours.moved, theirs.changed) || meet(theirs.moved, ours.changed),
    };
  });
}

function meet(left: ReadonlySet<string>, right: ReadonlySet<string>): boolean {
  return [...left].some((path) => right.has(path));
}

function figures(): string {
  const counted = new Map<string, number>();
  const note = (name: string) => counted.set(name, (counted.get(name) ?? 0) + 1);
  for (const [index, { verdict, plan, git, request }] of comparisons.entries()) {
    note(verdict);
    if (plan.kind === 'conflict')
      for (const why of new Set(plan.conflicts.map((conflict) => conflict.why))) note(`conflict: ${why}`);
    if (plan.kind === 'conflict' && verdict === 'more-conflicts') {
      for (const why of knownDifferences)
        if (plan.conflicts.some((conflict) => conflict.why === why)) note(`more: ${why}`);
    }
    if (git.kind === 'died') note('git died');
    if (plan.kind !== 'conflict') note(`plan: ${plan.kind}`);
    if (moves[index]!.any) note('with moved files');
    if (moves[index]!.met && plan.kind === 'changes')
      note('clean with a moved file that the other side changed');
    if (request.suspects.length > 1) note('with several suspects');
  }
  const lines = [...counted]
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, number]) => `  ${String(number).padStart(5)} ${name}`);
  return [`${count} histories from seed ${firstSeed}`, ...lines].join('\n');
}
