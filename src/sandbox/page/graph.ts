/** The commit graph: one row a commit, newest first, branches in lanes beside each other. */
import { cutTo } from '../../render/clean.ts';
import { Html, html } from '../../web/html.ts';
import type { SeenCommit } from '../github/looks.ts';
import type { RepositoryView, View } from '../view.ts';
import { commit } from './pieces.ts';

export interface GraphRow {
  sha: string;
  lane: number;
  /** Lanes that go through to the next row: from one of this row to one of that. */
  edges: readonly { from: number; to: number }[];
}

const rowHeight = 28;
const laneWidth = 16;
const subjectLengthMax = 120;

/**
 * Gives each commit a lane. `commits` are newest first, children before their parents; the first of `firsts` that is still
 * to come gets the first lane free, so the branch that is deployed stays on the left.
 */
export function lanesOf(commits: readonly SeenCommit[], mainHead: string): readonly GraphRow[] {
  /** What each lane waits for; null is free. */
  let lanes: (string | null)[] = [mainHead];
  return commits.map(({ sha, parents }, index) => {
    if (!lanes.includes(sha)) lanes = placed(lanes, sha);
    const lane = lanes.indexOf(sha);
    const before = lanes;
    let after: (string | null)[] = lanes.map((wanted) => (wanted === sha ? null : wanted));
    const known = parents.filter((parent) => commits.slice(index + 1).some((one) => one.sha === parent));
    const [first, ...others] = known;
    // On the main line the first parent stays in its lane; a lane that waits for it already is joined.
    if (first !== undefined && (!after.includes(first) || lane === 0)) {
      after = after.map((wanted) => (wanted === first ? null : wanted));
      after[lane] = first;
    }
    for (const parent of others) if (!after.includes(parent)) after = placed(after, parent);
    const through = before.flatMap((wanted, from) => {
      if (wanted === null || wanted === sha) return [];
      return [{ from, to: after.indexOf(wanted) }];
    });
    const down = known.map((parent) => ({ from: lane, to: after.indexOf(parent) }));
    lanes = after;
    return { sha, lane, edges: [...through, ...down] };
  });
}

/** In the first free lane. */
function placed(lanes: readonly (string | null)[], sha: string): (string | null)[] {
  const free = lanes.indexOf(null, 1);
  const at = free < 0 ? Math.max(1, lanes.length) : free;
  const next = [...lanes];
  next[at] = sha;
  return next;
}

export function graphs(view: View): Html {
  return html`<h2>Commits</h2>${view.repositories.map((repository) => graphOf(view, repository))}`;
}

function graphOf(view: View, repository: RepositoryView): Html {
  const { commits, heads, branch, name } = repository;
  const rows = lanesOf(commits, heads[branch] ?? '');
  const width =
    (1 + Math.max(0, ...rows.flatMap((row) => [row.lane, ...row.edges.map(({ to }) => to)]))) * laneWidth;
  return html`<div class="sheet"><h3>${name}</h3><div class="graph">${drawing(rows, width)}
<ol>${commits.map(
    (one) =>
      html`<li title="${cutTo(one.subject, 200)}">${commit(name, one.sha, view.letters)}${Object.entries(
        heads,
      )
        .filter(([, sha]) => sha === one.sha)
        .map(
          ([head]) => html` <span class="ref">${cutTo(head, 40)}</span>`,
        )} ${cutTo(one.subject, subjectLengthMax)}</li>`,
  )}</ol></div></div>`;
}

/** Numbers only, so nothing of it can be hostile. */
function drawing(rows: readonly GraphRow[], width: number): Html {
  const x = (lane: number): number => lane * laneWidth + laneWidth / 2;
  const y = (row: number): number => row * rowHeight + rowHeight / 2;
  const lines = rows.flatMap((row, index) =>
    row.edges.map(({ from, to }) => {
      const [x1, y1, x2, y2] = [x(from), y(index), x(to), y(index + 1)];
      const bend = (y1 + y2) / 2;
      return `<path class="c${(from === to ? to : Math.max(from, to)) % 6}" d="M${x1} ${y1}C${x1} ${bend} ${x2} ${bend} ${x2} ${y2}"/>`;
    }),
  );
  const dots = rows.map(
    (row, index) => `<circle class="c${row.lane % 6}" cx="${x(row.lane)}" cy="${y(index)}" r="4"/>`,
  );
  const height = rows.length * rowHeight;
  return new Html(
    `<svg width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" aria-hidden="true">${lines.join('')}${dots.join('')}</svg>`,
  );
}
