/** People, bots, organisations, teams and the App as GitHub's JSON shows them. */
import type { View } from '../site.ts';
import type { Account, Installation, Repository, Role, Team } from '../state.ts';

/** GitHub's ids for GraphQL: here the kind and the number, which is all that anybody needs to find a thing again. */
export function nodeId(kind: string, id: number): string {
  return `${kind}_kwDO${id}`;
}

/** The number in a node id, or undefined when it is not one of this kind. */
export function idOfNode(kind: string, node: string): number | undefined {
  const match = new RegExp(`^${kind}_kwDO(\\d+)$`).exec(node);
  return match === null ? undefined : Number(match[1]);
}

/** Milliseconds as GitHub writes times: whole seconds, UTC. */
export function timestamp(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}

/** The same, where a time may be missing. */
export function optionalTimestamp(ms: number | null): string | null {
  return ms === null ? null : timestamp(ms);
}

const USER_LINKS = {
  followers_url: '/followers',
  following_url: '/following{/other_user}',
  gists_url: '/gists{/gist_id}',
  starred_url: '/starred{/owner}{/repo}',
  subscriptions_url: '/subscriptions',
  organizations_url: '/orgs',
  repos_url: '/repos',
  events_url: '/events{/privacy}',
  received_events_url: '/received_events',
};

/** A `simple-user`. A login nobody met is GitHub's ghost. */
export function userJson(view: View, login: string): Record<string, unknown> {
  const account = view.state.accounts.get(login.toLowerCase()) ?? ghost(login);
  const url = `${view.api}/users/${encodeURIComponent(account.login)}`;
  const page = account.type === 'Bot' ? `apps/${account.login.replace(/\[bot]$/, '')}` : account.login;
  return {
    login: account.login,
    id: account.id,
    node_id: nodeId(account.type === 'Bot' ? 'BOT' : account.type === 'User' ? 'U' : 'O', account.id),
    avatar_url: `${view.web}/avatars/${account.id}`,
    gravatar_id: '',
    url,
    html_url: `${view.web}/${page}`,
    ...Object.fromEntries(Object.entries(USER_LINKS).map(([name, end]) => [name, url + end])),
    type: account.type,
    user_view_type: 'public',
    site_admin: false,
  };
}

/** The same, where nobody may be named. */
export function optionalUserJson(view: View, login: string | null): Record<string, unknown> | null {
  return login === null ? null : userJson(view, login);
}

/** The `organization` of a webhook. */
export function organizationJson(view: View, login: string): Record<string, unknown> {
  const account = view.state.accounts.get(login.toLowerCase()) ?? ghost(login);
  const url = `${view.api}/orgs/${account.login}`;
  return {
    login: account.login,
    id: account.id,
    node_id: nodeId('O', account.id),
    url,
    repos_url: `${url}/repos`,
    events_url: `${url}/events`,
    hooks_url: `${url}/hooks`,
    issues_url: `${url}/issues`,
    members_url: `${url}/members{/member}`,
    public_members_url: `${url}/public_members{/member}`,
    avatar_url: `${view.web}/avatars/${account.id}`,
    description: null,
  };
}

/** An `integration`: our App, or one that was only ever named by its slug, such as a CI system. */
export function appJson(view: View, slug = view.app.slug): Record<string, unknown> {
  const ours = slug === view.app.slug;
  const bot = view.state.accounts.get(`${slug}[bot]`.toLowerCase());
  return {
    id: ours ? view.app.id : (bot?.id ?? 0),
    slug,
    node_id: nodeId('A', ours ? view.app.id : (bot?.id ?? 0)),
    client_id: ours ? view.app.clientId : `Iv1.${slug}`,
    owner: userJson(view, view.app.owner),
    name: ours ? view.app.name : slug,
    description: '',
    external_url: 'https://example.com',
    html_url: `${view.web}/apps/${slug}`,
    created_at: timestamp(view.app.createdAt),
    updated_at: timestamp(view.app.createdAt),
    permissions: ours ? view.app.permissions : { checks: 'write', metadata: 'read' },
    events: ours ? view.app.events : [],
  };
}

/** An `installation` of the App. */
export function installationJson(view: View, installation: Installation): Record<string, unknown> {
  const account = view.state.accounts.get(installation.account.toLowerCase());
  const url = `${view.api}/app/installations/${installation.id}`;
  return {
    id: installation.id,
    client_id: view.app.clientId,
    account: userJson(view, installation.account),
    repository_selection: installation.repositories === 'all' ? 'all' : 'selected',
    access_tokens_url: `${url}/access_tokens`,
    repositories_url: `${view.api}/installation/repositories`,
    html_url: `${view.web}/organizations/${installation.account}/settings/installations/${installation.id}`,
    app_id: view.app.id,
    app_slug: view.app.slug,
    target_id: account?.id ?? 0,
    target_type: account?.type === 'User' ? 'User' : 'Organization',
    permissions: installation.permissions,
    events: view.app.events,
    created_at: timestamp(installation.createdAt),
    updated_at: timestamp(installation.createdAt),
    single_file_name: null,
    has_multiple_single_files: false,
    single_file_paths: [],
    suspended_by: installation.suspendedAt === null ? null : userJson(view, installation.account),
    suspended_at: optionalTimestamp(installation.suspendedAt),
  };
}

/** A `team-simple` and, with `parent`, a `team`. */
export function teamJson(view: View, team: Team): Record<string, unknown> {
  const url = `${view.api}/organizations/${team.organization}/team/${team.id}`;
  return {
    id: team.id,
    node_id: nodeId('T', team.id),
    name: team.name,
    slug: team.slug,
    description: null,
    privacy: 'closed',
    notification_setting: 'notifications_enabled',
    permission: 'pull',
    type: 'organization',
    url,
    html_url: `${view.web}/orgs/${team.organization}/teams/${team.slug}`,
    members_url: `${url}/members{/member}`,
    repositories_url: `${url}/repos`,
    parent: null,
  };
}

const RANK: Record<Role, number> = { read: 1, triage: 2, write: 3, maintain: 4, admin: 5 };

/** True when a role is at least another one. */
export function atLeast(role: Role | undefined, wanted: Role): boolean {
  return role !== undefined && RANK[role] >= RANK[wanted];
}

/** What a person may do in a repository: what was given, and everybody may read what is public. */
export function roleOf(repository: Repository, login: string): Role | undefined {
  if (repository.owner.toLowerCase() === login.toLowerCase()) return 'admin';
  return repository.collaborators.get(login.toLowerCase()) ?? (repository.private ? undefined : 'read');
}

/** The `author_association` of a person with a repository. */
export function associationOf(view: View, repository: Repository, login: string): string {
  if (repository.owner.toLowerCase() === login.toLowerCase()) return 'OWNER';
  if (!repository.collaborators.has(login.toLowerCase())) return 'NONE';
  const owner = view.state.accounts.get(repository.owner.toLowerCase());
  return owner?.type === 'Organization' ? 'MEMBER' : 'COLLABORATOR';
}

function ghost(login: string): Account {
  return { id: 10_137, login, type: 'User' };
}
