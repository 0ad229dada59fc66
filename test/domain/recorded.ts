/**
 * The recordings and their right answers, for tests that walk them in process: with the walk of `stepback replay`
 * itself, so that what is proved here is what people run.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { policyFrom } from '../../src/commands/replay/command.ts';
import {
  type LocalRepositories,
  openLocalRepositories,
} from '../../src/commands/replay/local-repositories.ts';
import { type RecordedEvent, readRecording } from '../../src/commands/replay/recording.ts';
import { type ReplayRow, walk } from '../../src/commands/replay/replay.ts';
import type { Policy } from '../../src/domain/policy.ts';

export const recordingsFolder = join(import.meta.dirname, '../recordings');

export interface Checkpoint {
  line: number;
  seconds: number;
  applicationSet: string;
  verdict: string;
  failing?: readonly string[];
  /** Application without the name of its set → letters of commits, one a source; null when it runs none. */
  runs: Readonly<Record<string, string | null>>;
  partly?: readonly string[];
  revert?: false | { commits: readonly string[]; lastGood: string; repository?: string };
  recovered?: boolean | null;
  notBefore?: number;
}

export interface Expectation {
  applicationSets: readonly string[];
  commits: Readonly<Record<string, { sha: string }>>;
  sameContent?: readonly (readonly string[])[];
  outOfOrder?: Readonly<Record<string, readonly string[]>>;
  checkpoints: readonly Checkpoint[];
}

export interface Recording {
  name: string;
  events: readonly RecordedEvent[];
  repositories: LocalRepositories;
  policy: Policy;
  expected: Expectation;
}

/** Names of all recordings that have right answers. */
export const recordingNames: readonly string[] = readdirSync(recordingsFolder)
  .filter((name) => existsSync(join(recordingsFolder, name, 'expect.json')))
  .sort();

/** Reads a recording and imports its repositories; close `repositories` afterwards. */
export async function openRecording(name: string): Promise<Recording> {
  const folder = join(recordingsFolder, name);
  const file = join(folder, 'expect.json');
  return {
    name,
    events: readRecording(folder),
    repositories: await openLocalRepositories(folder),
    policy: policyFrom(file, true),
    expected: JSON.parse(readFileSync(file, 'utf8')) as Expectation,
  };
}

/** Every answer that `stepback replay` would print, for these events or for those of the recording. */
export async function rowsOf(
  recording: Recording,
  events: readonly RecordedEvent[] = recording.events,
): Promise<readonly ReplayRow[]> {
  const rows: ReplayRow[] = [];
  for await (const row of walk(events, recording.repositories, recording.policy)) rows.push(row);
  return rows;
}

/** What is wrong with the answers, in sentences; the rules of `test/recordings/check.mjs` and those it leaves out. */
export function faultsOf(rows: readonly ReplayRow[], expected: Expectation): readonly string[] {
  const letters = lettersOf(expected);
  return [
    ...expected.checkpoints.flatMap((checkpoint) =>
      faultsAt(rows, checkpoint, letters).map((fault) => `at ${checkpoint.seconds} s: ${fault}`),
    ),
    ...expected.applicationSets.flatMap((name) => neverRight(rowsFor(rows, name), name, expected, letters)),
    ...faultsOfOrder(rows, expected, letters),
    ...rows
      .filter((row) => row.verdict !== 'ok' && row.reasons.length === 0)
      .map((row) => `${row.verdict} at ${row.seconds} s without a reason`),
  ];
}

/** Letters stand for commits, and for one another where the content is the same. */
interface Letters {
  commit(letter: string): string;
  /** The one commit that stands for all of the same content. */
  content(sha: string): string;
}

function lettersOf(expected: Expectation): Letters {
  const commit = (letter: string): string => expected.commits[letter]?.sha ?? letter;
  const groups = (expected.sameContent ?? []).map((group) => group.map(commit));
  return { commit, content: (sha) => groups.find((group) => group.includes(sha))?.[0] ?? sha };
}

export function rowsFor(rows: readonly ReplayRow[], applicationSet: string): readonly ReplayRow[] {
  return rows.filter((row) => row.applicationSet.split('/').at(-1) === applicationSet);
}

const sorted = (names: readonly string[] | undefined): string => [...(names ?? [])].sort().join(' ');

/** The answer in force at a checkpoint, compared with the right one. */
function faultsAt(rows: readonly ReplayRow[], checkpoint: Checkpoint, letters: Letters): readonly string[] {
  const row = rowsFor(rows, checkpoint.applicationSet)
    .filter(({ seconds }) => seconds <= checkpoint.seconds + 0.05)
    .at(-1);
  if (row === undefined) return ['no answer yet'];
  const faults: string[] = [];
  const compare = (what: string, found: unknown, right: unknown): void => {
    if (JSON.stringify(found) !== JSON.stringify(right))
      faults.push(`${what} ${JSON.stringify(found)}, should be ${JSON.stringify(right)}`);
  };
  const whole = (name: string): string => `${checkpoint.applicationSet}-${name}`;
  const contents = (shas: readonly string[]): string => shas.map(letters.content).join('+');
  const lettered = (text: string): string => contents(text.split('+').map(letters.commit));
  compare('verdict', row.verdict, checkpoint.verdict);
  if (checkpoint.failing !== undefined)
    compare('failing', sorted(row.failing), sorted(checkpoint.failing.map(whole)));
  if (checkpoint.partly !== undefined)
    compare('partly', sorted(row.partly), sorted(checkpoint.partly.map(whole)));
  for (const [name, right] of Object.entries(checkpoint.runs))
    compare(`${name} runs`, contents(row.runs[whole(name)] ?? []), right === null ? '' : lettered(right));
  if (checkpoint.recovered !== undefined) compare('recovered', row.recovered, checkpoint.recovered);
  const { revert } = checkpoint;
  if (revert === false) compare('revert', row.revert, null);
  if (revert === undefined || revert === false) return faults;
  compare('takes back', sorted(row.revert?.commits), sorted(revert.commits.map(letters.commit)));
  compare('goes back to', contents(row.revert?.lastGood ?? []), lettered(revert.lastGood));
  if (revert.repository !== undefined) compare('reverts in', row.revert?.repository, revert.repository);
  return faults;
}

/** A failure before anybody can know of it, or a revert of commits that no checkpoint names. */
function neverRight(
  rows: readonly ReplayRow[],
  applicationSet: string,
  expected: Expectation,
  letters: Letters,
): readonly string[] {
  const failed = expected.checkpoints.filter(
    (checkpoint) => checkpoint.applicationSet === applicationSet && checkpoint.verdict === 'failed',
  );
  const notBefore = Math.min(...failed.map((checkpoint) => checkpoint.notBefore ?? checkpoint.seconds));
  const right = failed.flatMap(({ revert }) =>
    revert === false || revert === undefined ? [] : [sorted(revert.commits.map(letters.commit))],
  );
  const early = rows.find(
    (row) => (row.verdict === 'failed' || row.revert !== null) && row.seconds < notBefore - 0.3,
  );
  const other = rows.find((row) => row.revert !== null && !right.includes(sorted(row.revert.commits)));
  return [
    ...(early === undefined ? [] : [`${early.verdict} at ${early.seconds} s, before ${notBefore} s`]),
    ...(other === undefined ? [] : [`takes back ${other.revert?.commits.join(' ')} at ${other.seconds} s`]),
  ];
}

/** Who got which commit ahead of its turn, over all answers: told by the commit that it runs then. */
function faultsOfOrder(
  rows: readonly ReplayRow[],
  expected: Expectation,
  letters: Letters,
): readonly string[] {
  if (expected.outOfOrder === undefined) return [];
  const found = new Map<string, Set<string>>();
  for (const row of rows) {
    for (const name of row.outOfOrder) {
      const content = (row.runs[name] ?? []).map(letters.content).join('+');
      found.set(content, (found.get(content) ?? new Set()).add(name));
    }
  }
  const right = new Map(
    Object.entries(expected.outOfOrder).map(([letter, names]) => [
      letter.split('+').map(letters.commit).map(letters.content).join('+'),
      names,
    ]),
  );
  return [...new Set([...found.keys(), ...right.keys()])]
    .filter((content) => sorted([...(found.get(content) ?? [])]) !== sorted(right.get(content)))
    .map(
      (content) =>
        `out of order with ${content}: ${sorted([...(found.get(content) ?? [])])}, should be ${sorted(right.get(content))}`,
    );
}
