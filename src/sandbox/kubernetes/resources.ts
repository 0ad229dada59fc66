/**
 * Which resources the small API server serves. Built-in ones are listed here; all others come from
 * CustomResourceDefinition objects in the store, as on a real server: without its definition a kind is unknown.
 */
import type { ObjectDraft, StoredObject } from './objects.ts';

export interface PrinterColumn {
  name: string;
  type: string;
  jsonPath: string;
  format?: string;
  description?: string;
  priority?: number;
}

export interface ResourceDefinition {
  /** '' is the core group. */
  group: string;
  version: string;
  plural: string;
  singular: string;
  kind: string;
  shortNames?: string[];
  namespaced: boolean;
  /** Whether status is written apart from the rest. */
  statusSubresource: boolean;
  /** Whether the server counts `metadata.generation`. */
  generation: boolean;
  /** A PUT without resourceVersion is allowed for some built-in kinds, never for custom resources. */
  unconditionalUpdate: boolean;
  custom: boolean;
  columns: PrinterColumn[];
  /** The structural schema (`openAPIV3Schema`), when the definition carries one. */
  schema?: Record<string, unknown>;
}

const AGE_COLUMN: PrinterColumn = { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' };

function builtIn(
  group: string,
  plural: string,
  kind: string,
  more: Partial<ResourceDefinition> = {},
): ResourceDefinition {
  return {
    group,
    version: 'v1',
    plural,
    singular: kind.toLowerCase(),
    kind,
    namespaced: true,
    statusSubresource: false,
    generation: false,
    unconditionalUpdate: true,
    custom: false,
    columns: [AGE_COLUMN],
    ...more,
  };
}

/** The kinds every cluster has, as far as Stepback, Argo CD and their tests meet them. */
export const BUILT_IN: readonly ResourceDefinition[] = [
  builtIn('', 'configmaps', 'ConfigMap'),
  builtIn('', 'secrets', 'Secret'),
  builtIn('', 'events', 'Event'),
  builtIn('', 'pods', 'Pod', { statusSubresource: true, generation: true }),
  builtIn('', 'namespaces', 'Namespace', { namespaced: false, statusSubresource: true }),
  builtIn('apps', 'deployments', 'Deployment', { statusSubresource: true, generation: true }),
  builtIn('coordination.k8s.io', 'leases', 'Lease', { unconditionalUpdate: false }),
  builtIn('apiextensions.k8s.io', 'customresourcedefinitions', 'CustomResourceDefinition', {
    namespaced: false,
    statusSubresource: true,
    generation: true,
    unconditionalUpdate: false,
  }),
];

interface DefinitionSpec {
  group: string;
  scope: string;
  names: { plural: string; singular?: string; kind: string; shortNames?: string[] };
  versions: {
    name: string;
    served: boolean;
    storage: boolean;
    subresources?: { status?: unknown };
    additionalPrinterColumns?: PrinterColumn[];
    schema?: { openAPIV3Schema?: Record<string, unknown> };
  }[];
}

/**
 * The resource that a CustomResourceDefinition describes, in its stored version. Without printer columns of its own
 * a kind gets the Age column, as apiextensions-apiserver does.
 */
export function definitionFrom(customResourceDefinition: StoredObject): ResourceDefinition | undefined {
  const spec = customResourceDefinition.spec as DefinitionSpec;
  const version = spec.versions.find((candidate) => candidate.served && candidate.storage);
  if (version === undefined) return undefined;
  return {
    group: spec.group,
    version: version.name,
    plural: spec.names.plural,
    singular: spec.names.singular ?? spec.names.kind.toLowerCase(),
    kind: spec.names.kind,
    shortNames: spec.names.shortNames,
    namespaced: spec.scope === 'Namespaced',
    statusSubresource: version.subresources?.status !== undefined,
    generation: true,
    unconditionalUpdate: false,
    custom: true,
    columns: version.additionalPrinterColumns ?? [AGE_COLUMN],
    schema: version.schema?.openAPIV3Schema,
  };
}

/** A CustomResourceDefinition object, for kinds whose real one is not at hand. */
export function customResource(description: {
  group: string;
  version: string;
  kind: string;
  plural: string;
  shortNames?: string[];
  statusSubresource: boolean;
  columns?: PrinterColumn[];
  schema?: Record<string, unknown>;
}): ObjectDraft {
  const { group, version, kind, plural, columns } = description;
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural, singular: kind.toLowerCase(), kind, shortNames: description.shortNames },
      versions: [
        {
          name: version,
          served: true,
          storage: true,
          subresources: description.statusSubresource ? { status: {} } : {},
          additionalPrinterColumns: columns,
          schema: {
            openAPIV3Schema: description.schema ?? {
              type: 'object',
              'x-kubernetes-preserve-unknown-fields': true,
            },
          },
        },
      ],
    },
  };
}
