import nock from 'nock';
import { beforeAll, describe, expect, it } from 'vitest';
import { modeFor } from '../../src/config/resolve.ts';
import { type Configurations, configurationPath, openConfigurations } from '../../src/loop/configurations.ts';
import type { Forge, Repository } from '../../src/ports.ts';
import { WorldProblem } from '../../src/ports.ts';
import { repo, type Scene, scene } from '../adapters/github/scene.ts';
import { TestClock } from '../adapters/test-clock.ts';

beforeAll(() => {
  nock.restore();
});

const payments = { key: 'argocd/payments', annotations: {} };
const silent = { info: () => {}, warn: () => {} };
const minute = 60_000;

function opened(forge: Forge, clock = new TestClock()): Configurations {
  return openConfigurations(forge, clock, silent, {}, 5 * minute);
}

/** Writes the file, or takes it away, and says that somebody pushed. */
function write(
  { server, gitops }: Scene,
  text: string | null,
  configurations?: Configurations,
  author = 'dana',
): string {
  const sha = server.commit(repo, { author, message: 'Configure', files: { [configurationPath]: text } });
  configurations?.changed(gitops);
  return sha;
}

async function modeIn(configurations: Configurations, repository: Repository): Promise<string> {
  return modeFor(await configurations.of(repository), payments);
}

describe('a file', () => {
  it('is obeyed at the next look after a push, and without one when it has become old', async () => {
    const at = await scene();
    const clock = new TestClock();
    const configurations = opened(at.forge, clock);
    expect(await modeIn(configurations, at.gitops)).toBe('revert');
    write(at, 'mode: comment\n', configurations);
    expect(await modeIn(configurations, at.gitops)).toBe('comment');
    expect(await configurations.report(at.gitops)).toBeNull();
    write(at, 'mode: propose\n');
    expect(await modeIn(configurations, at.gitops), 'nobody told').toBe('comment');
    clock.advance(5 * minute + 1);
    expect(await modeIn(configurations, at.gitops)).toBe('propose');
    write(at, null, configurations);
    expect(await modeIn(configurations, at.gitops)).toBe('revert');
  });

  it('of the organisation counts too, the stricter one', async () => {
    const at = await scene();
    const configurations = opened(at.forge);
    at.server.createRepository({
      owner: 'example-org',
      name: '.github',
      files: { [configurationPath]: 'mode: propose\n' },
    });
    expect(await modeIn(configurations, at.gitops)).toBe('propose');
    write(at, 'mode: auto-merge\n', configurations);
    expect(await modeIn(configurations, at.gitops)).toBe('propose');
    write(at, 'mode: observe\n', configurations);
    expect(await modeIn(configurations, at.gitops)).toBe('observe');
  });
});

describe('a file with an error', () => {
  it('leaves the last good one, and says which commit broke it, where, what and how', async () => {
    const at = await scene();
    const configurations = opened(at.forge);
    write(at, 'mode: comment\n', configurations);
    expect(await modeIn(configurations, at.gitops)).toBe('comment');
    const broke = write(at, 'mode: coment\n', configurations);
    expect(await modeIn(configurations, at.gitops)).toBe('comment');
    expect(await configurations.report(at.gitops)).toEqual({
      repository: at.gitops,
      path: '.github/stepback.yaml',
      commit: broke,
      obeyed: 'last-good',
      faults: [
        {
          severity: 'error',
          source: 'example-org/gitops:.github/stepback.yaml',
          line: 1,
          column: 7,
          path: 'mode',
          problem: expect.stringContaining('"coment"'),
          mend: 'Did you mean "comment"?',
          excerpt: expect.stringContaining('mode: coment'),
        },
      ],
    });
    // A commit that leaves the file alone changes nothing of that.
    at.server.commit(repo, { author: 'dana', message: 'Other', files: { 'README.md': 'hello\n' } });
    configurations.changed(at.gitops);
    expect(await configurations.report(at.gitops)).toMatchObject({ commit: broke, obeyed: 'last-good' });
    write(at, 'mode: propose\n', configurations);
    expect(await modeIn(configurations, at.gitops)).toBe('propose');
    expect(await configurations.report(at.gitops)).toBeNull();
  });

  it('leaves the last good one also after a restart, which finds it in the history', async () => {
    const at = await scene();
    write(at, 'mode: comment\n');
    write(at, 'mode: coment\n');
    const broke = write(at, 'mode: [\n');
    const configurations = opened(at.forge);
    expect(await modeIn(configurations, at.gitops)).toBe('comment');
    expect(await configurations.report(at.gitops)).toMatchObject({ commit: broke, obeyed: 'last-good' });
  });

  it('makes Stepback only watch where there never was a good one, before and after a restart', async () => {
    const at = await scene();
    const running = opened(at.forge);
    expect(await modeIn(running, at.gitops)).toBe('revert');
    write(at, 'mode: comment\n', running);
    write(at, null, running);
    expect(await modeIn(running, at.gitops)).toBe('revert');
    const broke = write(at, 'mood: revert\n', running);
    for (const configurations of [running, opened(at.forge)]) {
      expect(await modeIn(configurations, at.gitops)).toBe('observe');
      expect(await configurations.report(at.gitops)).toMatchObject({ commit: broke, obeyed: 'watching' });
    }
  });

  it('is also one where a folder or a link stands in its place', async () => {
    const at = await scene();
    const configurations = opened(at.forge);
    const broke = at.server.commit(repo, {
      author: 'dana',
      message: 'Link it',
      files: { [configurationPath]: { mode: '120000', content: 'elsewhere.yaml' } },
    });
    expect(await modeIn(configurations, at.gitops)).toBe('observe');
    expect(await configurations.report(at.gitops)).toMatchObject({
      commit: broke,
      obeyed: 'watching',
      faults: [
        {
          problem:
            '.github/stepback.yaml in example-org/gitops is a symbolic link, so Stepback cannot read it. Put a plain file there.',
        },
      ],
    });
  });
});

describe('while GitHub cannot be read', () => {
  const down = new WorldProblem('transient', 'GitHub is down.');

  it('what is known stays, unless it is known to be old', async () => {
    const at = await scene();
    const clock = new TestClock();
    let isDown = false;
    const forge = {
      ...at.forge,
      fileAt: (...asked: Parameters<Forge['fileAt']>) =>
        isDown ? Promise.reject(down) : at.forge.fileAt(...asked),
    };
    write(at, 'mode: comment\n');
    const configurations = opened(forge, clock);
    expect(await modeIn(configurations, at.gitops)).toBe('comment');
    isDown = true;
    clock.advance(6 * minute);
    expect(await modeIn(configurations, at.gitops)).toBe('comment');
    configurations.changed(at.gitops);
    await expect(modeIn(configurations, at.gitops)).rejects.toBe(down);
    await expect(modeIn(opened(forge), at.gitops), 'nothing is known').rejects.toBe(down);
  });
});
