/**
 * The sources of an Application or a template: which folders of which repositories, and whatever else decides what is
 * made of a commit. Total, as all readers are.
 */
import { digestOf } from './digest.ts';
import type { Source } from './objects.ts';
import { type Json, list, record, recordOrNull, text, texts } from './read.ts';

/**
 * `sources` when there are any, else `source`; the singular one is ignored then, as in Argo CD. `generatePaths`
 * is the annotation `argocd.argoproj.io/manifest-generate-paths`, "" when absent.
 */
export function readSources(spec: Json, generatePaths = ''): readonly Source[] {
  const several = list(spec.sources).map(readSource);
  const single = recordOrNull(spec.source);
  const all =
    several.length > 0 ? several : single === null || text(single.repoURL) === '' ? [] : [readSource(single)];
  return all.map((source) => ({
    ...source,
    alsoPaths: [
      ...new Set([
        ...source.alsoPaths,
        ...lentFiles(source, all),
        ...namedPaths(source.path, generatePaths.split(';')),
      ]),
    ],
  }));
}

function readSource(value: unknown): Source {
  const source = record(value);
  const repoURL = text(source.repoURL);
  const chart = text(source.chart) || imageOf(repoURL);
  const ref = text(source.ref);
  const isOnlyLent = ref !== '' && text(source.path) === '';
  const path = chart === '' && !isOnlyLent ? normalPath(text(source.path)) : null;
  return {
    repoURL,
    path,
    alsoPaths: namedPaths(path, ownFiles(source)).filter((file) => !isWithin(file, path)),
    targetRevision: text(source.targetRevision),
    chart: chart === '' ? null : chart,
    ref: ref === '' ? null : ref,
    valueFiles: texts(record(source.helm).valueFiles),
    parameters: parametersOf(source),
  };
}

/** The image of an OCI source is a chart to us: its revisions are digests and tags, and no forge knows them. */
function imageOf(repoURL: string): string {
  if (!/^oci:\/\//i.test(repoURL)) return '';
  return repoURL.split('/').findLast((segment) => segment !== '') ?? repoURL;
}

/** All of a source but what has a field of its own. */
function parametersOf(source: Json): string {
  const { repoURL: _url, path: _path, targetRevision: _target, chart: _chart, ref: _ref, ...rest } = source;
  const { valueFiles: _files, ...helm } = record(rest.helm);
  const described = canonical({ ...rest, helm }, 0);
  return described === '' ? '' : digestOf(described);
}

/** Nothing of a source is deeper; what is deeper is cut, so that no input makes this throw. */
const depthMax = 20;

/** The same text for the same value, whatever the order of its keys; "" for what is empty. */
function canonical(value: unknown, depth: number): string {
  if (value === null || value === undefined || value === '' || value === false || depth > depthMax) return '';
  if (Array.isArray(value))
    return value.length === 0 ? '' : `[${value.map((item) => canonical(item, depth + 1)).join(',')}]`;
  if (typeof value !== 'object') return JSON.stringify(value) ?? '';
  const entries = Object.entries(value)
    .map(([key, item]) => [key, canonical(item, depth + 1)])
    .filter(([, described]) => described !== '')
    .map(([key, described]) => `${JSON.stringify(key)}:${described}`);
  return entries.length === 0 ? '' : `{${entries.sort().join(',')}}`;
}

/** Value files that other sources take from this one as `$ref/path`. */
function lentFiles(source: Source, all: readonly Source[]): readonly string[] {
  if (source.ref === null) return [];
  const prefix = `$${source.ref}/`;
  return all.flatMap((other) =>
    other.valueFiles
      .filter((file) => file.startsWith(prefix))
      .map((file) => normalPath(file.slice(prefix.length))),
  );
}

/** Files and folders that a source names beside its own: they can lie anywhere in the repository. */
function ownFiles(source: Json): readonly string[] {
  const helm = record(source.helm);
  const jsonnet = record(record(source.directory).jsonnet);
  return [
    ...texts(helm.valueFiles),
    ...list(helm.fileParameters).map((parameter) => text(record(parameter).path)),
    ...texts(record(source.kustomize).components),
    ...texts(jsonnet.libs).map((library) => `/${library}`),
  ].filter((file) => !file.startsWith('$') && !file.includes('://'));
}

function isWithin(file: string, folder: string | null): boolean {
  return folder === '' || (folder !== null && `${file}/`.startsWith(`${folder}/`));
}

/** Paths from the root when they begin with a slash, else from `folder`; a pattern counts as the folder it begins in. */
function namedPaths(folder: string | null, paths: readonly string[]): readonly string[] {
  if (folder === null) return [];
  return paths
    .map((path) => path.trim().replace(/[^/*?[{]*[*?[{].*$/, ''))
    .filter((path) => path !== '' && path !== '.')
    .map((path) => normalPath(path.startsWith('/') ? path : `${folder}/${path}`));
}

/** "./apps/web/" and "apps/web" are one folder; "." is the root; ".." goes up and never out. */
export function normalPath(path: string): string {
  const segments: string[] = [];
  for (const segment of path.split('/')) {
    if (segment === '..') segments.pop();
    else if (segment !== '' && segment !== '.') segments.push(segment);
  }
  return segments.join('/');
}
