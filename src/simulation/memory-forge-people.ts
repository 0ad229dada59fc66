/** The part of the forge in memory that is about people: who may what, issues and labels, others' pull requests. */
import type { Issues } from '../ports/issues.ts';
import type { People } from '../ports/people.ts';
import type { PullRequests } from '../ports/pull-requests.ts';
import { WorldProblem } from '../ports.ts';
import { changedFiles } from '../sandbox/github/git/tree-diff.ts';
import { botLogin } from './hub-objects.ts';
import { mergeBaseOf } from './memory-hub.ts';
import { pullRequestOf, shown, type View, writable } from './memory-view.ts';

/** Who may do what. */
export function peopleOf(view: View): Omit<People, 'codeOwnersText'> {
  return {
    permissionOf: async (of, login) => shown(view, of).permissions.get(login) ?? 'none',
    ownSignature: async () => ({ name: botLogin, email: `1+${botLogin}@users.noreply.github.com` }),
    isMemberOf: async ({ owner }, slug, login) =>
      view.hub.teams.get(`${owner}/${slug}`)?.has(login) === true ? 'yes' : 'no',
  };
}

/** Issues, labels and reactions. */
export function issuesOf(view: View): Issues {
  const { hub, asOf } = view;
  return {
    async openIssuesWithLabel(of, label) {
      const repository = shown(view, of);
      return repository.issues.all(asOf()).flatMap((issue) => {
        const set = issue.labels.findLast(({ name }) => name.toLowerCase() === label.toLowerCase());
        if (set === undefined || issue.state === 'closed') return [];
        const { number, title, body, user } = issue;
        const url = `https://github.com/${repository.name}/issues/${number}`;
        return [
          {
            number,
            url,
            title,
            body,
            author: user,
            isOurs: user === botLogin,
            labelledBy: set.by,
            labelledAt: Math.floor(set.at / 1000) * 1000,
          },
        ];
      });
    },
    async ownIssues(of, label) {
      const own = shown(view, of)
        .issues.all(asOf())
        .filter(({ user, labels }) => user === botLogin && labels.some(({ name }) => name === label));
      return own.map(({ number, body, state }) => ({ number, body, isOpen: state === 'open' }));
    },
    async createIssue(of, issue) {
      const repository = writable(view, of);
      const number = hub.openIssue(repository, { ...issue, user: botLogin });
      return { number, url: `https://github.com/${repository.name}/issues/${number}` };
    },
    async updateIssue(of, number, change) {
      const repository = writable(view, of);
      if (repository.issues.get(number) === undefined) return 'gone';
      hub.editIssue(repository, number, change, botLogin);
      return 'done';
    },
    async addLabels(of, number, labels) {
      const repository = writable(view, of);
      const pull = repository.pulls.get(number);
      if (pull !== undefined) {
        const all = [...new Set([...pull.labels, ...labels])];
        if (all.length > pull.labels.length)
          hub.editPull(repository, number, { labels: all }, botLogin, 'labeled');
        return;
      }
      const issue = repository.issues.get(number);
      if (issue === undefined) throw new WorldProblem('permanent', `There is no issue #${number}.`);
      const added = labels
        .filter((name) => !issue.labels.some((one) => one.name === name))
        .map((name) => ({ name, by: botLogin, at: hub.now() }));
      repository.issues.set(number, { ...issue, labels: [...issue.labels, ...added] }, hub.now());
    },
    async removeLabel(of, number, label) {
      const repository = writable(view, of);
      const pull = repository.pulls.get(number);
      if (pull?.labels.includes(label) === true)
        hub.editPull(
          repository,
          number,
          { labels: pull.labels.filter((one) => one !== label) },
          botLogin,
          'unlabeled',
        );
      const issue = repository.issues.get(number);
      if (issue !== undefined)
        repository.issues.set(
          number,
          { ...issue, labels: issue.labels.filter(({ name }) => name !== label) },
          hub.now(),
        );
    },
    async react(of, commentId, reaction) {
      const { comments } = writable(view, of);
      const comment = comments.get(commentId);
      if (comment === undefined) return 'gone';
      if (!comment.reactions.includes(reaction))
        comments.set(commentId, { ...comment, reactions: [...comment.reactions, reaction] }, hub.now());
      return 'done';
    },
  };
}

/** Pull requests of others while they are open, and what helps ours to be merged. */
export function pullRequestsOf(view: View): PullRequests {
  const { hub, asOf } = view;
  const find = (
    of: Parameters<PullRequests['filesOfPullRequest']>[0],
    fits: (pull: { number: number }) => boolean,
    read: typeof shown = writable,
  ) => {
    const repository = read(view, of);
    const pull = repository.pulls.all().find(fits);
    if (pull === undefined) throw new WorldProblem('permanent', 'There is no such pull request.');
    return { repository, pull };
  };
  return {
    async openPullRequests(of, baseBranch) {
      const repository = shown(view, of);
      const open = repository.pulls
        .all(asOf())
        .filter((pull) => pull.state === 'open' && (baseBranch === null || pull.base === baseBranch));
      open.sort((one, other) => other.updatedAt - one.updatedAt || other.number - one.number);
      return { pullRequests: open.map((pull) => pullRequestOf(repository, pull)), isComplete: true };
    },
    async ownPullRequests(of, since) {
      const repository = shown(view, of);
      const own = repository.pulls
        .all(asOf())
        .filter((pull) => pull.user === botLogin && (pull.state === 'open' || pull.updatedAt >= since));
      return own.map((pull) => pullRequestOf(repository, pull));
    },
    async filesOfPullRequest(of, number) {
      const { repository, pull } = find(of, (one) => one.number === number, shown);
      const { git, refs } = repository;
      const base = mergeBaseOf(git, refs.get(pull.base) ?? '', pull.headSha) ?? '';
      const trees = [git.commit(base)?.tree ?? '', git.commit(pull.headSha)?.tree ?? ''] as const;
      const files = changedFiles(git, ...trees).map(({ path, previousPath = null, status }) => ({
        path,
        previousPath,
        change: status === 'changed' ? ('modified' as const) : status,
      }));
      return { files, isComplete: true };
    },
    async requestReviewers(of, number, { people, teams }) {
      const { repository, pull } = find(of, (one) => one.number === number);
      const may = people.filter((login) => repository.permissions.has(login) && login !== pull.user);
      const reviewers = [...new Set([...pull.reviewers, ...may])];
      if (reviewers.length > pull.reviewers.length)
        hub.editPull(repository, number, { reviewers }, botLogin, 'review_requested');
      return { people: people.filter((login) => !may.includes(login)), teams };
    },
    async enableAutoMerge(of, { nodeId, headSha }, method) {
      const { repository, pull } = find(of, (one) => `PR_${one.number}` === nodeId);
      if (method === 'rebase') return 'method-not-allowed';
      if (repository.requiredChecks.length === 0) return 'nothing-required';
      if (pull.state === 'closed') return 'closed';
      if (pull.isDraft) return 'draft';
      if (pull.headSha !== headSha) return 'moved';
      if (pull.autoMerge === null)
        hub.editPull(repository, pull.number, { autoMerge: { method } }, botLogin, 'auto_merge_enabled');
      return 'enabled';
    },
    async disableAutoMerge(of, { nodeId }) {
      const { repository, pull } = find(of, (one) => `PR_${one.number}` === nodeId);
      if (pull.autoMerge !== null)
        hub.editPull(repository, pull.number, { autoMerge: null }, botLogin, 'auto_merge_disabled');
    },
    requiredChecks: async (of) => shown(view, of).requiredChecks,
    async markReadyForReview(of, { nodeId }) {
      const { repository, pull } = find(of, (one) => `PR_${one.number}` === nodeId);
      if (pull.isDraft)
        hub.editPull(repository, pull.number, { isDraft: false }, botLogin, 'ready_for_review');
    },
  };
}
