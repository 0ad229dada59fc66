/** Repositories, their branches, collaborators and the teams of their organisation. */
import { notFound, ok, Refusal } from '../http/answers.ts';
import type { Call, Route } from '../http/call.ts';
import { atLeast, roleOf, userJson } from '../json/accounts.ts';
import { commitJson } from '../json/commits.ts';
import { fullRepositoryJson, repositoryPage, repositoryUrl } from '../json/repositories.ts';
import { branchHead, type Role } from '../state.ts';

/** The two roles that the older word for a permission leaves out. */
const LEGACY: Partial<Record<Role, string>> = { maintain: 'write', triage: 'read' };

/** Routes of repositories, branches and who may do what. */
export const repositoryRoutes: Route[] = [
  {
    method: 'GET',
    path: '/repos/{owner}/{repo}',
    access: 'either',
    needs: ['metadata:read'],
    handle: (call) => ok(fullRepositoryJson(call.view, call.repository)),
  },
  {
    method: 'GET',
    path: '/repos/{owner}/{repo}/branches',
    needs: ['contents:read'],
    handle: (call) => {
      const names = [...call.repository.refs.keys()].filter((ref) => ref.startsWith('refs/heads/'));
      return call.paged(names.sort(), (ref) => {
        const sha = call.repository.refs.get(ref) as string;
        const url = `${repositoryUrl(call.view, call.repository)}/commits/${sha}`;
        return { name: ref.slice('refs/heads/'.length), commit: { sha, url }, protected: false };
      });
    },
  },
  {
    method: 'GET',
    path: '/repos/{owner}/{repo}/branches/{branch}',
    needs: ['contents:read'],
    handle: branch,
  },
  {
    method: 'GET',
    path: '/repos/{owner}/{repo}/rules/branches/{branch}',
    needs: ['metadata:read'],
    handle: (call) => {
      const rules = call.repository.rules.get(call.param('branch'));
      const source = {
        ruleset_source_type: 'Repository',
        ruleset_source: call.repository.name,
        ruleset_id: 1,
      };
      const checks = rules?.requiredChecks.map((context) => ({ context })) ?? [];
      return ok([
        ...(rules?.signedCommits === true ? [{ type: 'required_signatures', ...source }] : []),
        ...(checks.length === 0
          ? []
          : [
              {
                type: 'required_status_checks',
                ...source,
                parameters: { required_status_checks: checks, strict_required_status_checks_policy: false },
              },
            ]),
      ]);
    },
  },
  {
    method: 'GET',
    path: '/repos/{owner}/{repo}/collaborators/{username}/permission',
    needs: ['metadata:read'],
    handle: (call) => {
      const account = call.view.state.accounts.get(call.param('username').toLowerCase());
      if (account === undefined) throw new Refusal(404, `${call.param('username')} is not a user`);
      const role = roleOf(call.repository, account.login);
      const permissions = {
        admin: atLeast(role, 'admin'),
        maintain: atLeast(role, 'maintain'),
        push: atLeast(role, 'write'),
        triage: atLeast(role, 'triage'),
        pull: role !== undefined,
      };
      const name = role ?? 'none';
      return ok({
        permission: role === undefined ? 'none' : (LEGACY[role] ?? role),
        role_name: name,
        user: { ...userJson(call.view, account.login), permissions, role_name: name },
      });
    },
  },
  {
    method: 'GET',
    path: '/orgs/{org}/teams/{team_slug}/memberships/{username}',
    needs: ['members:read'],
    handle: (call) => {
      const team = call.view.state.teams.get(`${call.param('org')}/${call.param('team_slug')}`.toLowerCase());
      const role = team?.members.get(call.param('username').toLowerCase());
      if (team === undefined || role === undefined) throw notFound();
      const url = `${call.view.api}/organizations/${team.organization}/team/${team.id}/memberships/${call.param('username')}`;
      return ok({ url, role, state: 'active' });
    },
  },
  {
    method: 'GET',
    path: '/users/{username}',
    access: 'either',
    handle: (call) => {
      if (!call.view.state.accounts.has(call.param('username').toLowerCase())) throw notFound();
      return ok(userJson(call.view, call.param('username')));
    },
  },
];

function branch(call: Call) {
  const name = call.param('branch');
  const { view, repository } = call;
  const sha = branchHead(repository, name);
  const url = `${repositoryUrl(view, repository)}/branches`;
  if (sha === undefined) {
    const renamed = repository.renamedBranches.get(name);
    if (renamed === undefined) throw new Refusal(404, 'Branch not found');
    throw new Refusal(301, 'Moved Permanently', undefined, {
      location: `${url}/${encodeURIComponent(renamed)}`,
    });
  }
  const checks = repository.rules.get(name)?.requiredChecks ?? [];
  return ok({
    name,
    commit: commitJson(view, repository, sha),
    _links: { self: `${url}/${name}`, html: `${repositoryPage(view, repository)}/tree/${name}` },
    protected: repository.rules.has(name),
    protection: {
      enabled: repository.rules.has(name),
      required_status_checks: {
        enforcement_level: checks.length > 0 ? 'everyone' : 'off',
        contexts: checks,
        checks: [],
      },
    },
    protection_url: `${url}/${name}/protection`,
  });
}
