import { describe, expect, it } from 'vitest';
import { filesGenerated, generatorsAt } from '../../src/content/generated.ts';
import { follows, openTouched } from '../../src/content/touched.ts';
import type { GitGenerator } from '../../src/domain/objects.ts';
import { readSources } from '../../src/domain/read-sources.ts';
import type { ChangedFile } from '../../src/ports.ts';
import { applicationSetOf, rawApplicationSet } from '../domain/world.ts';
import { type Files, forgeOf } from './forge.ts';

const repoURL = 'https://github.com/acme/shop.git';
const repository = { host: 'github.com', owner: 'acme', name: 'shop' };

function sourceOf(source: object = {}) {
  const [read] = readSources({ source: { repoURL, path: 'apps/shop', ...source } });
  if (read === undefined) throw new Error('No source.');
  return read;
}

const plain: Files = { 'apps/shop/web.yaml': 'web', 'base/web.yaml': 'base', 'README.md': 'read me' };

/** What a pull request does to the source, from three trees. */
async function touched(head: Files, base: Files = plain, mergeBase: Files = plain) {
  const commits = { mergeBase: { files: mergeBase }, base: { files: base }, head: { files: head } };
  const compare = openTouched(forgeOf(commits), repository, {
    mergeBase: 'mergeBase',
    base: base === mergeBase ? 'mergeBase' : 'base',
    head: 'head',
  });
  return compare(sourceOf());
}

describe('what a pull request changes', () => {
  it('is what its branch holds otherwise than where it left the base', async () => {
    expect(await touched({ ...plain, 'apps/shop/web.yaml': 'new' })).toBe('changed');
    expect(await touched({ ...plain, 'apps/shop/more.yaml': 'new' })).toBe('changed');
    expect(await touched({ 'README.md': 'read me' })).toBe('changed');
  });

  it('is nothing when it lies beside, or when the base holds it already', async () => {
    const next = { ...plain, 'apps/shop/web.yaml': 'new' };
    expect(await touched({ ...plain, 'README.md': 'new' })).toBe('same');
    expect(await touched(next, next)).toBe('same');
  });

  it('is not what the base got meanwhile', async () => {
    expect(await touched(plain, { ...plain, 'apps/shop/web.yaml': 'new' })).toBe('same');
  });

  it('is also a folder from which the source is built', async () => {
    const built = { ...plain, 'apps/shop/kustomization.yaml': 'resources: [../../base]' };
    expect(await touched({ ...built, 'base/web.yaml': 'new' }, built, built)).toBe('changed');
  });

  it('is not sure where that cannot be followed', async () => {
    const built = { ...plain, 'apps/shop/kustomization.yaml': 'resources: [unclosed' };
    expect(await touched({ ...built, 'README.md': 'new' }, built, built)).toBe('unsure');
  });

  it('is asked of each folder once', async () => {
    const forge = forgeOf({ mergeBase: { files: plain }, head: { files: { ...plain, x: 'y' } } });
    const compare = openTouched(forge, repository, {
      mergeBase: 'mergeBase',
      base: 'mergeBase',
      head: 'head',
    });
    await compare(sourceOf());
    const asked = forge.asked.length;
    await Promise.all(Array.from({ length: 100 }, () => compare(sourceOf())));
    expect(forge.asked.length).toBe(asked);
  });
});

describe('a source gets what lands on a branch', () => {
  const forge = forgeOf({});
  const isFollowed = (source: object, branch: string) =>
    follows(forge, sourceOf(source), repository, branch, 'main');

  it.each([
    [{ targetRevision: 'main' }, 'main', true],
    [{ targetRevision: 'refs/heads/main' }, 'main', true],
    [{ targetRevision: 'HEAD' }, 'main', true],
    [{}, 'main', true],
    [{ targetRevision: 'main' }, 'release', false],
    [{ targetRevision: 'HEAD' }, 'release', false],
    [{ targetRevision: 'v1.2.3' }, 'v1.2.3', false],
    [{ targetRevision: 'a'.repeat(40) }, 'main', false],
    [{ repoURL: 'https://github.com/else/where.git', targetRevision: 'main' }, 'main', false],
    [{ chart: 'shop', targetRevision: 'main' }, 'main', false],
  ])('%j on %s: %s', (source, branch, expected) => {
    expect(isFollowed(source, branch)).toBe(expected);
  });
});

describe('what an ApplicationSet is generated from', () => {
  const generator = (...paths: string[]): GitGenerator => ({ repoURL, revision: 'main', paths });
  const file = (path: string, change: ChangedFile['change'] = 'modified'): ChangedFile => ({
    path,
    previousPath: null,
    change,
  });
  const read = (pattern: string, changed: ChangedFile, folders: readonly string[] = []) =>
    filesGenerated([generator(pattern)], [changed], new Set(folders)).length > 0;

  it.each([
    ['envs/*.yaml', 'envs/dev.yaml', true],
    ['envs/*.yaml', 'envs/eu/dev.yaml', false],
    ['envs/**/config.json', 'envs/eu/dev/config.json', true],
    ['envs/**/config.json', 'envs/config.json', true],
    ['envs/{dev,prod}.yaml', 'envs/prod.yaml', true],
    ['envs/{dev,prod}.yaml', 'envs/test.yaml', false],
    ['envs/dev?.yaml', 'envs/dev1.yaml', true],
    ['a.b', 'axb', false],
    [`${'**/'.repeat(50)}${'*a'.repeat(50)}`, `${'x/'.repeat(200)}b`, true],
  ])('%s reads %s: %s', (pattern, path, expected) => {
    expect(read(pattern, file(path))).toBe(expected);
  });

  it('is a new folder, and not what changes in one that has its Application', () => {
    expect(read('apps/*', file('apps/new/x.yaml', 'added'))).toBe(true);
    expect(read('apps/*', file('apps/shop/x.yaml', 'added'), ['apps/shop'])).toBe(false);
    expect(read('apps/*', file('apps/shop/x.yaml'))).toBe(false);
  });

  it('is read from the branch that the generator names', () => {
    const generated = applicationSetOf(
      rawApplicationSet({}, { generators: [{ git: { repoURL, files: [{ path: 'envs/*.yaml' }] } }] }),
    );
    const found = (branch: string) => generatorsAt(forgeOf({}), generated, repository, branch, 'main');
    expect(found('main')).toHaveLength(1);
    expect(found('release')).toHaveLength(0);
  });
});
