import { describe, expect, it } from 'vitest';
import { contentIdOf } from '../../src/content/feeds.ts';
import { readSources } from '../../src/domain/read-sources.ts';
import { type Files, forgeOf } from './forge.ts';

const repoURL = 'https://github.com/acme/shop.git';
const repository = { host: 'github.com', owner: 'acme', name: 'shop' };

/** True when a change of the files is a change of what feeds the source. */
async function feeds(before: Files, after: Files, source: object = {}, annotation = ''): Promise<boolean> {
  const forge = forgeOf({ before: { files: before }, after: { files: after } });
  const [read] = readSources({ source: { repoURL, path: 'apps/shop', ...source } }, annotation);
  if (read === undefined) throw new Error('No source.');
  const [one, other] = await Promise.all(
    ['before', 'after'].map((sha) => contentIdOf(forge, repository, read, sha)),
  );
  expect(one).not.toBeNull();
  return one !== other;
}

const plain: Files = { 'apps/shop/web.yaml': 'web', 'apps/other/web.yaml': 'other', 'README.md': 'read me' };

describe('what feeds an Application', () => {
  it('is its folder and all below it', async () => {
    expect(await feeds(plain, { ...plain, 'apps/shop/web.yaml': 'new' })).toBe(true);
    expect(await feeds(plain, { ...plain, 'apps/shop/deep/down/x.yaml': 'new' })).toBe(true);
    expect(await feeds(plain, { 'apps/other/web.yaml': 'other' })).toBe(true);
  });

  it('is nothing beside it', async () => {
    expect(await feeds(plain, { ...plain, 'README.md': 'new', 'apps/other/web.yaml': 'new' })).toBe(false);
    expect(await feeds(plain, { ...plain, 'apps/shop2/web.yaml': 'new' })).toBe(false);
  });

  it('is the whole repository for a path that is its root', async () => {
    expect(await feeds(plain, { ...plain, 'README.md': 'new' }, { path: '.' })).toBe(true);
  });

  it('is the same folder that is not there, before and after', async () => {
    expect(await feeds(plain, { ...plain, 'README.md': 'new' }, { path: 'apps/none' })).toBe(false);
    expect(await feeds(plain, { ...plain, 'apps/none/x.yaml': 'new' }, { path: 'apps/none' })).toBe(true);
  });

  it('is what the annotation and the values name', async () => {
    const lib = { ...plain, 'lib/x.yaml': 'x' };
    expect(await feeds(lib, { ...lib, 'lib/x.yaml': 'new' })).toBe(false);
    expect(await feeds(lib, { ...lib, 'lib/x.yaml': 'new' }, {}, '/lib')).toBe(true);
    const helm = { valueFiles: ['../../lib/x.yaml'] };
    expect(await feeds(lib, { ...lib, 'lib/x.yaml': 'new' }, { helm })).toBe(true);
  });

  it('cannot be told of a commit that is not there', async () => {
    const [source] = readSources({ source: { repoURL, path: 'apps/shop' } });
    expect(source && (await contentIdOf(forgeOf({}), repository, source, 'gone'))).toBeNull();
  });
});

describe('a kustomization', () => {
  const kustomized = (kustomization: string, base: Files = {}): Files => ({
    ...plain,
    'apps/shop/kustomization.yaml': kustomization,
    'base/web.yaml': 'base',
    'patches/x.yaml': 'patch',
    ...base,
  });

  it.for([
    ['resources', 'resources:\n- ../../base\n'],
    ['a file among resources', 'resources: [../../base/web.yaml]'],
    ['bases', 'bases:\n- ../../base/\n'],
    ['components', 'components: ["../../base"]'],
    ['configurations', 'configurations: [../../base/web.yaml]'],
    ['patches by path', 'patches:\n- path: ../../base/web.yaml\n'],
    ['patchesStrategicMerge', 'patchesStrategicMerge: [../../base/web.yaml]'],
    ['replacements', 'replacements:\n- path: ../../base/web.yaml\n'],
    ['values of a chart', 'helmCharts:\n- name: x\n  valuesFile: ../../base/web.yaml\n'],
    ['files of a generator', 'configMapGenerator:\n- name: x\n  files:\n  - a.yaml=../../base/web.yaml\n'],
    ['variables of a generator', 'secretGenerator:\n- name: x\n  envs: [../../base/web.yaml]\n'],
    ['a path from the folder itself', 'resources: [./deploy/../../../base]'],
  ] as const)('leads outside by %s', async ([, kustomization]) => {
    const before = kustomized(kustomization);
    expect(await feeds(before, { ...before, 'base/web.yaml': 'new' })).toBe(true);
    expect(await feeds(before, { ...before, 'patches/x.yaml': 'new' })).toBe(false);
  });

  it('leads on from where it leads', async () => {
    const before = kustomized('resources: [../../base]', {
      'base/kustomization.yml': 'resources: [../deeper]',
      'deeper/Kustomization': 'resources: [../patches, ../base]',
    });
    expect(await feeds(before, { ...before, 'patches/x.yaml': 'new' })).toBe(true);
  });

  it('in a folder below leads outside as well', async () => {
    const before = {
      ...plain,
      'apps/shop/overlay/kustomization.yaml': 'resources: [../../../base]',
      'base/web.yaml': 'base',
    };
    expect(
      await feeds(
        { ...before, 'apps/shop/kustomization.yaml': 'resources: [overlay]' },
        { ...before, 'apps/shop/kustomization.yaml': 'resources: [overlay]', 'base/web.yaml': 'new' },
      ),
    ).toBe(true);
  });

  it('names what is remote, and that is not followed', async () => {
    const before = kustomized(
      'resources:\n- https://github.com/acme/base?ref=v1\n- github.com/acme/base\n- git@github.com:acme/base\n',
    );
    expect(await feeds(before, { ...before, 'base/web.yaml': 'new' })).toBe(false);
  });

  it.for(['resources: {a: b}', '- a', 'resources: [1, null, {}]', '&a [*a]', ''])(
    'that is odd changes nothing: %s',
    async (kustomization) => {
      const before = kustomized(kustomization);
      expect(await feeds(before, { ...before, 'README.md': 'new' })).toBe(false);
      expect(await feeds(before, { ...before, 'apps/shop/web.yaml': 'new' })).toBe(true);
    },
  );

  it('that cannot be read makes each commit its own content, so that none is taken for an innocent', async () => {
    const before = kustomized(': : :');
    expect(await feeds(before, { ...before, 'README.md': 'new' })).toBe(true);
  });

  it('that leads to more folders than are followed makes each commit its own content', async () => {
    const many = Array.from({ length: 80 }, (_, index) => `../../b${index}`);
    const before = kustomized(`resources: ${JSON.stringify(many)}`);
    expect(await feeds(before, { ...before, 'README.md': 'new' })).toBe(true);
  });
});
