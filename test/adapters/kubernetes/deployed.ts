/** What deploy/ installs, read from its files: definitions of custom resources, and rights. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseAllDocuments } from 'yaml';
import type { AccessRule } from '../../../src/sandbox/kubernetes/access.ts';
import type { ObjectDraft } from '../../../src/sandbox/kubernetes/objects.ts';

const deploy = fileURLToPath(new URL('../../../deploy/', import.meta.url));

function documents(path: string) {
  return parseAllDocuments(readFileSync(deploy + path, 'utf8')).map((document) => document.toJS());
}

/** The CustomResourceDefinitions of deploy/crds. */
export function deployedDefinitions(): readonly ObjectDraft[] {
  return readdirSync(`${deploy}crds`).flatMap((file) => documents(`crds/${file}`));
}

interface Rule {
  apiGroups: string[];
  resources: string[];
  verbs: string[];
  resourceNames?: string[];
}

/** The rules that a file of deploy/ binds to Stepback's service account, one verb on one kind each. */
export function deployedRights(file = 'rbac.yaml'): readonly AccessRule[] {
  const roles = documents(file).filter(({ kind }) => kind === 'ClusterRole' || kind === 'Role');
  return roles.flatMap(({ kind, metadata, rules }) =>
    rules.flatMap((rule: Rule) =>
      rule.resources.flatMap((resource) =>
        rule.verbs.map((verb) => ({
          verbs: [verb],
          resources: [resource],
          groups: rule.apiGroups,
          ...(kind === 'Role' ? { namespaces: [metadata.namespace] } : {}),
          ...(rule.resourceNames === undefined ? {} : { names: rule.resourceNames }),
        })),
      ),
    ),
  );
}
