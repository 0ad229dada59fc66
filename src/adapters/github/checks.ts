/**
 * Check runs of this App. GitHub keeps each that is made, also of one name, so one is looked for before it is made;
 * whose it is is told by the App's id. https://docs.github.com/rest/checks/runs
 */

import {
  type CheckAction,
  type CheckConclusion,
  type CheckRun,
  type CheckRunContent,
  checkRunLimits,
} from '../../ports/checks.ts';
import type { Repository } from '../../ports.ts';
import { isAbsentCommit } from './commits.ts';
import { patiently } from './freshness.ts';
import type { GitHub } from './github.ts';
import { allPages, hasNextPage, pageSize } from './paging.ts';
import { isRefused } from './refusal.ts';
import { absent } from './visible.ts';

/** What we read of a check run in GitHub's answers. */
interface RawCheckRun {
  id: number | bigint;
  html_url: string | null;
  name: string;
  head_sha: string;
  external_id: string | null;
  status: string;
  conclusion: string | null;
  details_url: string | null;
  started_at: string | null;
  completed_at: string | null;
  output: { title: string | null; summary: string | null; text: string | null };
  app: { id: number } | null;
}

/** GitHub keeps a thousand runs of one name in a suite. */
const pagesMax = 10;

/**
 * Ours on a commit, newest first, of one name or (null) of all. Also those that a newer one of the same name hides:
 * two replicas may each have made one. Empty when the commit is not there any more.
 */
export async function readCheckRuns(
  github: GitHub,
  repository: Repository,
  sha: string,
  name: string | null,
): Promise<readonly CheckRun[]> {
  const { octokit, app, here } = await github.voice(repository);
  try {
    const { items } = await allPages(async (page) => {
      const { data, headers } = await octokit.request('GET /repos/{owner}/{repo}/commits/{ref}/check-runs', {
        ...here,
        ref: sha,
        check_name: name ?? undefined,
        app_id: app.id,
        filter: 'all',
        per_page: pageSize,
        page,
      });
      return { items: data.check_runs, hasNext: hasNextPage(headers.link) };
    }, pagesMax);
    return items
      .filter((raw) => raw.app?.id === app.id && (name === null || raw.name === name))
      .map(checkRunOf)
      .sort((one, other) => other.id - one.id);
  } catch (error) {
    if (!isAbsentCommit(error)) throw error;
    await absent(github, repository);
    return [];
  }
}

/**
 * Makes one and gives its id; null when the repository has no such commit, also not a moment later. Throws an Error
 * when the content is more than GitHub takes, and WorldProblem.
 */
export async function createCheckRun(
  github: GitHub,
  repository: Repository,
  run: CheckRunContent & { sha: string; name: string },
): Promise<number | null> {
  const content = bodyOf(run);
  const { octokit, here } = await github.voice(repository);
  return patiently(
    github.clock,
    async () => {
      try {
        const { data } = await octokit.request('POST /repos/{owner}/{repo}/check-runs', {
          ...here,
          name: run.name,
          head_sha: run.sha,
          ...content,
        });
        return Number(data.id);
      } catch (error) {
        if (isRefused(error, 422, /no commit found/i)) return null;
        throw error;
      }
    },
    (id) => id === null,
  );
}

/** Safe to repeat: it says all that the run says. Throws as `createCheckRun`. */
export async function updateCheckRun(
  github: GitHub,
  repository: Repository,
  id: number,
  content: CheckRunContent,
): Promise<void> {
  const body = bodyOf(content);
  const { octokit, here } = await github.voice(repository);
  await octokit.request('PATCH /repos/{owner}/{repo}/check-runs/{check_run_id}', {
    ...here,
    check_run_id: id,
    ...body,
  });
}

/** A conclusion completes a run, and a run that goes on must not have one. */
function bodyOf(content: CheckRunContent) {
  const faults = faultsOf(content);
  if (faults.length > 0) throw new Error(`GitHub does not take this check run: ${faults.join('; ')}.`);
  const { conclusion } = content;
  return {
    external_id: content.externalId,
    details_url: content.detailsUrl ?? undefined,
    started_at: timestampOf(content.startedAt),
    ...(conclusion === null
      ? { status: content.status === 'queued' ? ('queued' as const) : ('in_progress' as const) }
      : {
          status: 'completed' as const,
          conclusion: conclusion === 'action-required' ? ('action_required' as const) : conclusion,
          completed_at: timestampOf(content.completedAt),
        }),
    // The whole output is replaced, so a text that is left out is taken away.
    output: { title: content.title, summary: content.summary, text: content.text },
    actions: [...content.actions],
  };
}

/** What is wrong with the content, in words for whoever wrote it. */
function faultsOf(content: CheckRunContent): string[] {
  const { actions, status, conclusion, summary, text } = content;
  const { textBytesMax, actionsMax } = checkRunLimits;
  const faults = Object.entries({ summary, text })
    .map(([name, value]) => ({ name, bytes: Buffer.byteLength(value) }))
    .filter(({ bytes }) => bytes > textBytesMax)
    .map(({ name, bytes }) => `its ${name} has ${bytes} bytes and not ${textBytesMax} at the most`);
  if (actions.length > actionsMax) faults.push(`it has ${actions.length} buttons and not ${actionsMax}`);
  faults.push(...actions.flatMap(faultsOfAction));
  if ((status === 'completed') !== (conclusion !== null)) {
    faults.push(`it is ${status} and its conclusion is ${conclusion ?? 'none'}`);
  }
  return faults;
}

function faultsOfAction(action: CheckAction): string[] {
  const limits: Readonly<Record<keyof CheckAction, number>> = {
    label: checkRunLimits.actionLabelLengthMax,
    description: checkRunLimits.actionDescriptionLengthMax,
    identifier: checkRunLimits.actionIdentifierLengthMax,
  };
  return (Object.keys(limits) as (keyof CheckAction)[])
    .filter((field) => action[field].length > limits[field])
    .map((field) => `the ${field} "${action[field]}" of a button is longer than ${limits[field]}`);
}

function checkRunOf(raw: RawCheckRun): CheckRun {
  return {
    id: Number(raw.id),
    url: raw.html_url ?? '',
    name: raw.name,
    sha: raw.head_sha,
    externalId: raw.external_id ?? '',
    status: statusOf(raw.status),
    conclusion: conclusionOf(raw.conclusion),
    title: raw.output.title ?? '',
    summary: raw.output.summary ?? '',
    text: raw.output.text ?? '',
    detailsUrl: raw.details_url,
    startedAt: raw.started_at === null ? null : Date.parse(raw.started_at),
    completedAt: raw.completed_at === null ? null : Date.parse(raw.completed_at),
  };
}

/** GitHub has more words for a run that has not begun, for its own Actions. */
function statusOf(status: string): CheckRun['status'] {
  if (status === 'completed') return status;
  return status === 'in_progress' ? 'in-progress' : 'queued';
}

function conclusionOf(conclusion: string | null): CheckConclusion | 'other' | null {
  switch (conclusion) {
    case null:
    case 'success':
    case 'failure':
    case 'neutral':
      return conclusion;
    case 'action_required':
      return 'action-required';
    default:
      return 'other';
  }
}

/** `2026-08-01T10:00:00Z`, as GitHub keeps times: to the second. */
function timestampOf(at: number | null): string | undefined {
  return at === null ? undefined : `${new Date(at).toISOString().slice(0, 19)}Z`;
}
