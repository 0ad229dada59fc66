import { expect, it } from 'vitest';
import { editedSets } from '../../src/content/edited-sets.ts';
import type { ChangedFile } from '../../src/ports.ts';

const repository = { host: 'github.com', owner: 'acme', name: 'platform' };
const manifest = (name: string, path: string, namespace = '  namespace: argocd\n'): string =>
  `apiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\nmetadata:\n  name: ${name}\n${namespace}spec:\n  path: ${path}\n`;

/** What a change of one file from one text to another edits. */
async function edited(before: string | null, after: string | null, path = 'sets.yaml'): Promise<unknown> {
  const change: ChangedFile['change'] = before === null ? 'added' : after === null ? 'removed' : 'modified';
  const files: readonly ChangedFile[] = [{ path, previousPath: null, change }];
  const fileAt = async (_: unknown, _path: string, ref: string | null) => {
    const text = ref === 'before' ? before : after;
    return text === null ? null : { text, blobId: '' };
  };
  const found = await editedSets({ fileAt }, repository, files, { before: 'before', after: 'after' });
  return found.map(({ change: what, namespace, name }) => `${what} ${namespace}/${name}`);
}

it('finds the one that changes among several in a file, and is not misled by comments and order', async () => {
  const [one, other] = [manifest('payments', 'a'), manifest('orders', 'a')];
  expect(await edited(`${one}---\n${other}`, `# words\n${one}---\n${manifest('orders', 'b')}`)).toEqual([
    'changed argocd/orders',
  ]);
  expect(await edited(`${one}---\n${other}`, `${other}---\n${one}`)).toEqual([]);
});

it('finds what comes and goes, in YAML and in JSON', async () => {
  const json = JSON.stringify({ kind: 'ApplicationSet', metadata: { name: 'payments' } });
  expect(await edited(null, json, 'set.json')).toEqual(['added null/payments']);
  expect(await edited(manifest('payments', 'a'), null)).toEqual(['removed argocd/payments']);
  expect(await edited(manifest('payments', 'a'), manifest('billing', 'a'))).toEqual([
    'added argocd/billing',
    'removed argocd/payments',
  ]);
});

it('knows a template by its kind, and its name is whatever it will be', async () => {
  const template = (path: string): string =>
    `{{- if .Values.on }}\nkind: ApplicationSet\nmetadata:\n  name: {{ .Values.name }}\nspec: {path: ${path}}\n{{- end }}\n`;
  expect(await edited(template('a'), template('b'))).toEqual(['changed null/null']);
});

it('leaves alone what only speaks of one, other files, bombs and books', async () => {
  expect(await edited('a: 1\n', 'b: "kind: ApplicationSet"\n')).toEqual([]);
  expect(await edited(manifest('payments', 'a'), manifest('payments', 'b'), 'README.md')).toEqual([]);
  const bomb = `a: &a [x]\n${Array.from({ length: 30 }, (_, at) => `b${at}: &b${at} [${`*${at === 0 ? 'a' : `b${at - 1}`},`.repeat(9)}]`).join('\n')}\nkind: ApplicationSet\n`;
  expect(await edited('a: 1\n', bomb)).toEqual(['added null/null']);
  expect(await edited(null, manifest('payments', 'x'.repeat(300_000)))).toEqual([]);
});
