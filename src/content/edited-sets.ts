/**
 * ApplicationSets whose own manifest a pull request changes. What such a change does is not seen in the folders that feed
 * Applications: it can move every one of them at once, and takes no stages.
 */
import { parseAllDocuments } from 'yaml';
import { record, text } from '../domain/read.ts';
import type { ChangedFile, Forge, Repository } from '../ports.ts';

export interface EditedSet {
  /** Null where the manifest leaves it to whoever applies it. */
  namespace: string | null;
  /** Null where a template makes it, or the manifest cannot be read. */
  name: string | null;
  file: string;
  change: 'added' | 'changed' | 'removed';
}

/** Manifests of ApplicationSets that are read for one pull request. */
const filesMax = 20;
/** A manifest that is longer is not one that people write. */
const lengthMax = 200_000;

/** Of the changed files. `before` and `after` are commits. Throws WorldProblem. */
export async function editedSets(
  forge: Pick<Forge, 'fileAt'>,
  repository: Repository,
  files: readonly ChangedFile[],
  { before, after }: { before: string; after: string },
): Promise<readonly EditedSet[]> {
  const manifests = files.filter(({ path }) => /\.(?:ya?ml|json)$/i.test(path)).slice(0, filesMax);
  const edited: EditedSet[] = [];
  for (const { path, previousPath, change } of manifests) {
    const [old, next] = await Promise.all([
      change === 'added' ? null : forge.fileAt(repository, previousPath ?? path, before),
      change === 'removed' ? null : forge.fileAt(repository, path, after),
    ]);
    edited.push(...differences(setsIn(old?.text ?? ''), setsIn(next?.text ?? ''), path));
  }
  return edited;
}

interface Manifest {
  namespace: string | null;
  name: string | null;
  /** All that it says, in an order of its own. */
  content: string;
}

function differences(
  before: readonly Manifest[],
  after: readonly Manifest[],
  file: string,
): readonly EditedSet[] {
  const isSame = (one: Manifest, other: Manifest): boolean =>
    one.name === other.name && one.namespace === other.namespace;
  const gone = before.filter((one) => !after.some((other) => isSame(one, other)));
  const edited = after.flatMap((one): EditedSet[] => {
    const old = before.find((other) => isSame(one, other));
    if (old?.content === one.content) return [];
    return [
      { namespace: one.namespace, name: one.name, file, change: old === undefined ? 'added' : 'changed' },
    ];
  });
  return [
    ...edited,
    ...gone.map(({ namespace, name }) => ({ namespace, name, file, change: 'removed' as const })),
  ];
}

function setsIn(written: string): readonly Manifest[] {
  if (!/ApplicationSet\b/.test(written) || written.length > lengthMax) return [];
  const unreadable = /^\s*"?kind"?:\s*"?ApplicationSet"?/m.test(written)
    ? [{ namespace: null, name: null, content: written }]
    : [];
  try {
    const documents = parseAllDocuments(written);
    if ('empty' in documents) return [];
    if (documents.some(({ errors }) => errors.length > 0)) return unreadable;
    return documents.map((document) => document.toJS({ maxAliasCount: 100 })).flatMap(manifestOf);
  } catch {
    return unreadable;
  }
}

function manifestOf(value: unknown): readonly Manifest[] {
  const manifest = record(value);
  if (text(manifest.kind) !== 'ApplicationSet') return [];
  const { name, namespace } = record(manifest.metadata);
  const plain = (of: unknown): string | null => {
    const written = text(of);
    return written === '' || written.includes('{{') ? null : written;
  };
  return [{ namespace: plain(namespace), name: plain(name), content: JSON.stringify(value) }];
}
