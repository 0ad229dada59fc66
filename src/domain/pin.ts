/**
 * Where a pinned commit comes from. A revert in the repository of the Application moves nothing then: what has to be
 * taken back is the change of the pin, and that lies where the ApplicationSet, or what it generates from, is kept (PS24).
 */
import { branchOf } from './configuration.ts';
import type { Application, ApplicationSet, Source } from './objects.ts';

export interface PinOrigin {
  repoURL: string;
  /** Branch, tag or commit that is read there. */
  revision: string;
  /** Files and folders that can hold the pin, as patterns; empty when the whole repository can. */
  paths: readonly string[];
}

/**
 * The one place where the target of the source with this index is written, or null when it cannot be told: several
 * repositories, a generator that is not Git, or an ApplicationSet that nobody we see applies. `parents` are
 * Applications that may have applied the ApplicationSet.
 */
export function pinOrigin(
  applicationSet: ApplicationSet,
  index: number,
  parents: readonly Application[],
): PinOrigin | null {
  const written = applicationSet.templateSources[index]?.targetRevision ?? '';
  if (!written.includes('{{')) return ofParent(applicationSet, parents);
  const { gitGenerators } = applicationSet;
  const repositories = new Set(gitGenerators.map((one) => `${one.repoURL} ${branchOf(one.revision)}`));
  const [first] = gitGenerators;
  if (first === undefined || repositories.size > 1) return null;
  return { ...first, paths: gitGenerators.flatMap((one) => one.paths) };
}

/** The Application by which Argo CD applies the ApplicationSet itself. */
function ofParent(applicationSet: ApplicationSet, parents: readonly Application[]): PinOrigin | null {
  const parent = parents.find((candidate) => applicationSet.owners.includes(`Application/${candidate.name}`));
  const git = (parent?.sources ?? []).filter((source) => source.chart === null);
  const [source, ...more]: readonly (Source | undefined)[] = git;
  if (source === undefined || more.length > 0) return null;
  return { repoURL: source.repoURL, revision: source.targetRevision, paths: [source.path ?? ''] };
}
