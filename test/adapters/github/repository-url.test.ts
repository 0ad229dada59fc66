import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { repositoryOfUrl } from '../../../src/adapters/github/repository-url.ts';

const gitHub = { host: 'github.com', aliases: { 'github-work': 'github.com' } };
const enterprise = { host: 'git.example.com', aliases: {} };
const gitops = { host: 'github.com', owner: 'example-org', name: 'gitops' };

describe('a repository of our server in any form that git takes', () => {
  test.each([
    'https://github.com/example-org/gitops',
    'https://github.com/example-org/gitops.git',
    'https://github.com/example-org/gitops/',
    'https://github.com/example-org/gitops.git/',
    'https://GitHub.com/Example-Org/GitOps.git',
    'https://www.github.com/example-org/gitops',
    'https://token@github.com/example-org/gitops',
    'https://user:pass%2Fword@github.com:443/example-org/gitops.git',
    'http://github.com/example-org/gitops',
    'https://github.com./example-org/gitops',
    ' https://github.com/example-org/gitops\n',
    'ssh://git@github.com/example-org/gitops.git',
    'ssh://git@github.com:22/example-org/gitops.git',
    'ssh://git@ssh.github.com:443/example-org/gitops.git',
    'git+ssh://git@github.com/example-org/gitops.git',
    'git@github.com:example-org/gitops.git',
    'git@github.com:/example-org/gitops',
    'git@GITHUB.com:Example-Org/GitOps.git',
    'github.com:example-org/gitops.git',
    'git@github-work:example-org/gitops.git',
    'ssh://git@github-work/example-org/gitops',
  ])('%s', (url) => {
    expect(repositoryOfUrl(url, gitHub)).toEqual(gitops);
  });

  test.each([
    'https://git.example.com/example-org/gitops.git',
    'https://git.example.com:8443/example-org/gitops',
    'git@git.example.com:example-org/gitops.git',
    'ssh://git@git.example.com:7999/example-org/gitops.git',
  ])('on an Enterprise Server: %s', (url) => {
    expect(repositoryOfUrl(url, enterprise)).toEqual({ ...gitops, host: 'git.example.com' });
  });
});

test.each([
  '',
  'github.com/example-org/gitops',
  'https://github.com',
  'https://github.com/example-org',
  'https://github.com/example-org/gitops/tree/main',
  'https://github.com/example-org/.git',
  'https://github.com/example-org/..',
  'https://github.com/example-org/gitops.wiki.git',
  'https://github.com/example-org/gitops?ref=main',
  'https://github.com/example org/gitops',
  'https://github.com/example-org/git%2Fops',
  'https://github.com/-bad/gitops',
  'https://github.com.evil.example/example-org/gitops',
  'https://github.com@evil.example/example-org/gitops',
  'https://evil.example/github.com/gitops',
  'https://gist.github.com/dev/0123456789abcdef',
  'https://git.example.com/example-org/gitops',
  'git@gitlab.com:example-org/gitops.git',
  'https://gitlab.com/example-org/gitops.git',
  'https://dev.azure.com/example-org/project/_git/gitops',
  'git@ssh.dev.azure.com:v3/example-org/project/gitops',
  'https://bitbucket.org/example-org/gitops',
  'https://charts.example.com/stable',
  'oci://github.com/example-org/gitops',
  'registry-1.docker.io/bitnamicharts',
  'file:///example-org/gitops',
  'javascript://github.com/example-org/gitops',
  'git@github.com:example-org/gitops:evil',
  `https://github.com/example-org/${'x'.repeat(101)}`,
  `https://github.com/example-org/gitops${'/'.repeat(3_000)}`,
])('no repository of ours: %s', (url) => {
  expect(repositoryOfUrl(url, gitHub)).toBeNull();
});

test('an alias named like a property of every object is no alias', () => {
  expect(repositoryOfUrl('git@constructor:example-org/gitops', gitHub)).toBeNull();
  expect(repositoryOfUrl('git@__proto__:example-org/gitops', gitHub)).toBeNull();
});

test('a gist of an Enterprise Server is no repository', () => {
  expect(repositoryOfUrl('https://git.example.com/gist/0123abcd.git', enterprise)).toBeNull();
});

const word = fc.stringMatching(/^[a-z0-9][a-z0-9-]{0,20}$/);
const forms = fc.constantFrom(
  (at: string) => `https://github.com/${at}`,
  (at: string) => `https://github.com/${at}.git`,
  (at: string) => `https://github.com/${at}/`,
  (at: string) => `https://user:secret@GITHUB.com:443/${at}.git`,
  (at: string) => `ssh://git@github.com/${at}.git`,
  (at: string) => `ssh://git@ssh.github.com:443/${at}.git`,
  (at: string) => `git@github.com:${at}.git`,
  (at: string) => `git@github.com:${at}`,
);

test('every form of one repository gives the same value, in any case', () => {
  fc.assert(
    fc.property(
      word.filter((owner) => owner !== 'gist'),
      word,
      forms,
      fc.boolean(),
      (owner, name, form, isUpper) => {
        const written = isUpper ? `${owner}/${name}`.toUpperCase() : `${owner}/${name}`;
        expect(repositoryOfUrl(form(written), gitHub)).toEqual({ host: 'github.com', owner, name });
      },
    ),
  );
});

test('hostile input never throws, and what comes out is always safe to put into a path', () => {
  const hostile = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.webUrl({ withFragments: true, withQueryParameters: true }),
    fc.tuple(forms, fc.string({ unit: 'binary' })).map(([form, text]) => form(text)),
    fc.tuple(forms, fc.string(), fc.string()).map(([form, owner, name]) => form(`${owner}/${name}`)),
  );
  fc.assert(
    fc.property(hostile, (text) => {
      const repository = repositoryOfUrl(text, gitHub);
      if (repository === null) return;
      expect(repository.host).toBe('github.com');
      expect(repository.owner).toMatch(/^[a-z0-9][a-z0-9_-]*$/);
      expect(repository.name).toMatch(/^(?!\.{1,2}$)[a-z0-9._-]+$/);
    }),
    { numRuns: 2_000 },
  );
});
