/**
 * Tells a story in a terminal. What happened scrolls by; below it stands one block with the stages, which is painted
 * anew in its place. Where nobody watches (a pipe, a log) there is no block, and a line when stages have moved.
 */
import type { Happening } from '../chronicle.ts';
import type { View } from '../view.ts';
import { boardLines, clockOf } from './board.ts';
import { markdownLines } from './markdown.ts';
import { cut, painted, type Span, span, wrapped } from './paint.ts';

/** Where it is told: a terminal, or anything that takes text. */
export interface Screen {
  write(text: string): void;
  /** Whether lines can be painted over. */
  isTerminal: boolean;
  isColoured: boolean;
  /** Columns and rows; asked for each time, because windows change. */
  size(): { columns: number; rows: number };
}

export interface Telling {
  /** Tells one happening, if it is for people who watch. */
  tell(happening: Happening): void;
  /** Lines of our own. */
  print(text: string): void;
  /** How things stand now; looked at and painted every tenth of a second at the most. */
  show(look: () => View): void;
  /** Paints for the last time and leaves the block where it stands. */
  rest(): void;
}

type Line = readonly Span[];

const paintEveryMs = 100;
const widthMax = 110;
const hide = '\u001b[?25l';
const unhide = '\u001b[?25h';

export interface TellingOptions {
  screen: Screen;
  /** Where the page of a pull request is. */
  linkTo(repository: string, number: number): string;
  /** Milliseconds of a clock on the wall. */
  now(): number;
}

export function openTelling({ screen, linkTo, now }: TellingOptions): Telling {
  let block: readonly Line[] = [];
  let paintedRows = 0;
  let paintedAt = Number.NEGATIVE_INFINITY;
  let stagesTold = '';
  const width = (): number => Math.max(40, Math.min(widthMax, screen.size().columns - 1));

  function erase(): void {
    if (paintedRows > 0) screen.write(`\u001b[${paintedRows}A\u001b[J`);
    paintedRows = 0;
  }

  function paint(): void {
    if (!screen.isTerminal) return;
    erase();
    const rows = block.slice(0, Math.max(0, screen.size().rows - 2));
    if (rows.length === 0) return;
    screen.write(`${hide}${rows.map((line) => `${painted(line, screen.isColoured)}\n`).join('')}${unhide}`);
    paintedRows = rows.length;
  }

  function write(lines: readonly Line[]): void {
    if (screen.isTerminal) erase();
    screen.write(lines.map((line) => `${painted(line, screen.isColoured)}\n`).join(''));
    paint();
  }

  return {
    tell(happening) {
      const lines = linesOf(happening, width(), linkTo);
      if (lines.length > 0) write(lines);
    },
    print: (text) => write(text.split('\n').map((line) => [span(line)])),
    show(look) {
      if (now() - paintedAt < paintEveryMs) return;
      paintedAt = now();
      const view = look();
      if (!screen.isTerminal) {
        const told = stagesInWords(view);
        if (told !== stagesTold && told !== '') write([[span(`${clockOf(view.now)}  ${told}`)]]);
        stagesTold = told;
        return;
      }
      const rule: Line = [span('─'.repeat(width()), 'dim')];
      block = [rule, ...boardLines(view, width()), ...happensNow(view, width())];
      paint();
    },
    rest() {
      paint();
      paintedRows = 0;
      block = [];
    },
  };
}

/** Nothing for what people need not be told: what they did themselves is in the story's own lines. */
function linesOf(happening: Happening, width: number, linkTo: TellingOptions['linkTo']): readonly Line[] {
  const { at, kind, text, isOurs, words, about } = happening;
  const when = span(`${clockOf(at)}  `, 'dim');
  if (kind === 'incident') return [[when, span(text, 'bold', 'green')]];
  if (kind === 'said') return indented(when, wrapped([span(text, 'bold')], width - 10));
  if (kind === 'verdict' || kind === 'checked') return indented(when, wrapped([span(text)], width - 10));
  if (!isOurs || kind === 'pushed') return [];
  const what = [span(text, 'bold', 'magenta')];
  if (kind !== 'opened' && kind !== 'commented') {
    const first = words === null ? [] : (markdownLines(words.body, width)[0] ?? []);
    return [[when, ...cut([...what, span(' '), ...first], width - 10)]];
  }
  const body = words === null ? [] : markdownLines(words.body, width - 4);
  const title =
    kind === 'opened' && words !== null ? [...wrapped([span(words.title, 'bold')], width - 4), []] : [];
  const link = about === null ? '' : linkTo(about.repository, about.number);
  return [
    [],
    [span('┌ ', 'magenta'), when, ...what],
    ...[...title, ...body].map((line): Line => [span('│ ', 'magenta'), ...line]),
    [span('└ ', 'magenta'), span(link, 'underline')],
    [],
  ];
}

function indented(when: Span, lines: readonly Line[]): readonly Line[] {
  return lines.map((line, index) => [index === 0 ? when : span(' '.repeat(10)), ...line]);
}

/** What a person who looks up now wants to know: what was done last, and what Stepback makes of it. */
function happensNow(view: View, width: number): readonly Line[] {
  const said = view.happenings.findLast((one) => one.kind === 'said');
  const worst = view.sets.find(({ verdict }) => verdict !== 'ok');
  return [said?.text, worst?.reasons[0]]
    .filter((text) => text !== undefined)
    .map((text) => [span('  '), ...cut([span(text, 'dim')], width - 2)]);
}

/** `payments: dev 1 of 1, staging 1 of 3, prod 0 of 8 run C`, as long as something moves. */
function stagesInWords(view: View): string {
  return view.sets
    .map(({ name, stages }) => {
      const cells = stages.flatMap((stage) => stage.cells);
      const newest = cells
        .flatMap((cell) => [...(cell.runs ?? []), ...(cell.target ?? [])])
        .map((sha) => ({ sha, letter: view.letters.give(sha) }))
        .sort(
          (one, other) => other.letter.length - one.letter.length || (one.letter < other.letter ? 1 : -1),
        )[0];
      if (newest === undefined) return '';
      const counts = stages.map((stage) => {
        const having = stage.cells.filter((cell) => cell.runs?.includes(newest.sha) === true);
        return `${stage.name} ${having.length} of ${stage.cells.length}`;
      });
      return `${name}: ${counts.join(', ')} run ${newest.sha.slice(0, 7)}`;
    })
    .filter((line) => line !== '')
    .join('; ');
}
