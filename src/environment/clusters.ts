/** Which Argo CDs to watch, under which names, and with which kubeconfig. */
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { revertBranchName } from '../domain/incident-names.ts';
import { quoted, type Reader } from './reader.ts';

export type KubeconfigPlace = { kind: 'file'; path: string } | { kind: 'in-cluster' };

export interface ClusterSettings {
  /** Null: the kubeconfig's current context, or the Pod's own cluster. */
  context: string | null;
  /** The context's name when undefined. */
  instance: string | undefined;
  argocdNamespace: string;
  /** All that are allowed when undefined. */
  namespaces: readonly string[] | undefined;
}

const instancePattern = /^[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?$/;
const namespacePattern = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/** KUBECONFIG, else the cluster that the Pod is in, else the file that kubectl takes. */
export function readKubeconfig(reader: Reader): KubeconfigPlace {
  const written = reader.text('KUBECONFIG');
  if (written !== null) return readFile(reader, written);
  if (reader.variables.KUBERNETES_SERVICE_HOST) {
    if (reader.text('STEPBACK_CONTEXTS') !== null) {
      reader.fault(
        'STEPBACK_CONTEXTS names contexts, and there is no kubeconfig that could have them. Mount one and name it in KUBECONFIG.',
      );
    }
    return { kind: 'in-cluster' };
  }
  const usual = join(reader.variables.HOME ?? '', '.kube', 'config');
  if (existsSync(usual)) return { kind: 'file', path: usual };
  reader.fault(
    'Stepback does not run in a Kubernetes cluster, KUBECONFIG is not set and there is no ~/.kube/config, so there is no cluster to watch. Name a kubeconfig in KUBECONFIG.',
  );
  return { kind: 'in-cluster' };
}

function readFile(reader: Reader, written: string): KubeconfigPlace {
  const paths = written.split(delimiter).filter((path) => path !== '');
  if (paths.length > 1) {
    reader.fault(
      `KUBECONFIG names ${paths.length} files, and Stepback reads one. Make one of them with "kubectl config view --flatten" and name that.`,
    );
  } else if (!existsSync(written)) {
    reader.fault(`KUBECONFIG names ${quoted(written)}, and there is no such file. Check the path.`);
  }
  return { kind: 'file', path: written };
}

export function readClusters(reader: Reader): readonly ClusterSettings[] {
  const contexts = readContexts(reader);
  const argocdNamespaces = readNamespaces(reader, 'STEPBACK_ARGOCD_NAMESPACE');
  const namespaces = readNamespaces(reader, 'STEPBACK_NAMESPACES');
  if (argocdNamespaces.length > 1 && argocdNamespaces.length !== contexts.length) {
    reader.fault(
      `STEPBACK_ARGOCD_NAMESPACE has ${argocdNamespaces.length} namespaces for ${contexts.length} contexts. Give one for all, or one for each context in the order of STEPBACK_CONTEXTS.`,
    );
  }
  return contexts.map((one, index) => ({
    ...one,
    argocdNamespace: argocdNamespaces[index] ?? argocdNamespaces[0] ?? 'argocd',
    namespaces: namespaces.length === 0 ? undefined : namespaces,
  }));
}

type Context = Pick<ClusterSettings, 'context' | 'instance'>;

function readContexts(reader: Reader): readonly Context[] {
  const instance = reader.text('STEPBACK_INSTANCE') ?? undefined;
  if (instance !== undefined && !instancePattern.test(instance)) {
    reader.fault(
      `STEPBACK_INSTANCE is ${quoted(instance)}, and it becomes part of the names of branches. Use up to 40 small letters, digits and dashes.`,
    );
  }
  const contexts = reader.list('STEPBACK_CONTEXTS').map(contextOf);
  if (contexts.length === 0) return [{ context: null, instance }];
  if (contexts.length === 1) return contexts.map((one) => ({ ...one, instance: one.instance ?? instance }));
  if (instance !== undefined) {
    reader.fault(
      'STEPBACK_INSTANCE is one name and STEPBACK_CONTEXTS has several Argo CDs. Name them there: STEPBACK_CONTEXTS=prod=CONTEXT,dev=CONTEXT.',
    );
  }
  refuseTwins(reader, contexts);
  return contexts;
}

/** `name=context`, or a context alone; contexts may have "=" in them, names may not. */
function contextOf(written: string): Context {
  const [, name, context] = /^([^=]+)=(.+)$/.exec(written) ?? [];
  return name !== undefined && context !== undefined && instancePattern.test(name)
    ? { context, instance: name }
    : { context: written, instance: undefined };
}

/** Two that share the name of a branch would take each other's revert for their own: long contexts are cut there. */
function refuseTwins(reader: Reader, contexts: readonly Context[]): void {
  for (const [index, one] of contexts.entries()) {
    const before = contexts.slice(0, index);
    const same = before.find((other) => other.context === one.context);
    const alike = before.find((other) => branchOf(other) === branchOf(one));
    if (same !== undefined) {
      reader.fault(
        `STEPBACK_CONTEXTS has the context ${quoted(one.context ?? '')} twice, and it would be watched twice. Name it once.`,
      );
    } else if (alike !== undefined) {
      reader.fault(
        `STEPBACK_CONTEXTS has ${quoted(nameOf(alike))} and ${quoted(nameOf(one))}, whose names in branches would be the same. Give each a name of its own: prod=CONTEXT,dev=CONTEXT.`,
      );
    }
  }
}

function nameOf(one: Context): string {
  return one.instance ?? one.context ?? '';
}

function branchOf(one: Context): string {
  return revertBranchName(nameOf(one), '');
}

function readNamespaces(
  reader: Reader,
  name: 'STEPBACK_ARGOCD_NAMESPACE' | 'STEPBACK_NAMESPACES',
): readonly string[] {
  const namespaces = reader.list(name);
  for (const namespace of namespaces.filter((one) => !namespacePattern.test(one))) {
    reader.fault(
      `${name} has ${quoted(namespace)}, which is no name of a namespace. Give names, several apart by commas; patterns do not work here.`,
    );
  }
  return namespaces;
}
