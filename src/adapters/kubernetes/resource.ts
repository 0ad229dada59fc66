/** The kinds of objects that Stepback reads, and where the API server keeps them. */

export interface Resource {
  /** "" is the core group. */
  group: string;
  version: string;
  plural: string;
  /** What it means and what to do when the API server does not know the kind, in sentences for people. */
  whenMissing: string;
}

const argoCdMissing =
  'Argo CD is not installed in this cluster, or this is not the cluster it is installed in. Point Stepback at the cluster that runs the Argo CD controllers.';
const kubernetesMissing = 'This is no Kubernetes API server, or an unusual one. Check the server address.';

export const applications: Resource = {
  group: 'argoproj.io',
  version: 'v1alpha1',
  plural: 'applications',
  whenMissing: argoCdMissing,
};

export const applicationSets: Resource = {
  group: 'argoproj.io',
  version: 'v1alpha1',
  plural: 'applicationsets',
  whenMissing: argoCdMissing,
};

export const configMaps: Resource = {
  group: '',
  version: 'v1',
  plural: 'configmaps',
  whenMissing: kubernetesMissing,
};

export const pods: Resource = { group: '', version: 'v1', plural: 'pods', whenMissing: kubernetesMissing };

export const deployments: Resource = {
  group: 'apps',
  version: 'v1',
  plural: 'deployments',
  whenMissing: kubernetesMissing,
};

export const accessReviews: Resource = {
  group: 'authorization.k8s.io',
  version: 'v1',
  plural: 'selfsubjectaccessreviews',
  whenMissing: kubernetesMissing,
};

/** `applications.argoproj.io`, as people write it for kubectl. */
export function resourceName(resource: Pick<Resource, 'group' | 'plural'>): string {
  return resource.group === '' ? resource.plural : `${resource.plural}.${resource.group}`;
}

/** The path of a collection, an object or its status. Every part is escaped: names come from outside. */
export function resourcePath(
  resource: Resource,
  namespace: string | null,
  name?: string,
  subresource?: 'status',
): string {
  const base = resource.group === '' ? ['api'] : ['apis', resource.group];
  const scope = namespace === null ? [] : ['namespaces', namespace];
  const parts = [...base, resource.version, ...scope, resource.plural];
  if (name !== undefined) parts.push(name);
  if (subresource !== undefined) parts.push(subresource);
  return `/${parts.map(encodeURIComponent).join('/')}`;
}
