/** What came of many seeds, as a table: a line a law, and for each law that was broken the command that shows how. */

import type { Law } from './law.ts';
import { laws } from './laws/all.ts';
import type { SeedOutcome } from './run-seed.ts';
import { allCounts } from './tally.ts';

/** So many seeds that break a law are named. */
const namedMax = 5;

/** The laws that are no files of their own: they are what the end of every seed is. */
export const endings: readonly Pick<Law, 'name' | 'words'>[] = [
  {
    name: 'settles',
    words: 'When people and trouble rest everything settles, and a further look writes nothing.',
  },
  { name: 'rests', words: 'Where all is well, a further look asks GitHub and the cluster nothing.' },
  { name: 'settles-after-restart', words: 'Nor does a look after a restart.' },
];

/** The command that plays one seed and tells it. */
export function replayCommand(seed: number, mistake: string): string {
  return `${mistake === '' ? '' : `STEPBACK_MISTAKE=${mistake} `}npm run simulate -- --seed ${seed}`;
}

/** The table, and below it how each law is broken first. */
export function printTable(outcomes: readonly SeedOutcome[], mistake: string, tookMs: number): string {
  const all = [...laws, ...endings];
  const rows = all.map(({ name, words }) => {
    const broken = outcomes.filter((outcome) => outcome.broken?.law === name);
    return [name, broken.length === 0 ? 'holds' : `broken in ${broken.length}`, words] as const;
  });
  const wide = (column: 0 | 1): number => Math.max(...rows.map((row) => row[column].length));
  const lines = rows.map((row) => `${row[0].padEnd(wide(0))}  ${row[1].padEnd(wide(1))}  ${row[2]}`);
  return [...lines, '', total(outcomes, tookMs), faultsOf(outcomes), ...breaches(outcomes, mistake)].join(
    '\n',
  );
}

function total(outcomes: readonly SeedOutcome[], tookMs: number): string {
  const sum = (of: (outcome: SeedOutcome) => number): number =>
    outcomes.reduce((all, one) => all + of(one), 0);
  const broken = outcomes.filter((outcome) => outcome.broken !== null).length;
  const each = Math.round(tookMs / Math.max(1, outcomes.length));
  return [
    `${outcomes.length} seeds in ${Math.round(tookMs / 1000)} s (${each} ms each), ${broken} of them break a law.`,
    `${sum((one) => one.failures)} failures, ${sum((one) => one.reverts)} reverts, ${sum((one) => one.merged)} of them merged,`,
    `${sum((one) => one.crashes)} crashes, ${sum((one) => one.ticks)} looks, ${sum((one) => one.writes)} writes.`,
  ].join(' ');
}

/** How often each kind of fault happened; those that never did are named too. */
function faultsOf(outcomes: readonly SeedOutcome[]): string {
  const all = Object.entries(allCounts(outcomes.map(({ faults }) => faults)));
  const never = all.filter(([, count]) => count === 0).map(([kind]) => kind);
  const some = all.filter(([, count]) => count > 0).map(([kind, count]) => `${kind} ${count}`);
  return `Faults: ${some.join(', ')}.${never.length === 0 ? '' : ` Never: ${never.join(', ')}.`}`;
}

function breaches(outcomes: readonly SeedOutcome[], mistake: string): readonly string[] {
  const broken = outcomes.filter((outcome) => outcome.broken !== null);
  const shown = broken
    .slice(0, namedMax)
    .flatMap(({ seed, broken: how }) => [
      '',
      `Seed ${seed} breaks ${how?.law}: ${how?.how}.`,
      `  ${replayCommand(seed, mistake)}`,
    ]);
  const rest = broken.slice(namedMax).map(({ seed }) => seed);
  return rest.length === 0
    ? shown
    : [...shown, '', `Others: ${rest.slice(0, 50).join(', ')}${rest.length > 50 ? ' …' : ''}`];
}
