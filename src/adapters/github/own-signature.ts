/**
 * The App's own account as GitHub writes it into the commits that it makes for an App: `slug[bot]`, with the private
 * address that its account has. The sign-off of a commit must name exactly its author.
 * https://docs.github.com/account-and-profile/reference/email-addresses-reference#your-noreply-email-address
 */
import type { Repository } from '../../ports.ts';
import type { GitHub } from './github.ts';

/** An account never changes its number; the App's name is asked for when it is installed. */
export async function readOwnSignature(
  github: GitHub,
  repository: Repository,
): Promise<{ name: string; email: string }> {
  const { octokit, app } = await github.voice(repository);
  const login = `${app.slug}[bot]`;
  return github.memory.recall(
    `account ${login}`,
    async () => {
      const { data } = await octokit.request('GET /users/{username}', { username: login });
      return { name: data.login, email: `${data.id}+${data.login}@users.noreply.${github.names.host}` };
    },
    () => 200,
  );
}
