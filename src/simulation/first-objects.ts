/** What there is before anything happens: the files of the repository, how Argo CD reads them, and the ApplicationSets. */
import type { argoRepositories } from '../sandbox/argo-repositories.ts';
import { entryAt } from '../sandbox/github/git/tree-walk.ts';
import { filesOf } from './files.ts';
import type { MemoryHub } from './memory-hub.ts';
import type { Plan, PlannedSet } from './plan.ts';

export const repositoryName = 'acme/fleet';
export const repositoryUrl = `https://github.com/${repositoryName}.git`;

/** The first commit. */
export function firstFiles(plan: Plan): Record<string, string> {
  const folders = [...plan.sets.map((set) => `apps/${set.name}`), 'base'];
  const files = folders.flatMap((folder) =>
    Object.entries(filesOf(folder, { version: 1, badness: null, where: [] })),
  );
  const there = files.filter((entry): entry is [string, string] => entry[1] !== null);
  return {
    'README.md': '# fleet\n',
    '.github/stepback.yaml': configurationOf(plan),
    ...Object.fromEntries(there),
  };
}

/** What changes the cluster is for nobody who is not named. */
function configurationOf({ mode }: Plan): string {
  const rules = ['sync', 'freeze', 'thaw'].map((verb) => `  ${verb}: { users: [dana] }\n`);
  return `${mode === null ? '' : `mode: ${mode}\n`}commands:\n${rules.join('')}`;
}

/** What Argo CD's repo server reads. */
export function readable(hub: MemoryHub): Parameters<typeof argoRepositories>[0] {
  return {
    repositories: () => [repositoryName],
    resolve(name, revision) {
      const { refs, git } = hub.get(name);
      const sha = refs.get(revision === 'HEAD' || revision === '' ? 'main' : revision) ?? revision;
      return git.commit(sha) === undefined ? undefined : sha;
    },
    folder(name, sha, path) {
      const { git } = hub.get(name);
      const tree = git.commit(sha)?.tree;
      const entries = tree === undefined ? undefined : git.tree(entryAt(git, tree, path)?.id ?? '');
      const files = entries?.filter(({ mode }) => mode === '100644');
      return (
        files && new Map(files.map(({ name: file, id }) => [file, git.blob(id)?.toString('utf8') ?? '']))
      );
    },
  };
}

/** As people write it. */
export function applicationSetOf({ environments }: Plan, set: PlannedSet): object {
  const source = (path: string): object => ({ repoURL: repositoryUrl, path, targetRevision: 'main' });
  const own = source(`apps/${set.name}`);
  const steps = environments.map((env, index) => {
    const maxUpdate = set.maxUpdates[index];
    return {
      matchExpressions: [{ key: 'env', operator: 'In', values: [env] }],
      ...(maxUpdate === undefined ? {} : { maxUpdate }),
    };
  });
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'ApplicationSet',
    metadata: { name: set.name, namespace: 'argocd' },
    spec: {
      generators: [{ clusters: {} }],
      strategy: { type: 'RollingSync', rollingSync: { steps } },
      template: {
        metadata: { name: `${set.name}-{{name}}`, labels: { env: '{{metadata.labels.env}}' } },
        spec: {
          project: 'default',
          ...(set.hasBase ? { sources: [own, source('base')] } : { source: own }),
          destination: { server: '{{server}}', namespace: set.name },
          syncPolicy: { automated: { prune: set.prunes } },
        },
      },
    },
  };
}
