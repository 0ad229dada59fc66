/**
 * What a 404 means. GitHub answers it to what is not there and to what we may not see alike, so "there is no such
 * commit" may only be concluded when the repository itself is seen at that moment.
 */
import { type Repository, WorldProblem } from '../../ports.ts';
import type { GitHub } from './github.ts';
import { isRefused } from './refusal.ts';

/**
 * Gives null when the repository can be seen, so that what was asked for is truly absent. Throws a permanent
 * WorldProblem when the repository cannot be seen either, and what GitHub refuses.
 */
export async function absent(github: GitHub, repository: Repository): Promise<null> {
  const { octokit, here } = await github.voice(repository);
  try {
    await octokit.request('GET /repos/{owner}/{repo}', here);
    return null;
  } catch (error) {
    if (!isRefused(error, 404)) throw error;
    throw new WorldProblem(
      'permanent',
      `GitHub does not show ${repository.owner}/${repository.name} to the App any more: it was deleted, it moved to ` +
        'another owner, or it was taken out of the installation. Put it back, or point Argo CD to the new place.',
      { cause: error },
    );
  }
}
