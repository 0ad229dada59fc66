/**
 * The commits between last good and bad, for each git source that changed: the first-parent line of the
 * branch, each with whether it changes what feeds the failing Applications. Merge, squash and rebase leave
 * different histories; the line is what is taken back, so all three are one case (GH15).
 */
import { contentKey } from '../domain/content.ts';
import { changedSources, type RangeCommit, type SourceRange } from '../domain/culprit.ts';
import type { RolloutFailure } from '../domain/failure.ts';
import { isCommit, type Source } from '../domain/objects.ts';
import type { Commit, CommitRange, PullRequest, Repository } from '../ports.ts';
import { contentIdOf } from './feeds.ts';
import type { ContentSource } from './source.ts';

/** Commits of one range that are looked at one by one; a longer one is called cut. */
const commitsMax = 500;

/** In a longer range the commits that stay are named by their ids alone. */
const namedMax = 12;

/**
 * One range for each git source that differs between last good and bad. Empty when one of them is not known.
 * Throws WorldProblem when the forge cannot be read.
 */
export async function rangesOf(
  forge: ContentSource,
  failure: RolloutFailure,
): Promise<readonly SourceRange[]> {
  const { bad, lastGood } = failure;
  if (bad === null || lastGood === null) return [];
  const ranges: SourceRange[] = [];
  for (const index of changedSources(lastGood.revisions, bad)) {
    const source = failure.first.application.sources[index];
    const base = lastGood.revisions[index];
    const head = bad[index];
    if (source === undefined || source.chart !== null || base === undefined || head === undefined) continue;
    if (!isCommit(base) || !isCommit(head)) continue;
    const repository = forge.repositoryOf(source.repoURL);
    if (repository === null) {
      const { repoURL, targetRevision } = source;
      const about = { repository: repoURL, branch: targetRevision, base, bad: head };
      ranges.push({ ...about, status: 'not-on-a-forge', isComplete: true, commits: [] });
      continue;
    }
    const sources = failure.failing
      .map((one) => one.application.sources[index])
      .filter((one): one is Source => one !== undefined)
      .filter(
        (one, place, all) =>
          all.findIndex((other) => contentKey(other, '') === contentKey(one, '')) === place,
      );
    ranges.push(await rangeOf(forge, repository, sources, base, head));
  }
  return ranges;
}

async function rangeOf(
  forge: ContentSource,
  repository: Repository,
  sources: readonly Source[],
  base: string,
  head: string,
): Promise<SourceRange> {
  const found = await forge.range(repository, base, head);
  const about = {
    repository: `${repository.owner}/${repository.name}`,
    branch: sources[0]?.targetRevision ?? '',
    base,
    bad: head,
  };
  if (found === null) return { ...about, status: 'not-found', isComplete: true, commits: [] };
  const whole = firstParentLine(found, base, head);
  const isComplete = found.isComplete && whole.length <= commitsMax;
  const line = isComplete ? await sinceLastGoodAgain(forge, repository, sources, base, whole) : [];
  const commits: RangeCommit[] = [];
  for (const commit of line)
    commits.push(await rangeCommit(forge, repository, sources, commit, line.length <= namedMax));
  return { ...about, status: found.status, isComplete, commits };
}

/**
 * The part of a line after the newest commit that holds again what last good held: what came before that, a bad commit and
 * its revert, has been taken back already.
 */
async function sinceLastGoodAgain(
  forge: ContentSource,
  repository: Repository,
  sources: readonly Source[],
  base: string,
  line: readonly Commit[],
): Promise<readonly Commit[]> {
  const contentAt = async (sha: string): Promise<string> =>
    JSON.stringify(await Promise.all(sources.map((source) => contentIdOf(forge, repository, source, sha))));
  const good = await contentAt(base);
  let hasChanged = false;
  let from = 0;
  for (const [index, commit] of line.entries()) {
    const isGood = (await contentAt(commit.sha)) === good;
    if (isGood && hasChanged) from = index + 1;
    hasChanged ||= !isGood;
  }
  return line.slice(from);
}

/** From `head` along first parents down to `base`, oldest first. Pure. */
export function firstParentLine(range: CommitRange, base: string, head: string): readonly Commit[] {
  const bySha = new Map(range.commits.map((commit) => [commit.sha, commit]));
  const line: Commit[] = [];
  let sha: string | undefined = head;
  while (sha !== undefined && sha !== base) {
    const commit: Commit | undefined = bySha.get(sha);
    if (commit === undefined) break;
    bySha.delete(sha);
    line.push(commit);
    sha = commit.parents[0];
  }
  return line.reverse();
}

async function rangeCommit(
  forge: ContentSource,
  repository: Repository,
  sources: readonly Source[],
  commit: Commit,
  isNamed: boolean,
): Promise<RangeCommit> {
  const parent = commit.parents[0] ?? null;
  const before = parent === null ? null : await forge.commit(repository, parent);
  const feeds =
    parent === null || before === null
      ? 'unsure'
      : await feedsAny(forge, repository, sources, commit.sha, parent);
  const pullRequests = feeds === 'no' && !isNamed ? [] : await forge.pullRequestsOf(repository, commit.sha);
  return {
    sha: commit.sha,
    message: commit.message,
    author: commit.author.login ?? commit.author.name,
    tree: commit.tree,
    firstParent: parent,
    firstParentTree: before?.tree ?? null,
    parentsCount: commit.parents.length,
    feeds,
    files: null,
    pullRequest: pullRequestFacts(pullRequests),
    isOurs: pullRequests.some((one) => one.isOurs && one.isMerged),
    landedAt: Math.max(commit.committedAt, ...pullRequests.map((one) => one.mergedAt ?? 0)),
  };
}

/** `yes` when what feeds one of the sources differs from the first parent. */
async function feedsAny(
  forge: ContentSource,
  repository: Repository,
  sources: readonly Source[],
  sha: string,
  parent: string,
): Promise<'yes' | 'no'> {
  for (const source of sources) {
    const [after, before] = await Promise.all([
      contentIdOf(forge, repository, source, sha),
      contentIdOf(forge, repository, source, parent),
    ]);
    if (after !== before) return 'yes';
  }
  return 'no';
}

/** The merged one that brought it in; a commit pushed directly has none. */
function pullRequestFacts(pullRequests: readonly PullRequest[]): RangeCommit['pullRequest'] {
  const merged = pullRequests.find((one) => one.isMerged) ?? null;
  if (merged === null) return null;
  return {
    number: merged.number,
    title: merged.title,
    url: merged.url,
    author: merged.author.login ?? merged.author.name,
  };
}
