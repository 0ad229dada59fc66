import { expect, test } from 'vitest';
import type { TreeChange } from '../../../src/ports.ts';
import { api, eachTestHasItsOwnGitHub, gitops, installed, path, sha, world } from './world.ts';

eachTestHasItsOwnGitHub();

const trees = `${path}/git/trees`;
const blobs = `${path}/git/blobs`;
const file = (content: Uint8Array): TreeChange => ({ path: 'apps/values.yaml', mode: '100644', content });

test('no change is the tree of before, and nobody is asked', async () => {
  const { forge, sent } = world();
  expect(await forge.createTree(gitops, sha('7ee'), [])).toBe(sha('7ee'));
  expect(sent).toEqual([]);
});

test('text goes within the tree, a deletion as a null, an entry by its id', async () => {
  installed();
  const { forge, sent } = world();
  api()
    .post(trees)
    .reply(201, { sha: sha('4e4') });
  const changes: TreeChange[] = [
    { path: 'a.yaml', mode: '100644', content: Buffer.from('größe: 1\r\n') },
    { path: 'run.sh', mode: '100755', id: sha('b1') },
    { path: 'vendor', mode: '160000', id: sha('c0') },
    { path: 'charts', mode: '040000', id: sha('7e4') },
    { path: 'old.yaml', deleted: true },
  ];
  expect(await forge.createTree(gitops, sha('7ee'), changes)).toBe(sha('4e4'));
  expect(sent[0]?.body).toMatchInlineSnapshot(`
    {
      "base_tree": "7ee0000000000000000000000000000000000000",
      "tree": [
        {
          "content": "größe: 1
    ",
          "mode": "100644",
          "path": "a.yaml",
          "type": "blob",
        },
        {
          "mode": "100755",
          "path": "run.sh",
          "sha": "b100000000000000000000000000000000000000",
          "type": "blob",
        },
        {
          "mode": "160000",
          "path": "vendor",
          "sha": "c000000000000000000000000000000000000000",
          "type": "commit",
        },
        {
          "mode": "040000",
          "path": "charts",
          "sha": "7e40000000000000000000000000000000000000",
          "type": "tree",
        },
        {
          "mode": "100644",
          "path": "old.yaml",
          "sha": null,
          "type": "blob",
        },
      ],
    }
  `);
});

test.each([
  ['bytes that are no UTF-8', Buffer.from([0x61, 0xff, 0x62])],
  ['half a character', Buffer.from('ä').subarray(0, 1)],
  ['a surrogate', Buffer.from([0xed, 0xa0, 0x80])],
  ['a NUL', Buffer.from('a\0b')],
  ['a megabyte of text', Buffer.alloc(1_000_000, 'a')],
])('%s goes through a blob, byte by byte', async (_, content) => {
  installed();
  const { forge, sent } = world();
  api()
    .post(blobs, { content: content.toString('base64'), encoding: 'base64' })
    .reply(201, { sha: sha('b1') });
  api()
    .post(trees)
    .reply(201, { sha: sha('4e4') });
  await forge.createTree(gitops, sha('7ee'), [file(content)]);
  expect(sent[1]?.body).toMatchObject({
    base_tree: sha('7ee'),
    tree: [{ path: 'apps/values.yaml', mode: '100644', type: 'blob', sha: sha('b1') }],
  });
});

test.each([
  ['a byte order mark', '\uFEFFa: 1\n'],
  ['line ends of both kinds', 'a: 1\r\nb: 2\n'],
  ['no text at all', ''],
  ['characters outside the basic plane', '🚀 = "\u2028"'],
])('%s stays what it is within the tree', async (_, text) => {
  installed();
  const { forge, sent } = world();
  api()
    .post(trees)
    .reply(201, { sha: sha('4e4') });
  await forge.createTree(gitops, sha('7ee'), [file(Buffer.from(text))]);
  expect(sent[0]?.body).toMatchObject({ tree: [{ content: text }] });
});

test('a tree of many large files does not become one huge request', async () => {
  installed();
  const { forge, sent } = world();
  api()
    .post(blobs)
    .times(2)
    .reply(201, { sha: sha('b1') });
  api()
    .post(trees)
    .reply(201, { sha: sha('4e4') });
  const changes = Array.from({ length: 6 }, (_, index): TreeChange => {
    return { path: `${index}.json`, mode: '100644', content: Buffer.alloc(900_000, 'x') };
  });
  await forge.createTree(gitops, sha('7ee'), changes);
  expect(JSON.stringify(sent.at(-1)?.body).length).toBeLessThan(4_100_000);
});
