/** What a person may do in a repository, and who belongs to a team. Nothing here is remembered: rights are taken away. */

import type { Permission } from '../../ports/people.ts';
import type { Repository } from '../../ports.ts';
import type { GitHub } from './github.ts';
import { isRefused } from './refusal.ts';
import { absent } from './visible.ts';

const permissions: readonly string[] = [
  'admin',
  'maintain',
  'write',
  'triage',
  'read',
  'none',
] satisfies Permission[];

/**
 * The highest permission of a person, from whatever it comes. `role_name` tells `maintain` and `triage` apart, which
 * `permission` does not; of a role that the organisation made itself `permission` says what it builds on.
 * https://docs.github.com/rest/collaborators/collaborators#get-repository-permissions-for-a-user
 */
export async function readPermission(
  github: GitHub,
  repository: Repository,
  login: string,
): Promise<Permission> {
  const { octokit, here } = await github.voice(repository);
  try {
    const { data } = await octokit.request('GET /repos/{owner}/{repo}/collaborators/{username}/permission', {
      ...here,
      username: login,
    });
    return [data.role_name, data.permission].find(isPermission) ?? 'none';
  } catch (error) {
    if (!isRefused(error, 404)) throw error;
    if (!isRefused(error, 404, /is not a user/i)) await absent(github, repository);
    return 'none';
  }
}

/**
 * Whether a person belongs to a team of the repository's owner, or to a team below it. An invitation that was not
 * accepted yet does not count. `unknown` when the App may not read members.
 * https://docs.github.com/rest/teams/members#get-team-membership-for-a-user
 */
export async function readMembership(
  github: GitHub,
  repository: Repository,
  teamSlug: string,
  login: string,
): Promise<'yes' | 'no' | 'unknown'> {
  const { octokit } = await github.voice(repository);
  try {
    const { data } = await octokit.request('GET /orgs/{org}/teams/{team_slug}/memberships/{username}', {
      org: repository.owner,
      team_slug: teamSlug,
      username: login,
    });
    return data.state === 'active' ? 'yes' : 'no';
  } catch (error) {
    if (isRefused(error, 404)) return 'no';
    if (isRefused(error, 403, /not accessible by integration/i)) return 'unknown';
    throw error;
  }
}

function isPermission(name: string): name is Permission {
  return permissions.includes(name);
}
