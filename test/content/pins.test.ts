import { describe, expect, it } from 'vitest';
import { pinCulprit } from '../../src/content/pins.ts';
import {
  A,
  applicationOf,
  applicationSetOf,
  B,
  C,
  D,
  rawApplication,
  rawApplicationSet,
  repoURL,
} from '../domain/world.ts';
import { forgeOf, type WrittenCommit } from './forge.ts';
import { pinnedFailure } from './pinned.ts';

const pins = (dev: string, prod = A) => ({
  'envs/dev.yaml': `env: dev\nrev: ${dev}\n`,
  'envs/prod.yaml': `env: prod\nrev: ${prod}\n`,
  'README.md': `not ${B}`,
});

const setOf = (targetRevision: string, generators: readonly object[]) =>
  applicationSetOf(
    rawApplicationSet(
      {},
      {
        template: {
          spec: { source: { repoURL: 'https://github.com/acme/app.git', path: 'app', targetRevision } },
        },
        generators,
      },
    ),
  );

const generated = setOf('{{.rev}}', [
  { git: { repoURL, revision: 'main', files: [{ path: 'envs/*.yaml' }] } },
]);

function forge(commits: Readonly<Record<string, WrittenCommit>>, head: string) {
  const source = forgeOf(commits);
  return { ...source, branchHead: async () => source.commit({ host: '', owner: '', name: '' }, head) };
}

describe('who changed a pin', () => {
  it('is the commit that wrote what fails where last good stood', async () => {
    const history = forge(
      {
        [A]: { files: pins(A) },
        [B]: { files: { ...pins(A), 'README.md': 'x' }, parents: [A] },
        [C]: {
          files: { ...pins(B), 'README.md': 'x' },
          parents: [B],
          message: 'Move dev',
          pullRequests: [
            {
              number: 3,
              title: 'Move dev',
              url: 'https://x/3',
              isMerged: true,
              author: { login: 'ann', name: 'Ann' },
            },
          ],
        },
        [D]: { files: { ...pins(B, C), 'README.md': 'x' }, parents: [C] },
      },
      D,
    );
    const culprit = await pinCulprit(history, generated, pinnedFailure(), []);
    expect(culprit).toMatchObject({
      kind: 'suspects',
      repository: 'acme/shop',
      branch: 'main',
      suspects: [{ sha: C, files: ['envs/dev.yaml'], pullRequest: { number: 3 } }],
      lastGood: [A],
      bad: [B],
    });
  });

  it('is nobody when the pin has been moved on since, or was never moved there', async () => {
    const since = forge(
      {
        [A]: { files: pins(A) },
        [B]: { files: pins(B), parents: [A] },
        [C]: { files: pins(C), parents: [B] },
      },
      C,
    );
    expect(await pinCulprit(since, generated, pinnedFailure(), [])).toEqual({
      kind: 'none',
      reason: 'pinned',
      detail: B,
    });
    const never = forge({ [A]: { files: pins(A) }, [C]: { files: pins(C), parents: [A] } }, C);
    expect(await pinCulprit(never, generated, pinnedFailure(), [])).toEqual({
      kind: 'none',
      reason: 'pinned',
      detail: B,
    });
  });

  it('is nobody when the history ends before it', async () => {
    const cut = forge({ [C]: { files: pins(B), parents: ['e'.repeat(40)] } }, C);
    expect(await pinCulprit(cut, generated, pinnedFailure(), [])).toMatchObject({
      kind: 'none',
      reason: 'pinned',
    });
  });

  it('is nobody when it cannot be seen where the pin is written', async () => {
    const history = forge({ [A]: { files: pins(A) }, [C]: { files: pins(B), parents: [A] } }, C);
    expect(await pinCulprit(history, setOf(B, []), pinnedFailure(), [])).toMatchObject({
      kind: 'none',
      reason: 'pinned',
    });
    const elsewhere = setOf('{{.rev}}', [{ git: { repoURL: 'https://git.example.org/x.git', files: [] } }]);
    expect(await pinCulprit(history, elsewhere, pinnedFailure(), [])).toMatchObject({
      kind: 'none',
      reason: 'pinned',
    });
  });

  it('is found in the manifest of the ApplicationSet, where it is seen how that is applied', async () => {
    const manifests = (rev: string) => ({ 'sets/shop.yaml': `targetRevision: ${rev}\n`, 'apps/x.yaml': rev });
    const history = forge({ [A]: { files: manifests(A) }, [C]: { files: manifests(B), parents: [A] } }, C);
    const set = { ...setOf(B, []), owners: ['Application/shop-dev'] };
    const parent = applicationOf(rawApplication('dev', { path: 'sets' }));
    expect(await pinCulprit(history, set, pinnedFailure(), [parent])).toMatchObject({
      suspects: [{ sha: C, files: ['sets/shop.yaml'] }],
    });
  });
});
