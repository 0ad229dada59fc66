/**
 * From a failure to the change that did it. The only place where the loop asks GitHub about history, and only
 * when something fails; what it learns about a commit never changes, so a second look costs nothing.
 */
import { rangesOf } from '../content/ranges.ts';
import { type Culprit, findCulprit, type RangeCommit, whyNoRange } from '../domain/culprit.ts';
import type { RolloutFailure } from '../domain/failure.ts';
import type { Forge, Repository } from '../ports.ts';

/** Throws WorldProblem when GitHub cannot be read. */
export async function investigate(forge: Forge, failure: RolloutFailure): Promise<Culprit> {
  const before = whyNoRange(failure);
  if (before !== null) return before;
  const ranges = await rangesOf(forge, failure);
  if (ranges.length === 0)
    return {
      kind: 'none',
      reason: 'not-on-a-forge',
      detail: failure.first.application.sources.map((source) => source.repoURL).join(', '),
    };
  const culprit = findCulprit(failure, ranges);
  if (culprit.kind === 'none') return culprit;
  const repository = repositoryFor(forge, failure, culprit.repository);
  if (repository === null) return culprit;
  const suspects = await Promise.all(culprit.suspects.map((commit) => withFiles(forge, repository, commit)));
  return { ...culprit, suspects, branch: await branchFor(forge, repository, culprit.branch) };
}

/** The repository of the failing Applications' sources that has this name, with its host. */
export function repositoryFor(forge: Forge, failure: RolloutFailure, name: string): Repository | null {
  const all = failure.first.application.sources.map((source) => forge.repositoryOf(source.repoURL));
  return (
    all.find((repository) => repository !== null && `${repository.owner}/${repository.name}` === name) ?? null
  );
}

async function withFiles(forge: Forge, repository: Repository, commit: RangeCommit): Promise<RangeCommit> {
  const { files, isComplete } = await forge.filesOf(repository, commit.sha);
  return { ...commit, files: isComplete ? files.map((file) => file.path) : null };
}

/** HEAD and an empty target follow the default branch (GH14). */
async function branchFor(forge: Forge, repository: Repository, target: string): Promise<string> {
  const name = target.replace(/^refs\/heads\//, '');
  if (name !== '' && name !== 'HEAD') return name;
  return (await forge.repository(repository))?.defaultBranch ?? 'main';
}
