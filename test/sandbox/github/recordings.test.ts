import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { startWorld } from './world.ts';

const RECORDINGS = join(import.meta.dirname, '../../recordings');

test('a recorded repository is imported with its own commit ids, and its pushes can be played', async () => {
  const world = await startWorld();
  const { github } = world;
  const events = gunzipSync(readFileSync(join(RECORDINGS, 'happy/events.jsonl.gz')))
    .toString('utf8')
    .trim()
    .split('\n');
  const pushes = events.map((line) => JSON.parse(line)).filter(({ kind }) => kind === 'Push');
  const fastExportFile = join(RECORDINGS, 'happy/checkout.fast-export');
  const repo = github.importRepository({ owner: 'acme', name: 'checkout', fastExportFile });
  expect(github.head(repo)).toBe(pushes.at(-1).sha);
  expect(Object.keys(github.branches(repo))).toEqual(['main']);
  const [first, second] = pushes;
  github.push(repo, { branch: 'main', sha: first.sha, by: 'dana' });
  await world.heard();
  github.push(repo, { branch: 'main', sha: second.sha, by: 'dana' });
  const [push] = await world.heard('push');
  expect(push).toMatchObject({
    before: first.sha,
    after: second.sha,
    commits: [{ id: second.sha, message: second.subject }],
  });
  expect(github.resolve(repo, 'HEAD')).toBe(second.sha);
  expect([...(github.folder(repo, second.sha, 'apps/checkout') ?? []).keys()]).toEqual(['config.json']);
  const head = execFileSync('git', ['--git-dir=.', 'rev-parse', 'main'], {
    cwd: github.gitDirectory(repo),
    encoding: 'utf8',
  });
  expect(head.trim()).toBe(second.sha);
});
