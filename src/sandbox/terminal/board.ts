/** The stages as a block of a few lines: what every Application runs, by its letter, and how it is. */
import { placeOfLetter } from '../letters.ts';
import type { CellView, SetView, View } from '../view.ts';
import { cut, painted, type Span, type Style, span, widthOf } from './paint.ts';

type Line = readonly Span[];

const hues: readonly Style[] = ['dim', 'cyan', 'magenta', 'blue', 'yellow', 'green'];
const legendMax = 4;
const nameWidthMax = 16;
const textWidth = 110;

/** Lines of at most `width` columns. */
export function boardLines(view: View, width: number): readonly Line[] {
  const lines = view.sets.flatMap((set) => [titleOf(view, set), ...stageLines(view, set, width)]);
  return [...lines, ...legend(view)].map((line) => cut(line, width));
}

/** The same as plain text, wide enough for most. */
export function boardText(view: View): string {
  return boardLines(view, textWidth)
    .map((line) => painted(line, false).trimEnd())
    .join('\n');
}

function titleOf(view: View, { name, verdict }: SetView): Line {
  const words = verdict.replaceAll('-', ' ');
  return [
    span(`${clockOf(view.now)}  `, 'dim'),
    span(name, 'bold'),
    span('  '),
    span(words, 'bold', toneOf(verdict)),
  ];
}

/** The time of day in the story. */
export function clockOf(at: number): string {
  return new Date(at).toISOString().slice(11, 19);
}

function toneOf(verdict: string): Style {
  if (verdict === 'failed' || verdict === 'misconfigured') return 'red';
  if (verdict === 'ok') return 'green';
  return verdict === 'in-progress' ? 'cyan' : 'yellow';
}

function stageLines(view: View, set: SetView, width: number): readonly Line[] {
  const nameWidth = Math.min(nameWidthMax, Math.max(0, ...set.stages.map(({ name }) => [...name].length)));
  const rows = set.stages.map(({ number, name, cells }) => ({ head: `  ${number} ${name}`, cells }));
  if (set.outside.length > 0) rows.push({ head: '  - in no stage', cells: set.outside });
  return rows.flatMap(({ head, cells }) => {
    const headWidth = Math.max(nameWidth + 6, head.length + 2);
    const lines: Span[][] = [[span(head.padEnd(headWidth))]];
    for (const cell of cells) {
      const spans = cellOf(view, cell);
      const line = lines.at(-1) ?? [];
      if (widthOf(line) + widthOf(spans) + 2 > width && line.length > 1)
        lines.push([span(' '.repeat(headWidth)), ...spans, span('  ')]);
      else line.push(...spans, span('  '));
    }
    return lines;
  });
}

function cellOf(view: View, cell: CellView): Line {
  const runs = cell.runs === null ? [span('-', 'dim')] : cell.runs.map((sha) => lettered(view, sha));
  const target =
    cell.target === null ? [] : [span('→', 'dim'), ...cell.target.map((sha) => lettered(view, sha))];
  const marks = `${cell.isPartial ? '~' : ''}${cell.isOutOfOrder ? '!' : ''}`;
  return [
    span(`${cell.short} `),
    ...runs,
    ...(marks === '' ? [] : [span(marks, 'bold', 'red')]),
    ...target,
    span(' '),
    healthOf(cell),
  ];
}

function healthOf({ health, operation }: CellView): Span {
  if (operation === 'sync failed') return span(operation, 'red');
  if (operation !== '' && health !== 'Degraded') return span(operation, 'cyan');
  if (health === 'Healthy') return span('ok', 'green');
  if (health === 'Degraded' || health === 'Missing') return span(health, 'bold', 'red');
  return span(health === '' ? 'unknown' : health, health === 'Progressing' ? 'cyan' : 'yellow');
}

function lettered(view: View, revision: string): Span {
  if (!/^[0-9a-f]{40}$/.test(revision)) return span(revision.slice(0, 12));
  const letter = view.letters.give(revision);
  return span(letter, 'bold', hues[placeOfLetter(letter) % hues.length] ?? 'dim');
}

/** What the letters and marks mean, the newest first. */
function legend(view: View): readonly Line[] {
  const cells = view.sets.flatMap((set) => [...set.stages.flatMap((stage) => stage.cells), ...set.outside]);
  const shown = new Set(cells.flatMap((cell) => [...(cell.runs ?? []), ...(cell.target ?? [])]));
  const commits = view.repositories.flatMap(({ commits: all }) => all).filter(({ sha }) => shown.has(sha));
  const lines = commits
    .slice(0, legendMax)
    .map(
      ({ sha, subject }): Line => [
        span('  '),
        lettered(view, sha),
        span(` ${sha.slice(0, 7)} ${subject}`, 'dim'),
      ],
    );
  const marks = [
    ...(cells.some((cell) => cell.isOutOfOrder) ? ['! ahead of its turn'] : []),
    ...(cells.some((cell) => cell.isPartial) ? ['~ in part'] : []),
  ];
  return marks.length === 0 ? lines : [...lines, [span(`  ${marks.join('   ')}`, 'dim')]];
}
