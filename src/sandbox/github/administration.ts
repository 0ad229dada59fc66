/**
 * What owners and administrators do: repositories and their settings, who may do what, where the App is installed.
 * Repositories are named `owner/name` throughout.
 */
import { readFileSync } from 'node:fs';
import { pushBranch } from './acts/pulls.ts';
import { setRefQuietly } from './acts/refs.ts';
import { type Edit, editTree } from './git/tree-walk.ts';
import { Looks } from './looks.ts';
import type { Site } from './site.ts';
import { type Account, fullName, type Installation, type Repository, type Role } from './state.ts';

/** Files of a commit: text or bytes; null takes the file away; a mode other than 100644 is given with the content. */
export type Files = Record<string, string | Uint8Array | null | FileWithMode>;
/** `content` of a submodule (160000) is the commit it points at. */
type FileWithMode = { mode: '100644' | '100755' | '120000' | '160000'; content: string | Uint8Array };

export type RepositoryWish = {
  owner: string;
  name: string;
  /** `main` by default. */
  defaultBranch?: string;
  /** The first commit, made without a webhook. */
  files?: Files;
  message?: string;
  /** Who makes the first commit; `maintainer` by default. */
  author?: string;
  ownerType?: 'Organization' | 'User';
  private?: boolean;
  /** Login to role. */
  collaborators?: Record<string, Role>;
  /** False leaves the App out of an owner it is not installed on yet. */
  installed?: boolean;
};

/** The tree that results from writing files over a tree. */
export function treeWith(site: Site, repository: Repository, tree: string | undefined, files: Files): string {
  const git = site.git(repository);
  const edits = Object.entries(files).map(([path, file]): [string, Edit] => {
    if (file === null) return [path, null];
    const plain = typeof file === 'string' || file instanceof Uint8Array;
    const { mode, content } = plain ? { mode: '100644', content: file } : file;
    if (mode === '160000') return [path, { mode, id: String(content) }];
    return [path, { mode, id: git.writeBlob(Buffer.from(content as string)) }];
  });
  return editTree(git, tree, new Map(edits));
}

/** A small GitHub with owners and administrators. */
export class Administration extends Looks {
  #makeRepository(wish: RepositoryWish): Repository {
    const owner = this.site.meet(wish.owner, wish.ownerType ?? 'Organization');
    const now = this.site.now();
    const repository: Repository = {
      id: this.site.nextId(),
      owner: owner.login,
      name: wish.name,
      description: null,
      defaultBranch: wish.defaultBranch ?? 'main',
      private: wish.private ?? true,
      archived: false,
      createdAt: now,
      pushedAt: now,
      updatedAt: now,
      refs: new Map(),
      renamedBranches: new Map(),
      rules: new Map(),
      allow: { merge: true, squash: true, rebase: true, autoMerge: true },
      deleteBranchOnMerge: false,
      collaborators: new Map(),
      labels: new Map(),
      nextNumber: 1,
      issues: new Map(),
      pulls: new Map(),
      comments: new Map(),
      checkRuns: new Map(),
    };
    this.site.makeGit(repository);
    this.site.state.repositories.set(repository.id, repository);
    for (const [login, role] of Object.entries(wish.collaborators ?? {}))
      this.addCollaborator(fullName(repository), login, role);
    const installed = [...this.site.state.installations.values()].some((one) => one.account === owner.login);
    if (wish.installed !== false && !installed) this.install(owner.login);
    return repository;
  }

  /** Makes a repository with a first commit of `files` (none: empty). Returns `owner/name`. */
  createRepository(wish: RepositoryWish): string {
    const repository = this.#makeRepository(wish);
    if (wish.files !== undefined) {
      const author = this.site.signature(wish.author ?? 'maintainer');
      const tree = treeWith(this.site, repository, undefined, wish.files);
      const message = `${wish.message ?? 'First commit'}\n`;
      const sha = this.site
        .git(repository)
        .writeCommit({ tree, parents: [], author, committer: author, message });
      setRefQuietly(this.site, repository, `refs/heads/${repository.defaultBranch}`, sha);
    }
    return fullName(repository);
  }

  /** Makes a repository from a `git fast-export` stream; branches and tags come along, remotes do not. */
  importRepository(wish: Omit<RepositoryWish, 'files'> & { fastExportFile: string }): string {
    const repository = this.#makeRepository(wish);
    const git = this.site.git(repository);
    const stream = readFileSync(wish.fastExportFile);
    // Loose objects rather than a pack, which is how they are read here.
    git.git(['-c', 'fastimport.unpackLimit=1000000000', 'fast-import', '--quiet', '--force'], stream);
    const refs = git.git(['for-each-ref', '--format=%(objectname) %(refname)']).toString('utf8');
    for (const line of refs.split('\n').filter(Boolean)) {
      const [sha, name] = line.split(' ') as [string, string];
      if (/^refs\/(heads|tags)\//.test(name)) repository.refs.set(name, sha);
      else git.git(['update-ref', '-d', name]);
    }
    return fullName(repository);
  }

  /** Makes a person (or gives one a name and an address), so that commits are shown as theirs. */
  addPerson(person: { login: string; name?: string; email?: string; type?: Account['type'] }): void {
    Object.assign(this.site.meet(person.login, person.type), person);
  }

  /** Gives a person a role in a repository; undefined takes it away. */
  addCollaborator(repo: string, login: string, role: Role | undefined): void {
    this.site.meet(login);
    if (role === undefined) this.find(repo).collaborators.delete(login.toLowerCase());
    else this.find(repo).collaborators.set(login.toLowerCase(), role);
  }

  /** Makes a team, or sets its members. */
  addTeam(organization: string, slug: string, members: readonly string[]): void {
    const key = `${organization}/${slug}`.toLowerCase();
    const id = this.site.state.teams.get(key)?.id ?? this.site.nextId();
    const roles = new Map(members.map((login) => [this.site.meet(login).login.toLowerCase(), 'member']));
    this.site.state.teams.set(key, { id, organization, slug, name: slug, members: roles });
  }

  /** Installs the App on an account, on all its repositories unless some are named. Returns the installation's id. */
  install(
    account: string,
    values: { repositories?: string[]; permissions?: Record<string, string> } = {},
  ): number {
    const installation: Installation = {
      id: this.site.nextId(),
      account: this.site.meet(account, 'Organization').login,
      repositories: values.repositories?.map((repo) => this.find(repo).id) ?? 'all',
      permissions: { ...(values.permissions ?? this.site.app.permissions) },
      createdAt: this.site.now(),
      suspendedAt: null,
    };
    this.site.state.installations.set(installation.id, installation);
    const repositories = [...this.site.state.repositories.values()]
      .filter((one) => one.owner === installation.account)
      .map((one) => ({
        id: one.id,
        node_id: `R_${one.id}`,
        name: one.name,
        full_name: fullName(one),
        private: one.private,
      }));
    this.#announceInstallation(installation, 'created', { repositories });
    return installation.id;
  }

  #installationOn(account: string): Installation {
    const found = [...this.site.state.installations.values()].find(
      (one) => one.account.toLowerCase() === account.toLowerCase(),
    );
    if (found === undefined) throw new Error(`The App is not installed on ${account}.`);
    return found;
  }

  #announceInstallation(
    installation: Installation,
    action: string,
    payload: Record<string, unknown> = {},
  ): void {
    this.site.announce({
      event: 'installation',
      action,
      installation,
      sender: installation.account,
      payload,
    });
  }

  /** Takes the App off an account; its tokens are worthless at once. */
  uninstall(account: string): void {
    const installation = this.#installationOn(account);
    this.site.state.installations.delete(installation.id);
    this.#announceInstallation(installation, 'deleted', { repositories: [] });
  }

  /** Suspends the App on an account, or lets it work again. */
  suspend(account: string, suspended = true): void {
    const installation = this.#installationOn(account);
    installation.suspendedAt = suspended ? this.site.now() : null;
    this.#announceInstallation(installation, suspended ? 'suspend' : 'unsuspend');
  }

  /** Sets which permissions an account has granted, as `{ contents: 'write' }`; tokens already out lose them too. */
  grant(account: string, permissions: Record<string, string>): void {
    this.#installationOn(account).permissions = { ...permissions };
  }

  /** Narrows an installation to these repositories. */
  selectRepositories(account: string, repos: readonly string[]): void {
    this.#installationOn(account).repositories = repos.map((repo) => this.find(repo).id);
  }

  /** Sets what must hold on a branch. Without rules GitHub offers no auto-merge there. */
  protectBranch(
    repo: string,
    branch: string,
    rules: { requiredChecks?: string[]; signedCommits?: boolean },
  ): void {
    this.find(repo).rules.set(branch, { requiredChecks: [], signedCommits: false, ...rules });
  }

  /** Changes which merges are allowed, whether branches vanish after a merge, whether the repository is private. */
  setRepository(
    repo: string,
    values: {
      allow?: Partial<Repository['allow']>;
      deleteBranchOnMerge?: boolean;
      private?: boolean;
      archived?: boolean;
    },
  ): void {
    const repository = this.find(repo);
    const { allow, ...rest } = values;
    Object.assign(repository, rest);
    Object.assign(repository.allow, allow);
  }

  /** Renames a branch as GitHub does: pull requests follow, the old name is redirected where branches are read. */
  renameBranch(repo: string, from: string, to: string, by: string): void {
    const repository = this.find(repo);
    const sha = repository.refs.get(`refs/heads/${from}`);
    if (sha === undefined) throw new Error(`${repo} has no branch ${from}.`);
    for (const pull of repository.pulls.values()) {
      if (pull.baseRef === from) pull.baseRef = to;
      if (pull.headRef === from && pull.headOwner === null) pull.headRef = to;
    }
    const actor = { login: by, viaApp: false };
    pushBranch(this.site, repository, actor, to, sha);
    if (repository.defaultBranch === from) {
      repository.defaultBranch = to;
      this.site.git(repository).writeHead(to);
    }
    pushBranch(this.site, repository, actor, from, undefined);
    repository.renamedBranches.set(from, to);
  }

  /** Renames a repository; the old name redirects to its id. Its directory stays where it is. */
  renameRepository(repo: string, name: string): string {
    const repository = this.find(repo);
    this.site.state.formerNames.set(fullName(repository).toLowerCase(), repository.id);
    repository.name = name;
    return fullName(repository);
  }
}
