/**
 * What one commit puts into the folders that feed an Application. The id of a git tree says all that is in
 * it, so the ids of a few trees and files are the whole answer. Kustomize reaches outside its folder
 * (`resources: ../base`), so what it names is followed; what cannot be followed makes the commit equal to
 * itself alone, which keeps it a suspect and never an innocent.
 */
import { parse } from 'yaml';
import type { Source } from '../domain/objects.ts';
import { list, record, text } from '../domain/read.ts';
import { normalPath } from '../domain/read-sources.ts';
import type { Repository, TreeEntry } from '../ports.ts';
import type { ContentSource } from './source.ts';

/** Folders that kustomizations may lead to before we stop following. */
const foldersMax = 64;
const kustomizationNames = ['kustomization.yaml', 'kustomization.yml', 'Kustomization'];

/**
 * An id that is equal exactly when the content is, for one git source at one commit; null when the repository
 * does not have the commit. `commit` is 40 hex digits. Throws WorldProblem.
 */
export async function contentIdOf(
  forge: ContentSource,
  repository: Repository,
  source: Source,
  commit: string,
): Promise<string | null> {
  const facts = await forge.commit(repository, commit);
  if (facts === null) return null;
  return (await contentIdInTree(forge, repository, source, facts.tree)) ?? `commit:${commit}`;
}

/** The same of a root tree; null when nobody can tell what feeds the source in it. Throws WorldProblem. */
export async function contentIdInTree(
  forge: ContentSource,
  repository: Repository,
  source: Source,
  tree: string,
): Promise<string | null> {
  const parts = await partsOf(forge, repository, source, tree);
  return parts === 'too-many' ? null : parts.map(({ path, id }) => `${path}=${id}`).join(' ');
}

/** The files and folders that feed a source at a commit, those outside of its own folder too; null when nobody can tell. */
export async function pathsFeeding(
  forge: ContentSource,
  repository: Repository,
  source: Source,
  commit: string,
): Promise<readonly string[] | null> {
  const facts = await forge.commit(repository, commit);
  const parts = facts === null ? 'too-many' : await partsOf(forge, repository, source, facts.tree);
  return parts === 'too-many' ? null : parts.map(({ path }) => path);
}

async function partsOf(
  forge: ContentSource,
  repository: Repository,
  source: Source,
  root: string,
): Promise<readonly { path: string; id: string }[] | 'too-many'> {
  const reader: Reader = { forge, repository, root };
  const paths = [...(source.path === null ? [] : [source.path]), ...source.alsoPaths];
  const parts: { path: string; id: string }[] = [];
  const seen = new Set<string>();
  const open = [...paths];
  for (let path = open.shift(); path !== undefined; path = open.shift()) {
    if (seen.has(path)) continue;
    seen.add(path);
    if (seen.size > foldersMax) return 'too-many';
    const entry = await entryAt(reader, path);
    parts.push({ path, id: entry?.id ?? 'absent' });
    const outside = entry?.mode === '040000' ? await outsideOf(reader, path, entry.id) : [];
    if (outside === null) return 'too-many';
    open.push(...outside);
  }
  return parts;
}

interface Reader {
  forge: ContentSource;
  repository: Repository;
  /** Tree id of the commit. */
  root: string;
}

/** The entry at a path from the root; the root itself is a tree without a name. Null when it is not there. */
async function entryAt(reader: Reader, path: string): Promise<TreeEntry | null> {
  let entry: TreeEntry = { name: '', mode: '040000', id: reader.root };
  for (const segment of path === '' ? [] : path.split('/')) {
    if (entry.mode !== '040000') return null;
    const entries = await reader.forge.readTree(reader.repository, entry.id);
    const next = entries.find((candidate) => candidate.name === segment);
    if (next === undefined) return null;
    entry = next;
  }
  return entry;
}

/** Null when the kustomization cannot be read. Paths outside a folder that its kustomization, and those of the folders below it that it uses, lead to. */
async function outsideOf(reader: Reader, folder: string, treeId: string): Promise<readonly string[] | null> {
  const entries = await reader.forge.readTree(reader.repository, treeId);
  const file = entries.find((entry) => kustomizationNames.includes(entry.name));
  if (file === undefined) return [];
  const content = await reader.forge.readBlob(reader.repository, file.id);
  const named = namedBy(new TextDecoder().decode(content));
  if (named === null) return null;
  return named.map((path) => normalPath(`${folder}/${path}`)).filter((path) => path !== folder);
}

/** Local paths that a kustomization names; remote ones change without a commit and are not ours to follow. */
function namedBy(kustomization: string): readonly string[] | null {
  let document: Record<string, unknown>;
  try {
    document = record(parse(kustomization, { maxAliasCount: 100 }));
  } catch {
    return null;
  }
  const direct = [
    'resources',
    'components',
    'bases',
    'crds',
    'configurations',
    'transformers',
    'generators',
    'validators',
    'patchesStrategicMerge',
  ]
    .flatMap((key) => list(document[key]))
    .map(text);
  const nested = ['patches', 'patchesJson6902', 'replacements']
    .flatMap((key) => list(document[key]))
    .map((item) => text(record(item).path));
  const generated = ['configMapGenerator', 'secretGenerator']
    .flatMap((key) => list(document[key]))
    .map(record)
    .flatMap((generator) => [...list(generator.files), ...list(generator.envs), generator.env])
    // `name=path` gives a file another name.
    .map((file) => text(file).replace(/^[^=]*=/, ''));
  const charts = list(document.helmCharts).flatMap((item) => [
    text(record(item).valuesFile),
    ...list(record(item).additionalValuesFiles).map(text),
  ]);
  const others = [text(record(document.openapi).path), text(record(document.helmGlobals).chartHome)];
  return [...direct, ...nested, ...generated, ...charts, ...others].filter(
    (path) => path !== '' && !/:\/\/|^git@|\?ref=|^github\.com\//.test(path) && !path.includes('\n'),
  );
}
