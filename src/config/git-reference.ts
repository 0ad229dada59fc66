/** Which names git takes for a branch, and which of those are safe to type: the rules of git-check-ref-format(1). */

/** What is wrong with the name of a branch, or null. Looks at all of git's rules; signs beyond ASCII are left out. */
export function branchProblem(name: string): string | null {
  const strange = /[^A-Za-z0-9._/+=-]/.exec(name)?.[0];
  if (strange !== undefined) return `"${strange}" may not be in the name of a branch here`;
  if (name === '' || name.startsWith('/') || name.endsWith('/') || name.includes('//'))
    return 'the name of a branch has words between its slashes';
  if (name.includes('..')) return 'the name of a branch may not have ".."';
  if (name.endsWith('.')) return 'the name of a branch may not end with "."';
  if (name.startsWith('-')) return 'the name of a branch may not begin with "-"';
  if (name === 'HEAD') return 'git calls what is checked out "HEAD"';
  const parts = name.split('/');
  if (parts.some((part) => part.startsWith('.'))) return 'no part of the name of a branch may begin with "."';
  if (parts.some((part) => part.endsWith('.lock')))
    return 'no part of the name of a branch may end with ".lock"';
  if (/^refs\//.test(name)) return 'git puts "refs/heads/" before it by itself';
  return null;
}
