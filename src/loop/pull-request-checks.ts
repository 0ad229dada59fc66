/**
 * Keeps `stepback / blast radius` on every open pull request of the repositories that feed something. A webhook, a
 * rollout that begins or ends to fail, and a slow sweep only name a pull request; the look reads everything again. So a
 * required check is never missing for good, whatever webhook was lost.
 */

import { modeFor, repositorySettings } from '../config/resolve.ts';
import { placeName } from '../content/place-name.ts';
import { checkName, printCheckId } from '../domain/check-id.ts';
import { digestOf } from '../domain/digest.ts';
import type { Incident, SetStanding } from '../domain/incident.ts';
import type { ObjectKey } from '../domain/objects.ts';
import { type Repository, WorldProblem } from '../ports.ts';
import { blastRadiusWords } from '../render/blast-radius.ts';
import { openAllLookedAt } from './all-looked-at.ts';
import type { CheckPlace } from './check-writer.ts';
import { openConfigurationChecks } from './configuration-checks.ts';
import { configurationPath } from './configurations.ts';
import { freshFor } from './fresh-for.ts';
import { type KnownLayout, openLayouts } from './layouts.ts';
import { blastRadiusOf, type Compared, comparedWithBase } from './look-at-pull-request.ts';
import { openQueue } from './queue.ts';
import { calm, newsOf, type RadiusNews } from './radius-news.ts';
import { openSaidRadiuses } from './said-radius.ts';
import type { TickResult } from './tick.ts';
import type { World } from './world.ts';

export interface PullRequestChecks {
  /** Begins to look for pull requests that nobody told us of; again when this replica begins to act. */
  start(): void;
  /** Something happened to a pull request. */
  touched(repository: Repository, number: number): void;
  /** Somebody pushed to a repository: its configuration may have a fault, or none any more. */
  pushed(repository: Repository): void;
  /** A tick looked at an ApplicationSet. `incidents`: as it left them. */
  looked(key: ObjectKey, result: TickResult | 'quiet', incidents: readonly Incident[]): void;
  idle(): Promise<void>;
  stop(): Promise<void>;
}

const minuteMs = 60_000;
/** After the start the first ticks come first. */
const firstSweepMs = minuteMs / 2;
/** How often the open pull requests of every repository are listed: one request a repository. */
const sweepEveryMs = 60 * minuteMs;
/** Between two pull requests that a sweep found: an installation with a thousand must not use up the hour. */
const sweptSpacingMs = 12_000;
const lookAgainMs = minuteMs;
const allLookedAtSoonMs = 5_000;

type Work =
  | { kind: 'pull-request'; repository: Repository; number: number }
  | { kind: 'sweep'; repository: Repository | null }
  | { kind: 'configuration'; repository: Repository };

/**
 * Nothing runs before `start` or a nudge. `results` are the last answers of the ticks. A replica that does not lead does
 * nothing.
 */
export function openPullRequestChecks(
  world: World,
  results: ReadonlyMap<ObjectKey, TickResult>,
  isLeading: () => boolean,
): PullRequestChecks {
  const { forge, clock, log, cluster } = world;
  const layouts = openLayouts(cluster, forge, clock);
  const configurationChecks = openConfigurationChecks(world);
  const defaults = new Map<string, () => Promise<string | null>>();
  const said = openSaidRadiuses();
  const states = new Map<ObjectKey, RadiusNews>();
  /** By incident, what the branch of its revert held at the last look. */
  const bases = new Map<string, string | undefined>();
  let cancelSweep: (() => void) | null = null;
  const allLookedAt = openAllLookedAt(() => cluster.applicationSets().keys(), clock.now);

  const queue = openQueue({
    clock,
    settleMs: 1_000,
    backoffMs: 2_000,
    backoffMsMax: 10 * minuteMs,
    workersMax: 1,
    askedPauseMs: (error) => (error instanceof WorldProblem ? error.retryAfterMs : null),
    async work(key) {
      if (!isLeading()) return;
      const againInMs = await doWork(JSON.parse(key)).catch((problem: unknown) =>
        givenUp(problem, JSON.parse(key)),
      );
      if (againInMs !== null) queue.add(key, againInMs);
    },
    onFailure(key, error, retryInMs) {
      const problem = error instanceof Error ? error.message : String(error);
      log.warn('a pull request could not be looked at', {
        what: nameOfWork(JSON.parse(key)),
        problem,
        retryInMs,
      });
    },
  });

  function add(work: Work, delayMs?: number): void {
    queue.add(JSON.stringify(work), delayMs);
  }

  function placeOf({ repository, pullRequest }: Pick<Compared, 'repository' | 'pullRequest'>): CheckPlace {
    return { repository, sha: pullRequest.headSha, name: checkName(cluster.instance, 'blast radius') };
  }

  function doWork(work: Work): Promise<number | null> {
    switch (work.kind) {
      case 'pull-request':
        return lookAt(work.repository, work.number);
      case 'configuration':
        return configurationChecks.ofRepository(work.repository);
      case 'sweep':
        return work.repository === null ? sweepAll() : sweep(work.repository);
    }
  }

  /** What GitHub refuses for good, as in an archived repository, is asked again at the next sweep and not before. */
  function givenUp(problem: unknown, work: Work): null {
    if (!(problem instanceof WorldProblem) || problem.kind === 'transient') throw problem;
    if (work.kind === 'pull-request') said.forget(work.repository, work.number);
    log.warn('a pull request cannot be looked at', { problem: problem.message });
    return null;
  }

  async function lookAt(repository: Repository, number: number): Promise<number | null> {
    if (!allLookedAt.isSo()) return allLookedAtSoonMs;
    const pullRequest = await forge.pullRequest(repository, number);
    const around = pullRequest?.state === 'open' ? await layouts.of(repository) : null;
    if (pullRequest === null || around === null || !(await isFollowed(repository, around))) {
      said.forget(repository, number);
      // One that was made a moment ago, while it was open, may have been made twice.
      return pullRequest === null ? null : world.checkWriter.confirm(placeOf({ repository, pullRequest }));
    }
    const defaultBranch = (await defaultBranchOf(repository)) ?? '';
    const compared = await comparedWithBase(forge, repository, pullRequest, defaultBranch);
    const configurationMs = await configurationChecks.ofPullRequest(compared);
    const known = await spokenOf(repository, around.known);
    if (known === null) return configurationMs;
    const radius = await blastRadiusOf(compared, {
      forge,
      ...around,
      known,
      incidents: await world.memories.incidents(),
      failing: failingNow(),
      featureFlag: (await world.featureFlag()).state,
      watched: [...cluster.applicationSets().keys()],
      now: clock.now(),
    });
    const words = blastRadiusWords(radius, world.linksFor(repository));
    const onceMoreMs = said.say(
      repository,
      pullRequest,
      radius,
      digestOf(JSON.stringify(words)),
      clock.now(),
    );
    const place = placeOf(compared);
    const keptMs = await world.checkWriter.keep(place, {
      externalId: printCheckId({ kind: 'blast-radius', instance: cluster.instance, applicationSet: null }),
      status: 'completed',
      ...words,
      detailsUrl: null,
      actions: [],
      startedAt: null,
      completedAt: null,
    });
    const isDoubtful = radius.doubts.some((doubt) => doubt.kind === 'cluster');
    const doubtMs = world.checkWriter.doubtInMs(place);
    return soonest([configurationMs, keptMs, doubtMs, isDoubtful ? lookAgainMs : null, onceMoreMs]);
  }

  /** Feeds something, or says by its configuration that Stepback is wanted: there a required check is never missing. */
  async function isFollowed(
    repository: Repository,
    { known, unseen }: { known: readonly KnownLayout[]; unseen: number },
  ): Promise<boolean> {
    if (known.length > 0 || unseen > 0 || repository.name === '.github') return true;
    return (await forge.fileAt(repository, configurationPath, null)) !== null;
  }

  /** Without those that are only observed; null when nothing is to be said in the repository at all. */
  async function spokenOf(
    repository: Repository,
    known: readonly KnownLayout[],
  ): Promise<readonly KnownLayout[] | null> {
    // A file that nobody can read makes Stepback watch, and a required check must not block its mending.
    if ((await world.configurations.report(repository))?.obeyed === 'watching') return known;
    const configuration = await world.configurations.of(repository);
    const spoken = known.filter(({ applicationSet }) => modeFor(configuration, applicationSet) !== 'observe');
    const isObserved = repositorySettings(configuration).mode === 'observe';
    return spoken.length === 0 && (isObserved || known.length > 0) ? null : spoken;
  }

  function defaultBranchOf(repository: Repository): Promise<string | null> {
    const key = placeName(repository);
    const known =
      defaults.get(key) ??
      freshFor(
        clock,
        world.headMaxAgeMs,
        async () => (await forge.repository(repository))?.defaultBranch ?? null,
      );
    defaults.set(key, known);
    return known();
  }

  function failingNow(): ReadonlyMap<ObjectKey, SetStanding['failureKind']> {
    const failing = [...results].filter(([, { answer }]) => answer.rollout.verdict === 'failed');
    return new Map(failing.map(([key, { answer }]) => [key, answer.failure?.kind ?? 'degraded']));
  }

  async function sweepAll(): Promise<null> {
    for (const [index, repository] of (await layouts.repositories()).entries()) {
      add({ kind: 'configuration', repository }, index * 1_000);
      add({ kind: 'sweep', repository }, index * 1_000);
    }
    return null;
  }

  async function sweep(repository: Repository): Promise<null> {
    const { pullRequests, isComplete } = await forge.openPullRequests(repository, null);
    if (isComplete) said.keepOpen(repository, pullRequests);
    pullRequests
      .filter((one) => said.headOf(repository, one.number) !== one.headSha)
      .forEach(({ number }, index) => {
        add({ kind: 'pull-request', repository, number }, index * sweptSpacingMs);
      });
    return null;
  }

  function startSweeping(delayMs: number): void {
    cancelSweep?.();
    cancelSweep = clock.after(delayMs, () => {
      add({ kind: 'sweep', repository: null }, 0);
      startSweeping(sweepEveryMs);
    });
  }

  /** What it would say has changed: every pull request that feeds it is looked at again. */
  function changed(key: ObjectKey): void {
    for (const { repository, number } of said.concernedBy(key))
      add({ kind: 'pull-request', repository, number });
  }

  return {
    start() {
      said.clear();
      bases.clear();
      allLookedAt.start();
      startSweeping(firstSweepMs);
    },
    touched: (repository, number) => add({ kind: 'pull-request', repository, number }),
    pushed: (repository) => add({ kind: 'configuration', repository }),
    looked(key, result, incidents) {
      allLookedAt.looked(key);
      if (result === 'quiet') return;
      const { rollout } = result.answer;
      const stages = rollout.stages.flatMap((stage) => [...stage.applications]);
      layouts.seen(
        rollout.applicationSet,
        [...stages, ...rollout.unselected, ...rollout.orphans].map((one) => one.application),
      );
      const before = states.get(key);
      const state = newsOf(key, result, incidents);
      states.set(key, state);
      const isRepaced = before !== undefined && before.paces !== state.paces;
      const isNews = isRepaced || state.trouble !== (before?.trouble ?? calm);
      if (isNews) changed(key);
      own(result, isNews);
    },
    idle: () => queue.idle(),
    async stop() {
      cancelSweep?.();
      await queue.stop();
    },
  };

  /**
   * Our own revert gets the check too, also where it changes nothing by now, and its webhooks are not listened to. What it
   * changes is another thing when its branch has moved.
   */
  function own({ incident, heads }: TickResult, isNews: boolean): void {
    const pullRequest = incident?.phase === 'proposed' ? incident.pullRequest : null;
    if (incident == null || pullRequest === null || pullRequest.closedAt !== null) return;
    const [owner = '', name = ''] = incident.repository.split('/');
    const repository = { host: incident.host, owner, name };
    const known = said.headOf(repository, pullRequest.number);
    // A person who pushed onto its branch gave it another head, which has no check yet.
    const isTheirs = incident.obstacle?.kind === 'human-changed-branch';
    const base = heads.findLast(({ repoURL, branch }) => {
      const fed = forge.repositoryOf(repoURL);
      return branch === incident.branch && fed !== null && placeName(fed) === placeName(repository);
    })?.sha;
    const hasMoved = bases.get(incident.id) !== base;
    bases.set(incident.id, base);
    if (isNews || hasMoved || known === undefined || (known === pullRequest.headSha) === isTheirs)
      add({ kind: 'pull-request', repository, number: pullRequest.number });
  }
}

function nameOfWork(work: Work): string {
  const where = work.repository === null ? 'everything' : placeName(work.repository);
  return work.kind === 'pull-request' ? `${where}#${work.number}` : `${work.kind} of ${where}`;
}

function soonest(all: readonly (number | null)[]): number | null {
  const due = all.filter((one) => one !== null);
  return due.length === 0 ? null : Math.min(...due);
}
