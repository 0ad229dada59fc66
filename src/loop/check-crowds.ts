/**
 * A commit that feeds more than twenty ApplicationSets is told in one check run, because GitHub allows 500 calls an hour
 * that make something. How many it feeds is counted before the first of them is written.
 */
import { placeName } from '../content/place-name.ts';
import { type CommitCheck, incidentOf } from '../domain/commit-check.ts';
import { digestOf } from '../domain/digest.ts';
import type { Incident } from '../domain/incident.ts';
import type { ObjectKey } from '../domain/objects.ts';
import type { Commit } from '../ports.ts';
import { type SummaryLine, summaryName, summaryProgressOf, summaryRunOf } from '../render/check-summary.ts';
import { checkTitle } from '../render/check-words.ts';
import { type Crowd, followersOf } from './check-book.ts';
import { feeds, type Line } from './check-lines.ts';
import type { World } from './world.ts';

/** More than so many are told together. */
const ownChecksMax = 20;

/** ApplicationSets that nobody has looked at yet are waited for so long; then they count as not fed. */
const countingMs = 30_000;
const recountMs = 5_000;

/** Commits that are kept; an older one is counted again. */
const crowdsMax = 200;

export type Togetherness =
  /** Each ApplicationSet has its own check run. */
  | { kind: 'alone' }
  /** It is not known yet how many it feeds. */
  | { kind: 'counting'; crowd: Crowd; lookAgainInMs: number }
  | { kind: 'together'; crowd: Crowd };

/** Throws WorldProblem. */
export async function togethernessOf(world: World, line: Line, commit: Commit): Promise<Togetherness> {
  const { follows, crowds } = world.checkBook;
  if (world.cluster.applicationSets().size <= ownChecksMax) return { kind: 'alone' };
  const candidates = followersOf(world, line.repository);
  if (candidates.length <= ownChecksMax) return { kind: 'alone' };
  const key = `${placeName(line.repository)} ${commit.sha}`;
  const crowd = crowds.get(key) ?? {
    firstSeenAt: world.clock.now(),
    feeds: new Map(),
    lines: new Map(),
    carrier: null,
    written: null,
  };
  crowds.delete(key);
  crowds.set(key, crowd);
  for (const oldest of crowds.keys()) if (crowds.size > crowdsMax) crowds.delete(oldest);
  await Promise.all(candidates.map((candidate) => count(world, crowd, candidate, line, commit)));
  const unknown = candidates.filter((candidate) => !follows.has(candidate));
  const isCounting = unknown.length > 0 && world.clock.now() - crowd.firstSeenAt < countingMs;
  const fed = [...crowd.feeds.values()].filter((isFed) => isFed).length;
  if (isCounting && fed + unknown.length > ownChecksMax)
    return { kind: 'counting', crowd, lookAgainInMs: recountMs };
  if (fed > ownChecksMax) return { kind: 'together', crowd };
  const name = summaryName(world.cluster.instance);
  const wasTogether = await world.checkWriter.has({ repository: line.repository, sha: commit.sha, name });
  return wasTogether ? { kind: 'together', crowd } : { kind: 'alone' };
}

async function count(world: World, crowd: Crowd, key: ObjectKey, line: Line, commit: Commit): Promise<void> {
  if (crowd.feeds.has(key)) return;
  const lines = world.checkBook.follows
    .get(key)
    ?.filter((one) => placeName(one.repository) === placeName(line.repository));
  if (lines === undefined) return;
  const found = await Promise.all(lines.map((one) => feeds(world, one, commit)));
  crowd.feeds.set(key, found.includes(true));
}

/** What one ApplicationSet says, for when the summary is written. */
export function noteLine(crowd: Crowd, check: CommitCheck): void {
  crowd.feeds.set(check.key, true);
  crowd.lines.set(check.key, { key: check.key, kind: check.state.kind, title: checkTitle(check) });
}

/** Puts one ApplicationSet into the summary and writes that. Gives when what was held back is due. Throws WorldProblem. */
export async function keepSummary(
  world: World,
  line: Line,
  crowd: Crowd,
  check: CommitCheck,
): Promise<number | null> {
  const { cluster, clock, checkWriter } = world;
  noteLine(crowd, check);
  // One that was deleted since says nothing any more.
  const known = cluster.applicationSets();
  const fed = [...crowd.feeds].filter(([key, isFed]) => isFed && known.has(key)).map(([key]) => key);
  const incidents = await world.memories.incidents();
  const lines = fed.map((one) => {
    const said = crowd.lines.get(one) ?? silentLine(world, one, check.sha, line, incidents);
    if (said.kind !== 'queued') crowd.lines.set(one, said);
    return said;
  });
  const now = clock.now();
  const state = JSON.stringify(summaryProgressOf(lines));
  const digest = digestOf(JSON.stringify(lines));
  const isSameState = crowd.written?.state === state;
  if (isSameState && (crowd.written?.lines === digest || isCarried(world, crowd, check.key))) return null;
  const content = summaryRunOf(
    { sha: check.sha, instance: cluster.instance, lines },
    world.linksFor(line.repository),
  );
  const place = { repository: line.repository, sha: check.sha, name: summaryName(cluster.instance) };
  const heldMs = await checkWriter.keep(place, content, { mayUseReserve: true });
  crowd.carrier = heldMs === null ? null : { key: check.key, dueAt: now + heldMs };
  if (heldMs === null) crowd.written = { state, lines: digest };
  return heldMs;
}

/** Of one that has said nothing of the commit in this process: not looked at since it landed, or done with it before. */
function silentLine(
  { checkBook }: World,
  key: ObjectKey,
  sha: string,
  line: Line,
  incidents: readonly Incident[],
): SummaryLine {
  if (incidentOf(incidents, sha, key) !== null) return { key, kind: 'failing', title: 'It failed' };
  const told = checkBook.tells.get(key);
  const heads = (checkBook.follows.get(key) ?? [])
    .filter((one) => placeName(one.repository) === placeName(line.repository))
    .map((one) => one.head);
  const hasLooked = heads.includes(sha) || heads.includes(line.head);
  if (told === undefined || told.has(sha) || !hasLooked)
    return { key, kind: 'queued', title: 'Not looked at yet' };
  if (told.size > 0 && !heads.includes(sha))
    return { key, kind: 'overtaken', title: 'A newer commit is followed' };
  return { key, kind: 'done', title: 'It was well before I looked' };
}

/** Another ApplicationSet looks again when what was held back is due. */
function isCarried({ clock, checkBook }: World, { carrier }: Crowd, key: ObjectKey): boolean {
  if (carrier === null || carrier.key === key) return false;
  return carrier.dueAt + recountMs > clock.now() && checkBook.follows.has(carrier.key);
}
