/**
 * Who changed a pin. An Application whose target is a commit id is moved by whoever writes another id: in the files that
 * a Git generator reads, or in the ApplicationSet itself where it is applied from Git. That commit is what has to be taken
 * back, and it lies in another repository than what fails (PS24).
 */
import {
  type Culprit,
  changedSources,
  findCulprit,
  type RangeCommit,
  trackingOf,
  whyNoRange,
} from '../domain/culprit.ts';
import type { RolloutFailure } from '../domain/failure.ts';
import type { Application, ApplicationSet } from '../domain/objects.ts';
import { type PinOrigin, pinOrigin } from '../domain/pin.ts';
import type { Commit, Forge, PullRequest, Repository } from '../ports.ts';
import { rangesOf } from './ranges.ts';
import type { ContentSource } from './source.ts';

export type PinSource = ContentSource & Pick<Forge, 'branchHead'>;

/** Commits of the branch that are looked back through, and files of each that are read. */
const commitsMax = 100;
const filesMax = 500;

/**
 * The culprit of a failure as far as repositories tell: the range between last good and bad, or the change of a pin.
 * `parents` are Applications that may have applied the ApplicationSet. Throws WorldProblem when a forge cannot be read.
 */
export async function culpritIn(
  forge: PinSource,
  applicationSet: ApplicationSet,
  failure: RolloutFailure,
  parents: readonly Application[],
): Promise<Culprit> {
  const before = whyNoRange(failure);
  if (before === null) return findCulprit(failure, await rangesOf(forge, failure));
  const isPinned = before.kind === 'none' && before.reason === 'pinned';
  return isPinned ? pinCulprit(forge, applicationSet, failure, parents) : before;
}

/**
 * The commit that wrote what failed where last good stood, or why it cannot be named. For a failure whose culprit is
 * `pinned`. `parents` are Applications that may have applied the ApplicationSet. Throws WorldProblem.
 */
export async function pinCulprit(
  forge: PinSource,
  applicationSet: ApplicationSet,
  failure: RolloutFailure,
  parents: readonly Application[],
): Promise<Culprit> {
  const pin = changedPin(failure);
  const unknown: Culprit = { kind: 'none', reason: 'pinned', detail: pin?.to ?? '' };
  if (pin === null || failure.lastGood === null || failure.bad === null) return unknown;
  const origin = pinOrigin(applicationSet, pin.index, parents);
  const repository = origin === null ? null : forge.repositoryOf(origin.repoURL);
  if (origin === null || repository === null) return unknown;
  const found = await whoWrote(forge, repository, origin, pin.from, pin.to);
  if (found === null) return unknown;
  return {
    kind: 'suspects',
    repository: `${repository.owner}/${repository.name}`,
    branch: origin.revision,
    suspects: [found],
    innocents: [],
    isWholeRange: false,
    lastGood: failure.lastGood.revisions,
    bad: failure.bad,
  };
}

/** The one pinned source that changed; null when none did, or several. */
function changedPin({
  bad,
  lastGood,
  first,
}: RolloutFailure): { index: number; from: string; to: string } | null {
  if (bad === null || lastGood === null) return null;
  const pinned = changedSources(lastGood.revisions, bad).filter((index) => {
    const source = first.application.sources[index];
    return source !== undefined && trackingOf(source) === 'pinned';
  });
  const [index, ...more] = pinned;
  if (index === undefined || more.length > 0) return null;
  return { index, from: lastGood.revisions[index] ?? '', to: bad[index] ?? '' };
}

/** Back along first parents from the head, to the commit before which the files held `from` and after which `to`. */
async function whoWrote(
  forge: PinSource,
  repository: Repository,
  origin: PinOrigin,
  from: string,
  to: string,
): Promise<RangeCommit | null> {
  const files = openFiles(forge, repository, origin);
  let commit = await forge.branchHead(repository, origin.revision);
  // Moved on since: what is written now is not what fails.
  const present = commit === null ? [] : await files(commit.tree);
  if (!present.some((file) => file.content.includes(to))) return null;
  for (let looked = 0; commit !== null && looked < commitsMax; looked += 1) {
    const [parentId] = commit.parents;
    const parent = parentId === undefined ? null : await forge.commit(repository, parentId);
    if (parent === null) return null;
    const [after, before] = await Promise.all([files(commit.tree), files(parent.tree)]);
    const path = after.find(
      (file) =>
        file.content.includes(to) &&
        before.some((other) => other.path === file.path && other.id !== file.id && isOf(other, from, to)),
    )?.path;
    if (path !== undefined)
      return rangeCommit(commit, parent, path, await forge.pullRequestsOf(repository, commit.sha));
    commit = parent;
  }
  return null;
}

function isOf(file: { content: string }, from: string, to: string): boolean {
  return file.content.includes(from) && !file.content.includes(to);
}

interface PinFile {
  path: string;
  id: string;
  content: string;
}

/** Text files below the folders in which the patterns begin, by the tree of a commit; each tree and file is read once. */
function openFiles(
  forge: PinSource,
  repository: Repository,
  origin: PinOrigin,
): (tree: string) => Promise<readonly PinFile[]> {
  const folders = origin.paths.map((path) =>
    path
      .replace(/[^/*?[{]*[*?[{].*$/, '')
      .split('/')
      .filter((segment) => segment !== '' && segment !== '.'),
  );
  const contents = new Map<string, string>();
  const isWanted = (path: readonly string[]): boolean =>
    folders.length === 0 ||
    folders.some((folder) => folder.every((segment, at) => path[at] === undefined || path[at] === segment));

  async function below(tree: string, path: readonly string[], found: PinFile[]): Promise<void> {
    for (const entry of await forge.readTree(repository, tree)) {
      const place = [...path, entry.name];
      if (!isWanted(place) || found.length >= filesMax) continue;
      if (entry.mode === '040000') await below(entry.id, place, found);
      else if (/\.(?:ya?ml|json)$/i.test(entry.name)) {
        const content =
          contents.get(entry.id) ?? new TextDecoder().decode(await forge.readBlob(repository, entry.id));
        contents.set(entry.id, content);
        found.push({ path: place.join('/'), id: entry.id, content });
      }
    }
  }

  return async (tree) => {
    const found: PinFile[] = [];
    await below(tree, [], found);
    return found;
  };
}

function rangeCommit(
  commit: Commit,
  parent: Commit,
  path: string,
  pullRequests: readonly PullRequest[],
): RangeCommit {
  const merged = pullRequests.find((one) => one.isMerged) ?? null;
  return {
    sha: commit.sha,
    message: commit.message,
    author: commit.author.login ?? commit.author.name,
    tree: commit.tree,
    firstParent: parent.sha,
    firstParentTree: parent.tree,
    parentsCount: commit.parents.length,
    feeds: 'yes',
    files: [path],
    pullRequest:
      merged === null
        ? null
        : {
            number: merged.number,
            title: merged.title,
            url: merged.url,
            author: merged.author.login ?? merged.author.name,
          },
    isOurs: pullRequests.some((one) => one.isOurs && one.isMerged),
  };
}
