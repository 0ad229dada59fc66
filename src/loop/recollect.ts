/**
 * The ledger can be lost, whole or in part: somebody deleted objects, or restored a cluster from a backup. What it held of
 * incidents is put together again from our own pull requests, found by their author and their marker, and from our
 * comment on a change. It is asked once of each repository after this replica began to act, and marked as a guess.
 */

import { repositorySettings } from '../config/resolve.ts';
import { placeName } from '../content/place-name.ts';
import { trailersOf } from '../domain/brakes.ts';
import { type Incident, noted, type Suspect } from '../domain/incident.ts';
import { revertBranchName } from '../domain/incident-names.ts';
import { parseMarker, parseMemo } from '../domain/marker.ts';
import type { Memo } from '../domain/memo.ts';
import type { Application } from '../domain/objects.ts';
import { rebuiltIncident } from '../domain/rebuilt-incident.ts';
import { keptMax } from '../domain/retention.ts';
import type { Commit, Forge, PullRequest, Repository } from '../ports.ts';
import { followed } from './human-revert.ts';
import { noticeLabel } from './keep-notice.ts';
import { openingOf } from './prepare-revert.ts';
import type { World } from './world.ts';

/** Reverts that were closed so long ago bring nothing more: limits look back for a day, landings for some. */
const closedMsMax = 14 * 24 * 60 * 60_000;
/** Pull requests that brought suspects in, whose comments are read. */
const commentedMax = 3;

/** Looks once at what we opened in each repository that feeds these Applications. Throws WorldProblem. */
export async function recollect(world: World, applications: readonly Application[]): Promise<void> {
  const urls = new Set(applications.flatMap(({ sources }) => sources.map((source) => source.repoURL)));
  for (const url of urls) {
    const repository = world.forge.repositoryOf(url);
    if (repository === null) continue;
    const name = placeName(repository);
    if (world.recollected.has(name)) continue;
    await recollectIn(world, repository);
    world.recollected.add(name);
  }
}

async function recollectIn(world: World, repository: Repository): Promise<void> {
  const { forge, memories, cluster } = world;
  const known = await memories.incidents();
  const ids = new Set(known.map(({ id }) => id));
  const since = world.clock.now() - closedMsMax;
  const [pullRequests, issues] = await Promise.all([
    forge.ownPullRequests(repository, since),
    forge.ownIssues(repository, noticeLabel),
  ]);
  // Those that are over were perhaps cut for their number, and would be again.
  const mayBeCut = known.length >= keptMax;
  const reverts = pullRequests
    .filter(({ state }) => state === 'open' || !mayBeCut)
    .sort((one, other) => rank(other) - rank(one) || other.number - one.number);
  const texts: readonly Text[] = [
    ...reverts.map(textOf),
    ...issues
      .filter(({ isOpen }) => isOpen)
      .map(({ number, body }): Text => ({ kind: 'notice', number, body, revert: null })),
  ];
  for (const text of texts) {
    const marker = parseMarker(text.body);
    if (marker?.kind !== text.kind || marker.instance !== cluster.instance || ids.has(marker.incident))
      continue;
    const incident = await rebuild(world, repository, marker.incident, text);
    if (incident === null) continue;
    ids.add(incident.id);
    await memories.saveIncident(incident);
    const { id, phase } = incident;
    world.log.warn('put an incident together again that the ledger does not know of', {
      incident: id,
      phase,
    });
  }
}

/** A text of ours that an incident can be put together from. */
interface Text {
  kind: 'revert' | 'notice';
  number: number;
  body: string;
  revert: PullRequest | null;
}

function textOf(revert: PullRequest): Text {
  return { kind: 'revert', number: revert.number, body: revert.body, revert };
}

/** Of several of one incident the open one counts, then the merged one, then the newest. */
function rank({ state, isMerged }: PullRequest): number {
  return state === 'open' ? 2 : isMerged ? 1 : 0;
}

async function rebuild(
  world: World,
  repository: Repository,
  id: string,
  { number, body, revert }: Text,
): Promise<Incident | null> {
  const { forge, cluster, configurations } = world;
  const memo = parseMemo(body);
  if (memo?.whole == null) return null;
  const suspects = await suspectsOf(forge, repository, memo.whole.suspects);
  const innocents = await suspectsOf(forge, repository, memo.whole.innocents);
  const settings = repositorySettings(await configurations.of(repository));
  const about = {
    id,
    instance: cluster.instance,
    host: repository.host,
    repository: `${repository.owner}/${repository.name}`,
    revertBranch: revertBranchName(cluster.instance, suspects.at(-1)?.sha ?? '', settings.branchTemplate),
    memo,
    suspects,
    innocents,
    opening: await openingOf(forge, repository, settings),
    isThere: (key: string) => cluster.applicationSets().has(key),
    now: world.clock.now(),
  };
  if (revert === null) {
    const noticed = rebuiltIncident(about, null);
    return (
      noticed && { ...noticed, written: { ...noticed.written, issue: { number, digest: '', isOpen: true } } }
    );
  }
  const head = await forge.commit(repository, revert.headSha);
  const headSha = head !== null && isOurCommit(head, id) ? head.sha : '';
  // One that was computed again has the head of the branch as its second parent.
  return rebuiltIncident(about, { ...revert, headSha, baseSha: head?.parents.at(-1) ?? '' });
}

/** The commits of reverts end in a trailer of ours; on a branch of ours another one is a person's. */
function isOurCommit({ message }: Commit, id: string): boolean {
  return message.split('\n').includes(`Stepback-Incident: ${id}`);
}

/** The commits of these ids as an incident keeps them; those that are not there any more are left out. */
async function suspectsOf(
  forge: Forge,
  repository: Repository,
  shas: readonly string[],
): Promise<readonly Suspect[]> {
  const suspects: Suspect[] = [];
  for (const sha of shas) {
    const commit = await forge.commit(repository, sha);
    if (commit === null) continue;
    const [first] = commit.parents;
    const parent = first === undefined ? null : await forge.commit(repository, first);
    const by = (await forge.pullRequestsOf(repository, sha)).find((one) => one.isMerged) ?? null;
    const { files, isComplete } = await forge.filesOf(repository, sha);
    suspects.push({
      sha,
      subject: by?.title ?? commit.message.split('\n')[0] ?? '',
      author: authorOf(by ?? commit),
      pullRequest:
        by === null ? null : { number: by.number, title: by.title, url: by.url, author: authorOf(by) },
      files: isComplete ? files.map((file) => file.path) : null,
      tree: commit.tree,
      firstParentTree: parent?.tree ?? null,
      firstParent: first ?? null,
      landedAt: Math.max(commit.committedAt, by?.mergedAt ?? 0),
      trailers: trailersOf(commit.message),
    });
  }
  return suspects;
}

function authorOf({ author }: Pick<Commit, 'author'>): string {
  return author.login ?? author.name;
}

/**
 * An incident that seems to be new, as what we have said on the change remembers it: dismissed by a person, taken back by
 * somebody, or with a revert that was closed long ago. The incident itself when nothing was said. Throws WorldProblem.
 */
export async function recalled(world: World, repository: Repository, incident: Incident): Promise<Incident> {
  const said = await whatWasSaid(world, repository, incident);
  if (said === null) return incident;
  const { memo, at } = said;
  const now = world.clock.now();
  const known = {
    ...noted(incident, now, 'rebuilt', 'from my comment'),
    openedAt: Math.min(at, now),
    rebuiltAt: now,
  };
  if (memo.phase === 'dismissed' && memo.dismissal !== null)
    return { ...known, phase: 'dismissed', dismissal: memo.dismissal };
  const revert = memo.revert === null ? null : await world.forge.pullRequest(repository, memo.revert);
  const isOurs = revert?.isOurs === true && parseMarker(revert.body)?.incident === incident.id;
  if (revert !== null && isOurs)
    return (await rebuild(world, repository, incident.id, textOf(revert))) ?? known;
  if (memo.takenBackBy === null || (memo.phase !== 'merged' && memo.phase !== 'recovered')) return known;
  const theirs = await world.forge.pullRequest(repository, memo.takenBackBy.number);
  return theirs?.isMerged === true ? followed(known, theirs, theirs.mergedAt ?? now) : known;
}

async function whatWasSaid(
  { forge, cluster }: World,
  repository: Repository,
  { id, suspects }: Incident,
): Promise<{ memo: Memo; at: number } | null> {
  const isIt = (body: string): boolean => {
    const marker = parseMarker(body);
    return marker?.incident === id && marker.instance === cluster.instance && marker.kind !== 'reply';
  };
  const numbers = new Set(
    suspects.map(({ pullRequest }) => pullRequest?.number).filter((one) => one !== undefined),
  );
  for (const number of [...numbers].slice(0, commentedMax)) {
    const comments = await forge.comments(repository, number);
    const ours = comments.find(({ isOurs, body }) => isOurs && isIt(body));
    const memo = ours === undefined ? null : parseMemo(ours.body);
    if (ours !== undefined && memo !== null) return { memo, at: ours.createdAt };
  }
  if (numbers.size > 0) return null;
  const notice = (await forge.ownIssues(repository, noticeLabel)).find(({ body }) => isIt(body));
  const memo = notice === undefined ? null : parseMemo(notice.body);
  return memo === null ? null : { memo, at: memo.whole?.openedAt ?? Number.POSITIVE_INFINITY };
}
