/**
 * What webhooks mean to Stepback. Most are nudges: a handler finds out whom a delivery concerns, nudges, and is done;
 * what follows is read again by the tick, so a lost, late or doubled delivery costs time and never truth. Commands
 * and buttons are nowhere to be read again, so they are kept as letters before GitHub gets its answer. The payload is
 * signed by GitHub and still read with care: servers of many versions send it.
 */
import type { ApplicationFunction } from 'probot';
import { parseCheckId } from '../domain/check-id.ts';
import { revertBranchPrefix } from '../domain/incident-names.ts';
import { isCommit } from '../domain/objects.ts';
import { type Json, list, record, text } from '../domain/read.ts';
import { isApp, isOwn, repositoryOf } from './payload.ts';
import { type LetterOptions, postLetter } from './post-letter.ts';
import { type Heard, letterOfButton, letterOfComment, type Receipt } from './read-letter.ts';
import type { Watched } from './watched.ts';

/** The events that the App asks for; `app.yml` lists the same. */
export const subscribedEvents = ['push', 'pull_request', 'issue_comment', 'issues', 'check_run'] as const;

/** Sent to every App without being asked for. */
export const unaskedEvents = ['installation', 'installation_repositories', 'ping'] as const;

export type HandledEvent = (typeof subscribedEvents)[number] | (typeof unaskedEvents)[number];

/**
 * What became of a delivery. `own`: we did it ourselves, and would run in circles. `posted`: it became a letter;
 * `known`: it had become one before.
 */
export type Outcome = 'nudged' | 'posted' | 'known' | 'ignored' | 'own';

export interface WebhookOptions extends LetterOptions {
  watched: readonly Watched[];
  /** The GitHub server, as the Forge names it in its repositories. */
  host: string;
  /** The account of the App, `slug[bot]`. */
  appLogin: string;
  /** Told once for every delivery of an event that is handled. */
  onOutcome(event: HandledEvent, outcome: Outcome): void;
}

/** Registers the handlers. None takes long: GitHub waits for an answer for 10 s and no longer. */
export function webhookHandlers(options: WebhookOptions): ApplicationFunction {
  const handlers: Readonly<Record<HandledEvent, Handler>> = {
    push: (payload) => pushed(options, payload),
    pull_request: (payload) => pullRequestChanged(options, payload),
    issue_comment: (payload, id) => heard(options, letterOfComment(payload, receiptOf(options, id))),
    issues: (payload) => issueChanged(options, payload),
    check_run: (payload, id) => checkRunTouched(options, payload, id),
    installation: (payload) => installationChanged(options, payload),
    installation_repositories: (payload) => installationChanged(options, payload),
    ping: () => greeted(options),
  };
  return (app) => {
    for (const event of [...subscribedEvents, ...unaskedEvents]) {
      app.on(event, async ({ id, payload }) => {
        try {
          options.onOutcome(event, await handlers[event](record(payload), id));
        } catch (problem) {
          // GitHub gets an error too, so that the delivery can be found and sent again.
          const words = problem instanceof Error ? problem.message : String(problem);
          options.log.warn('a webhook could not be handled', { event, problem: words });
          throw problem;
        }
      });
    }
  };
}

type Handler = (payload: Json, deliveryId: string) => Outcome | Promise<Outcome>;

function receiptOf({ host, appLogin, clock }: WebhookOptions, deliveryId: string): Receipt {
  return { host, appLogin, deliveryId, receivedAt: clock.now() };
}

async function heard(
  options: WebhookOptions,
  letter: Heard,
  concerned: readonly Watched[] = options.watched,
): Promise<Outcome> {
  if (letter === 'own') return 'own';
  return letter === 'nothing' ? 'ignored' : postLetter(options, concerned, letter);
}

/** A button is for the Argo CD that the check run is about; "Re-run" asks for a look. */
async function checkRunTouched(options: WebhookOptions, payload: Json, deliveryId: string): Promise<Outcome> {
  const about = parseCheckId(text(record(payload.check_run).external_id));
  const concerned = options.watched.filter(({ cluster }) => cluster.instance === about?.instance);
  if (concerned.length === 0) return 'ignored';
  if (text(payload.action) === 'rerequested') {
    if (isOwn(options.appLogin, payload)) return 'own';
    const key = about?.applicationSet ?? null;
    for (const { cluster, loop } of concerned)
      if (key !== null && cluster.applicationSets().has(key)) loop.nudge(key);
    return 'nudged';
  }
  return heard(options, letterOfButton(payload, receiptOf(options, deliveryId)), concerned);
}

/** An issue with a label may be what stops Stepback, and be so no longer. Which label does, the look reads. */
function issueChanged(options: WebhookOptions, payload: Json): Outcome {
  const repository = repositoryOf(options.host, payload);
  const action = text(payload.action);
  const isLabelled = list(record(payload.issue).labels).length > 0;
  const isNews =
    ['labeled', 'unlabeled'].includes(action) ||
    (isLabelled && ['opened', 'closed', 'reopened', 'deleted', 'transferred'].includes(action));
  if (repository === null || !isNews) return 'ignored';
  if (isOwn(options.appLogin, payload)) return 'own';
  for (const { loop } of options.watched) loop.repositoryChanged(repository);
  return 'nudged';
}

function pushed(options: WebhookOptions, payload: Json): Outcome {
  const repository = repositoryOf(options.host, payload);
  const [, branch] = /^refs\/heads\/(.+)$/.exec(text(payload.ref)) ?? [];
  const head = text(payload.after);
  // The head of a branch that was deleted is all zeros.
  const isHead = isCommit(head) && !/^0+$/.test(head);
  if (repository === null || branch === undefined || !isHead) return 'ignored';
  if (branch.startsWith(revertBranchPrefix) && isOwn(options.appLogin, payload)) return 'own';
  for (const { loop } of options.watched) loop.pushed(repository, branch, head);
  return 'nudged';
}

/** What people do to a revert of ours that changes what is to be done. */
const followedActions: readonly string[] = [
  'closed',
  'reopened',
  'synchronize',
  'edited',
  'ready_for_review',
  'auto_merge_disabled',
];

/**
 * A revert of ours that people touched, or anything that was merged: it may be what an incident waits for. Anything that
 * is open is told how it would roll out.
 */
function pullRequestChanged(options: WebhookOptions, payload: Json): Outcome {
  const repository = repositoryOf(options.host, payload);
  const pullRequest = record(payload.pull_request);
  const action = text(payload.action);
  const isMerged = action === 'closed' && pullRequest.merged === true;
  const isFollowed = followedActions.includes(action) && isOurs(options, pullRequest);
  const isTouched = ['opened', 'reopened', 'synchronize', 'edited'].includes(action);
  if (repository === null || !(isMerged || isFollowed || isTouched)) return 'ignored';
  // A merge by ourselves is news all the same: GitHub merges in our name when checks have passed.
  if (!isMerged && isOwn(options.appLogin, payload)) return 'own';
  const number = Number(pullRequest.number);
  if (isTouched && Number.isSafeInteger(number))
    for (const { loop } of options.watched) loop.pullRequestTouched(repository, number);
  if (!(isMerged || isFollowed)) return 'nudged';
  for (const { loop, cluster } of options.watched) {
    loop.pullRequestChanged(repository).catch((problem: unknown) => {
      options.log.warn('a webhook could not be followed; the next look finds what it told', {
        instance: cluster.instance,
        problem: problem instanceof Error ? problem.message : String(problem),
      });
    });
  }
  return 'nudged';
}

/** Repositories came or went: what could not be read may be readable now, and the other way round. */
function installationChanged(options: WebhookOptions, payload: Json): Outcome {
  options.log.info('the installation of the App changed', {
    account: text(record(record(payload.installation).account).login),
    action: text(payload.action),
  });
  for (const { cluster, loop } of options.watched) {
    for (const key of cluster.applicationSets().keys()) loop.nudge(key);
  }
  return 'nudged';
}

function greeted(options: WebhookOptions): Outcome {
  options.log.info('GitHub reaches us: the webhook was pinged');
  return 'ignored';
}

/** Opened by us, whatever its branch is called, or from a branch of ours in the repository itself: forks name theirs freely. */
function isOurs(options: WebhookOptions, pullRequest: Json): boolean {
  if (isApp(options.appLogin, record(pullRequest.user))) return true;
  const head = record(pullRequest.head);
  const from = text(record(head.repo).full_name).toLowerCase();
  const to = text(record(record(pullRequest.base).repo).full_name).toLowerCase();
  return text(head.ref).startsWith(revertBranchPrefix) && from === to && from !== '';
}
