/** What a server says about itself: version, health, groups and resources. Unknown paths are plain text 404s. */
import type { Answer } from './answer.ts';
import { BUILT_IN, type ResourceDefinition } from './resources.ts';
import type { ObjectStore } from './store.ts';
import { noSuchKind } from './store-problem.ts';

/** The version that the recorded answers come from. */
const VERSION = {
  major: '1',
  minor: '36',
  gitVersion: 'v1.36.1',
  gitTreeState: 'clean',
  platform: 'linux/amd64',
};

const VERBS = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'];
const PUBLIC = new Set(['/healthz', '/livez', '/readyz', '/version']);

/** Paths that answer everybody, also without a token. */
export function isPublic(pathname: string): boolean {
  return PUBLIC.has(pathname.replace(/\/$/, ''));
}

/** Answers every path that is not about objects. Throws the plain text 404 for unknown ones. */
export async function discover(
  store: ObjectStore,
  pathname: string,
  host: string,
  answer: Answer,
): Promise<void> {
  const path = pathname.replace(/\/$/, '');
  if (path === '/version') return answer.json(200, VERSION);
  if (isPublic(path)) return answer.text(200, 'ok');
  await answer.json(200, discovered(store, path, host));
}

function discovered(store: ObjectStore, path: string, host: string): object {
  const [, root, group, version, ...more] = path.split('/');
  if (more.length > 0) throw noSuchKind();
  if (root === 'api' && group === undefined) {
    const serverAddressByClientCIDRs = [{ clientCIDR: '0.0.0.0/0', serverAddress: host }];
    return { kind: 'APIVersions', versions: ['v1'], serverAddressByClientCIDRs };
  }
  if (root === 'api' && version === undefined) return resourcesOf(store, '', group!);
  if (root !== 'apis') throw noSuchKind();
  if (group === undefined) {
    const names = [...new Set(allOf(store).map((definition) => definition.group))].filter(
      (name) => name !== '',
    );
    return { kind: 'APIGroupList', apiVersion: 'v1', groups: names.map((name) => groupOf(store, name)) };
  }
  if (version === undefined) return { kind: 'APIGroup', apiVersion: 'v1', ...groupOf(store, group) };
  return resourcesOf(store, group, version);
}

/** Reviews are answered but not stored, so the store does not know them. */
const REVIEWS: ResourceDefinition = {
  ...BUILT_IN[0]!,
  group: 'authorization.k8s.io',
  plural: 'selfsubjectaccessreviews',
  singular: 'selfsubjectaccessreview',
  kind: 'SelfSubjectAccessReview',
  namespaced: false,
};

function allOf(store: ObjectStore): ResourceDefinition[] {
  return [...store.definitions, REVIEWS];
}

function groupOf(store: ObjectStore, group: string): object {
  const versions = new Set(
    allOf(store)
      .filter((definition) => definition.group === group)
      .map((definition) => definition.version),
  );
  if (versions.size === 0) throw noSuchKind();
  const entries = [...versions].map((version) => ({ groupVersion: `${group}/${version}`, version }));
  return { name: group, versions: entries, preferredVersion: entries[0] };
}

function resourcesOf(store: ObjectStore, group: string, version: string): object {
  const found = allOf(store).filter((one) => one.group === group && one.version === version);
  if (found.length === 0) throw noSuchKind();
  const resources = found.flatMap((definition) => {
    const { plural, singular, namespaced, kind, shortNames, statusSubresource } = definition;
    const verbs = definition === REVIEWS ? ['create'] : VERBS;
    const main = {
      name: plural,
      singularName: singular,
      namespaced,
      kind,
      verbs,
      ...(shortNames && { shortNames }),
    };
    const status = {
      name: `${plural}/status`,
      singularName: '',
      namespaced,
      kind,
      verbs: ['get', 'patch', 'update'],
    };
    return statusSubresource ? [main, status] : [main];
  });
  const groupVersion = group === '' ? version : `${group}/${version}`;
  return { kind: 'APIResourceList', apiVersion: 'v1', groupVersion, resources };
}
