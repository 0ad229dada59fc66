/** Labels of issues and pull requests, which are the same to GitHub. */
import type { Repository } from '../../ports.ts';
import type { GitHub } from './github.ts';
import { isRefused } from './refusal.ts';

/** Safe to repeat: those that are there stay as they are. Asks nobody when there are none. */
export async function addLabels(
  github: GitHub,
  repository: Repository,
  number: number,
  labels: readonly string[],
): Promise<void> {
  if (labels.length === 0) return;
  const { octokit, here } = await github.voice(repository);
  await octokit.request('POST /repos/{owner}/{repo}/issues/{issue_number}/labels', {
    ...here,
    issue_number: number,
    labels: [...labels],
  });
}

/** A label that is off already is what was wanted. */
export async function removeLabel(
  github: GitHub,
  repository: Repository,
  number: number,
  label: string,
): Promise<void> {
  const { octokit, here } = await github.voice(repository);
  try {
    await octokit.request('DELETE /repos/{owner}/{repo}/issues/{issue_number}/labels/{name}', {
      ...here,
      issue_number: number,
      name: label,
    });
  } catch (error) {
    if (!isRefused(error, 404, /label does not exist/i)) throw error;
  }
}
