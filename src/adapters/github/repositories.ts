/** What a repository is and where its branches stand. Both change at any time, so nothing here is remembered. */
import type { Commit, Repository, RepositoryFacts } from '../../ports.ts';
import { commitOf } from './commits.ts';
import type { GitHub } from './github.ts';
import { isRefused } from './refusal.ts';
import { absent } from './visible.ts';

/**
 * Null when the repository does not exist, is not shown to the App, or the App is not installed there. A renamed
 * repository answers under its old name; `repository` of the answer is how it is called now.
 */
export async function readRepository(
  github: GitHub,
  repository: Repository,
): Promise<RepositoryFacts | null> {
  const voice = await github.findVoice(repository);
  if (voice === null) return null;
  try {
    const { data } = await voice.octokit.request('GET /repos/{owner}/{repo}', voice.here);
    return {
      repository: { host: repository.host, owner: data.owner.login, name: data.name },
      defaultBranch: data.default_branch,
      isArchived: data.archived,
    };
  } catch (error) {
    if (isRefused(error, 404)) return null;
    throw error;
  }
}

/**
 * Head commit of a branch, one request. Null when there is no branch of that name; GitHub leads on from the old name
 * of a renamed branch to the new one, which is another branch for Argo CD (GH14).
 */
export async function readBranchHead(
  github: GitHub,
  repository: Repository,
  branch: string,
): Promise<Commit | null> {
  const { octokit, here } = await github.voice(repository);
  try {
    const { data } = await octokit.request('GET /repos/{owner}/{repo}/branches/{branch}', {
      ...here,
      branch,
    });
    return data.name === branch ? commitOf(data.commit) : null;
  } catch (error) {
    if (isRefused(error, 404)) return absent(github, repository);
    throw error;
  }
}
