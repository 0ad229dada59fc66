/** Issues and what belongs to issues and pull requests alike: labels, events. */
import { addLabels, editIssue, labelNamed, openIssue, removeLabel } from '../acts/issues.ts';
import { setPullState } from '../acts/pulls.ts';
import { type Answer, invalid, notFound, ok, Refusal } from '../http/answers.ts';
import type { Call, Route } from '../http/call.ts';
import { issueEventJson, issueJson, labelJson, labelsJson } from '../json/issues.ts';
import type { Issue } from '../state.ts';
import { checkBody, checkTitle } from './limits-of-text.ts';

const READ = ['issues:read', 'pull_requests:read'];
const WRITE = ['issues:write', 'pull_requests:write'];

/** Routes of issues, labels and events. */
export const issueRoutes: Route[] = [
  { method: 'GET', path: '/repos/{owner}/{repo}/issues', needs: READ, handle: list },
  { method: 'POST', path: '/repos/{owner}/{repo}/issues', needs: ['issues:write'], handle: create },
  {
    method: 'GET',
    path: '/repos/{owner}/{repo}/issues/{issue_number}',
    needs: READ,
    handle: (call) => ok(issueJson(call.view, call.repository, issueOfCall(call))),
  },
  { method: 'PATCH', path: '/repos/{owner}/{repo}/issues/{issue_number}', needs: WRITE, handle: edit },
  {
    method: 'GET',
    path: '/repos/{owner}/{repo}/issues/{issue_number}/events',
    needs: READ,
    handle: (call) =>
      call.paged(issueOfCall(call).events, (event) => issueEventJson(call.view, call.repository, event)),
  },
  {
    method: 'GET',
    path: '/repos/{owner}/{repo}/issues/{issue_number}/labels',
    needs: READ,
    handle: (call) => call.paged(labelsJson(call.view, call.repository, issueOfCall(call)), (label) => label),
  },
  {
    method: 'POST',
    path: '/repos/{owner}/{repo}/issues/{issue_number}/labels',
    needs: WRITE,
    handle: (call) => {
      const issue = issueOfCall(call);
      addLabels(call.site, call.repository, call.actor, issue, labelsOf(call));
      return ok(labelsJson(call.view, call.repository, issue));
    },
  },
  {
    method: 'DELETE',
    path: '/repos/{owner}/{repo}/issues/{issue_number}/labels/{name}',
    needs: WRITE,
    handle: (call) => {
      const issue = issueOfCall(call);
      if (!removeLabel(call.site, call.repository, call.actor, issue, call.param('name'))) {
        throw new Refusal(404, 'Label does not exist');
      }
      return ok(labelsJson(call.view, call.repository, issue));
    },
  },
  {
    method: 'GET',
    path: '/repos/{owner}/{repo}/labels',
    needs: READ,
    handle: (call) =>
      call.paged([...call.repository.labels.values()], (label) =>
        labelJson(call.view, call.repository, label),
      ),
  },
  {
    method: 'GET',
    path: '/repos/{owner}/{repo}/labels/{name}',
    needs: READ,
    handle: (call) => {
      const label = call.repository.labels.get(call.param('name').toLowerCase());
      if (label === undefined) throw notFound();
      return ok(labelJson(call.view, call.repository, label));
    },
  },
  {
    method: 'POST',
    path: '/repos/{owner}/{repo}/labels',
    needs: WRITE,
    handle: (call) => {
      const name = call.text('name') ?? '';
      if (name === '') throw invalid({ resource: 'Label', code: 'missing_field', field: 'name' });
      if (call.repository.labels.has(name.toLowerCase())) {
        throw invalid({ resource: 'Label', code: 'already_exists', field: 'name' });
      }
      const label = labelNamed(call.site, call.repository, name, {
        color: call.text('color') ?? 'ededed',
        description: call.text('description') ?? null,
      });
      return ok(labelJson(call.view, call.repository, label), 201);
    },
  },
];

/** The issue (or the issue side of the pull request) of the path's number. Throws 404. */
export function issueOfCall(call: Call): Issue {
  const issue = call.repository.issues.get(call.numberParam('issue_number'));
  if (issue === undefined) throw notFound();
  return issue;
}

function list(call: Call): Answer {
  const { query, repository, view } = call;
  const state = query.get('state') ?? 'open';
  const labels = (query.get('labels') ?? '').split(',').filter(Boolean);
  const creator = query.get('creator')?.toLowerCase();
  const since = Date.parse(query.get('since') ?? '') || 0;
  const field = query.get('sort') === 'updated' ? 'updatedAt' : 'createdAt';
  const sign = query.get('direction') === 'asc' ? 1 : -1;
  const wanted = [...repository.issues.values()].filter(
    (issue) =>
      (state === 'all' || issue.state === state) &&
      labels.every((name) => issue.labels.some((one) => one.toLowerCase() === name.toLowerCase())) &&
      (creator === undefined || issue.user.toLowerCase() === creator) &&
      issue.updatedAt >= since,
  );
  wanted.sort((a, b) => sign * (a[field] - b[field] || a.number - b.number));
  return call.paged(wanted, (issue) => issueJson(view, repository, issue));
}

function create(call: Call): Answer {
  const title = call.text('title');
  if (title === undefined || title === '') {
    throw invalid({ resource: 'Issue', code: 'missing_field', field: 'title' });
  }
  checkTitle('Issue', title);
  checkBody('Issue', call.body.body);
  const body = call.text('body') ?? null;
  const issue = openIssue(call.site, call.repository, call.actor, { title, body, labels: labelsOf(call) });
  return ok(issueJson(call.view, call.repository, issue), 201);
}

function edit(call: Call): Answer {
  const { site, repository, actor, view } = call;
  const issue = issueOfCall(call);
  const state = call.text('state');
  if (state !== undefined && state !== 'open' && state !== 'closed') {
    throw invalid({ resource: 'Issue', field: 'state', code: 'invalid' });
  }
  checkTitle('Issue', call.text('title'));
  checkBody('Issue', call.body.body);
  const pull = repository.pulls.get(issue.number);
  const reason = call.text('state_reason') === 'not_planned' ? 'not_planned' : 'completed';
  const body = call.body.body === null ? '' : call.text('body');
  editIssue(site, repository, actor, issue, {
    title: call.text('title'),
    body,
    ...(pull === undefined ? { state, reason } : {}),
  });
  if (pull !== undefined && state !== undefined) setPullState(site, repository, actor, pull, state);
  if (call.body.labels !== undefined) replaceLabels(call, issue, labelsOf(call));
  return ok(issueJson(view, repository, issue));
}

function replaceLabels(call: Call, issue: Issue, names: string[]): void {
  const wanted = names.map((name) => name.toLowerCase());
  for (const name of issue.labels.filter((one) => !wanted.includes(one.toLowerCase()))) {
    removeLabel(call.site, call.repository, call.actor, issue, name);
  }
  addLabels(call.site, call.repository, call.actor, issue, names);
}

/** Labels may be given as names or as objects with a name. */
function labelsOf(call: Call): string[] {
  const labels = call.body.labels;
  if (!Array.isArray(labels)) return [];
  return labels.flatMap((one: unknown) => {
    const name = typeof one === 'object' && one !== null ? (one as { name?: unknown }).name : one;
    return typeof name === 'string' ? [name] : [];
  });
}
