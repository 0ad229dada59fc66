/**
 * A GitHub in memory: git objects with their true ids, branches, pull requests, comments, check runs, issues and labels of
 * some repositories, and what people do to them. Who listens is told of everything as a webhook would tell it.
 */
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BareRepository } from '../sandbox/github/git/bare-repository.ts';
import { isAncestor, mergeBases, range } from '../sandbox/github/git/history.ts';
import { type Edit, editTree, entryAt } from '../sandbox/github/git/tree-walk.ts';
import type { HubEvent, HubFiles, HubIssue, HubPull, HubRepository } from './hub-objects.ts';
import { mergedTree } from './merged-tree.ts';
import { Timeline } from './timeline.ts';

export class MemoryHub {
  readonly repositories = new Map<string, HubRepository>();
  readonly teams = new Map<string, Set<string>>();
  readonly #now: () => number;
  readonly #listeners: ((event: HubEvent) => void)[] = [];
  #lastId = 1000;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Milliseconds since 1970, whole seconds: GitHub writes no others. */
  now(): number {
    return this.#now();
  }

  subscribe(listener: (event: HubEvent) => void): void {
    this.#listeners.push(listener);
  }

  tell(event: HubEvent): void {
    for (const listener of this.#listeners) listener(event);
  }

  nextId(): number {
    this.#lastId += 1;
    return this.#lastId;
  }

  /** The repository `owner/name`, in any case. */
  find(name: string): HubRepository | undefined {
    return this.repositories.get(name.toLowerCase());
  }

  /** The same. Throws when there is none: a mistake in the simulation. */
  get(name: string): HubRepository {
    const found = this.find(name);
    if (found === undefined) throw new Error(`The hub has no repository ${name}.`);
    return found;
  }

  /** Makes a repository with a first commit on `main`. */
  create(name: string, files: HubFiles): HubRepository {
    const git = new BareRepository(join(tmpdir(), 'stepback-simulation-is-never-written', name), 'main');
    const repository: HubRepository = {
      name,
      git,
      isArchived: false,
      refs: new Timeline(),
      pulls: new Timeline(),
      comments: new Timeline(),
      checkRuns: new Timeline(),
      issues: new Timeline(),
      permissions: new Map(),
      requiredChecks: [],
      nextNumber: 1,
    };
    this.repositories.set(name.toLowerCase(), repository);
    const tree = treeWith(git, undefined, files);
    repository.refs.set('main', this.#commit(repository, tree, [], 'First commit', 'maintainer'), this.now());
    return repository;
  }

  /** Somebody commits files on a branch, which is made from `main` when it is new. Gives the commit. */
  push(name: string, change: { branch?: string; by: string; message: string; files: HubFiles }): string {
    const repository = this.get(name);
    const { branch = 'main', by, message, files } = change;
    const parent = repository.refs.get(branch) ?? repository.refs.get('main') ?? '';
    const tree = treeWith(repository.git, repository.git.commit(parent)?.tree, files);
    const sha = this.#commit(repository, tree, [parent], message, by);
    this.moveBranch(repository, branch, sha, by);
    return sha;
  }

  /** Somebody proposes files on a branch of their own. Gives the number of the pull request. */
  propose(name: string, change: { by: string; title: string; branch: string; files: HubFiles }): number {
    const { by, title, branch, files } = change;
    this.push(name, { branch, by, message: title, files });
    return this.openPull(this.get(name), {
      title,
      body: '',
      user: by,
      base: 'main',
      head: branch,
      isDraft: false,
    });
  }

  openPull(
    repository: HubRepository,
    wish: Pick<HubPull, 'title' | 'body' | 'user' | 'base' | 'head' | 'isDraft'>,
  ): number {
    const number = repository.nextNumber;
    repository.nextNumber += 1;
    const pull: HubPull = {
      ...wish,
      number,
      state: 'open',
      headSha: repository.refs.get(wish.head) ?? '',
      mergedAt: null,
      mergedBy: null,
      mergeCommit: null,
      introduced: [],
      labels: [],
      reviewers: [],
      autoMerge: null,
      createdAt: this.now(),
      updatedAt: this.now(),
    };
    repository.pulls.set(number, pull, this.now());
    this.tell({ kind: 'pull-request', repository: repository.name, number, action: 'opened', by: wish.user });
    return number;
  }

  /** Changes a pull request, and says so. */
  editPull(
    repository: HubRepository,
    number: number,
    change: Partial<HubPull>,
    by: string,
    action = 'edited',
  ): void {
    const pull = repository.pulls.get(number);
    if (pull === undefined) throw new Error(`${repository.name} has no pull request #${number}.`);
    repository.pulls.set(number, { ...pull, ...change, updatedAt: this.now() }, this.now());
    this.tell({ kind: 'pull-request', repository: repository.name, number, action, by });
  }

  /** Presses the merge button. False when GitHub does not offer it: closed, a draft, or in conflict. */
  merge(name: string, number: number, by: string, method: 'merge' | 'squash'): boolean {
    const repository = this.get(name);
    const pull = repository.pulls.get(number);
    const base = pull === undefined ? undefined : repository.refs.get(pull.base);
    if (pull === undefined || base === undefined || pull.state === 'closed' || pull.isDraft) return false;
    const tree = repository.isArchived ? null : mergedTree(repository.git, base, pull.headSha);
    if (tree === null) return false;
    const title =
      method === 'squash'
        ? `${pull.title} (#${number})`
        : `Merge pull request #${number} from ${pull.head}\n\n${pull.title}`;
    const parents = method === 'merge' ? [base, pull.headSha] : [base];
    const sha = this.#commit(repository, tree, parents, title, method === 'squash' ? pull.user : by);
    const brought = method === 'merge' ? range(repository.git, [base], [sha]) : [sha];
    const merged = {
      state: 'closed',
      mergedAt: this.now(),
      mergedBy: by,
      mergeCommit: sha,
      introduced: brought,
    } as const;
    this.editPull(repository, number, merged, by, 'closed');
    this.moveBranch(repository, pull.base, sha, by);
    return true;
  }

  /** Sets or (undefined) deletes a branch; open pull requests from it follow. */
  moveBranch(repository: HubRepository, branch: string, sha: string | undefined, by: string): void {
    repository.refs.set(branch, sha, this.now());
    for (const pull of repository.pulls.all()) {
      if (pull.head !== branch || pull.state !== 'open') continue;
      if (sha === undefined) this.editPull(repository, pull.number, { state: 'closed' }, by, 'closed');
      else if (pull.headSha !== sha)
        this.editPull(repository, pull.number, { headSha: sha }, by, 'synchronize');
    }
    if (sha !== undefined) this.#mergeWhatIsIn(repository, branch, sha, by);
    if (sha !== undefined) this.tell({ kind: 'pushed', repository: repository.name, branch, sha, by });
  }

  comment(repository: HubRepository, number: number, user: string, body: string): number {
    const id = this.nextId();
    repository.comments.set(id, { id, number, user, body, createdAt: this.now(), reactions: [] }, this.now());
    this.tell({ kind: 'comment', repository: repository.name, number, commentId: id, by: user });
    return id;
  }

  /** Opens an issue, and says so. Gives its number. */
  openIssue(
    repository: HubRepository,
    { title, body, user, labels }: { title: string; body: string; user: string; labels: readonly string[] },
  ): number {
    const number = repository.nextNumber;
    repository.nextNumber += 1;
    const set = labels.map((name) => ({ name, by: user, at: this.now() }));
    repository.issues.set(number, { number, title, body, user, state: 'open', labels: set }, this.now());
    this.tell({ kind: 'issue', repository: repository.name, number, action: 'opened', by: user });
    return number;
  }

  /** Changes an issue, and says so when it is opened or closed. Throws when there is none. */
  editIssue(repository: HubRepository, number: number, change: Partial<HubIssue>, by: string): void {
    const issue = repository.issues.get(number);
    if (issue === undefined) throw new Error(`${repository.name} has no issue #${number}.`);
    repository.issues.set(number, { ...issue, ...change }, this.now());
    const action = change.state === 'closed' ? 'closed' : change.state === 'open' ? 'reopened' : 'edited';
    this.tell({ kind: 'issue', repository: repository.name, number, action, by });
  }

  /** Writes a commit of nobody's branch. */
  writeCommit(
    repository: HubRepository,
    commit: { tree: string; parents: readonly string[]; message: string; by: string },
  ): string {
    return this.#commit(repository, commit.tree, commit.parents, commit.message, commit.by);
  }

  /** The text of a file at a commit or branch; undefined when it is not there. */
  file(name: string, path: string, at = 'main'): string | undefined {
    const { git, refs } = this.get(name);
    const tree = git.commit(refs.get(at) ?? at)?.tree;
    const entry = tree === undefined ? undefined : entryAt(git, tree, path);
    return entry === undefined ? undefined : git.blob(entry.id)?.toString('utf8');
  }

  /** A pull request whose commits a push brought into its base is merged. */
  #mergeWhatIsIn(repository: HubRepository, branch: string, sha: string, by: string): void {
    for (const pull of repository.pulls.all()) {
      if (pull.base !== branch || pull.state !== 'open' || !isAncestor(repository.git, pull.headSha, sha))
        continue;
      const merged = {
        state: 'closed',
        mergedAt: this.now(),
        mergedBy: by,
        mergeCommit: sha,
        introduced: [pull.headSha, sha],
      } as const;
      this.editPull(repository, pull.number, merged, by, 'closed');
    }
  }

  #commit(
    repository: HubRepository,
    tree: string,
    parents: readonly string[],
    message: string,
    by: string,
  ): string {
    const signature = {
      name: by,
      email: `${by}@users.noreply.github.com`,
      seconds: Math.floor(this.now() / 1000),
      zone: '+0000',
    };
    return repository.git.writeCommit({
      tree,
      parents: [...parents],
      author: signature,
      committer: signature,
      message: `${message}\n`,
    });
  }
}

/** The tree that results from writing files over a tree; null takes a file away. */
export function treeWith(git: BareRepository, tree: string | undefined, files: HubFiles): string {
  const edits = Object.entries(files).map(([path, text]): [string, Edit] => [
    path,
    text === null ? null : { mode: '100644', id: git.writeBlob(Buffer.from(text)) },
  ]);
  return editTree(git, tree, new Map(edits));
}

/** The best common ancestor of two commits; undefined when their histories never met. */
export function mergeBaseOf(git: BareRepository, one: string, other: string): string | undefined {
  return mergeBases(git, one, other)[0];
}
