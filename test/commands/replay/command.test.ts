import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { replayCommand } from '../../../src/commands/replay/command.ts';
import { WorldProblem } from '../../../src/ports.ts';

const recordings = join(import.meta.dirname, '../../recordings');
const folder = mkdtempSync(join(tmpdir(), 'stepback-command-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What was printed, what was complained about, and the exit code; a fault of the world as its sentence. */
async function run(
  ...args: readonly string[]
): Promise<{ code: number | string; out: string; complaint: string }> {
  let out = '';
  let complaint = '';
  const output = {
    write: (text: string) => {
      out += text;
    },
    complain: (text: string) => {
      complaint += text;
    },
  };
  try {
    return { code: await replayCommand(args, output), out, complaint };
  } catch (error) {
    if (!(error instanceof WorldProblem)) throw error;
    return { code: error.message, out, complaint };
  }
}

function written(name: string, content: string): string {
  const file = join(folder, name);
  writeFileSync(file, content);
  return file;
}

/** A recording that is not packed, without expectations. */
function plainRecording(name: string, lines: (all: string[]) => string[] = (all) => all): string {
  const copy = join(folder, name);
  cpSync(join(recordings, 'no-step'), copy, { recursive: true });
  const packed = readFileSync(join(copy, 'events.jsonl.gz'));
  writeFileSync(
    join(copy, 'events.jsonl'),
    lines(gunzipSync(packed).toString('utf8').split('\n')).join('\n'),
  );
  rmSync(join(copy, 'events.jsonl.gz'));
  rmSync(join(copy, 'expect.json'));
  return copy;
}

describe('stepback replay', () => {
  it('says how it is called when it is called wrongly', async () => {
    const usage = 'Usage: stepback replay DIR|FILE [--json] [--policy FILE]\n';
    expect(await run()).toEqual({ code: 2, out: '', complaint: usage });
    expect(await run('one', 'two')).toEqual({ code: 2, out: '', complaint: usage });
    expect((await run('one', '--yaml')).complaint).toContain("Unknown option '--yaml'");
  });

  it('prints one object a line, and for people a line with the time and the reasons', async () => {
    const recording = plainRecording('plain');
    const { code, out } = await run(recording, '--json');
    expect(code).toBe(0);
    const rows = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(Object.keys(rows[0] ?? {})).toEqual([
      'line',
      'seconds',
      'applicationSet',
      'verdict',
      'failing',
      'runs',
      'partly',
      'outOfOrder',
      'revert',
      'recovered',
      'reasons',
    ]);
    expect(rows.at(-1)).toMatchObject({ applicationSet: 'argocd/agent', verdict: 'misconfigured' });
    const words = (await run(recording)).out;
    expect(words).toContain('argocd/agent  misconfigured');
  });

  it('takes its times from the file it is told', async () => {
    const failing = join(recordings, 'degraded-in-staging');
    const patient = written('patient.json', '{"graceSeconds": 3600}');
    const verdicts = async (...args: readonly string[]) =>
      (await run(failing, '--json', ...args)).out
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).verdict);
    expect(await verdicts()).toContain('failed');
    expect(await verdicts('--policy', patient)).not.toContain('failed');
  });

  it.for([
    [
      'a place that is not there',
      () => [join(folder, 'nowhere')],
      /^There is no .*nowhere\. Name a folder with a recording, or a file of Kubernetes objects\.$/,
    ],
    [
      'a policy that is not there',
      () => [join(recordings, 'happy'), '--policy', join(folder, 'none.json')],
      /^There is no .*none\.json\. Name a JSON file/,
    ],
    [
      'a policy that is no JSON',
      () => [join(recordings, 'happy'), '--policy', written('odd.json', '{')],
      /odd\.json is no JSON: /,
    ],
    [
      'a folder without events',
      () => [join(recordings, 'api-server')],
      /holds no events\.jsonl\.gz and no events\.jsonl\./,
    ],
    [
      'a line that is no JSON',
      () => [plainRecording('broken', (lines) => [...lines.slice(0, 3), '{"t": 1,', ...lines.slice(4)])],
      /^Line 4 of .* is no JSON: .*Mend or remove the line\.$/s,
    ],
    [
      'a line without a time',
      () => [plainRecording('timeless', (lines) => [...lines.slice(0, 2), '{"kind":"Push"}'])],
      /^Line 3 of .* has no time `t` in milliseconds since the start\.$/,
    ],
    [
      'a file that is no YAML',
      () => [written('odd.yaml', 'a: [1')],
      /odd\.yaml is no YAML: .*Mend that place\.$/s,
    ],
    [
      'a file with nothing to judge',
      () => [written('empty.yaml', 'kind: ConfigMap\n')],
      /holds no ApplicationSet, no Application and no Snapshots\./,
    ],
  ] as const)('says what is wrong with %s', async ([, args, sentence]) => {
    const { code, out } = await run(...args());
    expect(code).toMatch(sentence);
    expect(out).toBe('');
  });

  it('judges a list as kubectl prints it', async () => {
    const text = readFileSync(
      join(import.meta.dirname, '../../incidents/PS30-synced-at-newer-commit-without-a-sync/case.yaml'),
      'utf8',
    );
    const [, application = ''] = text.split('\n---\n');
    const indented = application
      .trimEnd()
      .split('\n')
      .map((line) => `  ${line}`)
      .join('\n')
      .replace('  ', '- ');
    const { out } = await run(written('list.yaml', `kind: List\nitems:\n${indented}\n`), '--json');
    expect(JSON.parse(out)).toMatchObject({ applicationSet: 'argocd/shop', verdict: 'ok' });
  });
});
