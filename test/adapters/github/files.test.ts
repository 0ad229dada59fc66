import { expect, test } from 'vitest';
import { api, eachTestHasItsOwnGitHub, gitops, installed, path, sha, world } from './world.ts';

eachTestHasItsOwnGitHub();

const configPath = '.github/stepback.yaml';

/** GitHub writes the slash of a path as it is or as `%2F`; we send the latter. */
function contentsOf(name: string): string {
  return `${path}/contents/${encodeURIComponent(name)}`;
}

function rawFile(text: string | Uint8Array, change: object = {}): object {
  const content = Buffer.from(text as string).toString('base64');
  return {
    type: 'file',
    sha: sha('b10b'),
    encoding: 'base64',
    content: content.replace(/.{60}/g, '$&\n'),
    ...change,
  };
}

const notFound = { message: 'Not Found' };

test('a file comes as text, whatever its line ends and marks', async () => {
  installed();
  const { forge } = world();
  const text = `mode: comment # ${'größer '.repeat(20)}\r\n`;
  api()
    .get(contentsOf(configPath))
    .query({ ref: sha('c0') })
    .reply(200, rawFile(text));
  expect(await forge.fileAt(gitops, configPath, sha('c0'))).toEqual({ text, blobId: sha('b10b') });
  const marked = Buffer.from([0xef, 0xbb, 0xbf, 0x61, 0xff]);
  api().get(contentsOf('a b.txt')).reply(200, rawFile(marked));
  expect(await forge.fileAt(gitops, 'a b.txt', null), 'without a ref none is sent').toMatchObject({
    text: 'a\ufffd',
  });
});

test('a file over a megabyte comes as a blob', async () => {
  installed();
  const text = `${'# nothing here\n'.repeat(80_000)}mode: observe\n`;
  api()
    .get(contentsOf(configPath))
    .reply(200, rawFile('', { encoding: 'none', content: '' }));
  api()
    .get(`${path}/git/blobs/${sha('b10b')}`)
    .reply(200, { encoding: 'base64', content: Buffer.from(text).toString('base64') });
  const file = await world().forge.fileAt(gitops, configPath, null);
  expect(file?.text === text).toBe(true);
});

test('a file that is not there is null, and so it is where the App is not installed', async () => {
  installed();
  const { forge } = world();
  api().get(contentsOf(configPath)).reply(404, notFound);
  expect(await forge.fileAt(gitops, configPath, null)).toBeNull();
  api().get(contentsOf(configPath)).reply(404, { message: 'This repository is empty.' });
  expect(await forge.fileAt(gitops, configPath, null)).toBeNull();
  api().get('/repos/elsewhere/.github/installation').reply(404, notFound);
  const defaults = { host: 'github.com', owner: 'elsewhere', name: '.github' };
  expect(await forge.fileAt(defaults, configPath, null)).toBeNull();
  api()
    .get(`/repos/example-org/.github/contents/${encodeURIComponent(configPath)}`)
    .reply(404, notFound);
  expect(await forge.fileAt({ ...gitops, name: '.github' }, configPath, null)).toBeNull();
});

test('a branch that GitHub does not see is not one without the file', async () => {
  installed();
  api()
    .get(contentsOf(configPath))
    .query({ ref: 'trunk' })
    .reply(404, { message: 'No commit found for the ref trunk' });
  const reading = world().forge.fileAt(gitops, configPath, 'trunk');
  await expect(reading).rejects.toMatchObject({ kind: 'transient' });
  await expect(reading).rejects.toThrowErrorMatchingInlineSnapshot(
    `[WorldProblem: GitHub does not know "trunk" in example-org/gitops, so no file can be read there. Stepback looks again; if this stays so, the branch or the commit was taken away.]`,
  );
});

test.each([
  ['folder', [rawFile('a')]],
  ['submodule', rawFile('', { type: 'submodule', content: undefined, encoding: undefined })],
  ['symbolic link', rawFile('', { type: 'symlink', target: '../elsewhere', content: undefined })],
])('a %s in its place is a problem in words', async (kind, answer) => {
  installed();
  api().get(contentsOf(configPath)).reply(200, answer);
  await expect(world().forge.fileAt(gitops, configPath, null)).rejects.toMatchObject({
    kind: 'permanent',
    message: `.github/stepback.yaml in example-org/gitops is a ${kind}, so Stepback cannot read it. Put a plain file there.`,
  });
});

test('code owners are read where GitHub reads them, and the first file counts', async () => {
  installed();
  const { forge } = world();
  api().get(contentsOf('.github/CODEOWNERS')).reply(200, rawFile('* @example-org/platform\n'));
  expect(await forge.codeOwnersText(gitops, null)).toBe('* @example-org/platform\n');

  api().get(contentsOf('.github/CODEOWNERS')).reply(404, notFound);
  api().get(contentsOf('CODEOWNERS')).reply(200, []);
  api().get(contentsOf('docs/CODEOWNERS')).reply(200, rawFile('* @dana\n'));
  expect(await forge.codeOwnersText(gitops, null), 'a folder is passed over').toBe('* @dana\n');

  for (const place of ['.github/CODEOWNERS', 'CODEOWNERS', 'docs/CODEOWNERS']) {
    api().get(contentsOf(place)).reply(404, notFound);
  }
  expect(await forge.codeOwnersText(gitops, null)).toBeNull();
});
