/**
 * Branches of ours. Creating one is atomic at GitHub, which makes its name the claim of a revert: of several replicas
 * and repeated tries exactly one gets `created`. https://docs.github.com/rest/git/refs
 */
import { type Repository, WorldProblem } from '../../ports.ts';
import { patiently } from './freshness.ts';
import type { GitHub } from './github.ts';
import { isRefused } from './refusal.ts';

/** `exists` is not an error: it is an earlier try of ours, or another replica. */
export async function createBranch(
  github: GitHub,
  repository: Repository,
  branch: string,
  sha: string,
): Promise<'created' | 'exists'> {
  const { octokit, here } = await github.voice(repository);
  const outcome = await patiently(
    github.clock,
    async () => {
      try {
        await octokit.request('POST /repos/{owner}/{repo}/git/refs', {
          ...here,
          ref: `refs/heads/${branch}`,
          sha,
        });
        return 'created' as const;
      } catch (error) {
        if (isRefused(error, 422, /reference already exists/i)) return 'exists' as const;
        if (isUnknownCommit(error)) return { error };
        throw error;
      }
    },
    (value) => typeof value === 'object',
  );
  if (typeof outcome === 'object') throw outcome.error;
  return outcome;
}

/**
 * Moves a branch forward from `expected` to `sha`, which must come after it in history: nothing is ever forced, so
 * that what a person pushed in between is not lost. `moved`: it is elsewhere than expected. `missing`: there is none.
 */
export async function moveBranch(
  github: GitHub,
  repository: Repository,
  branch: string,
  expected: string,
  sha: string,
): Promise<'done' | 'moved' | 'missing'> {
  const before = await patiently(
    github.clock,
    () => readBranch(github, repository, branch),
    // A branch that a person moved is left alone from then on, so an answer of yesterday must not look like one.
    (head) => head !== sha && head !== expected,
  );
  if (before === null) return 'missing';
  if (before === sha) return 'done';
  if (before !== expected) return 'moved';
  const { octokit, here } = await github.voice(repository);
  try {
    await octokit.request('PATCH /repos/{owner}/{repo}/git/refs/{ref}', {
      ...here,
      ref: `heads/${branch}`,
      sha,
      force: false,
    });
    return 'done';
  } catch (error) {
    if (isRefused(error, 422, /reference does not exist/i)) return 'missing';
    if (isRefused(error, 422, /not a fast.?forward/i)) {
      return whyNotForward(github, repository, branch, expected, error);
    }
    throw error;
  }
}

/** A branch that is gone already is what was wanted. */
export async function deleteBranch(github: GitHub, repository: Repository, branch: string): Promise<void> {
  const { octokit, here } = await github.voice(repository);
  try {
    await octokit.request('DELETE /repos/{owner}/{repo}/git/refs/{ref}', {
      ...here,
      ref: `heads/${branch}`,
    });
  } catch (error) {
    if (!isRefused(error, 422, /reference does not exist/i) && !isRefused(error, 404)) throw error;
  }
}

async function readBranch(github: GitHub, repository: Repository, branch: string): Promise<string | null> {
  const { octokit, here } = await github.voice(repository);
  try {
    const { data } = await octokit.request('GET /repos/{owner}/{repo}/git/ref/{ref}', {
      ...here,
      ref: `heads/${branch}`,
    });
    return data.object.sha;
  } catch (error) {
    if (isRefused(error, 404)) return null;
    throw error;
  }
}

/** Somebody was faster between our look and our move, or the new commit does not come after the old one. */
async function whyNotForward(
  github: GitHub,
  repository: Repository,
  branch: string,
  expected: string,
  cause: unknown,
): Promise<'moved' | 'missing'> {
  const now = await readBranch(github, repository, branch);
  if (now === null) return 'missing';
  if (now !== expected) return 'moved';
  throw new WorldProblem(
    'permanent',
    `GitHub refused to move the branch ${branch} of ${repository.owner}/${repository.name}, because the new commit ` +
      'does not come after the one it is on. Delete the branch, and Stepback makes it anew.',
    { cause },
  );
}

/** GitHub's words when it does not know the commit, which for a moment is so of one that was just made. */
function isUnknownCommit(error: unknown): boolean {
  return isRefused(error, 422, /object does not exist|no commit found/i) || isRefused(error, 404);
}
