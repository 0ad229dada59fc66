/** Repositories and refs as GitHub's JSON shows them. */
import { typeOfMode } from '../git/objects.ts';
import type { View } from '../site.ts';
import { fullName, type Repository } from '../state.ts';
import { nodeId, timestamp, userJson } from './accounts.ts';

const REPOSITORY_LINKS = {
  archive_url: '/{archive_format}{/ref}',
  assignees_url: '/assignees{/user}',
  blobs_url: '/git/blobs{/sha}',
  branches_url: '/branches{/branch}',
  collaborators_url: '/collaborators{/collaborator}',
  comments_url: '/comments{/number}',
  commits_url: '/commits{/sha}',
  compare_url: '/compare/{base}...{head}',
  contents_url: '/contents/{+path}',
  contributors_url: '/contributors',
  deployments_url: '/deployments',
  downloads_url: '/downloads',
  events_url: '/events',
  forks_url: '/forks',
  git_commits_url: '/git/commits{/sha}',
  git_refs_url: '/git/refs{/sha}',
  git_tags_url: '/git/tags{/sha}',
  hooks_url: '/hooks',
  issue_comment_url: '/issues/comments{/number}',
  issue_events_url: '/issues/events{/number}',
  issues_url: '/issues{/number}',
  keys_url: '/keys{/key_id}',
  labels_url: '/labels{/name}',
  languages_url: '/languages',
  merges_url: '/merges',
  milestones_url: '/milestones{/number}',
  notifications_url: '/notifications{?since,all,participating}',
  pulls_url: '/pulls{/number}',
  releases_url: '/releases{/id}',
  stargazers_url: '/stargazers',
  statuses_url: '/statuses/{sha}',
  subscribers_url: '/subscribers',
  subscription_url: '/subscription',
  tags_url: '/tags',
  teams_url: '/teams',
  trees_url: '/git/trees{/sha}',
};

/** The address of a repository in the API. */
export function repositoryUrl(view: View, repository: Repository): string {
  return `${view.api}/repos/${fullName(repository)}`;
}

/** The address of a repository for a browser. */
export function repositoryPage(view: View, repository: Repository): string {
  return `${view.web}/${fullName(repository)}`;
}

/** What every form of a repository has: `minimal-repository` and more. */
export function repositoryJson(view: View, repository: Repository): Record<string, unknown> {
  const url = repositoryUrl(view, repository);
  const page = repositoryPage(view, repository);
  const host = new URL(view.web).host;
  const open = [...repository.issues.values()].filter((issue) => issue.state === 'open').length;
  return {
    id: repository.id,
    node_id: nodeId('R', repository.id),
    name: repository.name,
    full_name: fullName(repository),
    owner: userJson(view, repository.owner),
    private: repository.private,
    visibility: repository.private ? 'private' : 'public',
    html_url: page,
    description: repository.description,
    fork: false,
    url,
    ...Object.fromEntries(Object.entries(REPOSITORY_LINKS).map(([name, end]) => [name, url + end])),
    git_url: `git://${host}/${fullName(repository)}.git`,
    ssh_url: `git@${host}:${fullName(repository)}.git`,
    clone_url: `${page}.git`,
    svn_url: page,
    mirror_url: null,
    homepage: null,
    language: null,
    license: null,
    topics: [],
    size: 0,
    forks: 0,
    forks_count: 0,
    stargazers_count: 0,
    watchers: 0,
    watchers_count: 0,
    open_issues: open,
    open_issues_count: open,
    default_branch: repository.defaultBranch,
    is_template: false,
    has_issues: true,
    has_projects: true,
    has_wiki: true,
    has_pages: false,
    has_downloads: true,
    has_discussions: false,
    archived: repository.archived,
    disabled: false,
    allow_forking: true,
    web_commit_signoff_required: false,
    pushed_at: timestamp(repository.pushedAt),
    created_at: timestamp(repository.createdAt),
    updated_at: timestamp(repository.updatedAt),
  };
}

/** A `full-repository`, as `GET /repos/{owner}/{repo}` answers. */
export function fullRepositoryJson(view: View, repository: Repository): Record<string, unknown> {
  return {
    ...repositoryWithSettingsJson(view, repository),
    permissions: { admin: false, maintain: false, push: true, triage: false, pull: true },
    subscribers_count: 0,
    network_count: 0,
    organization: userJson(view, repository.owner),
  };
}

/** A `repository`, as pull requests carry it. */
export function repositoryWithSettingsJson(view: View, repository: Repository): Record<string, unknown> {
  return {
    ...repositoryJson(view, repository),
    allow_merge_commit: repository.allow.merge,
    allow_squash_merge: repository.allow.squash,
    allow_rebase_merge: repository.allow.rebase,
    allow_auto_merge: repository.allow.autoMerge,
    delete_branch_on_merge: repository.deleteBranchOnMerge,
  };
}

/** The repository of a push webhook, which writes two times in seconds and names the owner twice. */
export function pushedRepositoryJson(view: View, repository: Repository): Record<string, unknown> {
  const owner = view.state.accounts.get(repository.owner.toLowerCase());
  return {
    ...repositoryJson(view, repository),
    owner: { name: repository.owner, email: null, ...userJson(view, repository.owner) },
    created_at: Math.floor(repository.createdAt / 1000),
    pushed_at: Math.floor(repository.pushedAt / 1000),
    stargazers: 0,
    master_branch: repository.defaultBranch,
    ...(owner?.type === 'Organization' ? { organization: repository.owner } : {}),
  };
}

/** A `git-ref`. */
export function refJson(
  view: View,
  repository: Repository,
  name: string,
  sha: string,
): Record<string, unknown> {
  const url = repositoryUrl(view, repository);
  const type = view.site.git(repository).read(sha)?.type ?? 'commit';
  return {
    ref: name,
    node_id: nodeId('REF', repository.id) + Buffer.from(name).toString('base64url'),
    url: `${url}/git/${name}`,
    object: { sha, type, url: `${url}/git/${type}s/${sha}` },
  };
}

/** One entry of a `git-tree`. `size` is the size of a blob in bytes. */
export function treeEntryJson(
  view: View,
  repository: Repository,
  entry: { path: string; mode: string; id: string },
): Record<string, unknown> {
  const type = typeOfMode(entry.mode);
  const url = repositoryUrl(view, repository);
  const base = { path: entry.path, mode: entry.mode, type, sha: entry.id };
  if (type === 'commit') return base;
  if (type === 'tree') return { ...base, url: `${url}/git/trees/${entry.id}` };
  const size = view.site.git(repository).blob(entry.id)?.length ?? 0;
  return { ...base, size, url: `${url}/git/blobs/${entry.id}` };
}
