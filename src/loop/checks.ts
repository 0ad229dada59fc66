/**
 * The check runs of one ApplicationSet: one on every commit that feeds it. Called once a look, after the incidents have
 * moved on; the last word on a commit is not forgotten before it is written.
 */

import { modeFor } from '../config/resolve.ts';
import { placeName } from '../content/place-name.ts';
import { checkName } from '../domain/check-id.ts';
import { type CheckedCommit, type CheckMemory, isUnfinished } from '../domain/check-memory.ts';
import { lineKeyOf } from '../domain/check-stages.ts';
import { type CommitCheck, chapterOf, commitCheck, isLastWord } from '../domain/commit-check.ts';
import type { Culprit } from '../domain/culprit.ts';
import { type Incident, isOpen } from '../domain/incident.ts';
import type { ApplicationSet, ObjectKey } from '../domain/objects.ts';
import { everyApplication } from '../domain/rollout.ts';
import type { Answer, Sighting, StageMemory } from '../domain/watcher.ts';
import { type Commit, WorldProblem } from '../ports.ts';
import { checkRunOf } from '../render/check-run.ts';
import { hasNews } from './check-book.ts';
import { keepSummary, noteLine, togethernessOf } from './check-crowds.ts';
import { distinctSources, feedingSince, type Line, learn, linesOf, sourceKeys } from './check-lines.ts';
import type { World } from './world.ts';

/** One look, judged. */
export interface Looked {
  sighting: Sighting;
  answer: Answer;
  culprit: Culprit | null;
}

export interface KeptChecks {
  checks: CheckMemory;
  /** When what was held back is due; null when nothing is. */
  lookAgainInMs: number | null;
}

/** What GitHub refuses for good is tried again this late: somebody may have given the right by then. */
const refusedMs = 5 * 60_000;
const failedMs = 30_000;

/** Of a long range that is taken back together so many commits are told, the newest ones. */
const suspectsMax = 20;

/**
 * Whether check runs need a close look although the radar shows nothing: a last word is due, a push feeds it, or a
 * summary that it is part of must be put together again after a restart.
 */
export async function checksNeedALook(world: World, key: ObjectKey, memory: StageMemory): Promise<boolean> {
  const { checks } = memory;
  if (isUnfinished(checks)) return true;
  const isUnknown = !world.checkBook.follows.has(key) && checks.commits.length > 0;
  if (isUnknown && world.cluster.applicationSets().size > 20) return true;
  return hasNews(world, key, checks.heads);
}

/** Makes the check runs say what was found. A revert is worth more: what GitHub does wrong here is logged and tried later. */
export async function keepChecks(world: World, looked: Looked): Promise<KeptChecks> {
  try {
    return await keep(world, looked);
  } catch (error) {
    if (!(error instanceof WorldProblem)) throw error;
    const { key } = looked.sighting.applicationSet;
    // What landed is not noted yet, and all may be well by the next look.
    world.checkBook.news.add(key);
    const retryInMs = error.retryAfterMs ?? (error.kind === 'permanent' ? refusedMs : failedMs);
    world.log.warn('a check run was not written', { applicationSet: key, problem: error.message, retryInMs });
    return { checks: looked.answer.memory.checks, lookAgainInMs: retryInMs };
  }
}

async function keep(world: World, looked: Looked): Promise<KeptChecks> {
  const { sighting, answer } = looked;
  const { applicationSet, applications, heads } = sighting;
  const { key } = applicationSet;
  const lines = linesOf(world, distinctSources(applications), heads);
  const told = await linesTold(world, applicationSet, lines);
  world.checkBook.follows.set(key, told);
  const incidents = await world.memories.incidents();
  const before = answer.memory.checks;
  // A line that cannot be seen at this look keeps what is to be said on it.
  const kept = before.commits.filter(
    (commit) => !commit.isTold && !lines.some((line) => line.key === commit.line),
  );
  const waits: number[] = [];
  const asked = await Promise.all(
    told.map(async (line) => ({ line, ...(await commitsOf(world, looked, line, before, incidents)) })),
  );
  const commits = [...kept, ...asked.flatMap(({ followed }) => followed)];
  await noteFirst(world, looked, { heads: before.heads, commits });
  for (const { line, blamed, followed } of asked) {
    const known = await keepLine(world, looked, line, [...blamed, ...followed], incidents);
    kept.push(...known.commits);
    waits.push(...known.waits);
  }
  for (const line of lines) world.checkBook.heads.delete(`${key} ${line.key}`);
  world.checkBook.news.delete(key);
  world.checkBook.tells.set(key, new Set(kept.map(({ sha }) => sha)));
  return {
    checks: {
      heads: { ...before.heads, ...Object.fromEntries(lines.map((line) => [line.key, line.head])) },
      commits: kept,
    },
    lookAgainInMs: waits.length === 0 ? null : Math.min(...waits),
  };
}

/** A commit is remembered before a check run is made on it: after a crash in between the run must not be left as it is. */
async function noteFirst(world: World, { sighting, answer }: Looked, checks: CheckMemory): Promise<void> {
  const { key } = sighting.applicationSet;
  const known = new Set(answer.memory.checks.commits.map(({ sha }) => sha));
  if (checks.commits.every(({ sha }) => known.has(sha))) return;
  await world.memories.saveMemory(key, { ...answer.memory, checks }, world.clock.now());
  await world.memories.flush(key);
}

/** Those whose repository does not have Stepback only watch. */
async function linesTold(
  world: World,
  applicationSet: ApplicationSet,
  lines: readonly Line[],
): Promise<readonly Line[]> {
  const modes = await Promise.all(
    lines.map(async ({ repository }) => modeFor(await world.configurations.of(repository), applicationSet)),
  );
  return lines.filter((_, index) => modes[index] !== 'observe');
}

/** The commits of a line that something is to be said of, oldest first; what an incident names need not be remembered. */
async function commitsOf(
  world: World,
  { sighting, answer }: Looked,
  line: Line,
  before: CheckMemory,
  incidents: readonly Incident[],
): Promise<{ blamed: readonly CheckedCommit[]; followed: readonly CheckedCommit[] }> {
  const { key } = sighting.applicationSet;
  const from = world.checkBook.heads.get(`${key} ${line.key}`) ?? before.heads[line.key] ?? null;
  // A fleet that is seen for the first time and is well keeps what it runs without a word about it.
  const isFirst = from === null && answer.rollout.verdict === 'ok';
  const known = before.commits.filter((commit) => commit.line === line.key);
  const isNew = (sha: string): boolean => !known.some((one) => one.sha === sha);
  // What another replica has noted may end before the head that it has noted: the newest that is known is the end of it.
  const newest = known.at(-1)?.sha ?? null;
  const starts = isFirst ? [] : [newest, from].filter((sha, index) => sha !== null || index > 0);
  const fresh: string[] = [];
  for (const start of new Set(starts))
    for (const { sha } of await feedingSince(world, line, start)) if (!fresh.includes(sha)) fresh.push(sha);
  const late = fresh.filter(isNew);
  // What is blamed and not known was told to its end before, or was there before the first look.
  const early = blamedOn(line, key, incidents).filter((sha) => isNew(sha) && !late.includes(sha));
  const entry = (sha: string): CheckedCommit => ({ line: line.key, sha, isDone: false, isTold: false });
  return { blamed: early.map(entry), followed: [...known, ...late.map(entry)] };
}

/** The suspects of what is followed, oldest first. */
function blamedOn(line: Line, key: ObjectKey, incidents: readonly Incident[]): readonly string[] {
  return incidents
    .filter((incident) => isOpen(incident) || incident.phase === 'healed')
    .filter((incident) => incident.sets.some((set) => set.key === key))
    .filter(({ host, repository }) => `${host}/${repository}`.toLowerCase() === placeName(line.repository))
    .flatMap(({ suspects }) => [...suspects.slice(0, suspectsMax)].reverse().map(({ sha }) => sha));
}

async function keepLine(
  world: World,
  looked: Looked,
  line: Line,
  commits: readonly CheckedCommit[],
  incidents: readonly Incident[],
): Promise<{ commits: readonly CheckedCommit[]; waits: readonly number[] }> {
  const newest = commits.at(-1)?.sha ?? null;
  const kept: CheckedCommit[] = [];
  const waits: number[] = [];
  const { checkWriter, checkBook, cluster } = world;
  const name = checkName(cluster.instance, looked.sighting.applicationSet.key);
  for (const one of commits) {
    const place = { repository: line.repository, sha: one.sha, name };
    const word = `${name} ${one.sha}`;
    if (one.sha !== newest && checkBook.lastWords.has(word)) {
      const againMs = await checkWriter.confirm(place);
      if (againMs === null) checkBook.lastWords.delete(word);
      else {
        waits.push(againMs);
        kept.push(one);
      }
      continue;
    }
    const commit = await world.forge.commit(line.repository, one.sha);
    // Force-pushed away: there is nothing left to say it on.
    if (commit === null) continue;
    await learnAll(world, looked, line, commit);
    const check = commitCheck({
      commit: { sha: one.sha, parent: commit.parents[0] ?? null, sources: sourceKeys(line) },
      answer: looked.answer,
      culprit: looked.culprit,
      incidents,
      facts: world.content,
      overtakenBy: one.sha === newest ? null : newest,
      isDone: one.isDone,
    });
    const heldMs = await say(world, line, commit, check, one.isTold);
    if (heldMs !== null) waits.push(heldMs);
    const isOver = heldMs === null && isLastWord(check);
    // Said, but perhaps on one that is not shown: an older commit is not forgotten before that is known.
    const doubtMs = await checkWriter.confirm(place);
    if (doubtMs !== null) waits.push(doubtMs);
    if (isOver && doubtMs !== null) checkBook.lastWords.add(word);
    else checkBook.lastWords.delete(word);
    if (isOver && doubtMs === null && one.sha !== newest) continue;
    const isTold = isOver && doubtMs === null && isSettled(check);
    kept.push({ ...one, isDone: check.state.kind === 'done', isTold });
  }
  return { commits: kept, waits };
}

/** A false alarm that a person dismissed may still become well; all else that is over is. */
function isSettled({ state }: CommitCheck): boolean {
  return state.kind !== 'failing' || state.incident?.phase === 'recovered';
}

/** What the Applications run is compared with the commit by content, also where nothing moves. */
async function learnAll(world: World, { answer }: Looked, line: Line, commit: Commit): Promise<void> {
  const revisions = new Set([commit.sha, ...commit.parents.slice(0, 1)]);
  const keys = sourceKeys(line);
  for (const { runs, application } of everyApplication(answer.rollout)) {
    application.sources.forEach((source, index) => {
      const revision = runs?.[index];
      if (revision !== undefined && keys.has(lineKeyOf(source))) revisions.add(revision);
    });
  }
  await Promise.all(
    line.sources.flatMap((source) => [...revisions].map((revision) => learn(world, source, revision))),
  );
}

/** Writes it; null when nothing was held back. What was done and is done still needs no word of its own. */
async function say(
  world: World,
  line: Line,
  commit: Commit,
  check: CommitCheck,
  isTold: boolean,
): Promise<number | null> {
  const { repository } = line;
  const { instance } = world.cluster;
  const together = await togethernessOf(world, line, commit);
  const place = { repository, sha: commit.sha, name: checkName(instance, check.key) };
  const own = (): Promise<number | null> =>
    world.checkWriter.keep(place, checkRunOf(check, instance, world.linksFor(repository)), {
      chapter: chapterOf(check),
    });
  switch (together.kind) {
    case 'counting':
      noteLine(together.crowd, check);
      return together.lookAgainInMs;
    case 'alone':
      return isTold && check.state.kind === 'done' ? null : own();
    case 'together': {
      const heldMs = await keepSummary(world, line, together.crowd, check);
      const isOwn = check.state.kind === 'failing' || (await world.checkWriter.has(place));
      const ownMs = isOwn ? await own() : null;
      const waits = [heldMs, ownMs].filter((ms): ms is number => ms !== null);
      return waits.length === 0 ? null : Math.min(...waits);
    }
  }
}
