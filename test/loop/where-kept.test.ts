/** Where people edit an ApplicationSet that a parent Application applies. */
import { expect, it } from 'vitest';
import { whereKept } from '../../src/loop/where-kept.ts';
import { WorldProblem } from '../../src/ports.ts';
import { applicationOf } from '../domain/world.ts';

/** A cluster with these Applications, each kept in the folder that is named like it, with its namespace. */
function world(...keys: string[]) {
  const asked: string[] = [];
  return {
    asked,
    forge: { repositoryOf: () => ({ host: 'github.com', owner: 'acme', name: 'fleet' }) },
    cluster: {
      argocdNamespace: 'argocd',
      application: async (key: string) => {
        asked.push(key);
        if (key.startsWith('secret/')) throw new WorldProblem('permanent', 'No right to read it.');
        if (!keys.includes(key)) return null;
        const [namespace, name] = key.split('/');
        const source = { repoURL: 'https://github.com/acme/fleet.git', path: key, targetRevision: 'main' };
        return applicationOf({ metadata: { name, namespace, uid: key }, spec: { source }, status: {} });
      },
    },
  };
}

it.each([
  ['beside Argo CD', 'argocd', 'apps', ['argocd/apps'], 'argocd/apps'],
  ['where its ApplicationSet is not', 'team-a', 'apps', ['argocd/apps'], 'argocd/apps'],
  [
    'of two of its name the one beside Argo CD',
    'team-a',
    'apps',
    ['team-a/apps', 'argocd/apps'],
    'argocd/apps',
  ],
  ['where its ApplicationSet is', 'team-a', 'apps', ['team-a/apps'], 'team-a/apps'],
  [
    'in the namespace that its mark names',
    'argocd',
    'team-b_apps',
    ['argocd/apps', 'team-b/apps'],
    'team-b/apps',
  ],
])('finds the parent %s', async (_, namespace, owner, keys, path) => {
  const set = { namespace, owners: [`Application/${owner}`] };
  expect(await whereKept(world(...keys), set)).toEqual({ repository: 'acme/fleet', path });
});

it('asks once where the ApplicationSet is beside Argo CD, and never without a parent', async () => {
  const { asked, ...rest } = world();
  expect(await whereKept(rest, { namespace: 'argocd', owners: ['Application/apps'] })).toBeNull();
  expect(await whereKept(rest, { namespace: 'argocd', owners: ['Platform/one'] })).toBeNull();
  expect(asked).toEqual(['argocd/apps']);
});

it('says nothing where the parent cannot be read', async () => {
  const set = { namespace: 'argocd', owners: ['Application/secret_apps'] };
  expect(await whereKept(world(), set)).toBeNull();
});
