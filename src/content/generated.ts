/**
 * Files that decide what an ApplicationSet generates: its git generators read them, so a pull request that changes one
 * can add, move or remove whole Applications. How many cannot be told before Argo CD reads them.
 */
import { branchOf } from '../domain/configuration.ts';
import type { ApplicationSet, GitGenerator } from '../domain/objects.ts';
import type { ChangedFile, Repository } from '../ports.ts';
import type { ContentSource } from './source.ts';
import { isOf } from './touched.ts';

/** The git generators that read this branch of the repository. */
export function generatorsAt(
  forge: Pick<ContentSource, 'repositoryOf'>,
  applicationSet: ApplicationSet,
  repository: Repository,
  branch: string,
  defaultBranch: string,
): readonly GitGenerator[] {
  return applicationSet.gitGenerators.filter((generator) => {
    const read = branchOf(generator.revision);
    return (read === 'HEAD' ? defaultBranch : read) === branch && isOf(forge, generator, repository);
  });
}

/**
 * Of the changed files those that a generator reads. A pattern of files names them; a pattern of folders cares for files
 * that come or go, because only these make a folder appear or vanish. `folders`: those that have an Application already.
 */
export function filesGenerated(
  generators: readonly GitGenerator[],
  files: readonly ChangedFile[],
  folders: ReadonlySet<string>,
): readonly string[] {
  const patterns = generators.flatMap((generator) => generator.paths).map(matcherOf);
  const isRead = (path: string, isComingOrGoing: boolean): boolean =>
    patterns.some(
      (matches) =>
        matches(path) || (isComingOrGoing && foldersAbove(path).some((one) => isNew(one, matches))),
    );
  const isNew = (folder: string, matches: (path: string) => boolean): boolean =>
    !folders.has(folder) && matches(folder);
  return files
    .filter(
      ({ path, previousPath, change }) =>
        isRead(path, change === 'added' || change === 'renamed') ||
        (previousPath !== null && isRead(previousPath, false)),
    )
    .map((file) => file.path);
}

function foldersAbove(path: string): readonly string[] {
  const segments = path.split('/').slice(0, -1);
  return segments.map((_, index) => segments.slice(0, index + 1).join('/'));
}

/** Wildcards of one pattern that are matched as such; with more of them what stands before the first one decides. */
const wildcardsMax = 8;

/** As Argo CD matches: `**` spans folders, `*` and `?` do not, `{a,b}` is either. */
function matcherOf(written: string): (path: string) => boolean {
  const pattern = written.replace(/^\.?\//, '').replace(/(?:\*\*\/)+/g, '**/');
  if ((pattern.match(/[*?{]+/g)?.length ?? 0) > wildcardsMax) {
    const beginning = pattern.replace(/[*?{].*$/s, '');
    return (path) => path.startsWith(beginning);
  }
  const source = pattern.replace(/[.+^$()|\\]/g, '\\$&').replace(/\*\*\/|\*\*|\*|\?|\{[^{}]*\}/g, (token) => {
    if (token === '**/') return '(?:.*/)?';
    if (token === '**') return '.*';
    if (token === '*') return '[^/]*';
    if (token === '?') return '[^/]';
    return `(?:${token.slice(1, -1).split(',').join('|')})`;
  });
  try {
    const expression = new RegExp(`^${source}$`);
    return (path) => expression.test(path);
  } catch {
    return () => false;
  }
}
