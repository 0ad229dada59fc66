/**
 * A person who takes the change back by hand: their pull request is supported while it is open, and followed like one of
 * ours when it was merged. Two reverts of one change would conflict with each other.
 */
import { firstParentLine } from '../content/ranges.ts';
import type { ContentSource } from '../content/source.ts';
import { type HeldState, openHeldState } from '../content/taken-back.ts';
import { claimedSuspects, type HumanRevert } from '../domain/brakes.ts';
import { type Incident, noted } from '../domain/incident.ts';
import type { Source } from '../domain/objects.ts';
import type { Commit, Forge, PullRequest, Repository } from '../ports.ts';
import { mayWrite } from './stops.ts';

type Reads = ContentSource & Pick<Forge, 'branchHead' | 'openPullRequests' | 'pullRequest' | 'permissionOf'>;

/** Where the change is, and what of it feeds what fails. */
export interface Place {
  forge: Reads;
  repository: Repository;
  /** Of the Applications that are looked at. */
  sources: readonly Source[];
}

/** Of pull requests that do not say what they take back so many are compared, the latest changed first. */
const comparedMax = 20;

/**
 * Somebody else's open pull request onto the tracked branch that takes a suspect back, by its words or by what it holds;
 * the one that takes most of them, then the oldest. Null when there is none. Throws WorldProblem.
 */
export async function humanRevertOf(place: Place, incident: Incident): Promise<HumanRevert | null> {
  const { pullRequests } = await place.forge.openPullRequests(place.repository, incident.branch);
  const theirs = pullRequests.filter((one) => !one.isOurs);
  const found: { one: PullRequest; taken: Taken }[] = [];
  for (const [index, one] of theirs.entries()) {
    const isSaid = claimedSuspects(incident, one).length > 0;
    const taken = isSaid || index < comparedMax ? await takenBy(place, incident, one) : null;
    if (taken !== null) found.push({ one, taken });
  }
  found.sort((left, right) => right.taken.count - left.taken.count || left.one.number - right.one.number);
  for (const { one, taken } of found)
    if (await counts(place, one))
      return {
        number: one.number,
        author: authorOf(one),
        headSha: one.headSha,
        ...(taken.isByContent ? { isByContent: true } : {}),
      };
  return null;
}

interface Taken {
  /** How many suspects it takes back. */
  count: number;
  isByContent: boolean;
}

/** What merging an open one takes back; null for nothing, also where it says something else. */
async function takenBy(place: Place, incident: Incident, one: PullRequest): Promise<Taken | null> {
  const count = claimedSuspects(incident, one).length;
  const effect = await effectOf(place, incident, one);
  if (effect === 'all') return { count: incident.suspects.length, isByContent: count === 0 };
  return count === 0 || effect === 'none' ? null : { count, isByContent: false };
}

/** `none`: it holds the change, or left the branch before that; `unknown`: it holds something else. */
async function effectOf(
  { forge, repository, sources }: Place,
  incident: Incident,
  one: PullRequest,
): Promise<'all' | 'none' | 'unknown'> {
  const held = heldStateOf({ forge, repository, sources }, incident);
  const head = held === null ? null : await forge.commit(repository, one.headSha);
  if (held === null || head === null) return 'unknown';
  const state = await held(head.tree);
  if (state !== 'before') return state === 'after' ? 'none' : 'unknown';
  const base = await forge.branchHead(repository, incident.branch);
  const range = base === null ? null : await forge.range(repository, base.sha, one.headSha);
  const left = range === null ? null : await forge.commit(repository, range.mergeBase);
  if (left === null) return 'unknown';
  return (await held(left.tree)) === 'before' ? 'none' : 'all';
}

function heldStateOf(
  { forge, repository, sources }: Place,
  { suspects }: Incident,
): ReturnType<typeof openHeldState> | null {
  const before = suspects.at(-1)?.firstParentTree ?? null;
  const after = suspects[0]?.tree ?? null;
  return before === null || after === null
    ? null
    : openHeldState(forge, repository, sources, { before, after });
}

/** From a fork anybody can open one; whose branch lies in the repository itself can write there. */
async function counts({ forge, repository }: Place, { isFromFork, author }: PullRequest): Promise<boolean> {
  if (!isFromFork) return true;
  return author.login !== null && mayWrite.has(await forge.permissionOf(repository, author.login));
}

/**
 * The incident after a look at the pull request that it waits for: merged, it is followed; closed without that, changed so
 * that it takes nothing back any more, or merged for some of the suspects alone, the way is free again. Throws WorldProblem.
 */
export async function followTheirs(place: Place, incident: Incident, now: number): Promise<Incident> {
  const { obstacle } = incident;
  if (incident.phase !== 'noticed' || obstacle?.kind !== 'human-revert-open') return incident;
  const theirs = await place.forge.pullRequest(place.repository, obstacle.number);
  const free = { ...incident, obstacle: null, changedAt: now };
  if (theirs === null || theirs.baseBranch !== incident.branch) return free;
  if (theirs.state === 'open') {
    const isSaid = obstacle.isByContent === true || claimedSuspects(incident, theirs).length > 0;
    if (isSaid && obstacle.headSha === theirs.headSha) return incident;
    const taken = await takenBy(place, incident, theirs);
    if (taken === null || !(await counts(place, theirs))) return free;
    const { headSha } = theirs;
    return { ...incident, obstacle: { ...obstacle, headSha, isByContent: taken.isByContent } };
  }
  const isWhole =
    theirs.isMerged &&
    (claimedSuspects(incident, theirs).length === incident.suspects.length ||
      (await isBackAt(place, incident, theirs.mergeCommit)));
  return isWhole ? followed(incident, theirs, theirs.mergedAt ?? now) : free;
}

async function isBackAt(place: Place, incident: Incident, sha: string | null): Promise<boolean> {
  const held = heldStateOf(place, incident);
  const commit = sha === null || held === null ? null : await place.forge.commit(place.repository, sha);
  return commit !== null && held !== null && (await held(commit.tree)) === 'before';
}

/**
 * Who took the change back, when the branch already is as a revert would leave it: the merged pull request that did, by what
 * the branch held after it, else by what it says. Null when none does. Throws WorldProblem.
 */
export async function whoTookItBack(
  place: Place,
  incident: Incident,
): Promise<PullRequest | { sha: string } | null> {
  const { forge, repository } = place;
  const newest = incident.suspects[0]?.sha ?? '';
  const head = await forge.branchHead(repository, incident.branch);
  const range = head === null ? null : await forge.range(repository, newest, head.sha);
  if (head === null || range === null) return null;
  const line = firstParentLine(range, newest, head.sha).slice(-commitsMax);
  const sha = (await takenBackAt(place, incident, line)) ?? saidAt(incident, line);
  if (sha === null) return null;
  const pullRequests = await forge.pullRequestsOf(repository, sha);
  return pullRequests.find((one) => one.isMerged && one.baseBranch === incident.branch) ?? { sha };
}

/** So many of the newest commits are asked. */
const commitsMax = 50;

/** The last commit of the line, oldest first, after which everything was as before the change, and not before it. */
async function takenBackAt(
  place: Place,
  incident: Incident,
  line: readonly Commit[],
): Promise<string | null> {
  const held = heldStateOf(place, incident);
  if (held === null) return null;
  let found: string | null = null;
  let before: HeldState | null = null;
  for (const { sha, tree } of line) {
    const state = await held(tree);
    if (state === 'before' && before !== 'before') found = sha;
    before = state;
  }
  return found;
}

function saidAt(incident: Incident, line: readonly Commit[]): string | null {
  const said = line.findLast(({ message }) => {
    const [title = ''] = message.split('\n');
    return claimedSuspects(incident, { title, body: message }).length > 0;
  });
  return said?.sha ?? null;
}

/** The incident as one that a person has answered. */
export function followed(incident: Incident, theirs: PullRequest, at: number): Incident {
  return {
    ...noted(incident, at, 'merged', `#${theirs.number}`),
    phase: 'merged',
    obstacle: null,
    takenBackBy: { number: theirs.number, author: authorOf(theirs) },
    changedAt: Math.max(incident.changedAt, at),
  };
}

function authorOf({ author }: PullRequest): string {
  return author.login ?? author.name;
}
