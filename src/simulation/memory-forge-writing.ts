/** The part of the forge in memory that changes what is there: objects, branches, pull requests and comments of ours. */
import { type Forge, type TreeChange, WorldProblem } from '../ports.ts';
import { isAncestor, range } from '../sandbox/github/git/history.ts';
import { type Edit, editTree } from '../sandbox/github/git/tree-walk.ts';
import { botLogin, type HubRepository } from './hub-objects.ts';
import { pullRequestOf, type View, writable } from './memory-view.ts';

/** Branches, pull requests and comments of ours. An archived repository takes none of it. */
export function writingOf(
  view: View,
): Pick<
  Forge,
  | 'createTree'
  | 'createCommit'
  | 'createBranch'
  | 'moveBranch'
  | 'deleteBranch'
  | 'createPullRequest'
  | 'updatePullRequest'
  | 'createComment'
  | 'updateComment'
  | 'deleteComment'
> {
  const { hub } = view;
  return {
    async createTree(of, baseTree, changes) {
      const { git } = writable(view, of);
      return editTree(git, baseTree, new Map(changes.map((change) => [change.path, editOf(git, change)])));
    },
    async createCommit(of, commit) {
      return { sha: hub.writeCommit(writable(view, of), { ...commit, by: botLogin }), isVerified: true };
    },
    async createBranch(of, branch, sha) {
      const repository = writable(view, of);
      if (repository.refs.get(branch) !== undefined) return 'exists';
      hub.moveBranch(repository, branch, sha, botLogin);
      return 'created';
    },
    async moveBranch(of, branch, expected, sha) {
      const repository = writable(view, of);
      const before = repository.refs.get(branch);
      if (before === undefined) return 'missing';
      if (before === sha) return 'done';
      if (before !== expected) return 'moved';
      if (!isAncestor(repository.git, expected, sha))
        throw new WorldProblem(
          'permanent',
          `GitHub refused to move the branch ${branch}: that is no fast-forward.`,
        );
      hub.moveBranch(repository, branch, sha, botLogin);
      return 'done';
    },
    async deleteBranch(of, branch) {
      const repository = writable(view, of);
      if (repository.refs.get(branch) !== undefined) hub.moveBranch(repository, branch, undefined, botLogin);
    },
    async createPullRequest(of, { title, body, head, base, isDraft }) {
      const repository = writable(view, of);
      const [headSha, baseSha] = [repository.refs.get(head), repository.refs.get(base)];
      if (headSha === undefined || baseSha === undefined)
        throw new WorldProblem('transient', `There is no branch ${baseSha === undefined ? base : head}.`);
      const isThere = repository.pulls
        .all()
        .some((pull) => pull.head === head && pull.base === base && pull.state === 'open');
      if (isThere) return { kind: 'exists' };
      const { git } = repository;
      const isNothing = range(git, [baseSha], [headSha]).length === 0;
      if (isNothing) return { kind: 'nothing-between' };
      const number = hub.openPull(repository, { title, body, user: botLogin, base, head, isDraft });
      return { kind: 'created', pullRequest: pullRequestOf(repository, repository.pulls.get(number)!) };
    },
    async updatePullRequest(of, number, change) {
      const repository = writable(view, of);
      const pull = repository.pulls.get(number);
      if (pull === undefined) throw new WorldProblem('permanent', `There is no pull request #${number}.`);
      const isReopened = change.state === 'open' && pull.state === 'closed';
      if (isReopened && (pull.mergedAt !== null || repository.refs.get(pull.head) === undefined))
        throw new WorldProblem('permanent', `GitHub does not open #${number} again.`);
      const headSha = isReopened ? (repository.refs.get(pull.head) ?? pull.headSha) : pull.headSha;
      const action =
        change.state === undefined || change.state === pull.state
          ? 'edited'
          : isReopened
            ? 'reopened'
            : 'closed';
      hub.editPull(repository, number, { ...change, headSha }, botLogin, action);
    },
    createComment: async (of, number, body) => hub.comment(writable(view, of), number, botLogin, body),
    async updateComment(of, id, body) {
      const { comments } = writable(view, of);
      const comment = comments.get(id);
      if (comment === undefined) return 'gone';
      comments.set(id, { ...comment, body }, hub.now());
      return 'done';
    },
    async deleteComment(of, id) {
      const { comments } = writable(view, of);
      if (comments.get(id) !== undefined) comments.set(id, undefined, hub.now());
    },
  };
}

function editOf(git: HubRepository['git'], change: TreeChange): Edit {
  if ('deleted' in change) return null;
  if ('id' in change) return { mode: change.mode, id: change.id };
  return { mode: change.mode, id: git.writeBlob(Buffer.from(change.content)) };
}
