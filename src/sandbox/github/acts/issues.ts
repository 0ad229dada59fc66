/** What people and the App do to issues and their pull requests: open, edit, close, label, comment, react. */
import { commentJson, issueJson, labelJson } from '../json/issues.ts';
import { fullPullJson } from '../json/pulls.ts';
import type { Actor, Site } from '../site.ts';
import type { Comment, Issue, IssueEvent, Label, Reaction, Repository } from '../state.ts';

/** GitHub works out whether a pull request can be merged after its webhook went out. */
const NOT_WORKED_OUT = { mergeable: null, state: 'unknown' };

/** Makes the record that issues and pull requests share, with the next number; tells nobody. */
export function makeIssue(
  site: Site,
  repository: Repository,
  actor: Actor,
  values: { title: string; body: string | null },
): Issue {
  const at = site.now();
  const number = repository.nextNumber;
  repository.nextNumber += 1;
  const issue: Issue = {
    id: site.nextId(),
    number,
    title: values.title,
    body: values.body,
    user: site.meet(actor.login).login,
    viaApp: actor.viaApp,
    state: 'open',
    stateReason: null,
    labels: [],
    createdAt: at,
    updatedAt: at,
    closedAt: null,
    closedBy: null,
    reactions: [],
    events: [],
  };
  repository.issues.set(number, issue);
  return issue;
}

/** Opens an issue; each label is an event of its own. */
export function openIssue(
  site: Site,
  repository: Repository,
  actor: Actor,
  values: { title: string; body: string | null; labels: readonly string[] },
): Issue {
  const issue = makeIssue(site, repository, actor, values);
  announceIssue(site, repository, actor, issue, 'opened');
  addLabels(site, repository, actor, issue, values.labels);
  return issue;
}

/** Changes title, body or state; only what differs is announced. */
export function editIssue(
  site: Site,
  repository: Repository,
  actor: Actor,
  issue: Issue,
  values: { title?: string; body?: string | null; state?: 'open' | 'closed'; reason?: Issue['stateReason'] },
): void {
  const changes: Record<string, unknown> = {};
  if (values.title !== undefined && values.title !== issue.title) {
    changes.title = { from: issue.title };
    record(site, issue, actor, 'renamed', { rename: { from: issue.title, to: values.title } });
    issue.title = values.title;
  }
  if (values.body !== undefined && values.body !== issue.body) {
    changes.body = { from: issue.body ?? '' };
    issue.body = values.body;
  }
  if (Object.keys(changes).length > 0) {
    issue.updatedAt = site.now();
    announceIssue(site, repository, actor, issue, 'edited', { changes });
  }
  if (values.state !== undefined && values.state !== issue.state) {
    setState(site, issue, actor, values.state, values.reason ?? null);
    announceIssue(site, repository, actor, issue, values.state === 'closed' ? 'closed' : 'reopened');
  }
}

/** Opens or closes without a webhook; the caller announces it. */
export function setState(
  site: Site,
  issue: Issue,
  actor: Actor,
  state: 'open' | 'closed',
  reason: Issue['stateReason'] = null,
): void {
  const at = site.now();
  issue.state = state;
  issue.stateReason = state === 'open' ? 'reopened' : (reason ?? 'completed');
  issue.closedAt = state === 'closed' ? at : null;
  issue.closedBy = state === 'closed' ? actor.login : null;
  issue.updatedAt = at;
  record(site, issue, actor, state === 'closed' ? 'closed' : 'reopened');
}

/** Adds an entry to an issue's history. */
export function record(
  site: Site,
  issue: Issue,
  actor: Actor,
  event: string,
  more: Partial<IssueEvent> = {},
): void {
  site.meet(actor.login);
  issue.events.push({ id: site.nextId(), event, actor: actor.login, at: site.now(), ...more });
}

/** The label of this name, made when the repository has none. */
export function labelNamed(
  site: Site,
  repository: Repository,
  name: string,
  values: Partial<Label> = {},
): Label {
  const known = repository.labels.get(name.toLowerCase());
  if (known !== undefined) return known;
  const label: Label = { id: site.nextId(), name, color: 'ededed', description: null, ...values };
  repository.labels.set(name.toLowerCase(), label);
  return label;
}

/** Puts labels on an issue or pull request, each with its own event; what is there already stays as it is. */
export function addLabels(
  site: Site,
  repository: Repository,
  actor: Actor,
  issue: Issue,
  names: readonly string[],
): void {
  for (const name of names) {
    const label = labelNamed(site, repository, name);
    if (issue.labels.some((one) => one.toLowerCase() === name.toLowerCase())) continue;
    issue.labels.push(label.name);
    issue.updatedAt = site.now();
    record(site, issue, actor, 'labeled', { label: { name: label.name, color: label.color } });
    announceIssue(site, repository, actor, issue, 'labeled', {
      label: labelJson(site.view(), repository, label),
    });
  }
}

/** Takes a label off. False when it was not on. */
export function removeLabel(
  site: Site,
  repository: Repository,
  actor: Actor,
  issue: Issue,
  name: string,
): boolean {
  const at = issue.labels.findIndex((one) => one.toLowerCase() === name.toLowerCase());
  if (at < 0) return false;
  issue.labels.splice(at, 1);
  issue.updatedAt = site.now();
  const label = labelNamed(site, repository, name);
  record(site, issue, actor, 'unlabeled', { label: { name: label.name, color: label.color } });
  announceIssue(site, repository, actor, issue, 'unlabeled', {
    label: labelJson(site.view(), repository, label),
  });
  return true;
}

/** Comments on an issue or a pull request. */
export function addComment(
  site: Site,
  repository: Repository,
  actor: Actor,
  issue: Issue,
  body: string,
): Comment {
  const at = site.now();
  const comment: Comment = {
    id: site.nextId(),
    issueNumber: issue.number,
    user: site.meet(actor.login).login,
    viaApp: actor.viaApp,
    body,
    createdAt: at,
    updatedAt: at,
    reactions: [],
  };
  repository.comments.set(comment.id, comment);
  issue.updatedAt = at;
  announceComment(site, repository, actor, comment, 'created');
  return comment;
}

/** Changes a comment; the webhook says what it was before and who changed it. */
export function editComment(
  site: Site,
  repository: Repository,
  actor: Actor,
  comment: Comment,
  body: string,
): void {
  const from = comment.body;
  comment.body = body;
  comment.updatedAt = site.now();
  announceComment(site, repository, actor, comment, 'edited', { changes: { body: { from } } });
}

/** Takes a comment away; the webhook still carries it. */
export function deleteComment(site: Site, repository: Repository, actor: Actor, comment: Comment): void {
  announceComment(site, repository, actor, comment, 'deleted');
  repository.comments.delete(comment.id);
}

/** Adds a reaction; the same one by the same person is given back as it is. No webhook tells of reactions. */
export function react(
  site: Site,
  actor: Actor,
  reactions: Reaction[],
  content: string,
): { reaction: Reaction; isNew: boolean } {
  const known = reactions.find((one) => one.user === actor.login && one.content === content);
  if (known !== undefined) return { reaction: known, isNew: false };
  const reaction = { id: site.nextId(), user: site.meet(actor.login).login, content, at: site.now() };
  reactions.push(reaction);
  return { reaction, isNew: true };
}

/** Tells of a change: as `pull_request` where the issue is one, as `issues` otherwise. */
export function announceIssue(
  site: Site,
  repository: Repository,
  actor: Actor,
  issue: Issue,
  action: string,
  more: Record<string, unknown> = {},
): void {
  const pull = repository.pulls.get(issue.number);
  const view = site.view();
  const what =
    pull === undefined
      ? { issue: issueJson(view, repository, issue) }
      : { number: issue.number, pull_request: fullPullJson(view, repository, pull, NOT_WORKED_OUT) };
  site.announce({
    event: pull === undefined ? 'issues' : 'pull_request',
    action,
    repository,
    sender: actor.login,
    payload: { ...what, ...more },
  });
}

function announceComment(
  site: Site,
  repository: Repository,
  actor: Actor,
  comment: Comment,
  action: string,
  more: Record<string, unknown> = {},
): void {
  const issue = repository.issues.get(comment.issueNumber) as Issue;
  const view = site.view();
  site.announce({
    event: 'issue_comment',
    action,
    repository,
    sender: actor.login,
    payload: {
      issue: issueJson(view, repository, issue),
      comment: commentJson(view, repository, comment),
      ...more,
    },
  });
}
