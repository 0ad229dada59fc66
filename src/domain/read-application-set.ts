/**
 * An ApplicationSet as the API serves it, cut down to what the domain needs. Total, as for Applications. The
 * steps keep what was written, also what the controller ignores: saying so is part of Stepback's work.
 */
import type { ApplicationSet, ApplicationStatus, GitGenerator, MatchExpression, Step } from './objects.ts';
import { type Json, list, number, record, recordOrNull, text, textRecord, texts, time } from './read.ts';
import { readConditions } from './read-application.ts';
import { readSources } from './read-sources.ts';

/** Reads one ApplicationSet. `value` is the object as JSON. Returns null when it has no name. */
export function readApplicationSet(value: unknown): ApplicationSet | null {
  const object = record(value);
  const metadata = record(object.metadata);
  const name = text(metadata.name);
  if (name === '') return null;
  const namespace = text(metadata.namespace);
  const spec = record(object.spec);
  const status = record(object.status);
  const strategy = record(spec.strategy);
  const template = record(spec.template);
  const templateSpec = record(template.spec);
  const automated = record(record(templateSpec.syncPolicy).automated);
  const rollingSync = record(strategy.rollingSync);
  return {
    key: `${namespace}/${name}`,
    namespace,
    name,
    uid: text(metadata.uid),
    resourceVersion: text(metadata.resourceVersion),
    generation: number(metadata.generation, 0),
    createdAt: time(metadata.creationTimestamp),
    isBeingDeleted: metadata.deletionTimestamp !== undefined,
    annotations: textRecord(metadata.annotations),
    owners: readOwners(metadata),
    strategyType: text(strategy.type),
    steps: Array.isArray(rollingSync.steps) ? rollingSync.steps.map(readStep) : null,
    applicationsSync: text(record(spec.syncPolicy).applicationsSync),
    templateLabels: textRecord(record(template.metadata).labels),
    hasTemplatePatch: text(spec.templatePatch) !== '',
    isGoTemplate: spec.goTemplate === true,
    templateSources: readSources(templateSpec),
    templatePrunes: automated.prune === true,
    generatorKinds: list(spec.generators).flatMap((generator) => Object.keys(record(generator))),
    gitGenerators: readGitGenerators(spec.generators, 0),
    applicationStatus: list(status.applicationStatus).map(readApplicationStatus),
    conditions: readConditions(status.conditions),
  };
}

/** Argo CD allows matrix and merge generators two deep. */
const generatorDepthMax = 3;

function readGitGenerators(value: unknown, depth: number): readonly GitGenerator[] {
  if (depth > generatorDepthMax) return [];
  return list(value).flatMap((item) => {
    const generator = record(item);
    const git = recordOrNull(generator.git);
    const paths = [...list(git?.files), ...list(git?.directories)]
      .filter((one) => record(one).exclude !== true)
      .map((one) => text(record(one).path));
    const own = git === null ? [] : [{ repoURL: text(git.repoURL), revision: text(git.revision), paths }];
    const nested = [record(generator.matrix), record(generator.merge)].flatMap((one) =>
      readGitGenerators(one.generators, depth + 1),
    );
    return [...own, ...nested];
  });
}

/** Labels by which Flux, which sets no owner reference, marks what it applies. */
const fluxLabels = {
  'kustomize.toolkit.fluxcd.io/name': 'Kustomization',
  'helm.toolkit.fluxcd.io/name': 'HelmRelease',
} as const;

/**
 * The Application by which Argo CD applies it. Before 3.0 its default mark is the label alone, which Helm sets as well, for
 * its own release. https://argo-cd.readthedocs.io/en/stable/user-guide/resource_tracking/
 */
function readParent(metadata: Json): string | null {
  const annotations = textRecord(metadata.annotations);
  const tracking = annotations['argocd.argoproj.io/tracking-id'];
  if (tracking !== undefined) return tracking.split(':')[0] ?? '';
  const labels = textRecord(metadata.labels);
  const isOfHelm =
    labels['app.kubernetes.io/managed-by'] === 'Helm' ||
    annotations['meta.helm.sh/release-name'] !== undefined;
  return isOfHelm ? null : labels['app.kubernetes.io/instance'] || null;
}

function readOwners(metadata: Json): readonly string[] {
  const references = list(metadata.ownerReferences).map(
    (item) => `${text(record(item).kind)}/${text(record(item).name)}`,
  );
  const labels = textRecord(metadata.labels);
  const flux = Object.entries(fluxLabels).flatMap(([label, kind]) =>
    labels[label] === undefined ? [] : [`${kind}/${labels[label]}`],
  );
  const parent = readParent(metadata);
  return [...references, ...(parent === null ? [] : [`Application/${parent}`]), ...flux];
}

function readStep(value: unknown): Step {
  const step = record(value);
  const maxUpdate = step.maxUpdate;
  return {
    expressions: list(step.matchExpressions).map(readExpression),
    maxUpdate: typeof maxUpdate === 'number' || typeof maxUpdate === 'string' ? maxUpdate : null,
  };
}

function readExpression(value: unknown): MatchExpression {
  const expression = record(value);
  return {
    key: text(expression.key),
    operator: text(expression.operator),
    values: texts(expression.values),
  };
}

function readApplicationStatus(value: unknown): ApplicationStatus {
  const entry = record(value);
  return {
    application: text(entry.application),
    status: text(entry.status),
    step: text(entry.step),
    message: text(entry.message),
    targetRevisions: Array.isArray(entry.targetRevisions) ? texts(entry.targetRevisions) : null,
    lastTransitionAt: time(entry.lastTransitionTime),
  };
}
