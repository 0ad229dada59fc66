/**
 * From an ApplicationSet and the clusters to the Applications it wants: cluster and list generators, the template, and
 * what the controller adds of its own. Sources, all under https://github.com/argoproj/argo-cd/tree/v3.5.1:
 * applicationset/generators/cluster.go and list.go, applicationset/controllers/template/template.go.
 */
import type { OwnerReference } from '../kubernetes/objects.ts';
import type {
  ApplicationObject,
  ApplicationSetObject,
  Cluster,
  Generator,
  LabelSelector,
} from './objects.ts';
import { normalized, type Parameters, rendered } from './template.ts';

const FINALIZER = 'resources-finalizer.argocd.argoproj.io';

/** A generated Application: as it would be created, without uid, version and status. */
export type DesiredApplication = Pick<ApplicationObject, 'spec' | 'operation'> & {
  metadata: {
    name: string;
    namespace: string;
    labels?: Record<string, string>;
    annotations?: Record<string, string>;
    finalizers?: string[];
    ownerReferences: OwnerReference[];
  };
};

/**
 * The Applications that the ApplicationSet wants, in the order of its generators. Throws an Error with Argo CD's words
 * when a template cannot be filled in.
 */
export function generateApplications(
  applicationSet: ApplicationSetObject,
  clusters: readonly Cluster[],
): DesiredApplication[] {
  const { generators = [], goTemplate = false, goTemplateOptions = [], template } = applicationSet.spec;
  const isStrict = goTemplateOptions.includes('missingkey=error');
  return generators
    .flatMap((generator) => parametersOf(generator, clusters, goTemplate))
    .map((parameters) => {
      const { metadata, spec } = rendered(template, parameters, goTemplate, isStrict);
      const keepsResources = applicationSet.spec.syncPolicy?.preserveResourcesOnDeletion === true;
      const finalizers = metadata.finalizers ?? (keepsResources ? [] : [FINALIZER]);
      return {
        metadata: {
          name: metadata.name ?? '',
          namespace: applicationSet.metadata.namespace ?? '',
          ...(metadata.labels ? { labels: metadata.labels } : {}),
          ...(metadata.annotations ? { annotations: metadata.annotations } : {}),
          ...(finalizers.length > 0 ? { finalizers } : {}),
          ownerReferences: [ownerReference(applicationSet)],
        },
        spec: { project: 'default', ...spec },
      };
    });
}

function ownerReference({ metadata }: ApplicationSetObject): OwnerReference {
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'ApplicationSet',
    name: metadata.name,
    uid: metadata.uid,
    controller: true,
    blockOwnerDeletion: true,
  };
}

function parametersOf(
  generator: Generator,
  clusters: readonly Cluster[],
  isGoTemplate: boolean,
): Parameters[] {
  if (generator.list !== undefined) return (generator.list.elements ?? []).map((element) => ({ ...element }));
  if (generator.clusters === undefined) return [];
  const { selector = {}, values = {} } = generator.clusters;
  return clusters
    .filter((cluster) => isSelected(selector, cluster.labels))
    .map((cluster) => {
      const parameters = clusterParameters(cluster, isGoTemplate);
      const filled = rendered(values, parameters, isGoTemplate);
      if (isGoTemplate) return { ...parameters, values: filled };
      const flat = Object.entries(filled).map(([key, value]) => [`values.${key}`, value]);
      return { ...parameters, ...Object.fromEntries(flat) };
    });
}

/** fasttemplate gets flat names, `metadata.labels.env`; a Go template gets nested objects. */
function clusterParameters(cluster: Cluster, isGoTemplate: boolean): Parameters {
  const { name, server, labels, annotations = {} } = cluster;
  const common = { name, nameNormalized: normalized(name), server, project: '' };
  if (isGoTemplate) return { ...common, metadata: { labels, annotations } };
  const flat = (prefix: string, values: Record<string, string>) =>
    Object.entries(values).map(([key, value]) => [`metadata.${prefix}.${key}`, value]);
  return {
    ...common,
    ...Object.fromEntries([...flat('labels', labels), ...flat('annotations', annotations)]),
  };
}

/** A Kubernetes label selector over the labels of a cluster; unlike a step it knows Exists and DoesNotExist. */
function isSelected(selector: LabelSelector, labels: Record<string, string>): boolean {
  const wanted = Object.entries(selector.matchLabels ?? {});
  if (!wanted.every(([key, value]) => labels[key] === value)) return false;
  return (selector.matchExpressions ?? []).every(({ key, operator, values = [] }) => {
    const value = labels[key];
    if (operator === 'Exists') return value !== undefined;
    if (operator === 'DoesNotExist') return value === undefined;
    if (operator === 'In') return value !== undefined && values.includes(value);
    return operator === 'NotIn' && (value === undefined || !values.includes(value));
  });
}
