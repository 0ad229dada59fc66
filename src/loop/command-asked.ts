/**
 * Pull requests that a person orders by naming what to take back: `/stepback revert #412`, `/stepback restore`. Nothing
 * need fail. The branch is the claim, as for every revert of ours, so carrying it out again adopts what is there; what
 * cannot be made is told and not kept.
 */

import { contentIdOf } from '../content/feeds.ts';
import { type NamedChange, namedChange } from '../content/named-change.ts';
import { placeName } from '../content/place-name.ts';
import type { Command } from '../domain/command.ts';
import { contentKey, type Revisions } from '../domain/content.ts';
import { takenUpAgain } from '../domain/decision.ts';
import { type Asked, type Incident, noted, type SetStanding } from '../domain/incident.ts';
import { incidentNamed, revertBranchName } from '../domain/incident-names.ts';
import type { ObjectKey, Source } from '../domain/objects.ts';
import { everyApplication } from '../domain/rollout.ts';
import { standingOf } from '../domain/standing.ts';
import type { Answer } from '../domain/watcher.ts';
import type { Letter } from '../ports/mailbox.ts';
import {
  noChangeResult,
  noRevertBecause,
  onlyWatches,
  restoreResult,
  revertResult,
} from '../render/revert-results.ts';
import { type Desk, done, fresh, lookAt, looksMax, type Result, withOrder } from './command-desk.ts';
import { feedingSets, follows, isIn, type Subject } from './command-subject.ts';
import { makeRevert } from './make-revert.ts';
import { placeOf } from './move-on.ts';
import { withOpening } from './prepare-revert.ts';
import { stoppedNow } from './read-again.ts';
import { branchTemplateOf, termsOf } from './terms.ts';
import type { World } from './world.ts';

type Change = Extract<NamedChange, { kind: 'change' }>;
type Target = Extract<Extract<Command, { verb: 'revert' }>['target'], { kind: 'commit' | 'pull-request' }>;

/** The change that somebody names, and the ApplicationSets that it feeds. Throws WorldProblem. */
export async function subjectOfChange(
  world: World,
  { repository }: Letter,
  target: Target,
): Promise<{ subject: Subject; change: Change | null }> {
  const none = (why: Parameters<typeof noChangeResult>[0]) => ({
    subject: { kind: 'none', why: { kind: 'told', code: why, words: noChangeResult(why) } } as const,
    change: null,
  });
  const place = placeName(repository);
  if (target.repository !== null && target.repository !== place) return none('other-repository');
  const change = await namedChange(world.forge, repository, target);
  if (change.kind === 'none') return none(change.why);
  const defaultBranch = (await world.forge.repository(repository))?.defaultBranch ?? 'main';
  const keys: ObjectKey[] = [];
  for (const { key, sources } of await feedingSets(world, repository)) {
    const own = sources.filter((source) => follows(source, change.branch, defaultBranch));
    const answers = await Promise.all(own.map((source) => isFed(world, repository, source, change)));
    if (answers.includes(true)) keys.push(key);
  }
  if (keys.length === 0) return none('feeds-nothing');
  const shas = new Set(change.commits.map(({ sha }) => sha));
  const incidents = (await world.memories.incidents()).filter(
    (one) =>
      isIn(one, repository) &&
      one.branch === change.branch &&
      one.asked?.kind !== 'restore' &&
      one.suspects.some(({ sha }) => shas.has(sha)),
  );
  return { subject: { kind: 'sets', keys, incidents }, change };
}

async function isFed(
  { forge }: World,
  repository: Letter['repository'],
  source: Source,
  { before, after }: Change,
): Promise<boolean> {
  const one = await contentIdOf(forge, repository, source, before);
  return one !== (await contentIdOf(forge, repository, source, after));
}

/** Takes back the change that was named; one that an incident is about already is that incident's. */
export async function revertNamed(desk: Desk, command: Command, change: Change): Promise<Result> {
  const { world, letter, keys, incidents } = desk;
  const asked: Asked = {
    kind: 'revert',
    by: letter.sender.login,
    at: letter.receivedAt,
    paths: [],
    tree: null,
  };
  const [known] = [...incidents].sort((one, other) => other.openedAt - one.openedAt);
  if (known !== undefined) return takeUp(desk, command, known, asked);
  const standings = await standingsOf(desk, change);
  const oldest = change.commits.at(-1)?.sha ?? '';
  const incident = askedIncident(desk, asked, {
    id: incidentNamed(world.cluster.instance, oldest),
    branch: change.branch,
    revertBranch: revertBranchName(
      world.cluster.instance,
      oldest,
      await branchTemplateOf(world, letter.repository),
    ),
    suspects: change.commits,
    sets: standings,
  });
  return openAsked(desk, command, incident, keys);
}

async function takeUp(desk: Desk, command: Command, incident: Incident, asked: Asked): Promise<Result> {
  const { world } = desk;
  const links = world.linksFor(placeOf(incident));
  const isOpen = incident.phase === 'proposed' && incident.pullRequest?.closedAt === null;
  if (isOpen || incident.phase === 'merged' || incident.phase === 'recovered')
    return done(revertResult(incident, links));
  const wanted = { by: asked.by, at: asked.at };
  const { pullRequest } = incident;
  const phase = pullRequest === null ? 'noticed' : 'proposed';
  const again = withOrder(takenUpAgain(incident, wanted.by, wanted.at), desk, command);
  const closedAt = pullRequest?.closedAt ?? asked.at;
  await world.memories.saveIncident({
    ...again,
    phase,
    wanted,
    asked,
    pullRequest: pullRequest === null ? null : { ...pullRequest, closedAt },
  });
  await lookAt(desk, incident.sets[0]?.key ?? desk.keys[0] ?? '');
  const after = await fresh(desk, incident);
  if (after.pullRequest !== null) return done(revertResult(after, links));
  // It could not be made: what is left is the incident as it was, which is followed as ever.
  await world.memories.saveIncident({ ...after, asked: null, phase: incident.phase });
  return { words: revertResult(after, links), why: after.obstacle?.kind ?? 'not-made' };
}

/** How each ApplicationSet stands, looked at now: what the branch holds, with the change in it, is what is to go. */
async function standingsOf(desk: Desk, { branch }: Change): Promise<readonly SetStanding[]> {
  const { world, letter } = desk;
  const head = await world.forge.branchHead(letter.repository, branch);
  const defaultBranch = (await world.forge.repository(letter.repository))?.defaultBranch ?? 'main';
  const standings: SetStanding[] = [];
  for (const key of desk.keys.slice(0, looksMax)) {
    const result = await lookAt(desk, key);
    if (result === null) continue;
    const first = everyApplication(result.answer.rollout).find((one) => one.runs !== null);
    const bad: string[] = [];
    for (const [index, source] of first?.application.sources.entries() ?? []) {
      const repository = source.chart === null ? world.forge.repositoryOf(source.repoURL) : null;
      const isMoved =
        head !== null &&
        repository !== null &&
        isSame(repository, letter.repository) &&
        follows(source, branch, defaultBranch);
      if (isMoved) await learn(desk, source, head.sha);
      bad.push(isMoved ? head.sha : (first?.runs?.[index] ?? ''));
    }
    standings.push(await standingNow(desk, result.answer, bad.length === 0 ? null : bad));
  }
  return standings;
}

/** Nothing need move, and then nobody has looked up what the branch holds. */
async function learn({ world, letter }: Desk, source: Source, sha: string): Promise<void> {
  const id = await contentIdOf(world.forge, letter.repository, source, sha);
  if (id !== null) world.content.ids.set(contentKey(source, sha), id);
}

function isSame(one: Letter['repository'], other: Letter['repository']): boolean {
  return `${one.owner}/${one.name}`.toLowerCase() === `${other.owner}/${other.name}`.toLowerCase();
}

/** `bad` counts where nothing fails. */
export async function standingNow(
  { world, letter }: Desk,
  answer: Answer,
  bad: Revisions | null,
): Promise<SetStanding> {
  const applications = everyApplication(answer.rollout).map((one) => one.application);
  const heads = await world.heads.of(applications, world.headMaxAgeMs);
  const look = { facts: world.content, heads, now: world.clock.now() };
  const { owner, name } = letter.repository;
  // Nothing was taken back yet.
  const unmerged = { phase: 'noticed', suspects: [], repository: `${owner}/${name}` } as const;
  const bare = standingOf(answer, answer.failure, null, look, unmerged);
  return bare.bad !== null ? bare : standingOf(answer, null, { ...bare, bad }, look, unmerged);
}

export function askedIncident(
  { world, letter }: Desk,
  asked: Asked,
  about: Pick<Incident, 'id' | 'branch' | 'revertBranch' | 'suspects' | 'sets'>,
): Incident {
  const { host, owner, name } = letter.repository;
  const now = letter.receivedAt;
  const incident: Incident = {
    ...about,
    instance: world.cluster.instance,
    host,
    repository: `${owner}/${name}`,
    phase: 'noticed',
    obstacle: null,
    innocents: [],
    isWholeRange: false,
    lastGoodTree: about.suspects.at(-1)?.firstParentTree ?? null,
    pullRequest: null,
    openedAt: now,
    changedAt: now,
    timeline: [],
    written: { pullRequest: '', comments: {}, at: 0, state: '' },
    wanted: { by: asked.by, at: asked.at },
    dismissal: null,
    asked,
  };
  return incident;
}

/** Makes or adopts the pull request; only then is the incident kept. */
export async function openAsked(
  desk: Desk,
  command: Command,
  named: Incident,
  keys: readonly ObjectKey[],
): Promise<Result> {
  const { world, letter } = desk;
  const { repository } = letter;
  const now = world.clock.now();
  const { mode, settings } = await termsOf(world, repository, named, now);
  if (mode === 'observe') return { words: onlyWatches(keys[0] ?? ''), why: 'observe-mode' };
  const links = world.linksFor(repository);
  const incident = await withOpening(world.forge, repository, named, settings);
  const outcome = await makeRevert(world.forge, repository, incident, links, {
    isDraft: mode === 'propose',
    // Who names what to take back has seen all that holds back, but nobody overrules a stop.
    readAgain: () => stoppedNow(world, repository, settings),
    isOvertaken: async () => false,
  });
  if (outcome.kind === 'not-needed') throw new Error('What a person names is needed.');
  if (outcome.kind === 'obstacle')
    return { words: noRevertBecause(outcome.obstacle), why: outcome.obstacle.kind };
  const { pullRequest } = outcome;
  const state = outcome.kind === 'adopted' ? outcome.state : null;
  const isToBeReopened = state?.state === 'closed' && !state.isMerged;
  const ordered = withOrder(incident, desk, command);
  await world.memories.saveIncident({
    ...noted(ordered, now, 'proposed', `#${pullRequest.number}`),
    phase: 'proposed',
    pullRequest: { ...pullRequest, closedAt: isToBeReopened ? letter.receivedAt : null },
  });
  world.log.info('opened a pull request that a person asked for', {
    incident: incident.id,
    pullRequest: pullRequest.url,
    by: letter.sender.login,
  });
  // The look writes the comments, and opens again what was closed.
  await lookAt(desk, keys[0] ?? '');
  const after = await fresh(desk, incident);
  return done(incident.asked?.kind === 'restore' ? restoreResult(after, links) : revertResult(after, links));
}
