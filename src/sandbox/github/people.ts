/**
 * What people (and other bots) do, each act with its webhook. `by` is a login; `[bot]` at its end makes it a bot.
 * Nothing here asks whether they may: a story knows what its people are allowed.
 */
import { createCheckRun, pressButton, updateCheckRun } from './acts/checks.ts';
import {
  addComment,
  addLabels,
  deleteComment,
  editComment,
  editIssue,
  openIssue,
  react,
  removeLabel,
} from './acts/issues.ts';
import { mergePull } from './acts/merge.ts';
import { markReady, openPull, pushBranch, setPullState } from './acts/pulls.ts';
import { Administration, type Files, treeWith } from './administration.ts';
import { range } from './git/history.ts';
import type { Actor } from './site.ts';
import {
  branchHead,
  type CheckRun,
  type Comment,
  type Issue,
  type MergeMethod,
  type PullRequest,
  type Repository,
} from './state.ts';

export type CommitWish = {
  /** A login; its account's name and address sign the commit. */
  author: string;
  message: string;
  files: Files;
  /** Milliseconds; now by default. */
  date?: number;
};

/** Finds a check run: by id, or the newest of this name on a commit. */
export type CheckRunChoice = { id: number } | { name: string; sha: string };

/** A small GitHub with people on it. */
export class People extends Administration {
  /** Commits and pushes in one go; returns the commits, oldest first. A branch that is not there begins at `from`. */
  commitAll(
    repo: string,
    wish: { branch?: string; from?: string; by?: string; commits: readonly CommitWish[] },
  ): string[] {
    const repository = this.find(repo);
    const branch = wish.branch ?? repository.defaultBranch;
    const made = this.#write(
      repository,
      branchHead(repository, branch) ?? this.#startOf(repository, wish.from),
      wish.commits,
    );
    const by = wish.by ?? wish.commits.at(-1)?.author ?? repository.owner;
    pushBranch(this.site, repository, this.#person(by), branch, made.at(-1));
    return made;
  }

  /** Commits on top of one another, on no branch yet. */
  #write(repository: Repository, start: string | undefined, commits: readonly CommitWish[]): string[] {
    const git = this.site.git(repository);
    let tip = start;
    return commits.map(({ author, message, files, date }) => {
      const signature = this.site.signature(author, date ?? this.site.now());
      const before = tip === undefined ? undefined : git.commit(tip)?.tree;
      const tree = treeWith(this.site, repository, before, files);
      const parents = tip === undefined ? [] : [tip];
      tip = git.writeCommit({
        tree,
        parents,
        author: signature,
        committer: signature,
        message: ended(message),
      });
      return tip;
    });
  }

  /** Opens a pull request between two branches that exist; returns its number. */
  openPullRequest(
    repo: string,
    wish: { by: string; head: string; base?: string; title: string; body?: string; draft?: boolean },
  ): number {
    const repository = this.find(repo);
    const base = wish.base ?? repository.defaultBranch;
    for (const branch of [wish.head, base]) {
      if (branchHead(repository, branch) === undefined) throw new Error(`${repo} has no branch ${branch}.`);
    }
    const { by, title, head, body = null, draft = false } = wish;
    return openPull(this.site, repository, this.#person(by), { title, body, head, base, draft }).number;
  }

  /** Commits to a branch (the default one) and pushes; returns the commit. */
  commit(repo: string, { branch, from, ...wish }: CommitWish & { branch?: string; from?: string }): string {
    return this.commitAll(repo, { branch, from, commits: [wish] })[0] as string;
  }

  /** Moves, makes or (null) deletes a branch, as a push of commits that are there already. */
  push(repo: string, { branch, sha, by }: { branch: string; sha: string | null; by: string }): void {
    const repository = this.find(repo);
    if (sha !== null && this.site.git(repository).commit(sha) === undefined)
      throw new Error(`${repo} has no commit ${sha}.`);
    pushBranch(this.site, repository, this.#person(by), branch, sha ?? undefined);
  }

  /** A branch with one commit and a pull request for it; returns its number. */
  propose(
    repo: string,
    wish: { by: string; branch: string; title: string; body?: string; files: Files; base?: string },
  ): number {
    const { by, branch, title, body, files, base } = wish;
    this.commitAll(repo, { branch, from: base, commits: [{ author: by, message: title, files }] });
    return this.openPullRequest(repo, { by, head: branch, base, title, body });
  }

  /** The same from a fork of theirs, as strangers do it. */
  proposeFromFork(
    repo: string,
    wish: { by: string; branch: string; title: string; body?: string; files: Files },
  ): number {
    const { by, branch, title, body = null, files } = wish;
    const repository = this.find(repo);
    const base = repository.defaultBranch;
    const [sha = ''] = this.#write(repository, branchHead(repository, base), [
      { author: by, message: title, files },
    ]);
    const values = { title, body, head: branch, base, draft: false, fork: { owner: by, sha } };
    return openPull(this.site, repository, this.#person(by), values).number;
  }

  /** Presses the merge button. Throws what GitHub would answer when it cannot be. Returns the new head of the base. */
  mergePullRequest(repo: string, number: number, wish: { by: string; method?: MergeMethod }): string {
    const repository = this.find(repo);
    const method = wish.method ?? 'merge';
    return mergePull(this.site, repository, this.#person(wish.by), pullOf(repository, number), { method });
  }

  closePullRequest(repo: string, number: number, by: string): void {
    const repository = this.find(repo);
    setPullState(this.site, repository, this.#person(by), pullOf(repository, number), 'closed');
  }

  reopenPullRequest(repo: string, number: number, by: string): void {
    const repository = this.find(repo);
    setPullState(this.site, repository, this.#person(by), pullOf(repository, number), 'open');
  }

  markReadyForReview(repo: string, number: number, by: string): void {
    const repository = this.find(repo);
    markReady(this.site, repository, this.#person(by), pullOf(repository, number));
  }

  /** Opens an issue; returns its number. */
  openIssue(repo: string, wish: { by: string; title: string; body?: string; labels?: string[] }): number {
    const { by, title, body = null, labels = [] } = wish;
    return openIssue(this.site, this.find(repo), this.#person(by), { title, body, labels }).number;
  }

  /** Changes the title or body of an issue or a pull request, or closes or opens an issue. */
  edit(
    repo: string,
    number: number,
    wish: { by: string; title?: string; body?: string; state?: 'open' | 'closed' },
  ): void {
    const repository = this.find(repo);
    const { by, ...values } = wish;
    editIssue(this.site, repository, this.#person(by), issueOfNumber(repository, number), values);
  }

  label(repo: string, number: number, name: string, by: string): void {
    const repository = this.find(repo);
    addLabels(this.site, repository, this.#person(by), issueOfNumber(repository, number), [name]);
  }

  unlabel(repo: string, number: number, name: string, by: string): void {
    const repository = this.find(repo);
    removeLabel(this.site, repository, this.#person(by), issueOfNumber(repository, number), name);
  }

  /** Comments on an issue or a pull request; returns the comment's id. */
  comment(repo: string, number: number, wish: { by: string; body: string }): number {
    const repository = this.find(repo);
    return addComment(
      this.site,
      repository,
      this.#person(wish.by),
      issueOfNumber(repository, number),
      wish.body,
    ).id;
  }

  editComment(repo: string, id: number, wish: { by: string; body: string }): void {
    const repository = this.find(repo);
    editComment(this.site, repository, this.#person(wish.by), commentOf(repository, id), wish.body);
  }

  deleteComment(repo: string, id: number, by: string): void {
    const repository = this.find(repo);
    deleteComment(this.site, repository, this.#person(by), commentOf(repository, id));
  }

  react(repo: string, commentId: number, content: string, by: string): void {
    react(this.site, this.#person(by), commentOf(this.find(repo), commentId).reactions, content);
  }

  /** Presses a button of a check run; without an identifier, "Re-run". Throws when the run has no such button. */
  clickCheckAction(repo: string, choice: CheckRunChoice, wish: { by: string; identifier?: string }): void {
    const repository = this.find(repo);
    const run = runOf(repository, choice);
    const { identifier } = wish;
    if (identifier !== undefined && !run.actions.some((action) => action.identifier === identifier)) {
      throw new Error(`The check run ${run.name} has no button ${identifier}.`);
    }
    pressButton(this.site, repository, this.#person(wish.by), run, identifier);
  }

  /** Another App (`ci`) reports a check; the same name on the same commit is updated. Returns its id. */
  reportCheck(
    repo: string,
    wish: { app?: string; sha: string; name: string; conclusion?: string; summary?: string },
  ): number {
    const repository = this.find(repo);
    const { app = 'ci', sha, name, conclusion, summary } = wish;
    const status = conclusion === undefined ? ('in_progress' as const) : undefined;
    const known = [...repository.checkRuns.values()].find(
      (run) => run.app === app && run.name === name && run.headSha === sha,
    );
    if (known === undefined) {
      return createCheckRun(this.site, repository, app, { name, headSha: sha, status, conclusion, summary })
        .id;
    }
    updateCheckRun(this.site, repository, known, { status, conclusion, summary });
    return known.id;
  }

  /** Commits that a branch has and another (the default one) lacks, newest first. */
  commitsBetween(repo: string, base: string, head: string): string[] {
    const repository = this.find(repo);
    const id = (name: string) => branchHead(repository, name) ?? name;
    return range(this.site.git(repository), [id(base)], [id(head)]);
  }

  #startOf(repository: Repository, from: string | undefined): string | undefined {
    if (from === undefined) return branchHead(repository, repository.defaultBranch);
    return branchHead(repository, from) ?? from;
  }

  /** Somebody about to do something. */
  #person(login: string): Actor {
    this.site.beforeChange();
    return { login: this.site.meet(login).login, viaApp: false };
  }
}

function ended(message: string): string {
  return message.endsWith('\n') ? message : `${message}\n`;
}

function pullOf(repository: Repository, number: number): PullRequest {
  const pull = repository.pulls.get(number);
  if (pull === undefined) throw new Error(`${repository.name} has no pull request #${number}.`);
  return pull;
}

function issueOfNumber(repository: Repository, number: number): Issue {
  const issue = repository.issues.get(number);
  if (issue === undefined) throw new Error(`${repository.name} has no issue or pull request #${number}.`);
  return issue;
}

function commentOf(repository: Repository, id: number): Comment {
  const comment = repository.comments.get(id);
  if (comment === undefined) throw new Error(`${repository.name} has no comment ${id}.`);
  return comment;
}

function runOf(repository: Repository, choice: CheckRunChoice): CheckRun {
  const runs = [...repository.checkRuns.values()].reverse();
  const run =
    'id' in choice
      ? repository.checkRuns.get(choice.id)
      : runs.find((one) => one.name === choice.name && one.headSha === choice.sha);
  if (run === undefined)
    throw new Error(`${repository.name} has no such check run: ${JSON.stringify(choice)}.`);
  return run;
}
