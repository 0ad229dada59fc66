/** From what a caller writes (a branch, a tag, `heads/x`, HEAD, a whole or a short id) to the commit it means. */
import { notFound, unprocessable } from '../http/answers.ts';
import type { Call } from '../http/call.ts';

/** The commit a name means, or undefined. Branches go before tags, both before ids, as at GitHub. */
export function resolveCommit(call: Call, name: string): string | undefined {
  const { refs, defaultBranch } = call.repository;
  const plain = name === 'HEAD' ? defaultBranch : name;
  const ref =
    refs.get(plain) ??
    refs.get(`refs/heads/${plain}`) ??
    refs.get(`refs/tags/${plain}`) ??
    refs.get(`refs/${plain}`);
  const id = ref ?? (/^[0-9a-f]{40}$/i.test(name) ? name.toLowerCase() : shortId(call, name));
  return id === undefined ? undefined : peel(call, id);
}

/** The same. Throws 422 `No commit found for SHA: …`, as `GET commits/{ref}` answers. */
export function commitNamed(call: Call, name: string): string {
  const id = resolveCommit(call, name);
  if (id === undefined) throw unprocessable(`No commit found for SHA: ${name}`);
  return id;
}

/** The tree that a name of a commit, or the id of a tree, means. Throws 404. */
export function treeNamed(call: Call, name: string): string {
  const commit = resolveCommit(call, name);
  if (commit !== undefined) return call.git.commit(commit)?.tree as string;
  if (call.git.tree(name) === undefined) throw notFound();
  return name;
}

function shortId(call: Call, name: string): string | undefined {
  if (!/^[0-9a-f]{4,39}$/i.test(name)) return undefined;
  const ids = call.git.idsBeginningWith(name.toLowerCase()).filter((id) => call.git.commit(id) !== undefined);
  return ids.length === 1 ? ids[0] : undefined;
}

/** Follows an annotated tag to its commit. */
function peel(call: Call, id: string): string | undefined {
  const object = call.git.read(id);
  if (object?.type === 'commit') return id;
  if (object?.type !== 'tag') return undefined;
  const target = /^object ([0-9a-f]{40})$/m.exec(object.content.toString('utf8'))?.[1];
  return target === undefined ? undefined : peel(call, target);
}
