import { spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { servePages } from '../../src/sandbox/page/server.ts';
import { stories } from '../../src/sandbox/stories/all.ts';

const main = join(import.meta.dirname, '..', '..', 'src', 'sandbox', 'main.ts');

interface Outcome {
  code: number | null;
  out: string;
  err: string;
}

/** Runs `npm run sandbox -- …` without npm. `whenSaid`: sends the signal when this was said. */
function run(
  words: readonly string[],
  {
    path = process.env.PATH,
    whenSaid,
  }: { path?: string; whenSaid?: [text: string, signal: NodeJS.Signals] } = {},
): Promise<Outcome> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [main, ...words], { env: { ...process.env, PATH: path } });
    const outcome = { out: '', err: '' };
    child.stdout.on('data', (data: Buffer) => {
      outcome.out += data.toString();
      if (whenSaid !== undefined && outcome.out.includes(whenSaid[0])) child.kill(whenSaid[1]);
    });
    child.stderr.on('data', (data: Buffer) => {
      outcome.err += data.toString();
    });
    child.on('close', (code) => resolve({ code, ...outcome }));
  });
}

describe('npm run sandbox', () => {
  it('lists the stories with a line each', async () => {
    const { code, out } = await run(['--stories']);
    expect(code).toBe(0);
    expect(out.trim().split('\n')).toHaveLength(stories.length);
  });

  it('answers a wrong call with what is wrong, the usage, and exit code 2', async () => {
    const { code, err } = await run(['mrege']);
    expect(code).toBe(2);
    expect(err).toContain('There is no "mrege". Did you mean "merge"?\n\nUsage: npm run sandbox');
  });

  it('plays a story to its end with exit code 0', async () => {
    const { code, out, err } = await run(['--story', 'no-baseline', '--fast', '--exit']);
    expect([code, err]).toEqual([0, '']);
    expect(out).toContain('Stepback says of payments: failed.');
  });

  it('ends cleanly when it is interrupted', async () => {
    const { code, out, err } = await run(['--port', String(await freePort())], {
      whenSaid: ['Version 1 is deployed', 'SIGINT'],
    });
    expect([code, err]).toEqual([0, '']);
    expect(out).toContain('Read along at http://127.0.0.1:');
  });

  it('says that git is missing', async () => {
    const { code, err } = await run(['--fast', '--exit'], { path: mkdtempSync(join(tmpdir(), 'no-git-')) });
    expect(code).toBe(1);
    expect(err).toMatchInlineSnapshot(`
      "The sandbox keeps its repositories with git, and no git is found. Install it, and start again.
      "
    `);
  });

  it('says that its port is taken, and by whom', async () => {
    const other = await servePages({ port: 0, look: () => null, act: () => 'all is well' });
    onTestFinished(() => other.close());
    const { code, err } = await run(['--port', String(other.port)]);
    expect(code).toBe(1);
    expect(err.replaceAll(String(other.port), 'PORT')).toMatchInlineSnapshot(`
      "A sandbox runs on port PORT already: http://127.0.0.1:PORT. End it with "npm run sandbox -- --port PORT stop", or start this one with --port and another number.
      "
    `);
  });
});

async function freePort(): Promise<number> {
  const server = await servePages({ port: 0, look: () => null, act: () => '' });
  await server.close();
  return server.port;
}
