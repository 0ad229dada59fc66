/** Issues: found by a label, and by whom it was set; and opened. */

import type { LabelledIssue, OwnIssue } from '../../ports/issues.ts';
import { type Repository, WorldProblem } from '../../ports.ts';
import type { GitHub } from './github.ts';
import { allPages, hasNextPage, pageSize } from './paging.ts';
import { isApp } from './people.ts';
import { isRefused } from './refusal.ts';
import { absent } from './visible.ts';

const pagesMax = 10;

/**
 * Open issues with a label, pull requests left out. Who set it is the last event that did: whoever opened the issue
 * may be somebody else. Throws a permanent WorldProblem rather than leave some out.
 */
export async function readOpenIssuesWithLabel(
  github: GitHub,
  repository: Repository,
  label: string,
): Promise<readonly LabelledIssue[]> {
  const items = await readOpenItems(github, repository, label);
  const { app } = await github.voice(repository);
  const issues = items.filter((raw) => raw.pull_request === undefined && hasLabel(raw.labels, label));
  return Promise.all(
    issues.map(async (raw) => {
      const labelling = await readLabelling(github, repository, raw.number, label);
      return {
        number: raw.number,
        url: raw.html_url,
        title: raw.title,
        body: raw.body ?? '',
        isOurs: isApp(app, raw.user, raw.performed_via_github_app),
        author: raw.user?.login ?? 'ghost',
        labelledBy: labelling?.by ?? null,
        labelledAt: labelling?.at ?? null,
      };
    }),
  );
}

/** Ours with a label, the oldest first; where issues are switched off there is none. */
export async function readOwnIssues(
  github: GitHub,
  repository: Repository,
  label: string,
): Promise<readonly OwnIssue[]> {
  const { octokit, app, here } = await github.voice(repository);
  try {
    const { data } = await octokit.request('GET /repos/{owner}/{repo}/issues', {
      ...here,
      state: 'all',
      labels: label,
      per_page: pageSize,
    });
    return data
      .filter((raw) => raw.pull_request === undefined && isApp(app, raw.user, raw.performed_via_github_app))
      .map((raw) => ({ number: raw.number, body: raw.body ?? '', isOpen: raw.state === 'open' }))
      .sort((one, other) => one.number - other.number);
  } catch (error) {
    if (isRefused(error, 410)) return [];
    throw error;
  }
}

/** Opens an issue, once: after a time-out it must be looked for. */
export async function createIssue(
  github: GitHub,
  repository: Repository,
  issue: { title: string; body: string; labels: readonly string[] },
): Promise<{ number: number; url: string }> {
  const { octokit, here } = await github.voice(repository);
  const { data } = await octokit.request('POST /repos/{owner}/{repo}/issues', {
    ...here,
    title: issue.title,
    body: issue.body,
    labels: [...issue.labels],
  });
  return { number: data.number, url: data.html_url };
}

/** Changes an issue of ours; what is not named stays. */
export async function updateIssue(
  github: GitHub,
  repository: Repository,
  number: number,
  change: { body?: string; state?: 'open' | 'closed' },
): Promise<'done' | 'gone'> {
  const { octokit, here } = await github.voice(repository);
  try {
    await octokit.request('PATCH /repos/{owner}/{repo}/issues/{issue_number}', {
      ...here,
      issue_number: number,
      ...change,
    });
    return 'done';
  } catch (error) {
    // 410: it was deleted, or the repository has no issues any more.
    if (isRefused(error, 410)) return 'gone';
    if (!isRefused(error, 404)) throw error;
    await absent(github, repository);
    return 'gone';
  }
}

async function readOpenItems(github: GitHub, repository: Repository, label: string) {
  const { octokit, here } = await github.voice(repository);
  try {
    const { items, isComplete } = await allPages(async (page) => {
      const { data, headers } = await octokit.request('GET /repos/{owner}/{repo}/issues', {
        ...here,
        state: 'open',
        labels: label,
        per_page: pageSize,
        page,
      });
      return { items: data, hasNext: hasNextPage(headers.link) };
    }, pagesMax);
    if (!isComplete) throw tooManyProblem(repository, label);
    return items;
  } catch (error) {
    // Where issues are switched off there is none, and that must not look like one that cannot be read.
    if (isRefused(error, 410)) return [];
    throw error;
  }
}

/** The last time the label was set; null when the history is too long to see its end, or does not name the label. */
async function readLabelling(
  github: GitHub,
  repository: Repository,
  number: number,
  label: string,
): Promise<{ by: string | null; at: number } | null> {
  const { octokit, here } = await github.voice(repository);
  const { items, isComplete } = await allPages(async (page) => {
    const { data, headers } = await octokit.request(
      'GET /repos/{owner}/{repo}/issues/{issue_number}/events',
      { ...here, issue_number: number, per_page: pageSize, page },
    );
    return { items: data, hasNext: hasNextPage(headers.link) };
  }, pagesMax);
  const last = items.findLast(
    (event) => event.event === 'labeled' && 'label' in event && hasLabel([event.label], label),
  );
  if (!isComplete || last === undefined) return null;
  return { by: last.actor?.login ?? null, at: Date.parse(last.created_at) };
}

/** Labels are the same in any case of their letters. */
function hasLabel(labels: readonly (string | { name?: string | null })[], name: string): boolean {
  const names = labels.map((label) => (typeof label === 'string' ? label : (label.name ?? '')));
  return names.some((one) => one.toLowerCase() === name.toLowerCase());
}

function tooManyProblem(repository: Repository, label: string): WorldProblem {
  return new WorldProblem(
    'permanent',
    `${repository.owner}/${repository.name} has over ${pagesMax * pageSize} open issues and pull requests with the ` +
      `label "${label}", so Stepback cannot tell which of them count. Take the label off most of them.`,
  );
}
