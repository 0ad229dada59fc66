/** What happens to check runs: made, changed, and their buttons pressed. */
import { announcedCheckRunJson } from '../json/checks.ts';
import type { Actor, Site } from '../site.ts';
import type { CheckAction, CheckAnnotation, CheckRun, Repository } from '../state.ts';
import { settleAutoMerges } from './merge.ts';

/** The fields of a check run that a call may set; undefined leaves a field as it is. */
export type CheckRunValues = {
  name?: string;
  externalId?: string;
  detailsUrl?: string;
  status?: CheckRun['status'];
  conclusion?: string;
  startedAt?: number;
  completedAt?: number;
  title?: string;
  summary?: string;
  text?: string | null;
  annotations?: CheckAnnotation[];
  actions?: CheckAction[];
};

/** Makes a check run of an App (its slug) on a commit. */
export function createCheckRun(
  site: Site,
  repository: Repository,
  app: string,
  values: CheckRunValues & { name: string; headSha: string },
): CheckRun {
  const run: CheckRun = {
    id: site.nextId(),
    suiteId: suiteOf(site, repository, app, values.headSha),
    app,
    name: values.name,
    headSha: values.headSha,
    externalId: '',
    detailsUrl: null,
    status: 'queued',
    conclusion: null,
    startedAt: site.now(),
    completedAt: null,
    title: null,
    summary: null,
    text: null,
    annotations: [],
    actions: [],
  };
  repository.checkRuns.set(run.id, run);
  apply(site, run, values);
  const actor = { login: site.meet(`${app}[bot]`).login, viaApp: true };
  announceCheckRun(site, repository, actor, run, 'created');
  if (run.status === 'completed') completed(site, repository, actor, run);
  return run;
}

/** Changes a check run; annotations are added to those that are there, as GitHub does. */
export function updateCheckRun(
  site: Site,
  repository: Repository,
  run: CheckRun,
  values: CheckRunValues,
): void {
  const before = run.status;
  apply(site, run, values);
  const actor = { login: site.meet(`${run.app}[bot]`).login, viaApp: true };
  if (run.status === 'completed' && before !== 'completed') completed(site, repository, actor, run);
  else if (run.status === 'completed') settleAutoMerges(site, repository);
}

/** A person presses one of a check run's buttons, or (undefined) "Re-run". Only the App that made the run hears of it. */
export function pressButton(
  site: Site,
  repository: Repository,
  actor: Actor,
  run: CheckRun,
  identifier: string | undefined,
): void {
  if (identifier === undefined) {
    announceCheckRun(site, repository, actor, run, 'rerequested');
    return;
  }
  announceCheckRun(site, repository, actor, run, 'requested_action', { requested_action: { identifier } });
}

function completed(site: Site, repository: Repository, actor: Actor, run: CheckRun): void {
  announceCheckRun(site, repository, actor, run, 'completed');
  settleAutoMerges(site, repository);
}

function apply(site: Site, run: CheckRun, values: CheckRunValues): void {
  run.name = values.name ?? run.name;
  run.externalId = values.externalId ?? run.externalId;
  run.detailsUrl = values.detailsUrl ?? run.detailsUrl;
  run.status = values.status ?? run.status;
  run.startedAt = values.startedAt ?? run.startedAt;
  run.title = values.title ?? run.title;
  run.summary = values.summary ?? run.summary;
  if (values.text !== undefined) run.text = values.text;
  run.annotations.push(...(values.annotations ?? []));
  run.actions = values.actions ?? run.actions;
  if (values.conclusion !== undefined) {
    // Giving a conclusion completes a run, whatever status came with it.
    run.conclusion = values.conclusion;
    run.status = 'completed';
    run.completedAt = values.completedAt ?? run.completedAt ?? site.now();
  } else if (values.status !== undefined && values.status !== 'completed') {
    run.conclusion = null;
    run.completedAt = null;
  }
}

/** One suite for each App and commit. */
function suiteOf(site: Site, repository: Repository, app: string, headSha: string): number {
  for (const run of repository.checkRuns.values()) {
    if (run.app === app && run.headSha === headSha) return run.suiteId;
  }
  return site.nextId();
}

function announceCheckRun(
  site: Site,
  repository: Repository,
  actor: Actor,
  run: CheckRun,
  action: string,
  more: Record<string, unknown> = {},
): void {
  const ours = run.app === site.app.slug;
  if (!ours && (action === 'requested_action' || action === 'rerequested')) return;
  site.announce({
    event: 'check_run',
    action,
    repository,
    sender: actor.login,
    payload: { check_run: announcedCheckRunJson(site.view(), repository, run), ...more },
  });
}
