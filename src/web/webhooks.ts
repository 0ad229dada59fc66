/**
 * What webhooks mean to Stepback: nothing but nudges. A handler finds out whom a delivery concerns, nudges, and is done;
 * what follows is read again by the tick, so a lost, late or doubled delivery costs time and never truth. The
 * payload is signed by GitHub and still read with care: servers of many versions send it.
 */
import type { ApplicationFunction } from 'probot';
import { revertBranchPrefix } from '../domain/incident.ts';
import { isCommit } from '../domain/objects.ts';
import { type Json, record, text } from '../domain/read.ts';
import type { Log, Repository } from '../ports.ts';
import type { Watched } from './watched.ts';

/** The events that the App asks for; `app.yml` lists the same. */
export const subscribedEvents = ['push', 'pull_request'] as const;

/** Sent to every App without being asked for. */
export const unaskedEvents = ['installation', 'installation_repositories', 'ping'] as const;

export type HandledEvent = (typeof subscribedEvents)[number] | (typeof unaskedEvents)[number];

/** What became of a delivery. `own`: we did it ourselves, and would run in circles. */
export type Outcome = 'nudged' | 'ignored' | 'own';

export interface WebhookOptions {
  watched: readonly Watched[];
  /** The GitHub server, as the Forge names it in its repositories. */
  host: string;
  /** The account of the App, `slug[bot]`. */
  appLogin: string;
  log: Log;
  /** Told once for every delivery of an event that is handled. */
  onOutcome(event: HandledEvent, outcome: Outcome): void;
}

/** Registers the handlers. They return at once: GitHub waits for an answer for 10 s and no longer. */
export function webhookHandlers(options: WebhookOptions): ApplicationFunction {
  const handlers: Readonly<Record<HandledEvent, (payload: Json) => Outcome>> = {
    push: (payload) => pushed(options, payload),
    pull_request: (payload) => pullRequestChanged(options, payload),
    installation: (payload) => installationChanged(options, payload),
    installation_repositories: (payload) => installationChanged(options, payload),
    ping: () => greeted(options),
  };
  return (app) => {
    for (const event of [...subscribedEvents, ...unaskedEvents]) {
      app.on(event, ({ payload }) => {
        try {
          options.onOutcome(event, handlers[event](record(payload)));
        } catch (problem) {
          // A fault of ours. GitHub gets an error too, so that the delivery can be found and sent again.
          options.log.warn('a webhook could not be handled', { event, problem: String(problem) });
          throw problem;
        }
      });
    }
  };
}

function pushed(options: WebhookOptions, payload: Json): Outcome {
  const repository = repositoryOf(options, payload);
  const [, branch] = /^refs\/heads\/(.+)$/.exec(text(payload.ref)) ?? [];
  const head = text(payload.after);
  // The head of a branch that was deleted is all zeros.
  const isHead = isCommit(head) && !/^0+$/.test(head);
  if (repository === null || branch === undefined || !isHead) return 'ignored';
  if (branch.startsWith(revertBranchPrefix) && isOwn(options, payload)) return 'own';
  for (const { loop } of options.watched) loop.pushed(repository, branch, head);
  return 'nudged';
}

/**
 * A revert of ours that people touched, or anything that was merged: it may be what an incident waits for. Anything that
 * is open is told how it would roll out.
 */
function pullRequestChanged(options: WebhookOptions, payload: Json): Outcome {
  const repository = repositoryOf(options, payload);
  const pullRequest = record(payload.pull_request);
  const action = text(payload.action);
  const isMerged = action === 'closed' && pullRequest.merged === true;
  const isFollowed = ['closed', 'reopened', 'synchronize', 'edited'].includes(action) && isOurs(pullRequest);
  const isTouched = ['opened', 'reopened', 'synchronize', 'edited'].includes(action);
  if (repository === null || !(isMerged || isFollowed || isTouched)) return 'ignored';
  // A merge by ourselves is news all the same: GitHub merges in our name when checks have passed.
  if (!isMerged && isOwn(options, payload)) return 'own';
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

/** From one of our branches, in the repository itself: a fork can name its branches as it likes. */
function isOurs(pullRequest: Json): boolean {
  const head = record(pullRequest.head);
  const from = text(record(head.repo).full_name).toLowerCase();
  const to = text(record(record(pullRequest.base).repo).full_name).toLowerCase();
  return text(head.ref).startsWith(revertBranchPrefix) && from === to && from !== '';
}

function isOwn(options: WebhookOptions, payload: Json): boolean {
  const sender = record(payload.sender);
  return text(sender.type) === 'Bot' && text(sender.login).toLowerCase() === options.appLogin.toLowerCase();
}

/** In lower case, as the Forge makes them of `repoURL`. */
function repositoryOf(options: WebhookOptions, payload: Json): Repository | null {
  const [owner, name, ...rest] = text(record(payload.repository).full_name).toLowerCase().split('/');
  return owner && name && rest.length === 0 ? { host: options.host, owner, name } : null;
}
