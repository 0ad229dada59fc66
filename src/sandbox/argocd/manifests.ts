/**
 * From the files of a source folder to Kubernetes manifests, as Argo CD's repo server reads a plain directory
 * (`findManifests` in https://github.com/argoproj/argo-cd/blob/v3.5.1/reposerver/repository/repository.go). The sandbox
 * reads manifests written as JSON, one object a file, as in the repositories of the recordings. Also what Argo CD reads
 * off a manifest: its key, hook and wave.
 */

export interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: {
    name: string;
    namespace?: string;
    labels?: Record<string, string>;
    annotations?: Record<string, string>;
  };
  data?: Record<string, string>;
  spec?: Record<string, unknown>;
}

export type SyncPhase = 'PreSync' | 'Sync' | 'PostSync';

/** Manifests could not be read; the message is the repo server's. */
export class RenderError extends Error {}

/**
 * The manifests in the files of one folder (name → text), sorted by file name; other files are passed over. Throws a
 * RenderError in the words recorded in render-error.
 */
export function readManifests(files: ReadonlyMap<string, string>): Manifest[] {
  const names = [...files.keys()].filter((name) => /^[^/]+\.(json|ya?ml)$/.test(name)).sort();
  return names.map((name) => {
    const text = files.get(name) ?? '';
    try {
      return JSON.parse(text) as Manifest;
    } catch (error) {
      const reason = goReason((error as Error).message, text);
      throw new RenderError(
        `rpc error: code = FailedPrecondition desc = Failed to unmarshal "${name}": ${reason}`,
      );
    }
  });
}

/** Go's words for what is wrong with JSON: it has ended too soon, or a character does not belong there. */
function goReason(message: string, text: string): string {
  const position = /position (\d+)/.exec(message)?.[1];
  const found = position === undefined ? /token '(.)'/.exec(message)?.[1] : text.trimEnd()[Number(position)];
  return found === undefined
    ? 'unexpected EOF'
    : `invalid character '${found}' looking for beginning of value`;
}

/** The API group, '' for the core group. */
export function groupOf(manifest: Manifest): string {
  return manifest.apiVersion.includes('/') ? (manifest.apiVersion.split('/')[0] ?? '') : '';
}

/** The version within the group. */
export function versionOf(manifest: Manifest): string {
  return manifest.apiVersion.split('/').at(-1) ?? '';
}

/** One object in a cluster: group, kind, namespace and name. */
export function objectKey(manifest: Manifest): string {
  const { namespace = '', name } = manifest.metadata;
  return [groupOf(manifest), manifest.kind, namespace, name].join('/');
}

/** The phases in which the manifest is a hook; empty for an ordinary resource. */
export function hookPhases(manifest: Manifest): SyncPhase[] {
  const value = manifest.metadata.annotations?.['argocd.argoproj.io/hook'] ?? '';
  const types = value.split(',').map((type) => type.trim());
  return (['PreSync', 'Sync', 'PostSync'] as const).filter((phase) => types.includes(phase));
}

/** Whether Argo CD treats the object as a hook at all. */
export function isHook(manifest: Manifest): boolean {
  return manifest.metadata.annotations?.['argocd.argoproj.io/hook'] !== undefined;
}

/** When a hook is deleted; without a policy, before it is created the next time. */
export function hookDeletePolicies(manifest: Manifest): string[] {
  const value = manifest.metadata.annotations?.['argocd.argoproj.io/hook-delete-policy'];
  return value === undefined ? ['BeforeHookCreation'] : value.split(',').map((policy) => policy.trim());
}

/** The sync wave, 0 when it is not given. */
export function waveOf(manifest: Manifest): number {
  return Number.parseInt(manifest.metadata.annotations?.['argocd.argoproj.io/sync-wave'] ?? '0', 10) || 0;
}

/** The images of the Pods that the object makes, as results of a sync show them. */
export function imagesOf(manifest: Manifest): string[] {
  const spec = manifest.spec as { template?: { spec?: { containers?: { image?: string }[] } } } | undefined;
  return (spec?.template?.spec?.containers ?? []).flatMap(({ image }) =>
    image === undefined ? [] : [image],
  );
}
