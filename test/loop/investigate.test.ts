import { expect, it } from 'vitest';
import type { RolloutFailure } from '../../src/domain/failure.ts';
import { readSources } from '../../src/domain/read-sources.ts';
import { investigate } from '../../src/loop/investigate.ts';
import type { Forge } from '../../src/ports.ts';
import { forgeOf } from '../content/forge.ts';
import { A, applicationSetOf, B, C, rawApplicationSet, repoURL, tell } from '../domain/world.ts';

/** Dev was moved from A to B, and fails; its target is a pin. */
function pinnedFailure(): RolloutFailure {
  const history: [string, number][] = [
    [A, 0],
    [B, 99],
  ];
  const answers = tell([
    { at: 0 },
    {
      at: 100,
      apps: { dev: { target: B, history, health: 'Degraded', healthSince: 99 } },
      entries: { dev: ['Progressing', B] },
    },
    { at: 120 },
  ]);
  const found = answers.at(-1)?.failure;
  if (found == null) throw new Error('It has not failed.');
  const sources = readSources({
    source: { repoURL: 'https://github.com/acme/app.git', path: 'app', targetRevision: B },
  });
  return { ...found, first: { ...found.first, application: { ...found.first.application, sources } } };
}

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
