/**
 * Comments of pull requests and issues. Which are ours is told by their author: our marker can be typed by anybody.
 * Creating is done once; after a time-out the marker tells whether the comment is there.
 */

import type { Reaction } from '../../ports/issues.ts';
import type { Comment, Repository } from '../../ports.ts';
import type { GitHub } from './github.ts';
import { allPages, hasNextPage, pageSize } from './paging.ts';
import { isApp } from './people.ts';
import { isRefused } from './refusal.ts';
import { absent } from './visible.ts';

/** GitHub takes 2,500 comments on one issue. */
const pagesMax = 30;

/** Oldest first, all of them. */
export async function readComments(
  github: GitHub,
  repository: Repository,
  number: number,
): Promise<readonly Comment[]> {
  const { octokit, app, here } = await github.voice(repository);
  const { items } = await allPages(async (page) => {
    const { data, headers } = await octokit.request(
      'GET /repos/{owner}/{repo}/issues/{issue_number}/comments',
      { ...here, issue_number: number, per_page: pageSize, page },
    );
    return { items: data, hasNext: hasNextPage(headers.link) };
  }, pagesMax);
  return items.map((raw) => ({
    id: Number(raw.id),
    body: raw.body ?? '',
    author: raw.user?.login ?? 'ghost',
    isOurs: isApp(app, raw.user, raw.performed_via_github_app),
    createdAt: Date.parse(raw.created_at),
  }));
}

/** The id of the new comment. */
export async function createComment(
  github: GitHub,
  repository: Repository,
  number: number,
  body: string,
): Promise<number> {
  const { octokit, here } = await github.voice(repository);
  const { data } = await octokit.request('POST /repos/{owner}/{repo}/issues/{issue_number}/comments', {
    ...here,
    issue_number: number,
    body,
  });
  return Number(data.id);
}

/** Safe to repeat. `gone` when there is no such comment. */
export async function updateComment(
  github: GitHub,
  repository: Repository,
  commentId: number,
  body: string,
): Promise<'done' | 'gone'> {
  const { octokit, here } = await github.voice(repository);
  try {
    await octokit.request('PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}', {
      ...here,
      comment_id: commentId,
      body,
    });
    return 'done';
  } catch (error) {
    if (!isRefused(error, 404)) throw error;
    await absent(github, repository);
    return 'gone';
  }
}

/** Safe to repeat: one that is gone is as wanted. */
export async function deleteComment(
  github: GitHub,
  repository: Repository,
  commentId: number,
): Promise<void> {
  const { octokit, here } = await github.voice(repository);
  try {
    await octokit.request('DELETE /repos/{owner}/{repo}/issues/comments/{comment_id}', {
      ...here,
      comment_id: commentId,
    });
  } catch (error) {
    if (!isRefused(error, 404)) throw error;
    await absent(github, repository);
  }
}

/** Safe to repeat: the same reaction twice is one. `gone` when there is no such comment. */
export async function react(
  github: GitHub,
  repository: Repository,
  commentId: number,
  reaction: Reaction,
): Promise<'done' | 'gone'> {
  const { octokit, here } = await github.voice(repository);
  try {
    await octokit.request('POST /repos/{owner}/{repo}/issues/comments/{comment_id}/reactions', {
      ...here,
      comment_id: commentId,
      content: reaction,
    });
    return 'done';
  } catch (error) {
    if (!isRefused(error, 404)) throw error;
    await absent(github, repository);
    return 'gone';
  }
}
