/**
 * Git's own object formats, written and read in TypeScript, so that the small GitHub makes real commits
 * without starting a process for each. The formats are those of `git hash-object` and `git cat-file`
 * (https://git-scm.com/book/en/v2/Git-Internals-Git-Objects); the tests hold them against the git on the machine.
 */
import { createHash } from 'node:crypto';

export type ObjectType = 'blob' | 'tree' | 'commit' | 'tag';

export type GitObject = { type: ObjectType; content: Buffer };

/** `mode` as the REST API writes it: 100644, 100755, 120000 (symlink), 160000 (submodule), 040000 (tree). */
export type TreeEntry = { mode: string; name: string; id: string };

/** Who wrote or committed, and when: `seconds` since 1970, `zone` as `+0000`. */
export type Signature = { name: string; email: string; seconds: number; zone: string };

export type Commit = {
  tree: string;
  parents: string[];
  author: Signature;
  committer: Signature;
  message: string;
  /** The armoured signature GitHub's web-flow key leaves in commits that it makes itself. */
  signature?: string;
};

/** The tree without entries. */
export const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';
/** What a push writes where there is no commit. */
export const ZERO_ID = '0'.repeat(40);
export const TREE_MODE = '040000';
export const SUBMODULE_MODE = '160000';
export const SYMLINK_MODE = '120000';

/** The id git gives these bytes: 40 hexadecimal digits. */
export function objectId(type: ObjectType, content: Buffer): string {
  return createHash('sha1').update(`${type} ${content.length}\0`).update(content).digest('hex');
}

/** What the API calls an entry of this mode: `tree`, `commit` (a submodule) or `blob`. */
export function typeOfMode(mode: string): 'tree' | 'commit' | 'blob' {
  if (mode === TREE_MODE) return 'tree';
  return mode === SUBMODULE_MODE ? 'commit' : 'blob';
}

/** The bytes of a tree; entries are put in git's order, in which a folder sorts as if its name ended in a slash. */
export function encodeTree(entries: readonly TreeEntry[]): Buffer {
  const keyed = entries.map((entry) => ({
    entry,
    key: Buffer.from(entry.mode === TREE_MODE ? `${entry.name}/` : entry.name),
  }));
  keyed.sort((a, b) => Buffer.compare(a.key, b.key));
  return Buffer.concat(
    keyed.flatMap(({ entry }) => [
      Buffer.from(`${entry.mode.replace(/^0/, '')} ${entry.name}\0`),
      Buffer.from(entry.id, 'hex'),
    ]),
  );
}

/** The entries of a tree's bytes, in git's order. */
export function decodeTree(content: Buffer): TreeEntry[] {
  const entries: TreeEntry[] = [];
  let at = 0;
  while (at < content.length) {
    const space = content.indexOf(0x20, at);
    const end = content.indexOf(0, space);
    const mode = content.toString('latin1', at, space).padStart(6, '0');
    const id = content.toString('hex', end + 1, end + 21);
    entries.push({ mode, name: content.toString('utf8', space + 1, end), id });
    at = end + 21;
  }
  return entries;
}

/** The bytes of a commit. */
export function encodeCommit(commit: Commit): Buffer {
  const lines = [`tree ${commit.tree}`, ...commit.parents.map((parent) => `parent ${parent}`)];
  lines.push(`author ${person(commit.author)}`, `committer ${person(commit.committer)}`);
  if (commit.signature !== undefined) lines.push(`gpgsig ${commit.signature.split('\n').join('\n ')}`);
  return Buffer.from(`${lines.join('\n')}\n\n${commit.message}`);
}

/** A commit from its bytes; headers that are not known here (encoding, mergetag) are passed over. */
export function decodeCommit(content: Buffer): Commit {
  const text = content.toString('utf8');
  const split = text.indexOf('\n\n');
  const head = split < 0 ? text : text.slice(0, split);
  const commit: Commit = {
    tree: EMPTY_TREE,
    parents: [],
    author: { name: '', email: '', seconds: 0, zone: '+0000' },
    committer: { name: '', email: '', seconds: 0, zone: '+0000' },
    message: split < 0 ? '' : text.slice(split + 2),
  };
  // A header goes on where the next line begins with a blank.
  for (const header of head.replaceAll('\n ', '\u0001').split('\n')) {
    const space = header.indexOf(' ');
    const value = header.slice(space + 1);
    switch (header.slice(0, space)) {
      case 'tree':
        commit.tree = value;
        break;
      case 'parent':
        commit.parents.push(value);
        break;
      case 'author':
        commit.author = signatureOf(value);
        break;
      case 'committer':
        commit.committer = signatureOf(value);
        break;
      case 'gpgsig':
        commit.signature = value.replaceAll('\u0001', '\n');
        break;
    }
  }
  return commit;
}

/** The first line of a commit's message. */
export function subjectOf(message: string): string {
  return message.split('\n', 1)[0] ?? '';
}

function person(signature: Signature): string {
  // git itself drops these characters: they would end the field.
  const name = signature.name.replace(/[<>\n\0]/g, '').trim();
  const email = signature.email.replace(/[<>\n\0]/g, '').trim();
  return `${name} <${email}> ${signature.seconds} ${signature.zone}`;
}

function signatureOf(value: string): Signature {
  const match = /^(.*?) ?<([^>]*)> (-?\d+) ([+-]\d{4})$/s.exec(value);
  if (match === null) return { name: value, email: '', seconds: 0, zone: '+0000' };
  return {
    name: match[1] ?? '',
    email: match[2] ?? '',
    seconds: Number(match[3]),
    zone: match[4] ?? '+0000',
  };
}
