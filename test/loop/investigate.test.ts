import { expect, it } from 'vitest';
import { investigate } from '../../src/loop/investigate.ts';
import type { Forge } from '../../src/ports.ts';
import { forgeOf } from '../content/forge.ts';
import { pinnedFailure } from '../content/pinned.ts';
import { A, applicationSetOf, B, C, rawApplicationSet, repoURL } from '../domain/world.ts';

const setWith = (generators: readonly object[]) =>
  applicationSetOf(
    rawApplicationSet(
      {},
      {
        template: {
          spec: {
            source: { repoURL: 'https://github.com/acme/app.git', path: 'app', targetRevision: '{{.rev}}' },
          },
        },
        generators,
      },
    ),
  );

function forge(): Forge {
  const source = forgeOf({
    [A]: { files: { 'envs/dev.yaml': `rev: ${A}\n` } },
    [C]: { files: { 'envs/dev.yaml': `rev: ${B}\n` }, parents: [A], message: 'Move dev' },
  });
  return {
    ...source,
    branchHead: async () => source.commit({ host: '', owner: '', name: '' }, C),
    filesOf: async () => ({
      files: [{ path: 'envs/dev.yaml', previousPath: null, change: 'modified' }],
      isComplete: true,
    }),
  } as unknown as Forge;
}

it('finds who changed a pin in the repository that the generator reads, and what that commit changed', async () => {
  const generated = setWith([{ git: { repoURL, revision: 'main', files: [{ path: 'envs/*.yaml' }] } }]);
  const culprit = await investigate(forge(), generated, pinnedFailure());
  expect(culprit).toMatchObject({
    kind: 'suspects',
    branch: 'main',
    suspects: [{ sha: C, files: ['envs/dev.yaml'] }],
  });
});

it('says that a pin was changed where nobody can see by whom', async () => {
  const culprit = await investigate(forge(), setWith([{ list: { elements: [] } }]), pinnedFailure());
  expect(culprit).toMatchObject({ kind: 'none', reason: 'pinned' });
});
