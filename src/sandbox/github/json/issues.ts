/** Issues, comments, labels, reactions and events as GitHub's JSON shows them. */
import type { View } from '../site.ts';
import type { Comment, Issue, IssueEvent, Label, Reaction, Repository } from '../state.ts';
import {
  appJson,
  associationOf,
  nodeId,
  optionalTimestamp,
  optionalUserJson,
  timestamp,
  userJson,
} from './accounts.ts';
import { repositoryPage, repositoryUrl } from './repositories.ts';

/** The address of an issue in the API. */
export function issueUrl(view: View, repository: Repository, number: number): string {
  return `${repositoryUrl(view, repository)}/issues/${number}`;
}

/** The page of an issue or a pull request for a browser. */
export function issuePage(view: View, repository: Repository, number: number): string {
  const kind = repository.pulls.has(number) ? 'pull' : 'issues';
  return `${repositoryPage(view, repository)}/${kind}/${number}`;
}

/** A `label`. */
export function labelJson(view: View, repository: Repository, label: Label): Record<string, unknown> {
  return {
    id: label.id,
    node_id: nodeId('LA', label.id),
    url: `${repositoryUrl(view, repository)}/labels/${encodeURIComponent(label.name)}`,
    name: label.name,
    description: label.description,
    color: label.color,
    default: false,
  };
}

/** The labels of an issue. A label without a description gets an empty one, as in pull requests. */
export function labelsJson(view: View, repository: Repository, issue: Issue): Record<string, unknown>[] {
  return issue.labels.flatMap((name) => {
    const label = repository.labels.get(name.toLowerCase());
    return label === undefined
      ? []
      : [labelJson(view, repository, { ...label, description: label.description ?? '' })];
  });
}

/** An `issue`; for a pull request it has the member `pull_request`. */
export function issueJson(view: View, repository: Repository, issue: Issue): Record<string, unknown> {
  const url = issueUrl(view, repository, issue.number);
  const page = issuePage(view, repository, issue.number);
  const pull = repository.pulls.get(issue.number);
  const comments = [...repository.comments.values()].filter(
    (comment) => comment.issueNumber === issue.number,
  ).length;
  return {
    id: issue.id,
    node_id: nodeId(pull === undefined ? 'I' : 'PR', issue.id),
    url,
    repository_url: repositoryUrl(view, repository),
    labels_url: `${url}/labels{/name}`,
    comments_url: `${url}/comments`,
    events_url: `${url}/events`,
    timeline_url: `${url}/timeline`,
    html_url: page,
    number: issue.number,
    state: issue.state,
    state_reason: issue.stateReason,
    title: issue.title,
    body: issue.body,
    user: userJson(view, issue.user),
    labels: labelsJson(view, repository, issue),
    assignee: null,
    assignees: [],
    milestone: null,
    locked: false,
    active_lock_reason: null,
    comments,
    closed_at: optionalTimestamp(issue.closedAt),
    closed_by: optionalUserJson(view, issue.closedBy),
    created_at: timestamp(issue.createdAt),
    updated_at: timestamp(issue.updatedAt),
    author_association: associationOf(view, repository, issue.user),
    performed_via_github_app: issue.viaApp ? appJson(view) : null,
    reactions: rollup(url, issue.reactions),
    ...(pull === undefined
      ? {}
      : {
          draft: pull.draft,
          pull_request: {
            url: `${repositoryUrl(view, repository)}/pulls/${issue.number}`,
            html_url: page,
            diff_url: `${page}.diff`,
            patch_url: `${page}.patch`,
            merged_at: optionalTimestamp(pull.mergedAt),
          },
        }),
  };
}

/** An `issue-comment`. */
export function commentJson(view: View, repository: Repository, comment: Comment): Record<string, unknown> {
  const url = `${repositoryUrl(view, repository)}/issues/comments/${comment.id}`;
  return {
    id: comment.id,
    node_id: nodeId('IC', comment.id),
    url,
    html_url: `${issuePage(view, repository, comment.issueNumber)}#issuecomment-${comment.id}`,
    issue_url: issueUrl(view, repository, comment.issueNumber),
    body: comment.body,
    user: userJson(view, comment.user),
    created_at: timestamp(comment.createdAt),
    updated_at: timestamp(comment.updatedAt),
    author_association: associationOf(view, repository, comment.user),
    performed_via_github_app: comment.viaApp ? appJson(view) : null,
    reactions: rollup(url, comment.reactions),
  };
}

/** A `reaction`. */
export function reactionJson(view: View, reaction: Reaction): Record<string, unknown> {
  return {
    id: reaction.id,
    node_id: nodeId('REA', reaction.id),
    user: userJson(view, reaction.user),
    content: reaction.content,
    created_at: timestamp(reaction.at),
  };
}

/** An `issue-event`; a label, a new title or a reviewer where the event has one. */
export function issueEventJson(
  view: View,
  repository: Repository,
  event: IssueEvent,
): Record<string, unknown> {
  const url = repositoryUrl(view, repository);
  return {
    id: event.id,
    node_id: nodeId('EV', event.id),
    url: `${url}/issues/events/${event.id}`,
    actor: userJson(view, event.actor),
    event: event.event,
    commit_id: event.commit ?? null,
    commit_url: event.commit === undefined ? null : `${url}/commits/${event.commit}`,
    created_at: timestamp(event.at),
    performed_via_github_app: event.actor === view.site.botLogin ? appJson(view) : null,
    ...(event.label === undefined ? {} : { label: event.label }),
    ...(event.rename === undefined ? {} : { rename: event.rename }),
    ...(event.reviewer === undefined
      ? {}
      : {
          review_requester: userJson(view, event.actor),
          requested_reviewer: userJson(view, event.reviewer),
        }),
  };
}

/** The reactions there are. */
export const REACTIONS = ['+1', '-1', 'laugh', 'confused', 'heart', 'hooray', 'rocket', 'eyes'];

function rollup(url: string, reactions: readonly Reaction[]): Record<string, unknown> {
  const counts = REACTIONS.map((content) => [
    content,
    reactions.filter((one) => one.content === content).length,
  ]);
  return { url: `${url}/reactions`, total_count: reactions.length, ...Object.fromEntries(counts) };
}
