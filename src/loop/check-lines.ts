/**
 * Which lines of history an ApplicationSet follows, and which of the commits on them feed it. A commit feeds it when its
 * content differs from that of the commit before it; what feeds nothing gets no check run.
 */

import { learnRevision } from '../content/learn.ts';
import { placeName } from '../content/place-name.ts';
import { firstParentLine } from '../content/ranges.ts';
import { lineKeyOf } from '../domain/check-stages.ts';
import { branchOf } from '../domain/configuration.ts';
import { contentKey } from '../domain/content.ts';
import { trackingOf } from '../domain/culprit.ts';
import type { BranchHead } from '../domain/look.ts';
import type { Application, Source } from '../domain/objects.ts';
import type { Commit, Repository } from '../ports.ts';
import type { World } from './world.ts';

/** A branch of a repository, with the sources of one ApplicationSet that follow it. */
export interface Line {
  /** `host/owner/name branch` in small letters, but for the branch. */
  key: string;
  repository: Repository;
  sources: readonly Source[];
  head: string;
}

/** Of the commits between two heads so many are looked at, the newest ones. */
const commitsMax = 20;

/** Sources of one content are one, whatever the number of Applications. */
export function distinctSources(applications: readonly Pick<Application, 'sources'>[]): readonly Source[] {
  const sources = applications.flatMap((application) => application.sources);
  const byKey = new Map(
    sources.map((source) => [`${contentKey(source, '')} ${source.targetRevision}`, source] as const),
  );
  return [...byKey.values()].filter((source) => trackingOf(source) === 'branch');
}

/** The lines that the sources follow; two names of one branch (HEAD and main) are one. */
export function linesOf(
  { forge }: Pick<World, 'forge'>,
  sources: readonly Source[],
  heads: readonly BranchHead[],
): readonly Line[] {
  const lines = new Map<string, Line>();
  for (const source of sources) {
    const repository = forge.repositoryOf(source.repoURL);
    const branch = branchOf(source.targetRevision);
    const head = heads.findLast((one) => one.repoURL === source.repoURL && one.branch === branch)?.sha;
    if (repository === null || head === undefined) continue;
    const place = placeName(repository);
    const line = lines.get(`${place} ${head}`);
    lines.set(`${place} ${head}`, {
      key: line?.key ?? `${place} ${branch}`,
      repository,
      head,
      sources: [...(line?.sources ?? []), source],
    });
  }
  return [...lines.values()];
}

/** For the domain: which sources belong to the line. */
export function sourceKeys(line: Line): ReadonlySet<string> {
  return new Set(line.sources.map(lineKeyOf));
}

/**
 * The commits that came after `before` and feed the line's sources, oldest first, at most the newest of twenty. Where
 * history was rewritten only the head is looked at. Throws WorldProblem.
 */
export async function feedingSince(
  world: World,
  line: Line,
  before: string | null,
): Promise<readonly Commit[]> {
  if (before === line.head) return [];
  const range = before === null ? null : await rangeOf(world, line, before);
  const newer = range ?? [await world.forge.commit(line.repository, line.head)];
  const feeding: Commit[] = [];
  for (const commit of newer.slice(-commitsMax)) {
    if (commit !== null && (await feeds(world, line, commit))) feeding.push(commit);
  }
  return feeding;
}

/** Every ApplicationSet of a repository asks for the same ranges. */
async function rangeOf(world: World, line: Line, before: string): Promise<readonly Commit[] | null> {
  const key = `${placeName(line.repository)} ${before} ${line.head}`;
  const { ranges } = world.checkBook;
  const asked =
    ranges.get(key) ??
    world.forge
      .range(line.repository, before, line.head)
      .then((range) => (range === null ? null : firstParentLine(range, before, line.head)));
  ranges.set(key, asked);
  for (const oldest of ranges.keys()) if (ranges.size > 100) ranges.delete(oldest);
  try {
    return await asked;
  } catch (error) {
    ranges.delete(key);
    throw error;
  }
}

/** Whether a commit changes what the sources are made of. Throws WorldProblem. */
export async function feeds(world: World, line: Line, commit: Commit): Promise<boolean> {
  const [parent] = commit.parents;
  if (parent === undefined) return true;
  for (const source of line.sources) {
    await Promise.all([learn(world, source, commit.sha), learn(world, source, parent)]);
    const { ids } = world.content;
    if (ids.get(contentKey(source, commit.sha)) !== ids.get(contentKey(source, parent))) return true;
  }
  return false;
}

/** What the sources of the line hold at a commit, for comparing. Throws WorldProblem. */
export async function learn(world: World, source: Source, revision: string): Promise<void> {
  await learnRevision(world.forge, world.content, source, revision, world.clock.now());
}
