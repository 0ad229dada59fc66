/** Check runs as GitHub's JSON shows them. */
import type { View } from '../site.ts';
import type { CheckAnnotation, CheckRun, Repository } from '../state.ts';
import { appJson, nodeId, optionalTimestamp, timestamp } from './accounts.ts';
import { minimalPullJson } from './pulls.ts';
import { repositoryPage, repositoryUrl } from './repositories.ts';

/** A `check-run`. */
export function checkRunJson(view: View, repository: Repository, run: CheckRun): Record<string, unknown> {
  const url = `${repositoryUrl(view, repository)}/check-runs/${run.id}`;
  const page = `${repositoryPage(view, repository)}/runs/${run.id}`;
  return {
    id: run.id,
    name: run.name,
    node_id: nodeId('CR', run.id),
    head_sha: run.headSha,
    external_id: run.externalId,
    url,
    html_url: page,
    details_url: run.detailsUrl ?? page,
    status: run.status,
    conclusion: run.conclusion,
    started_at: timestamp(run.startedAt),
    completed_at: optionalTimestamp(run.completedAt),
    output: {
      title: run.title,
      summary: run.summary,
      text: run.text,
      annotations_count: run.annotations.length,
      annotations_url: `${url}/annotations`,
    },
    check_suite: { id: run.suiteId },
    app: appJson(view, run.app),
    pull_requests: openPullsOn(repository, run.headSha).map((pull) =>
      minimalPullJson(view, repository, pull),
    ),
  };
}

/** The check run of a webhook, which carries more of its suite. */
export function announcedCheckRunJson(
  view: View,
  repository: Repository,
  run: CheckRun,
): Record<string, unknown> {
  const json = checkRunJson(view, repository, run);
  const at = timestamp(run.startedAt);
  return {
    ...json,
    check_suite: {
      id: run.suiteId,
      node_id: nodeId('CS', run.suiteId),
      head_branch: headBranch(repository, run.headSha),
      head_sha: run.headSha,
      status: run.status,
      conclusion: run.conclusion,
      url: `${repositoryUrl(view, repository)}/check-suites/${run.suiteId}`,
      before: null,
      after: run.headSha,
      pull_requests: json.pull_requests,
      app: json.app,
      created_at: at,
      updated_at: at,
    },
  };
}

/** A `check-annotation`. */
export function annotationJson(
  view: View,
  repository: Repository,
  run: CheckRun,
  annotation: CheckAnnotation,
): Record<string, unknown> {
  const blob = `${repositoryPage(view, repository)}/blob/${run.headSha}/${annotation.path}`;
  return { ...annotation, blob_href: blob };
}

function openPullsOn(repository: Repository, sha: string) {
  return [...repository.pulls.values()].filter(
    (pull) => pull.headSha === sha && repository.issues.get(pull.number)?.state === 'open',
  );
}

function headBranch(repository: Repository, sha: string): string | null {
  for (const [name, head] of repository.refs) {
    if (head === sha && name.startsWith('refs/heads/')) return name.slice('refs/heads/'.length);
  }
  return null;
}
