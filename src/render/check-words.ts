/**
 * Title and first sentences of the check run of a commit: what is true of this commit now, what is in the way, and what
 * a person can do.
 */
import type { CheckStage } from '../domain/check-stages.ts';
import type { CommitCheck, WaitingVerdict } from '../domain/commit-check.ts';
import type { Culprit } from '../domain/culprit.ts';
import type { Incident, SetStanding } from '../domain/incident.ts';
import { never } from '../domain/never.ts';
import { countNotBack } from '../domain/not-back.ts';
import { wordsAbout } from './culprit-comment.ts';
import { brokeLate, failingStages, isWithoutStages, share } from './facts.ts';
import type { Detail } from './fit.ts';
import { groupInMarkdown, groupReasons } from './groups.ts';
import { commitLink, type Links } from './links.ts';
import { count, counted, listOf, shortName } from './lists.ts';
import { noCulpritInMarkdown } from './no-culprit.ts';
import { codeSpan, inlineText, plainLine } from './safe.ts';

const nameMax = 40;
const stagesMax = 3;

/** Plain text of one line. */
export function checkTitle(check: CommitCheck): string {
  const { state } = check;
  switch (state.kind) {
    case 'queued':
      return 'Queued: Argo CD has not begun with it';
    case 'rolling':
      return `${share(having(check), total(check))} Applications run it${whereNow(check)}${outOfOrder(check)}`;
    case 'done':
      return 'Every stage runs it and is Healthy';
    case 'overtaken':
      return `Overtaken by ${state.by.slice(0, 7)}`;
    case 'waiting':
      return waitingTitle(check, state.verdict);
    case 'failing':
      return state.incident === null
        ? `${stopped(check.stages.filter((stage) => stage.failing.length > 0))}; no revert${outOfOrder(check)}`
        : incidentTitle(check, state.incident);
    default:
      return never(state);
  }
}

/** Markdown: the sentences above the table. */
export function checkOpening(check: CommitCheck, links: Links, detail: Detail): string {
  const { state } = check;
  const key = codeSpan(check.key, { max: 120 });
  const sha = commitLink(check.sha, links);
  switch (state.kind) {
    case 'queued':
      return `${sha} changes what ${key} deploys. Argo CD has not begun with it yet.`;
    case 'rolling':
      return `**${share(having(check), total(check))}** Applications of ${key} run ${sha}.${earlyMarkdown(check, detail)}`;
    case 'done':
      return `${allOf(check)} of ${key} ${total(check) === 1 ? 'runs' : 'run'} ${sha}, and every stage is Healthy.`;
    case 'overtaken':
      return `${commitLink(state.by, links)} changes ${key} as well and landed before every stage ran ${sha}. How it goes on stands there.`;
    case 'waiting':
      return `The rollout of ${sha} in ${key} does not go on by itself. ${waitingWords(check, state.verdict, detail)}`;
    case 'failing':
      return state.incident === null
        ? `${sha} fails in ${key}.${earlyMarkdown(check, detail)}\n\n${noRevert(state.culprit)}`
        : aboutIncident(check, state.incident, links, detail);
    default:
      return never(state);
  }
}

/** As of the last change of the incident, and of this ApplicationSet alone. */
function aboutIncident(check: CommitCheck, incident: Incident, links: Links, detail: Detail): string {
  const sets = incident.sets.filter((set) => set.key === check.key);
  const context = { now: incident.changedAt, links };
  return wordsAbout('This commit', incident.suspects.length - 1, { ...incident, sets }, context, detail);
}

function noRevert(culprit: Culprit | null): string {
  if (culprit?.kind === 'none')
    return `**No revert.** ${noCulpritInMarkdown(culprit.reason, culprit.detail)}`;
  return '**No revert yet.** I look for the commits that did it.';
}

/** "Stopped in staging; prod-2 has it out of order" */
function incidentTitle(check: CommitCheck, incident: Incident): string {
  const set = incident.sets.find((one) => one.key === check.key);
  const revert = incident.pullRequest === null ? 'a revert' : `#${incident.pullRequest.number}`;
  const left = set === undefined ? 0 : countNotBack([set]);
  switch (incident.phase) {
    case 'noticed':
    case 'proposed':
      return `${stoppedSet(set)}${outOfOrder(check)}`;
    case 'merged':
      return left === 0
        ? `Taken back by ${revert}; no Application runs it any more`
        : `Taken back by ${revert}; ${counted(left, 'Application')} ${left === 1 ? 'is' : 'are'} not back yet`;
    case 'recovered':
      return `Taken back by ${revert}; every stage is back`;
    case 'healed':
      return `${stoppedSet(set)}; well again without a revert`;
    case 'dismissed':
      return `${stoppedSet(set)}; a person closed the revert`;
    default:
      return never(incident.phase);
  }
}

function stoppedSet(set: SetStanding | undefined): string {
  if (set === undefined) return 'Failed';
  if (set.failureKind === 'render') return 'Cannot be rendered';
  const stages = isWithoutStages(set) ? [] : failingStages(set);
  return stopped(stages, brokeLate(set));
}

function stopped(stages: readonly { name: string }[], isLate = false): string {
  const where = listOf(stages, stagesMax, ({ name }) => plainLine(name, { max: nameMax }));
  if (where === '') return 'Failed';
  return isLate ? `Broke in ${where} after it was Healthy there` : `Stopped in ${where}`;
}

function whereNow(check: CommitCheck): string {
  const stage = check.stages.find((one) => one.verdict !== 'ok' && one.verdict !== 'waiting');
  return stage === undefined ? '' : `, now in ${plainLine(stage.name, { max: nameMax })}`;
}

function early(check: CommitCheck): readonly string[] {
  return check.stages.flatMap((stage: CheckStage) => stage.outOfOrder);
}

function outOfOrder(check: CommitCheck): string {
  const names = early(check);
  if (names.length === 0) return '';
  const who = listOf(names, 2, (name) => plainLine(shortName(name, check.name), { max: nameMax }));
  return `; ${who} ${names.length === 1 ? 'has' : 'have'} it out of order`;
}

function earlyMarkdown(check: CommitCheck, detail: Detail): string {
  const names = early(check);
  if (names.length === 0) return '';
  const who = listOf(names, detail.names, (name) => inlineText(shortName(name, check.name), { max: 63 }));
  return ` **${who} got it out of order**, before the stages ahead of ${names.length === 1 ? 'it' : 'them'} were Healthy.`;
}

function waitingTitle(check: CommitCheck, verdict: WaitingVerdict): string {
  const where = listOf(
    check.stages.filter((stage) => stage.verdict === verdict),
    stagesMax,
    ({ name }) => plainLine(name, { max: nameMax }),
  );
  const at = where === '' ? '' : ` in ${where}`;
  const titles: Readonly<Record<WaitingVerdict, string>> = {
    'manual-gate': `${where === '' ? 'A stage' : where} moves only by hand`,
    paused: `Waits for a person${at}`,
    blocked: `Held from outside${at}`,
    stuck: `Stuck${at}`,
    sick: `Unhealthy${at}, and no commit explains it`,
    stalled: `Neither Healthy nor Degraded for too long${at}`,
    unnoticed: `No sync is coming${at}`,
    misconfigured: 'The ApplicationSet cannot roll out as it is',
  };
  return titles[verdict];
}

/** What a revert would not change, after what is in the way. */
const whyNoRevert: Readonly<Record<WaitingVerdict, string>> = {
  'manual-gate': '',
  paused: 'I open no revert: a pause is opened by a person.',
  blocked: 'I open no revert: what holds it is outside of the commit.',
  stuck: 'I open no revert: it would wait behind what cannot end.',
  sick: 'I open no revert: taking the commit back would not heal it.',
  stalled: 'I open no revert for slowness alone.',
  unnoticed: 'I open no revert: nothing has failed on this commit.',
  misconfigured: 'I open no revert: no commit of this repository is to blame.',
};

function waitingWords(check: CommitCheck, verdict: WaitingVerdict, detail: Detail): string {
  const [first, ...more] = groupReasons(check.reasons);
  const rest = more.length === 0 ? '' : ` ${count(more.length)} more below.`;
  const told = first === undefined ? '' : `${groupInMarkdown(first, detail.names)}${rest}`;
  return [told, whyNoRevert[verdict]].filter((words) => words !== '').join(' ');
}

function having({ stages }: CommitCheck): number {
  return stages.reduce((sum, stage) => sum + stage.having, 0);
}

function allOf(check: CommitCheck): string {
  return total(check) === 1 ? 'The one Application' : `All ${counted(total(check), 'Application')}`;
}

function total({ stages }: CommitCheck): number {
  return stages.reduce((sum, stage) => sum + stage.applications, 0);
}
