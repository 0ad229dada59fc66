/**
 * From a failure to the change that did it. The only place where the loop asks GitHub about history, and only
 * when something fails; what it learns about a commit never changes, so a second look costs nothing.
 */
import { pinCulprit } from '../content/pins.ts';
import { rangesOf } from '../content/ranges.ts';
import { type Culprit, findCulprit, type RangeCommit, whyNoRange } from '../domain/culprit.ts';
import type { RolloutFailure } from '../domain/failure.ts';
import type { ApplicationSet } from '../domain/objects.ts';
import type { Forge, Repository } from '../ports.ts';
import { followedBranch } from './followed-branch.ts';

/** Throws WorldProblem when GitHub cannot be read. */
export async function investigate(
  forge: Forge,
  applicationSet: ApplicationSet,
  failure: RolloutFailure,
): Promise<Culprit> {
  const culprit = await culpritByHistory(forge, applicationSet, failure);
  if (culprit.kind === 'none') return culprit;
  const repository = repositoryFor(forge, applicationSet, failure, culprit.repository);
  if (repository === null) return culprit;
  const suspects = await Promise.all(culprit.suspects.map((commit) => withFiles(forge, repository, commit)));
  return { ...culprit, suspects, branch: await followedBranch(forge, repository, culprit.branch) };
}

async function culpritByHistory(
  forge: Forge,
  applicationSet: ApplicationSet,
  failure: RolloutFailure,
): Promise<Culprit> {
  const before = whyNoRange(failure);
  if (before?.kind === 'none' && before.reason === 'pinned')
    return pinCulprit(forge, applicationSet, failure, []);
  if (before !== null) return before;
  const ranges = await rangesOf(forge, failure);
  if (ranges.length > 0) return findCulprit(failure, ranges);
  const urls = failure.first.application.sources.map((source) => source.repoURL);
  return { kind: 'none', reason: 'not-on-a-forge', detail: urls.join(', ') };
}

/** The repository of this name, with its host: one of the failing Applications' sources, or one that a generator reads. */
export function repositoryFor(
  forge: Forge,
  applicationSet: ApplicationSet,
  failure: RolloutFailure,
  name: string,
): Repository | null {
  const urls = [...failure.first.application.sources, ...applicationSet.gitGenerators].map(
    (one) => one.repoURL,
  );
  const all = urls.map((url) => forge.repositoryOf(url));
  return (
    all.find((repository) => repository !== null && `${repository.owner}/${repository.name}` === name) ?? null
  );
}

async function withFiles(forge: Forge, repository: Repository, commit: RangeCommit): Promise<RangeCommit> {
  const { files, isComplete } = await forge.filesOf(repository, commit.sha);
  return { ...commit, files: isComplete ? files.map((file) => file.path) : null };
}
