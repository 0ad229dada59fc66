/**
 * `/stepback restore`: a pull request that puts the paths which feed what fails back to last good, whatever landed there
 * since. For when changes cannot be told apart, or stand in each other's way.
 */
import { pathsFeeding } from '../content/feeds.ts';
import { rangesOf } from '../content/ranges.ts';
import type { Command } from '../domain/command.ts';
import { type Asked, suspectOf } from '../domain/incident.ts';
import { restoreNames } from '../domain/incident-names.ts';
import { everyApplication } from '../domain/rollout.ts';
import type { Answer } from '../domain/watcher.ts';
import type { Letter } from '../ports/mailbox.ts';
import { cannotRestore, nothingFails, restoreResult } from '../render/revert-results.ts';
import { askedIncident, openAsked, standingNow } from './command-asked.ts';
import { type Desk, done, lookAt, looksMax, type Result } from './command-desk.ts';
import { followedBranch } from './followed-branch.ts';

/** Puts the paths that feed what fails back to last good, with all that landed there since. */
export async function restore(desk: Desk, command: Command): Promise<Result> {
  const { world, letter } = desk;
  for (const key of desk.keys.slice(0, looksMax)) {
    const result = await lookAt(desk, key);
    const failure = result?.answer.failure ?? null;
    if (result === null || failure === null) continue;
    if (failure.lastGood === null) return { words: cannotRestore(key, 'no-baseline'), why: 'no-baseline' };
    const ranges = await restoreRanges(desk, result.answer);
    const range = ranges.find((one) => one.repository.toLowerCase() === nameOf(letter));
    if (range === undefined || range.status !== 'ahead' || !range.isComplete)
      return { words: cannotRestore(key, 'no-range'), why: 'no-range' };
    const good = await world.forge.commit(letter.repository, range.base);
    const paths = await pathsOf(desk, result.answer, [range.base, range.bad]);
    if (good === null || paths === null) return { words: cannotRestore(key, 'unclear'), why: 'unclear' };
    const { id, branch: revertBranch } = restoreNames(world.cluster.instance, range.base);
    const known = (await world.memories.incidents()).find((one) => one.id === id);
    const links = world.linksFor(letter.repository);
    if (known?.phase === 'proposed' && known.pullRequest?.closedAt === null)
      return done(restoreResult(known, links));
    const suspects = range.commits
      .filter(({ feeds }) => feeds !== 'no')
      .map(suspectOf)
      .reverse();
    const asked: Asked = {
      kind: 'restore',
      by: letter.sender.login,
      at: letter.receivedAt,
      paths,
      tree: good.tree,
    };
    const branch = await followedBranch(desk.world.forge, desk.letter.repository, range.branch);
    const sets = [await standingNow(desk, result.answer, null)];
    const about = { id, branch, revertBranch, suspects, sets };
    return openAsked(desk, command, askedIncident(desk, asked, about), [key]);
  }
  const [key = ''] = desk.keys;
  const last = await lookAt(desk, key);
  return { words: nothingFails(key, last?.answer.rollout.verdict ?? 'unknown'), why: 'nothing-fails' };
}

/** From last good to what the branch holds now, in every repository. */
async function restoreRanges(desk: Desk, answer: Answer): ReturnType<typeof rangesOf> {
  const { world, letter } = desk;
  const { failure } = answer;
  if (failure?.lastGood == null) return [];
  const { sources } = failure.first.application;
  const bad: string[] = [];
  for (const [index, source] of sources.entries()) {
    const repository = source.chart === null ? world.forge.repositoryOf(source.repoURL) : null;
    const isHere =
      repository !== null && `${repository.owner}/${repository.name}`.toLowerCase() === nameOf(letter);
    const branch = isHere
      ? await followedBranch(desk.world.forge, desk.letter.repository, source.targetRevision)
      : '';
    const head = isHere ? await world.forge.branchHead(letter.repository, branch) : null;
    bad.push(head?.sha ?? failure.lastGood.revisions[index] ?? '');
  }
  return rangesOf(world.forge, { ...failure, bad });
}

/** Every path that feeds the ApplicationSet out of the letter's repository; null when nobody can tell. */
async function pathsOf(
  { world, letter }: Desk,
  answer: Answer,
  commits: readonly string[],
): Promise<readonly string[] | null> {
  const paths = new Set<string>();
  const seen = new Set<string>();
  for (const { application } of everyApplication(answer.rollout))
    for (const source of application.sources) {
      const repository = source.chart === null ? world.forge.repositoryOf(source.repoURL) : null;
      if (repository === null || `${repository.owner}/${repository.name}`.toLowerCase() !== nameOf(letter))
        continue;
      const key = JSON.stringify([source.path, source.alsoPaths]);
      if (seen.has(key)) continue;
      seen.add(key);
      for (const commit of commits) {
        const found = await pathsFeeding(world.forge, letter.repository, source, commit);
        if (found === null) return null;
        for (const path of found) paths.add(path);
      }
    }
  return [...paths].sort();
}

function nameOf({ repository }: Letter): string {
  return `${repository.owner}/${repository.name}`.toLowerCase();
}
