/**
 * What stands between a request and its route: who is calling, what they may, how much they have left.
 * Each step throws the refusal that GitHub would answer.
 */
import { type Credentials, checkJwt, looksLikeJwt } from '../credentials.ts';
import type { Limits } from '../limits.ts';
import type { Actor, Site } from '../site.ts';
import { type Installation, type Repository, repositoryNamed, type State } from '../state.ts';
import { notFound, Refusal } from './answers.ts';
import type { Route } from './call.ts';

export type Caller = {
  actor: Actor;
  /** Under which name its calls are counted. */
  account: string;
  installation: Installation | undefined;
  repositoryIds: number[] | undefined;
  permissions: Record<string, string> | undefined;
};

const SECONDARY_LIMIT =
  'You have exceeded a secondary rate limit and have been temporarily blocked from content creation. Please retry your request again later.';

const LIMIT_DOCUMENTATION =
  'https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api#about-secondary-rate-limits';

const NOBODY: Actor = { login: '', viaApp: false };

/** Works out who calls from the Authorization header. `authenticatedAt` is the time tokens and JWTs are held against. */
export function identify(
  site: Site,
  credentials: Credentials,
  authorization: string | undefined,
  route: Route,
  authenticatedAt: number,
): Caller {
  const secret = /^(?:bearer|token) +(\S+)$/i.exec(authorization ?? '')?.[1];
  const access = route.access ?? 'installation';
  const caller: Caller = {
    actor: NOBODY,
    account: 'anonymous',
    installation: undefined,
    repositoryIds: undefined,
    permissions: undefined,
  };
  if (secret === undefined) {
    if (access === 'anybody') return caller;
    throw new Refusal(401, 'Requires authentication');
  }
  if (looksLikeJwt(secret)) {
    checkJwt(secret, site.app, authenticatedAt);
    if (access === 'installation') throw new Refusal(401, 'Bad credentials');
    return { ...caller, actor: { login: site.app.slug, viaApp: true }, account: `app ${site.app.id}` };
  }
  if (access === 'app') throw new Refusal(401, 'A JSON web token could not be decoded');
  const token = credentials.find(secret, authenticatedAt);
  const installation = site.state.installations.get(token.installationId);
  if (installation === undefined) throw new Refusal(401, 'Bad credentials');
  if (installation.suspendedAt !== null) throw new Refusal(403, 'This installation has been suspended');
  return {
    actor: site.bot,
    account: `installation ${installation.id}`,
    installation,
    repositoryIds: token.repositoryIds,
    permissions: token.permissions,
  };
}

/** Counts the call against the hour, and against the limits for creating content. */
export function spend(
  limits: Limits,
  caller: Caller,
  resource: string,
  contentCreating: boolean,
  now: number,
): void {
  if (!limits.spend(caller.account, resource, now)) {
    throw new Refusal(403, `API rate limit exceeded for ${caller.account.replace(' ', ' ID ')}.`);
  }
  if (contentCreating && !limits.spendContent(caller.account, now)) {
    throw secondaryLimit(403, 60);
  }
}

/** GitHub's answer to too much at once; `retryAfterSeconds` undefined leaves the header out. */
export function secondaryLimit(status: number, retryAfterSeconds: number | undefined): Refusal {
  const headers: Record<string, string> =
    retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) };
  const refusal = new Refusal(status, SECONDARY_LIMIT, undefined, headers);
  refusal.documentation = LIMIT_DOCUMENTATION;
  return refusal;
}

/** What a token without the permission gets: 403, and the header that says what would have been enough. */
export function forbidden(needs: readonly string[] = []): Refusal {
  const accepted = needs.map((need) => need.replace(':', '=')).join('; ');
  return new Refusal(403, 'Resource not accessible by integration', undefined, {
    'x-accepted-github-permissions': accepted,
  });
}

/** Refuses with 403 unless one of the route's permissions was granted. */
export function checkPermission(route: Route, caller: Caller): void {
  const { installation, permissions } = caller;
  if (route.needs === undefined || installation === undefined) return;
  const granted = permissions ?? installation.permissions;
  const enough = route.needs.some((need) => {
    const [name, level] = need.split(':') as [string, string];
    const has = granted[name];
    return has === 'write' || has === 'admin' || (has === 'read' && level === 'read');
  });
  if (!enough) throw forbidden(route.needs);
}

/** The repository that a path names, if the caller's token reaches it, or undefined when the path names none. Throws 404. */
export function findRepository(
  state: State,
  params: Record<string, string>,
  caller: Caller,
): Repository | undefined {
  const { owner, repo } = params;
  if (owner === undefined || repo === undefined) return undefined;
  const repository = repositoryNamed(state, owner, repo);
  if (repository === undefined || !reaches(caller, repository)) throw notFound();
  return repository;
}

/** Whether a caller's token covers a repository. */
function reaches(caller: Caller, repository: Repository): boolean {
  const { installation, repositoryIds } = caller;
  if (installation === undefined) return true;
  if (installation.account.toLowerCase() !== repository.owner.toLowerCase()) return false;
  if (repositoryIds !== undefined && !repositoryIds.includes(repository.id)) return false;
  return installation.repositories === 'all' || installation.repositories.includes(repository.id);
}
