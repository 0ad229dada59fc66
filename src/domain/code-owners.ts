/**
 * Whom a CODEOWNERS file names for a path. The last line that fits counts alone, as GitHub has it
 * (https://docs.github.com/en/repositories/managing-your-repositorys-settings-and-features/customizing-your-repository/about-code-owners);
 * what GitHub skips (negation, character classes) is skipped.
 */

const linesMax = 5_000;

/** Owners of a folder as they are written: `@user`, `@organisation/team`, addresses. `path` is "" for the root. */
export function ownersOf(codeOwners: string, path: string): readonly string[] {
  // What stands for a file in the folder: it has a name that only patterns for every file fit.
  const file = path === '' ? '.' : `${path}/.`;
  let owners: readonly string[] = [];
  for (const line of codeOwners.split(/\r?\n/).slice(0, linesMax)) {
    const [pattern, ...names] = line
      .replace(/(?:^|\s)#.*$/, '')
      .trim()
      .split(/\s+/);
    if (pattern === undefined || pattern === '' || !fits(pattern, file)) continue;
    owners = names;
  }
  return owners;
}

function fits(pattern: string, file: string): boolean {
  if (pattern.startsWith('!') || /[[\]\\]/.test(pattern) || pattern.length > 500) return false;
  const isAnchored = pattern.replace(/\/$/, '').includes('/');
  const isFolder = pattern.endsWith('/');
  const segments = pattern.split('/').filter((segment) => segment !== '');
  const last = segments.at(-1) ?? '';
  return (isAnchored ? matchesFrom(segments, file.split('/'), 0) : anywhere(segments, file)) !== null;

  /** How many segments of the file the pattern takes; null when it does not fit. */
  function matchesFrom(parts: readonly string[], names: readonly string[], taken: number): number | null {
    const [part, ...rest] = parts;
    if (part === undefined) {
      const isAll = taken === names.length;
      // `docs/*` is what lies in the folder itself, `docs` and `docs/` all below it.
      return (isFolder ? !isAll : isAll || last !== '*') ? taken : null;
    }
    if (part === '**') {
      for (let skip = taken; skip <= names.length; skip += 1) {
        const found = matchesFrom(rest, names, skip);
        if (found !== null) return found;
      }
      return null;
    }
    const name = names[taken];
    return name !== undefined && matchesName(part, name) ? matchesFrom(rest, names, taken + 1) : null;
  }

  function anywhere(parts: readonly string[], path: string): number | null {
    const names = path.split('/');
    for (let from = 0; from < names.length; from += 1) {
      const found = matchesFrom(parts, names, from);
      if (found !== null) return found;
    }
    return null;
  }
}

function matchesName(pattern: string, name: string): boolean {
  const expression = pattern
    .replace(/[.+^${}()|]/g, '\\$&')
    .replace(/\*+/g, '[^/]*')
    .replace(/\?/g, '[^/]');
  return new RegExp(`^${expression}$`).test(name);
}
