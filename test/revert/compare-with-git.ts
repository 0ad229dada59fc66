/**
 * Plans a revert for each of many histories and lets the git on this machine do the same merges; then says, history by
 * history, whether they agree. Git also applies the changes that a plan lists, so the plan is held to what it would
 * make a forge write.
 */
import type { ConflictReason, PathConflict } from '../../src/revert/places.ts';
import { planRevert, type RevertPlan, type RevertRequest } from '../../src/revert/plan-revert.ts';
import type { GitLab } from './git-lab.ts';
import type { History } from './history-maker.ts';
import type { GitMerge } from './merge-output.ts';

export interface Comparison {
  history: History;
  request: RevertRequest;
  plan: RevertPlan;
  /** What git made of the merge that the plan ended with. */
  git: GitMerge;
  verdict: 'same-tree' | 'same-conflict' | 'more-conflicts' | 'wrong';
  /** What is wrong, in words. */
  fault?: string;
}

/** Compares all histories in one repository. */
export async function compareWithGit(lab: GitLab, histories: readonly History[]): Promise<Comparison[]> {
  const requests = requestsOf(lab, histories);
  const plans: RevertPlan[] = [];
  for (const request of requests) plans.push(await planRevert(lab.objects, request));
  const merges = mergeWithGit(lab, requests);

  const written = plans.flatMap((plan) => (plan.kind === 'changes' ? [plan] : []));
  const applied = lab.applyChanges(written);
  const wrongPlans = new Set(written.filter((plan, index) => plan.tree !== applied[index]));

  return histories.map((history, index) => {
    const [request, plan, steps] = [requests[index]!, plans[index]!, merges[index]!];
    const judged = wrongPlans.has(plan as (typeof written)[number])
      ? ({ verdict: 'wrong', fault: 'The changes do not make the tree.' } as const)
      : judge(lab, plan, steps, request);
    return { history, request, plan, git: steps[lastStep(plan, steps, request)]!, ...judged };
  });
}

function requestsOf(lab: GitLab, histories: readonly History[]): RevertRequest[] {
  let offset = 0;
  const commits = histories.flatMap(({ commits: own }) => {
    const moved = own.map(({ tree, parents }) => ({
      tree,
      parents: parents.map((parent) => parent + offset),
    }));
    offset += own.length;
    return moved;
  });
  const trees = lab.writeHistories(commits);

  let first = 0;
  return histories.map(({ commits: own, suspects, head, isWholeRange }) => {
    const treeOf = (index: number) => trees[first + index]!;
    const request: RevertRequest = {
      headTree: treeOf(head),
      suspects: suspects.map((index) => ({
        commit: `commit ${index}`,
        tree: treeOf(index),
        firstParentTree: treeOf(own[index]!.parents[0]!),
      })),
    };
    if (isWholeRange) request.wholeRange = request.suspects.at(-1)!.firstParentTree;
    first += own.length;
    return request;
  });
}

/**
 * Git takes the suspects back in the same order, all histories side by side, until each ends or conflicts. The first
 * entry of each is the head, and then comes one a merge.
 */
function mergeWithGit(lab: GitLab, requests: readonly RevertRequest[]): GitMerge[][] {
  const results = requests.map(({ headTree }): GitMerge[] => [{ kind: 'clean', tree: headTree }]);
  for (let round = 0; ; round++) {
    const open = results.flatMap((steps, index) => {
      const step = stepsOf(requests[index]!)[round];
      const ours = steps.at(-1)!;
      return ours.kind === 'clean' && step ? [{ index, ...step, ours: ours.tree }] : [];
    });
    if (open.length === 0) return results;
    for (const [at, merge] of lab.mergeTrees(open).entries()) results[open[at]!.index]!.push(merge);
  }
}

function stepsOf({ suspects, wholeRange }: RevertRequest): { base: string; theirs: string }[] {
  if (wholeRange !== undefined) return [{ base: suspects[0]!.tree, theirs: wholeRange }];
  return suspects.map(({ tree, firstParentTree }) => ({ base: tree, theirs: firstParentTree }));
}

/** Which of git's merges the plan ended with: the one it conflicts at, or the last. Entry 0 is the head. */
function lastStep(plan: RevertPlan, steps: readonly GitMerge[], request: RevertRequest): number {
  const stop = plan.kind === 'conflict' ? plan.suspect : undefined;
  const index = request.suspects.findIndex(({ commit }) => commit === stop);
  return index >= 0 && steps[index + 1] ? index + 1 : steps.length - 1;
}

type Judgement = Pick<Comparison, 'verdict' | 'fault'>;

function judge(lab: GitLab, plan: RevertPlan, steps: readonly GitMerge[], request: RevertRequest): Judgement {
  if (plan.kind === 'impossible') return wrong(plan.problem.message);
  const last = lastStep(plan, steps, request);
  const git = steps[last]!;
  if (plan.kind === 'conflict') {
    const before = steps[last - 1]!;
    const theirs = stepsOf(request)[last - 1]!.theirs;
    if (git.kind === 'died' || before.kind !== 'clean') return { verdict: 'more-conflicts' };
    return judgeConflict(plan.conflicts, git, ({ path, why }) => {
      return why === 'moved-onto-another'
        ? isNoMergeToCopy(lab, path, git.tree, before.tree, theirs)
        : knownDifferences.includes(why);
    });
  }
  if (git.kind !== 'clean') return wrong(`A clean merge, where git has: ${git.kind}.`);
  const tree = plan.kind === 'nothing' ? request.headTree : plan.tree;
  return tree === git.tree ? { verdict: 'same-tree' } : wrong('A clean merge of another content.');
}

function judgeConflict(
  conflicts: readonly PathConflict[],
  git: Exclude<GitMerge, { kind: 'died' }>,
  isKnownDifference: (conflict: PathConflict) => boolean,
): Judgement {
  // Where it is not clear which files moved, other conflicts may hang on that too.
  if (conflicts.some(({ why }) => why === 'unclear')) return { verdict: 'more-conflicts' };
  const gitPaths = git.kind === 'conflict' ? git.paths : [];
  const more = conflicts.filter(({ path }) => !gitPaths.includes(path));
  const unknown = more.filter((conflict) => !isKnownDifference(conflict));
  if (unknown.length > 0) return wrong(`Git has no such conflict: ${JSON.stringify(unknown)}.`);
  const missing = gitPaths.filter((path) => !conflicts.some((conflict) => conflict.path === path));
  if (missing.length > 0) return wrong(`Git also conflicts at ${missing.join(', ')}.`);
  return { verdict: more.length > 0 ? 'more-conflicts' : 'same-conflict' };
}

/** The conflicts that may stand where git has none. */
export const knownDifferences: readonly ConflictReason[] = [
  'unclear',
  'broken-yaml',
  'conflict-markers',
  'moved-onto-another',
];

/**
 * Where a moved file met another one, git's clean result must show why it is no merge to copy: it has conflict markers,
 * or both sides had put the same file there, and then git drops what the merge of the moved file brought.
 */
function isNoMergeToCopy(lab: GitLab, path: string, result: string, ours: string, theirs: string): boolean {
  const [merged, our, their] = [result, ours, theirs].map((tree) =>
    lab.run(['cat-file', 'blob', `${tree}:${path}`]).toString(),
  );
  return /^<{7,} /m.test(merged!) || our === their;
}

function wrong(fault: string): Judgement {
  return { verdict: 'wrong', fault };
}
