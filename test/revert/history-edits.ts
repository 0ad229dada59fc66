/**
 * What people do to a repository, one function a habit. Paths are drawn from a small stock so that they meet, and
 * files touched before are touched again more often than others.
 */
import type { LabFile } from './git-lab.ts';
import { commitId, editedText, isText, newFile, text } from './history-content.ts';
import type { Random } from './random.ts';

export interface Draft {
  files: Map<string, LabFile>;
  /** Paths that somebody touched lately. */
  hot: string[];
  style: Style;
}

/** What a history is like: an ordinary repository, or one with few names, many copies and folders on the move. */
export type Style = 'ordinary' | 'crowded';

const folders = [
  '',
  'base',
  'base/tpl',
  'apps/shop/dev',
  'apps/shop/prod',
  'apps/Über',
  'apps/"x y"',
  'lib',
  'lib/a',
  'lib/a/b',
];
const stock: Record<Style, readonly string[]> = {
  ordinary: [
    'a.txt',
    'b.txt',
    'values.yaml',
    'config.yaml',
    'deploy.yaml',
    'run.sh',
    'ünïcode.txt',
    'a',
    'b',
    'a.b',
    'tpl',
    'notes',
  ],
  crowded: ['values.yaml', 'config.yaml', 'a', 'b.txt'],
};

/** The tree that a history begins with. */
export function firstFiles(random: Random, style: Style): Map<string, LabFile> {
  const draft: Draft = { files: new Map(), hot: [], style };
  const count = random.between(5, 22);
  while (draft.files.size < count) addFile(random, draft);
  if (random.chance(0.4)) addFolder(random, draft);
  return draft.files;
}

type Edit = (random: Random, draft: Draft) => void;

/** Each habit with how often it is drawn, in an ordinary history and in a crowded one. */
const habits: Record<string, [edit: Edit, ordinary: number, crowded: number]> = {
  edit: [editText, 75, 40],
  add: [addFile, 8, 8],
  copy: [copyFile, 5, 14],
  delete: [deleteFile, 7, 7],
  move: [moveFile, 9, 14],
  moveEdited: [moveAndEdit, 10, 10],
  moveFolder: [moveFolder, 5, 20],
  addFolder: [addFolder, 2, 6],
  deleteFolder: [deleteFolder, 2, 2],
  mode: [changeMode, 5, 3],
  type: [changeType, 2, 2],
  lineEnds: [changeLineEnds, 2, 1],
  finalNewline: [changeFinalNewline, 2, 1],
  opaque: [changeOpaque, 9, 5],
  rewrite: [rewrite, 2, 2],
  fileToFolder: [fileToFolder, 2, 2],
  folderToFile: [folderToFile, 2, 2],
  swap: [swapFiles, 1, 1],
};

const weights: Record<Style, Record<string, number>> = {
  ordinary: Object.fromEntries(Object.entries(habits).map(([name, [, ordinary]]) => [name, ordinary])),
  crowded: Object.fromEntries(Object.entries(habits).map(([name, [, , crowded]]) => [name, crowded])),
};

export const edits = {
  /** Does one thing to the draft and gives its name. */
  apply(random: Random, draft: Draft): string {
    const name = random.weighted(weights[draft.style]);
    habits[name]![0](random, draft);
    return name;
  },
};

// ---------------------------------------------------------------- habits

function editText(random: Random, draft: Draft): void {
  const path = pickPath(random, draft, isText);
  if (path) change(draft, path, (file) => ({ ...file, content: editedText(random, file.content) }));
}

function addFile(random: Random, draft: Draft): void {
  put(draft, newPath(random, draft), newFile(random, draft.style));
}

function copyFile(random: Random, draft: Draft): void {
  const path = pickPath(random, draft);
  if (path) put(draft, newPath(random, draft), draft.files.get(path)!);
}

function deleteFile(random: Random, draft: Draft): void {
  const path = pickPath(random, draft);
  if (path && draft.files.size > 1) remove(draft, path);
}

function moveFile(random: Random, draft: Draft): void {
  const path = pickPath(random, draft);
  if (!path) return;
  const file = draft.files.get(path)!;
  remove(draft, path);
  put(draft, newPath(random, draft), file);
}

function moveAndEdit(random: Random, draft: Draft): void {
  const path = pickPath(random, draft, isText);
  if (!path) return;
  const { mode, content } = draft.files.get(path)!;
  remove(draft, path);
  const to = random.chance(0.5) ? inOtherFolder(random, draft, path) : newPath(random, draft);
  put(draft, to, { mode, content: editedText(random, content) });
}

function moveFolder(random: Random, draft: Draft): void {
  const folder = pickFolder(random, draft);
  if (folder === undefined) return;
  const to = random.pick([
    'moved',
    'new/x',
    'far/y/z',
    `${folder}-new`,
    'lib/moved',
    random.pick(folders) || 'top',
  ]);
  if (to === folder || to.startsWith(`${folder}/`)) return;
  const inside = [...draft.files].filter(([path]) => path.startsWith(`${folder}/`));
  for (const [path, file] of inside) {
    if (random.chance(0.08)) continue;
    remove(draft, path);
    const content = isText(file) && random.chance(0.15) ? editedText(random, file.content) : file.content;
    put(draft, to + path.slice(folder.length), { ...file, content });
  }
}

function addFolder(random: Random, draft: Draft): void {
  const folder = random.pick(['kit', 'kit/deep', 'apps/new', 'lib/more']);
  for (let count = random.between(2, 6); count > 0; count--) {
    put(draft, `${folder}/${random.pick(stock[draft.style])}`, newFile(random, draft.style));
  }
}

function deleteFolder(random: Random, draft: Draft): void {
  const folder = pickFolder(random, draft);
  const inside = [...draft.files.keys()].filter((path) => path.startsWith(`${folder}/`));
  if (inside.length < draft.files.size) for (const path of inside) remove(draft, path);
}

function changeMode(random: Random, draft: Draft): void {
  const path = pickPath(random, draft, (file) => file.mode.startsWith('100'));
  if (path) change(draft, path, (file) => ({ ...file, mode: file.mode === '100644' ? '100755' : '100644' }));
}

function changeType(random: Random, draft: Draft): void {
  const path = pickPath(random, draft);
  if (path) change(draft, path, () => newFile(random, draft.style));
}

function changeLineEnds(random: Random, draft: Draft): void {
  const path = pickPath(random, draft, isText);
  if (!path) return;
  change(draft, path, (file) => {
    const content = file.content.toString('latin1');
    const isCrlf = content.includes('\r\n');
    return { ...file, content: Buffer.from(content.replace(/\r?\n/g, isCrlf ? '\n' : '\r\n'), 'latin1') };
  });
}

function changeFinalNewline(random: Random, draft: Draft): void {
  const path = pickPath(random, draft, isText);
  if (!path) return;
  change(draft, path, (file) => {
    const isFinished = file.content.at(-1) === 0x0a;
    return {
      ...file,
      content: isFinished ? file.content.subarray(0, -1) : Buffer.concat([file.content, Buffer.from('\n')]),
    };
  });
}

/** A file that is never merged by lines gets another content. */
function changeOpaque(random: Random, draft: Draft): void {
  const path = pickPath(random, draft, (file) => !isText(file));
  if (!path) return;
  change(draft, path, (file) => {
    if (file.mode === '160000') return { ...file, content: commitId(random) };
    if (file.mode === '120000') return { ...file, content: Buffer.from(random.pick(stock[draft.style])) };
    const content = Buffer.from(file.content);
    for (let count = random.between(1, 5); count > 0; count--)
      content[random.below(content.length)] = random.below(256);
    content[0] = 0;
    return { ...file, content };
  });
}

function rewrite(random: Random, draft: Draft): void {
  const path = pickPath(random, draft, isText);
  if (path) change(draft, path, (file) => ({ ...file, content: text(random, draft.style) }));
}

function fileToFolder(random: Random, draft: Draft): void {
  const path = pickPath(random, draft);
  if (!path) return;
  const file = draft.files.get(path)!;
  remove(draft, path);
  put(
    draft,
    `${path}/${random.pick(stock[draft.style])}`,
    random.chance(0.5) ? file : newFile(random, draft.style),
  );
}

function folderToFile(random: Random, draft: Draft): void {
  const folder = pickFolder(random, draft);
  if (folder === undefined) return;
  for (const path of [...draft.files.keys()]) if (path.startsWith(`${folder}/`)) remove(draft, path);
  put(draft, folder, newFile(random, draft.style));
}

function swapFiles(random: Random, draft: Draft): void {
  const [left, right] = [pickPath(random, draft), pickPath(random, draft)];
  if (!left || !right) return;
  const [leftFile, rightFile] = [draft.files.get(left)!, draft.files.get(right)!];
  put(draft, left, rightFile);
  put(draft, right, leftFile);
}

// ---------------------------------------------------------------- paths

function pickPath(
  random: Random,
  draft: Draft,
  fits: (file: LabFile) => boolean = () => true,
): string | undefined {
  const hot = draft.hot.filter((path) => draft.files.has(path) && fits(draft.files.get(path)!));
  if (hot.length > 0 && random.chance(0.55)) return random.pick(hot);
  const paths = [...draft.files].filter(([, file]) => fits(file)).map(([path]) => path);
  return paths.length > 0 ? random.pick(paths) : undefined;
}

function pickFolder(random: Random, draft: Draft): string | undefined {
  const found = new Set<string>();
  for (const path of draft.files.keys()) {
    const segments = path.split('/').slice(0, -1);
    for (let depth = 1; depth <= segments.length; depth++) found.add(segments.slice(0, depth).join('/'));
  }
  return found.size > 0 ? random.pick([...found].sort()) : undefined;
}

/** A path that no file has and that runs through no file. */
function newPath(random: Random, draft: Draft): string {
  for (let tries = 0; ; tries++) {
    const folder = random.pick(folders);
    const name =
      tries < 20
        ? random.pick(stock[draft.style])
        : `${random.pick(stock[draft.style])}${random.below(1000)}`;
    const path = folder === '' ? name : `${folder}/${name}`;
    if (isFree(draft, path)) return path;
  }
}

function inOtherFolder(random: Random, draft: Draft, path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const free = folders
    .map((folder) => (folder === '' ? name : `${folder}/${name}`))
    .filter((to) => isFree(draft, to));
  return free.length > 0 ? random.pick(free) : newPath(random, draft);
}

function isFree(draft: Draft, path: string): boolean {
  if (draft.files.has(path)) return false;
  const segments = path.split('/');
  const isThroughFile = segments.some((_, depth) => draft.files.has(segments.slice(0, depth).join('/')));
  return !isThroughFile && ![...draft.files.keys()].some((other) => other.startsWith(`${path}/`));
}

/** Puts a file, and takes away what is in its way. */
function put(draft: Draft, path: string, file: LabFile): void {
  const segments = path.split('/');
  for (let depth = 1; depth < segments.length; depth++)
    draft.files.delete(segments.slice(0, depth).join('/'));
  for (const other of [...draft.files.keys()]) if (other.startsWith(`${path}/`)) draft.files.delete(other);
  draft.files.set(path, file);
  touch(draft, path);
}

function remove(draft: Draft, path: string): void {
  draft.files.delete(path);
}

function change(draft: Draft, path: string, how: (file: LabFile) => LabFile): void {
  draft.files.set(path, how(draft.files.get(path)!));
  touch(draft, path);
}

function touch(draft: Draft, path: string): void {
  draft.hot.push(path);
  if (draft.hot.length > 4) draft.hot.shift();
}
