/** What there is to see, for a page, a story or a test that does not want to go through HTTP. Values are copies. */
import { range } from './git/history.ts';
import { type Signature, subjectOf, TREE_MODE, typeOfMode } from './git/objects.ts';
import { changedFilesWithLines, type FileChangeWithLines } from './git/tree-diff.ts';
import { entryAt } from './git/tree-walk.ts';
import { filesOfCommit, verificationJson } from './json/commits.ts';
import { issuePage } from './json/issues.ts';
import { filesOfPull } from './json/pulls.ts';
import type { Site } from './site.ts';
import {
  branchHead,
  type CheckRun,
  type Issue,
  type PullRequest,
  type Repository,
  repositoryNamed,
} from './state.ts';

export type SeenIssue = {
  number: number;
  title: string;
  body: string;
  user: string;
  state: 'open' | 'closed';
  labels: string[];
  createdAt: number;
  updatedAt: number;
  closedAt: number | null;
  closedBy: string | null;
  url: string;
};

export type SeenPullRequest = Omit<SeenIssue, 'state'> & {
  state: 'open' | 'closed' | 'merged';
  draft: boolean;
  head: { ref: string; sha: string };
  base: { ref: string; sha: string };
  reviewers: string[];
  teamReviewers: string[];
  mergedAt: number | null;
  mergedBy: string | null;
  mergeSha: string | null;
  autoMerge: string | null;
};

export type SeenComment = {
  id: number;
  user: string;
  body: string;
  createdAt: number;
  updatedAt: number;
  reactions: { user: string; content: string }[];
};

export type SeenCommit = {
  sha: string;
  parents: string[];
  subject: string;
  message: string;
  author: Signature;
  committer: Signature;
  verified: boolean;
};

/** The part of a small GitHub that only looks. */
export class Looks {
  protected readonly site: Site;

  constructor(site: Site) {
    this.site = site;
  }

  /** `owner/name` of every repository. */
  repositories(): string[] {
    return [...this.site.state.repositories.values()].map((one) => `${one.owner}/${one.name}`);
  }

  defaultBranch(repo: string): string {
    return this.find(repo).defaultBranch;
  }

  /** Branch to commit. */
  branches(repo: string): Record<string, string> {
    const heads = [...this.find(repo).refs].filter(([name]) => name.startsWith('refs/heads/'));
    return Object.fromEntries(heads.map(([name, sha]) => [name.slice('refs/heads/'.length), sha]));
  }

  /** The commit a branch is on, or undefined. */
  head(repo: string, branch = this.find(repo).defaultBranch): string | undefined {
    return branchHead(this.find(repo), branch);
  }

  /** Pull requests by number, all of them. */
  pullRequests(repo: string): SeenPullRequest[] {
    const repository = this.find(repo);
    return [...repository.pulls.values()].map((pull) => seePull(this.site, repository, pull));
  }

  pullRequest(repo: string, number: number): SeenPullRequest | undefined {
    const repository = this.find(repo);
    const pull = repository.pulls.get(number);
    return pull === undefined ? undefined : seePull(this.site, repository, pull);
  }

  /** Issues that are not pull requests. */
  issues(repo: string): SeenIssue[] {
    const repository = this.find(repo);
    return [...repository.issues.values()]
      .filter((issue) => !repository.pulls.has(issue.number))
      .map((issue) => seeIssue(this.site, repository, issue));
  }

  /** Comments of an issue or pull request, oldest first. */
  comments(repo: string, number: number): SeenComment[] {
    return [...this.find(repo).comments.values()]
      .filter((comment) => comment.issueNumber === number)
      .map(({ id, user, body, createdAt, updatedAt, reactions }) => {
        return {
          id,
          user,
          body,
          createdAt,
          updatedAt,
          reactions: reactions.map((one) => ({ user: one.user, content: one.content })),
        };
      });
  }

  /** Check runs of a commit, or of the whole repository, oldest first. */
  checkRuns(repo: string, sha?: string): CheckRun[] {
    const runs = [...this.find(repo).checkRuns.values()].filter(
      (run) => sha === undefined || run.headSha === sha,
    );
    return structuredClone(runs);
  }

  /** Commits reachable from a branch or commit (or from all branches), newest first. */
  commits(repo: string, from?: string, max = 100): SeenCommit[] {
    const repository = this.find(repo);
    const git = this.site.git(repository);
    const heads = [...repository.refs]
      .filter(([name]) => name.startsWith('refs/heads/'))
      .map(([, sha]) => sha);
    const ids = range(git, [], from === undefined ? heads : [idOf(repository, from)]).slice(0, max);
    return ids.flatMap((sha) => {
      const commit = git.commit(sha);
      if (commit === undefined) return [];
      const { parents, message, author, committer } = commit;
      const verified = verificationJson(commit).verified === true;
      return [{ sha, parents, subject: subjectOf(message), message, author, committer, verified }];
    });
  }

  /** What a commit changed against its first parent. */
  filesOfCommit(repo: string, sha: string): FileChangeWithLines[] {
    return filesOfCommit(this.site.view(), this.find(repo), sha);
  }

  /** What a pull request changes. */
  filesOfPullRequest(repo: string, number: number): FileChangeWithLines[] {
    const repository = this.find(repo);
    const pull = repository.pulls.get(number);
    return pull === undefined ? [] : filesOfPull(this.site.view(), repository, pull);
  }

  /** What differs between two commits or branches, file by file. */
  filesBetween(repo: string, before: string, after: string): FileChangeWithLines[] {
    const repository = this.find(repo);
    const git = this.site.git(repository);
    const tree = (name: string) => git.commit(idOf(repository, name))?.tree ?? '';
    return changedFilesWithLines(git, tree(before), tree(after));
  }

  /** The text of a file on a branch or at a commit, or undefined. */
  file(repo: string, path: string, at = this.find(repo).defaultBranch): string | undefined {
    const repository = this.find(repo);
    const git = this.site.git(repository);
    const tree = git.commit(idOf(repository, at))?.tree;
    const entry = tree === undefined ? undefined : entryAt(git, tree, path);
    return entry === undefined ? undefined : git.blob(entry.id)?.toString('utf8');
  }

  /** The commit that a branch, a tag, HEAD or a commit's id names now, or undefined. */
  resolve(repo: string, revision: string): string | undefined {
    const { refs, defaultBranch } = this.find(repo);
    const name = revision === 'HEAD' || revision === '' ? defaultBranch : revision;
    const id = refs.get(name) ?? refs.get(`refs/heads/${name}`) ?? refs.get(`refs/tags/${name}`) ?? name;
    return this.site.git(this.find(repo)).commit(id) === undefined ? undefined : id;
  }

  /** The files directly in a folder at a commit, name to text; undefined when there is no such folder. */
  folder(repo: string, sha: string, path: string): Map<string, string> | undefined {
    const git = this.site.git(this.find(repo));
    const tree = git.commit(sha)?.tree;
    const folder = tree === undefined ? undefined : entryAt(git, tree, path.replace(/^\.(\/|$)/, ''));
    if (folder?.mode !== TREE_MODE) return undefined;
    const files = (git.tree(folder.id) ?? []).filter(({ mode }) => typeOfMode(mode) === 'blob');
    return new Map(files.map(({ name, id }) => [name, git.blob(id)?.toString('utf8') ?? '']));
  }

  /** Where the bare repository lies on the disk; from now on it is kept up to date there. */
  gitDirectory(repo: string): string {
    const git = this.site.git(this.find(repo));
    git.watch();
    return git.directory;
  }

  /** The repository of this name. Throws when there is none: a mistake in the test or the story. */
  protected find(repo: string): Repository {
    const [owner = '', name = ''] = repo.split('/');
    const repository = repositoryNamed(this.site.state, owner, name);
    if (repository === undefined) throw new Error(`The small GitHub has no repository ${repo}.`);
    return repository;
  }
}

function seeIssue(site: Site, repository: Repository, issue: Issue): SeenIssue {
  const { number, title, user, state, createdAt, updatedAt, closedAt, closedBy } = issue;
  const url = issuePage(site.view(), repository, number);
  const labels = [...issue.labels];
  return {
    number,
    title,
    body: issue.body ?? '',
    user,
    state,
    labels,
    createdAt,
    updatedAt,
    closedAt,
    closedBy,
    url,
  };
}

function seePull(site: Site, repository: Repository, pull: PullRequest): SeenPullRequest {
  const issue = seeIssue(site, repository, repository.issues.get(pull.number) as Issue);
  return {
    ...issue,
    state: pull.mergedAt === null ? issue.state : 'merged',
    draft: pull.draft,
    head: { ref: pull.headRef, sha: pull.headSha },
    base: { ref: pull.baseRef, sha: pull.baseSha },
    reviewers: [...pull.reviewers],
    teamReviewers: [...pull.teamReviewers],
    mergedAt: pull.mergedAt,
    mergedBy: pull.mergedBy,
    mergeSha: pull.mergeSha,
    autoMerge: pull.autoMerge?.method ?? null,
  };
}

function idOf(repository: Repository, name: string): string {
  return branchHead(repository, name) ?? repository.refs.get(name) ?? name;
}
