/** What somebody may have meant who wrote a name that is none. */

/** ` Did you mean "x"?`, or nothing when no name is near. */
export function didYouMean(written: string, names: readonly string[]): string {
  const near = names
    .map((name) => ({ name, slips: slipsBetween(written.toLowerCase(), name.toLowerCase()) }))
    .filter(({ name, slips }) => slips <= Math.ceil(name.length / 3))
    .sort((one, other) => one.slips - other.slips);
  const meant = near[0]?.name ?? names.find((name) => written.length > 2 && name.startsWith(written));
  return meant === undefined ? '' : ` Did you mean "${meant}"?`;
}

/** Letters to add, take away or change: the distance of Levenshtein. */
function slipsBetween(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [index, letter] of [...one].entries()) {
    const next = [index + 1];
    for (const [column, otherLetter] of [...other].entries()) {
      const change = (row[column] ?? 0) + (letter === otherLetter ? 0 : 1);
      next.push(Math.min(change, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
