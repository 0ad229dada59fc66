/**
 * The last look at a merge before anybody may write it: a file must not show conflict markers that it did not show,
 * and YAML that could be read before must still be readable. Git checks neither; a merge that is clean line by line
 * can still define a key twice. Files that come back inside a folder taken whole are not read: that folder stood in
 * the repository as it is.
 */
import { parseAllDocuments } from 'yaml';
import type { TreeChange } from '../ports.ts';
import { isBinary } from './merge-lines.ts';
import { isRegular, ObjectProblem } from './objects.ts';
import type { ConflictReason, PathConflict } from './places.ts';
import type { Workspace } from './workspace.ts';

const yamlName = /\.ya?ml$/i;

/** Conflicts for the changed files that may not be written. `head` is the tree that the changes apply to. */
export async function refuseBrokenTexts(
  workspace: Workspace,
  head: string,
  changes: readonly TreeChange[],
): Promise<PathConflict[]> {
  const checks = changes.map(async (change): Promise<PathConflict[]> => {
    if ('deleted' in change || !isRegular({ mode: change.mode, id: '' })) return [];
    const after = 'content' in change ? change.content : await readIfSmall(workspace, change.id);
    const why = after && (await faultOf(after, change.path, () => textBefore(workspace, head, change)));
    return why ? [{ path: change.path, why, later: 'changed', revert: 'changed', related: [] }] : [];
  });
  return (await Promise.all(checks)).flat();
}

async function faultOf(
  after: Uint8Array,
  path: string,
  readBefore: () => Promise<Uint8Array | undefined>,
): Promise<ConflictReason | undefined> {
  const hasMarkers = conflictMarkers(after) > 0;
  const isBrokenYaml = yamlName.test(path) && !isYaml(after);
  if (!hasMarkers && !isBrokenYaml) return undefined;
  const before = await readBefore();
  if (hasMarkers && conflictMarkers(after) > (before ? conflictMarkers(before) : 0))
    return 'conflict-markers';
  return isBrokenYaml && before && isYaml(before) ? 'broken-yaml' : undefined;
}

/** The file as the head has it: at the same path, or where the merged file was before it moved. */
async function textBefore(
  workspace: Workspace,
  head: string,
  change: TreeChange,
): Promise<Uint8Array | undefined> {
  const item = await workspace.readPath(head, change.path);
  if (item && isRegular(item)) return readIfSmall(workspace, item.id);
  const origin = 'content' in change ? workspace.originOf(change.content) : undefined;
  return origin === undefined ? undefined : readIfSmall(workspace, origin);
}

/** Lines that git writes around a conflict. A row of equals signs alone is a heading in many formats. */
function conflictMarkers(content: Uint8Array): number {
  const text = Buffer.from(content).toString('latin1');
  return text.match(/^(<{7,}|\|{7,}|>{7,})(?=[ \r\n]|$)/gm)?.length ?? 0;
}

function isYaml(content: Uint8Array): boolean {
  if (isBinary(content)) return false;
  const documents = parseAllDocuments(Buffer.from(content).toString('utf8'));
  return Array.isArray(documents) && documents.every((document) => document.errors.length === 0);
}

/** Undefined for a blob too large to be merged, which is not a text that people keep. */
async function readIfSmall(workspace: Workspace, id: string): Promise<Uint8Array | undefined> {
  try {
    return await workspace.readBlob(id);
  } catch (error) {
    if (error instanceof ObjectProblem && error.reason === 'too-large') return undefined;
    throw error;
  }
}
