/**
 * Who is asked for a review. GitHub asks all or, when it does not like one of them, nobody; then each is asked for
 * alone. https://docs.github.com/rest/pulls/review-requests#request-reviewers-for-a-pull-request
 */

import type { Reviewers } from '../../ports/pull-requests.ts';
import type { Repository } from '../../ports.ts';
import type { GitHub } from './github.ts';
import { isRefused } from './refusal.ts';

/** Gives those who could not be asked: not a collaborator, the author itself, a team without access, nobody at all. */
export async function requestReviewers(
  github: GitHub,
  repository: Repository,
  number: number,
  reviewers: Reviewers,
): Promise<Reviewers> {
  const single = [
    ...reviewers.people.map((login): Reviewers => ({ people: [login], teams: [] })),
    ...reviewers.teams.map((slug): Reviewers => ({ people: [], teams: [slug] })),
  ];
  const areAsked = single.length === 0 || (await ask(github, repository, number, reviewers));
  if (areAsked) return { people: [], teams: [] };
  if (single.length === 1) return reviewers;
  const refused: Reviewers[] = [];
  for (const one of single) {
    if (!(await ask(github, repository, number, one))) refused.push(one);
  }
  return { people: refused.flatMap(({ people }) => people), teams: refused.flatMap(({ teams }) => teams) };
}

/** False when GitHub does not like one of them; which, it does not say. */
async function ask(
  github: GitHub,
  repository: Repository,
  number: number,
  { people, teams }: Reviewers,
): Promise<boolean> {
  const { octokit, here } = await github.voice(repository);
  try {
    await octokit.request('POST /repos/{owner}/{repo}/pulls/{pull_number}/requested_reviewers', {
      ...here,
      pull_number: number,
      reviewers: [...people],
      team_reviewers: [...teams],
    });
    return true;
  } catch (error) {
    if (isRefused(error, 422)) return false;
    throw error;
  }
}
