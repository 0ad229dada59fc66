/**
 * The Forge port over the hub in memory: the same answers as the adapter gives over HTTP, which one suite of
 * contracts holds both to. `asOf` is the time as of which it reads: a replica of GitHub that lags answers with what was.
 */
import type { CheckRunContent } from '../ports/checks.ts';
import type { Deliveries } from '../ports/deliveries.ts';
import {
  type Comment,
  type CommitRange,
  type Forge,
  type Repository,
  type TreeEntry,
  WorldProblem,
} from '../ports.ts';
import { range, touching } from '../sandbox/github/git/history.ts';
import { EMPTY_TREE } from '../sandbox/github/git/objects.ts';
import { changedFiles } from '../sandbox/github/git/tree-diff.ts';
import { entryAt } from '../sandbox/github/git/tree-walk.ts';
import { botLogin, type HubRepository } from './hub-objects.ts';
import { issuesOf, peopleOf, pullRequestsOf } from './memory-forge-people.ts';
import { writingOf } from './memory-forge-writing.ts';
import { type MemoryHub, mergeBaseOf } from './memory-hub.ts';
import { commitOf, pullRequestOf, shown, type View, writable } from './memory-view.ts';

/** GitHub as a port, without a network. */
export function memoryForge(
  hub: MemoryHub,
  asOf: () => number = () => Number.POSITIVE_INFINITY,
  deliveries: Deliveries = noDeliveries,
): Forge {
  const view = { hub, asOf };
  return {
    repositoryOf: repositoryOfUrl,
    commitUrl: ({ owner, name }, sha) => `https://github.com/${owner}/${name}/commit/${sha}`,
    ...reading(view),
    ...writingOf(view),
    ...checks(view),
    ...peopleOf(view),
    ...issuesOf(view),
    ...pullRequestsOf(view),
    ...deliveries,
  };
}

const noDeliveries: Deliveries = { failedDeliveries: async () => [], redeliver: async () => 'gone' };

function repositoryOfUrl(repoURL: string): Repository | null {
  const [, owner, name] =
    /^https:\/\/github\.com\/([a-z0-9-]+)\/([a-z0-9._-]+?)(?:\.git)?$/.exec(repoURL.toLowerCase()) ?? [];
  return owner === undefined || name === undefined ? null : { host: 'github.com', owner, name };
}

function reading(
  view: View,
): Pick<
  Forge,
  | 'repository'
  | 'branchHead'
  | 'commit'
  | 'commitBeginning'
  | 'range'
  | 'filesOf'
  | 'readTree'
  | 'readBlob'
  | 'pullRequestsOf'
  | 'pullRequestsFrom'
  | 'pullRequest'
  | 'comments'
> {
  const { hub, asOf } = view;
  return {
    async repository({ host, owner, name }) {
      const found = hub.find(`${owner}/${name}`);
      if (found === undefined) return null;
      const [foundOwner = '', foundName = ''] = found.name.split('/');
      return {
        repository: { host, owner: foundOwner, name: foundName },
        defaultBranch: 'main',
        isArchived: found.isArchived,
      };
    },
    async branchHead(of, branch) {
      const repository = shown(view, of);
      const sha = repository.refs.get(branch, asOf());
      return sha === undefined ? null : commitOf(repository, sha);
    },
    commit: async (of, sha) => commitOf(shown(view, of), sha),
    commitBeginning: async (of, digits) => commitOf(shown(view, of), digits),
    range: async (of, base, head) => rangeOf(shown(view, of), base, head),
    async filesOf(of, sha) {
      const { git } = shown(view, of);
      const commit = git.commit(sha);
      if (commit === undefined) throw new WorldProblem('permanent', `There is no commit ${sha}.`);
      const before = git.commit(commit.parents[0] ?? '')?.tree ?? EMPTY_TREE;
      const files = changedFiles(git, before, commit.tree).map(({ path, previousPath = null, status }) => ({
        path,
        previousPath,
        change: status === 'changed' ? ('modified' as const) : status,
      }));
      return { files, isComplete: true };
    },
    async readTree(of, id) {
      const { git } = shown(view, of);
      const entries = git.tree(git.commit(id)?.tree ?? id);
      if (entries === undefined) throw new WorldProblem('permanent', `There is no tree ${id}.`);
      return entries as TreeEntry[];
    },
    async readBlob(of, id) {
      const blob = shown(view, of).git.blob(id);
      if (blob === undefined) throw new WorldProblem('permanent', `There is no file ${id}.`);
      return new Uint8Array(blob);
    },
    async pullRequestsOf(of, sha) {
      const repository = shown(view, of);
      const { git } = repository;
      const main = repository.refs.get('main') ?? '';
      const all = repository.pulls.all(asOf());
      const merged = all.filter((pull) => pull.introduced.includes(sha));
      const open = all.filter(
        (pull) =>
          pull.state === 'open' &&
          range(git, [repository.refs.get(pull.base) ?? main], [pull.headSha]).includes(sha),
      );
      return [...merged, ...open].map((pull) => pullRequestOf(repository, pull));
    },
    async pullRequestsFrom(of, headBranch) {
      const repository = shown(view, of);
      const found = repository.pulls.all(asOf()).filter((pull) => pull.head === headBranch);
      return found.reverse().map((pull) => pullRequestOf(repository, pull));
    },
    async pullRequest(of, number) {
      const repository = shown(view, of);
      const pull = repository.pulls.get(number, asOf());
      return pull === undefined ? null : pullRequestOf(repository, pull);
    },
    async comments(of, number) {
      const all = shown(view, of).comments.all(asOf());
      return all
        .filter((comment) => comment.number === number)
        .map(
          ({ id, body, user, createdAt }): Comment => ({
            id,
            body,
            author: user,
            isOurs: user === botLogin,
            createdAt: Math.floor(createdAt / 1000) * 1000,
          }),
        );
    },
  };
}

function rangeOf(repository: HubRepository, base: string, head: string): CommitRange | null {
  const { git, refs } = repository;
  const [from, to] = [base, head].map((name) => refs.get(name) ?? name) as [string, string];
  if (git.commit(from) === undefined || git.commit(to) === undefined) return null;
  const mergeBase = mergeBaseOf(git, from, to);
  if (mergeBase === undefined) return null;
  const ahead = range(git, [from], [to]).reverse();
  const isBehind = range(git, [to], [from]).length > 0;
  const status = ahead.length === 0 ? (isBehind ? 'behind' : 'identical') : isBehind ? 'diverged' : 'ahead';
  const commits = ahead.map((sha) => commitOf(repository, sha)).filter((commit) => commit !== null);
  return { status, mergeBase, commits, isComplete: true };
}

function checks(
  view: View,
): Pick<
  Forge,
  'checkRuns' | 'createCheckRun' | 'updateCheckRun' | 'fileAt' | 'commitsOfFile' | 'codeOwnersText'
> {
  const { hub, asOf } = view;
  const fileAt: Forge['fileAt'] = async ({ owner, name }, path, ref) => {
    const repository = hub.find(`${owner}/${name}`);
    if (repository === undefined) return null;
    const { git, refs } = repository;
    const tree = git.commit(refs.get(ref ?? 'main', asOf()) ?? ref ?? '')?.tree;
    const entry = tree === undefined ? undefined : entryAt(git, tree, path);
    const blob = entry === undefined ? undefined : git.blob(entry.id);
    return entry === undefined || blob === undefined
      ? null
      : { text: blob.toString('utf8'), blobId: entry.id };
  };
  return {
    fileAt,
    async commitsOfFile({ owner, name }, path) {
      const repository = hub.find(`${owner}/${name}`);
      const head = repository?.refs.get('main', asOf());
      return repository === undefined || head === undefined ? [] : touching(repository.git, head, path);
    },
    async codeOwnersText(of, ref) {
      return (await fileAt(of, '.github/CODEOWNERS', ref))?.text ?? null;
    },
    async checkRuns(of, sha, name) {
      const all = shown(view, of).checkRuns.all(asOf());
      return all.filter((run) => run.sha === sha && (name === null || run.name === name)).reverse();
    },
    async createCheckRun(of, run) {
      const repository = writable(view, of);
      if (repository.git.commit(run.sha) === undefined) return null;
      const id = hub.nextId();
      const { sha, name } = run;
      const url = `https://github.com/${repository.name}/runs/${id}`;
      repository.checkRuns.set(
        id,
        { ...contentOf(run), id, url, sha, name, writtenAt: hub.now() },
        hub.now(),
      );
      return id;
    },
    async updateCheckRun(of, id, content) {
      const { checkRuns } = writable(view, of);
      const run = checkRuns.get(id);
      if (run === undefined) throw new WorldProblem('permanent', `There is no check run ${id}.`);
      checkRuns.set(id, { ...run, ...contentOf(content), writtenAt: hub.now() }, hub.now());
    },
  };
}

function contentOf({ actions: _unread, ...content }: CheckRunContent): Omit<CheckRunContent, 'actions'> {
  return content;
}
