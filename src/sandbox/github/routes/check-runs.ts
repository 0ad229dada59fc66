/** Check runs, with the limits that GitHub puts on what an App may say in one. */
import { type CheckRunValues, createCheckRun, updateCheckRun } from '../acts/checks.ts';
import { type Answer, notFound, ok, Refusal, unprocessable } from '../http/answers.ts';
import type { Call, Route } from '../http/call.ts';
import { annotationJson, checkRunJson } from '../json/checks.ts';
import type { CheckAction, CheckAnnotation, CheckRun } from '../state.ts';
import { checkBytes, checkCharacters, checkItems, cutToBytes } from './limits-of-text.ts';
import { commitNamed } from './resolve.ts';

const TEXT_MAX = 65_535;
const ANNOTATIONS_MAX = 50;
const ACTIONS_MAX = 3;
const LABEL_MAX = 20;
const DESCRIPTION_MAX = 40;
const IDENTIFIER_MAX = 20;

const STATUSES = ['queued', 'in_progress', 'completed'];
const CONCLUSIONS = ['action_required', 'cancelled', 'failure', 'neutral', 'success', 'skipped', 'timed_out'];

/** Routes of check runs. */
export const checkRunRoutes: Route[] = [
  { method: 'POST', path: '/repos/{owner}/{repo}/check-runs', needs: ['checks:write'], handle: create },
  {
    method: 'GET',
    path: '/repos/{owner}/{repo}/check-runs/{check_run_id}',
    needs: ['checks:read'],
    handle: (call) => ok(checkRunJson(call.view, call.repository, runOf(call))),
  },
  {
    method: 'PATCH',
    path: '/repos/{owner}/{repo}/check-runs/{check_run_id}',
    needs: ['checks:write'],
    handle: update,
  },
  {
    method: 'GET',
    path: '/repos/{owner}/{repo}/check-runs/{check_run_id}/annotations',
    needs: ['checks:read'],
    handle: (call) => {
      const run = runOf(call);
      return call.paged(run.annotations, (one) => annotationJson(call.view, call.repository, run, one));
    },
  },
  {
    method: 'GET',
    path: '/repos/{owner}/{repo}/commits/{ref}/check-runs',
    needs: ['checks:read'],
    handle: list,
  },
];

function runOf(call: Call): CheckRun {
  const run = call.repository.checkRuns.get(call.numberParam('check_run_id'));
  if (run === undefined) throw notFound();
  return run;
}

function create(call: Call): Answer {
  const name = call.text('name');
  const headSha = call.text('head_sha');
  if (name === undefined || headSha === undefined) {
    throw unprocessable(`Invalid request.\n\n"${name === undefined ? 'name' : 'head_sha'}" wasn't supplied.`);
  }
  if (call.git.commit(headSha) === undefined) throw unprocessable(`No commit found for SHA: ${headSha}`);
  const values = valuesOf(call);
  const run = createCheckRun(call.site, call.repository, call.view.app.slug, { ...values, name, headSha });
  return ok(checkRunJson(call.view, call.repository, run), 201);
}

function update(call: Call): Answer {
  const run = runOf(call);
  // A check run belongs to the App that made it.
  if (run.app !== call.view.app.slug)
    throw new Refusal(
      403,
      `Invalid app_id \`${run.app}\` - check run can only be modified by the GitHub App that created it.`,
    );
  updateCheckRun(call.site, call.repository, run, { ...valuesOf(call), name: call.text('name') });
  return ok(checkRunJson(call.view, call.repository, run));
}

function list(call: Call): Answer {
  const { query, repository, view } = call;
  const sha = commitNamed(call, call.param('ref'));
  const name = query.get('check_name');
  const status = query.get('status');
  const appId = query.get('app_id');
  const runs = [...repository.checkRuns.values()].filter(
    (run) =>
      run.headSha === sha &&
      (name === null || run.name === name) &&
      (status === null || run.status === status) &&
      (appId === null || (run.app === view.app.slug) === (appId === String(view.app.id))),
  );
  const latest = new Map(runs.map((run) => [`${run.app} ${run.name}`, run]));
  const shown = query.get('filter') === 'all' ? runs : [...latest.values()];
  return call.counted(
    'check_runs',
    shown.sort((a, b) => b.id - a.id),
    (run) => checkRunJson(view, repository, run),
  );
}

/** What the body sets, checked against GitHub's limits. Throws 422. */
function valuesOf(call: Call): CheckRunValues {
  const status = call.text('status');
  const conclusion = call.text('conclusion');
  if (status !== undefined && !STATUSES.includes(status)) throw notAnEnum('status', status, STATUSES);
  if (conclusion !== undefined && !CONCLUSIONS.includes(conclusion)) {
    throw notAnEnum('conclusion', conclusion, CONCLUSIONS);
  }
  if (status === 'completed' && conclusion === undefined) {
    throw unprocessable('Invalid request.\n\n"conclusion" wasn\'t supplied.');
  }
  const output = call.body.output as Record<string, unknown> | undefined;
  return {
    externalId: call.text('external_id'),
    detailsUrl: call.text('details_url'),
    status: status as CheckRun['status'] | undefined,
    conclusion,
    startedAt: timeOf(call.text('started_at')),
    completedAt: timeOf(call.text('completed_at')),
    ...(output === undefined ? {} : outputOf(output)),
    actions: actionsOf(call.body.actions),
  };
}

function outputOf(output: Record<string, unknown>): CheckRunValues {
  const { title, summary, text } = output;
  if (typeof summary !== 'string') throw unprocessable('Invalid request.\n\n"summary" wasn\'t supplied.');
  // The summary is refused, the text is cut without a word: https://github.com/github/docs/issues/35252
  checkBytes(summary, TEXT_MAX);
  const annotations = (output.annotations ?? []) as Partial<CheckAnnotation>[];
  checkItems(annotations, ANNOTATIONS_MAX);
  return {
    title: typeof title === 'string' ? title : undefined,
    summary,
    // An output replaces the one before it as a whole: a text that is left out is gone.
    text: typeof text === 'string' ? cutToBytes(text, TEXT_MAX) : null,
    annotations: annotations.map(annotationOf),
  };
}

function annotationOf(annotation: Partial<CheckAnnotation>): CheckAnnotation {
  const { path, start_line, end_line, annotation_level, message } = annotation;
  if (path === undefined || start_line === undefined || end_line === undefined || message === undefined) {
    throw unprocessable('Invalid request.\n\nAn annotation needs path, start_line, end_line and message.');
  }
  return {
    path,
    start_line,
    end_line,
    start_column: annotation.start_column ?? null,
    end_column: annotation.end_column ?? null,
    annotation_level: annotation_level ?? 'notice',
    title: annotation.title ?? null,
    message,
    raw_details: annotation.raw_details ?? null,
  };
}

function actionsOf(value: unknown): CheckAction[] | undefined {
  if (!Array.isArray(value)) return undefined;
  checkItems(value, ACTIONS_MAX);
  return (value as CheckAction[]).map(({ label, description, identifier }) => {
    checkCharacters(label, LABEL_MAX);
    checkCharacters(description, DESCRIPTION_MAX);
    checkCharacters(identifier, IDENTIFIER_MAX);
    return { label, description, identifier };
  });
}

function notAnEnum(field: string, value: string, allowed: string[]): Refusal {
  return unprocessable(
    `Invalid request.\n\n${value} is not a member of ${JSON.stringify(allowed)} for "${field}".`,
  );
}

function timeOf(text: string | undefined): number | undefined {
  const ms = Date.parse(text ?? '');
  return Number.isNaN(ms) ? undefined : ms;
}
