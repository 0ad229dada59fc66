/**
 * The command line of `stepback replay`: which folder or file, which policy, which form of output. A folder is walked
 * with its own clock; a file of Kubernetes objects is judged as it stands.
 */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { defaultPolicy, type Policy } from '../../domain/policy.ts';
import { WorldProblem } from '../../ports.ts';
import type { CaseAnswer } from './case-answer.ts';
import { replayCase } from './case-file.ts';
import { policyOf, readPolicyFile } from './policy-file.ts';
import { type ReplayRow, replayRecording } from './replay.ts';

export interface Output {
  write(text: string): void;
  complain(text: string): void;
}

const usage = 'Usage: stepback replay DIR|FILE [--json] [--policy FILE]\n';

/** Exit code 0: walked to the end; 2: called wrongly. Throws WorldProblem for a broken recording. */
export async function replayCommand(args: readonly string[], output: Output): Promise<number> {
  let values: { json?: boolean; policy?: string };
  let positionals: string[];
  try {
    ({ values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { json: { type: 'boolean' }, policy: { type: 'string' } },
    }));
  } catch (error) {
    output.complain(`${error instanceof Error ? error.message : String(error)}\n${usage}`);
    return 2;
  }
  const [target, ...more] = positionals;
  if (target === undefined || more.length > 0) {
    output.complain(usage);
    return 2;
  }
  const isFolder = statSync(target, { throwIfNoEntry: false })?.isDirectory();
  if (isFolder === undefined)
    throw new WorldProblem(
      'permanent',
      `There is no ${target}. Name a folder with a recording, or a file of Kubernetes objects.`,
    );
  if (!isFolder && /\.jsonl(\.gz)?$/.test(target))
    throw new WorldProblem(
      'permanent',
      `${target} is one file of a recording. Name its folder, so that the repository beside it is found.`,
    );
  const rows = isFolder
    ? replayRecording(
        target,
        policyFrom(values.policy ?? join(target, 'expect.json'), values.policy !== undefined),
      )
    : replayCase(target, values.policy === undefined ? null : policyFrom(values.policy, true));
  let told = '';
  for await (const row of rows) {
    const words = inWords(row);
    // People do not see every field; an answer that reads the same is not told twice.
    if (values.json === true) output.write(`${JSON.stringify(row)}\n`);
    else if (words !== told) output.write(`${timeOf(row)}${words}`);
    told = words;
  }
  return 0;
}

/** The policy of a file in the form of a recording's; defaults for what it does not name. */
export function policyFrom(file: string, isAsked: boolean): Policy {
  const found = readPolicyFile(file);
  if (found === null) {
    if (isAsked)
      throw new WorldProblem(
        'permanent',
        `There is no ${file}. Name a JSON file such as {"graceSeconds": 120, "bakeSeconds": 1800}.`,
      );
    return defaultPolicy;
  }
  return policyOf(found);
}

function timeOf(row: ReplayRow | CaseAnswer): string {
  return `${row.seconds.toFixed(1).padStart(7)} s`;
}

/** What follows the time. */
function inWords(row: ReplayRow | CaseAnswer): string {
  const lines = [
    `  ${row.applicationSet}  ${row.verdict}${row.recovered === null ? '' : row.recovered ? ', recovered' : ', not recovered'}`,
  ];
  if (row.failing.length > 0) lines.push(`           failing: ${row.failing.join(', ')}`);
  if (row.revert !== null)
    lines.push(
      `           revert ${row.revert.commits.map((sha) => sha.slice(0, 7)).join(', ')} in ${row.revert.repository}, back to ${row.revert.lastGood.map((sha) => sha.slice(0, 7)).join(' and ')}`,
    );
  for (const reason of row.reasons) lines.push(`           ${reason}`);
  if ('stance' in row) lines.push(`           ${stancesInWords(row)}`);
  return `${lines.join('\n')}\n`;
}

function stancesInWords({ stages, stance, stanceReason }: CaseAnswer): string {
  const verdicts = Object.entries(stages).map(([number, stage]) => `${number} ${stage.verdict}`);
  const why = stanceReason === '' ? '' : ` (${stanceReason})`;
  return `stages: ${verdicts.join(', ') || 'none'}; revert: ${stance}${why}`;
}
