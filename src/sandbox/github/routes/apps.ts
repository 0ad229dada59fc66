/** The App itself: who it is, where it is installed, its tokens and its limits. */
import type { Credentials } from '../credentials.ts';
import { invalid, notFound, ok, Refusal, unprocessable } from '../http/answers.ts';
import type { Call, Route } from '../http/call.ts';
import { appJson, installationJson } from '../json/accounts.ts';
import { repositoryJson } from '../json/repositories.ts';
import type { Limits } from '../limits.ts';
import { type Installation, installationOf, type Repository, repositoryNamed } from '../state.ts';

/** Routes of the App. `authenticatedAt` is the time that tokens expire by, in milliseconds. */
export function appRoutes(credentials: Credentials, limits: Limits, authenticatedAt: () => number): Route[] {
  return [
    {
      method: 'GET',
      path: '/app',
      access: 'app',
      handle: ({ view }) => ok({ ...appJson(view), installations_count: view.state.installations.size }),
    },
    {
      method: 'GET',
      path: '/app/installations',
      access: 'app',
      handle: (call) =>
        call.paged([...call.view.state.installations.values()], (one) => installationJson(call.view, one)),
    },
    {
      method: 'GET',
      path: '/app/installations/{installation_id}',
      access: 'app',
      handle: (call) => ok(installationJson(call.view, installationOfCall(call))),
    },
    ...['/orgs/{org}/installation', '/users/{username}/installation'].map(
      (path): Route => ({
        method: 'GET',
        path,
        access: 'app',
        handle: (call) =>
          ok(installationJson(call.view, installedOn(call, call.param('org') || call.param('username')))),
      }),
    ),
    {
      method: 'GET',
      path: '/repos/{owner}/{repo}/installation',
      access: 'app',
      handle: (call) => {
        const installation = installationOf(call.view.state, call.repository);
        if (installation === undefined) throw notFound();
        return ok(installationJson(call.view, installation));
      },
    },
    {
      method: 'POST',
      path: '/app/installations/{installation_id}/access_tokens',
      access: 'app',
      handle: (call) => ok(issueToken(call, credentials, authenticatedAt()), 201),
    },
    {
      method: 'GET',
      path: '/installation/repositories',
      handle: (call) => {
        const covered = repositoriesOf(call, call.installation, call.repositoryIds);
        const answer = call.counted('repositories', covered, (one) => repositoryJson(call.view, one));
        const selection = call.installation?.repositories === 'all' ? 'all' : 'selected';
        return { ...answer, body: { ...(answer.body as object), repository_selection: selection } };
      },
    },
    ...limitRoutes(limits),
  ];
}

/** How much is left, and what anybody may ask. */
function limitRoutes(limits: Limits): Route[] {
  return [
    {
      method: 'GET',
      path: '/rate_limit',
      access: 'either',
      handle: (call) => {
        const state = (resource: string) => {
          const account = `installation ${call.installation?.id}`;
          const { resetSeconds: reset, ...rest } = limits.state(account, resource, call.site.now());
          return { ...rest, reset };
        };
        const resources = { core: state('core'), search: state('search'), graphql: state('graphql') };
        return ok({ resources, rate: resources.core });
      },
    },
    {
      method: 'GET',
      path: '/meta',
      access: 'anybody',
      handle: () => ok({ verifiable_password_authentication: false, hooks: ['127.0.0.1/32'] }),
    },
  ];
}

function installationOfCall(call: Call): Installation {
  const installation = call.view.state.installations.get(call.numberParam('installation_id'));
  if (installation === undefined) throw notFound();
  return installation;
}

function installedOn(call: Call, account: string): Installation {
  const found = [...call.view.state.installations.values()].find(
    (one) => one.account.toLowerCase() === account.toLowerCase(),
  );
  if (found === undefined) throw notFound();
  return found;
}

function issueToken(call: Call, credentials: Credentials, now: number): Record<string, unknown> {
  const installation = installationOfCall(call);
  if (installation.suspendedAt !== null) throw new Refusal(403, 'This installation has been suspended');
  const wanted = wantedRepositories(call, installation);
  const permissions = wantedPermissions(call, installation);
  const token = credentials.issue(now, {
    installationId: installation.id,
    repositoryIds: wanted?.map((one) => one.id),
    permissions,
  });
  return {
    token: token.token,
    expires_at: `${new Date(token.expiresAt).toISOString().slice(0, 19)}Z`,
    permissions: permissions ?? installation.permissions,
    repository_selection: wanted !== undefined || installation.repositories !== 'all' ? 'selected' : 'all',
    ...(wanted === undefined ? {} : { repositories: wanted.map((one) => repositoryJson(call.view, one)) }),
  };
}

function wantedRepositories(call: Call, installation: Installation): Repository[] | undefined {
  const { state } = call.view;
  const names = call.body.repositories === undefined ? undefined : call.texts('repositories');
  const ids = Array.isArray(call.body.repository_ids) ? call.body.repository_ids : undefined;
  if (names === undefined && ids === undefined) return undefined;
  const found = [
    ...(names ?? []).map((name) => repositoryNamed(state, installation.account, name.replace(/^.*\//, ''))),
    ...(ids ?? []).map((id) => state.repositories.get(Number(id))),
  ];
  const covered = repositoriesOf(call, installation, undefined);
  if (found.some((one) => one === undefined || !covered.includes(one))) {
    throw unprocessable(
      'There is at least one repository that does not exist or is not accessible to the parent installation.',
    );
  }
  return found as Repository[];
}

function wantedPermissions(call: Call, installation: Installation): Record<string, string> | undefined {
  const wanted = call.body.permissions as Record<string, string> | undefined;
  if (wanted === undefined) return undefined;
  for (const [name, level] of Object.entries(wanted)) {
    const has = installation.permissions[name];
    if (has === undefined || (level === 'write' && has === 'read')) {
      throw invalid({
        resource: 'Installation',
        code: 'custom',
        field: 'permissions',
        message: `The permissions requested are not granted to this installation: ${name}`,
      });
    }
  }
  return { metadata: 'read', ...wanted };
}

function repositoriesOf(
  call: Call,
  installation: Installation | undefined,
  only: number[] | undefined,
): Repository[] {
  return [...call.view.state.repositories.values()].filter(
    (one) =>
      installation !== undefined &&
      one.owner.toLowerCase() === installation.account.toLowerCase() &&
      (installation.repositories === 'all' || installation.repositories.includes(one.id)) &&
      (only === undefined || only.includes(one.id)),
  );
}
