import { describe, expect, it } from 'vitest';
import { LiveCluster } from '../../../src/sandbox/argocd/live-cluster.ts';
import { RepoServer } from '../../../src/sandbox/argocd/repo-server.ts';
import { steppedClock } from '../../../src/sandbox/clock.ts';

const SOURCE = { repoURL: 'https://github.com/acme/shop', path: 'apps/shop', targetRevision: 'main' };
const SHA = 'a'.repeat(40);

function world(files: Record<string, string>) {
  const clock = steppedClock(0);
  const cluster = new LiveCluster({ name: 'dev-1', labels: {}, server: 'https://dev-1' }, clock, () => {});
  const asked: string[] = [];
  const head = { sha: SHA };
  const server = new RepoServer(
    {
      resolve: async (_repoURL, revision) => {
        asked.push(`resolve ${revision}`);
        return revision === 'main' ? head.sha : { error: `unable to resolve '${revision}' to a commit SHA` };
      },
      read: (_repoURL, sha, path) => {
        asked.push(`read ${sha.slice(0, 1)} ${path}`);
        return new Map(Object.entries(files));
      },
    },
    clock,
  );
  const targets = (isForced: boolean, revision = '', application = 'argocd/shop-dev-1') =>
    server.targets(application, [SOURCE], [revision], cluster, isForced);
  return { clock, cluster, server, asked, head, targets };
}

const configMap = '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"shop"}}';

describe('the simulated repo server', () => {
  it('reads the manifests of a folder and passes over what is none', async () => {
    const { targets } = world({ 'config.json': configMap, 'README.md': 'hello', 'deep/other.json': '{' });
    expect(await targets(true)).toMatchObject({
      revisions: [SHA],
      manifests: [{ metadata: { name: 'shop' } }],
    });
  });

  it('believes a resolved branch for three minutes unless it is asked for a fresh one', async () => {
    const { targets, asked, clock } = world({ 'config.json': configMap });
    await targets(false);
    await targets(false);
    expect(asked).toEqual(['resolve main', 'read a apps/shop']);
    await targets(true);
    await clock.advance(181_000);
    await targets(false);
    expect(asked.filter((one) => one === 'resolve main')).toHaveLength(3);
    await targets(false, 'b'.repeat(40));
    expect(asked.at(-1)).toBe('read b apps/shop');
  });

  it('says what cannot be rendered, and the second time from memory', async () => {
    const { targets, server } = world({ 'config.json': '{ "apiVersion": "v1", "metadata": {' });
    const first =
      'failed to generate manifest for source 1 of 1: rpc error: code = FailedPrecondition desc = Failed to unmarshal "config.json": unexpected EOF';
    expect(await targets(true)).toEqual({ error: first });
    expect(await targets(true)).toMatchObject({
      error: expect.stringContaining(
        'code = Unknown desc = Manifest generation error (cached): rpc error: code = FailedPrecondition',
      ),
    });
    expect(await targets(true, '', 'argocd/shop-dev-2')).toEqual({ error: first });
    server.forget('argocd/shop-dev-1');
    expect(await targets(true)).toEqual({ error: first });
  });

  it('says which character is wrong', async () => {
    const { targets } = world({ 'config.json': '{ "apiVersion": ]' });
    expect(await targets(true)).toMatchObject({
      error: expect.stringContaining("invalid character ']' looking for beginning of value"),
    });
  });

  it('says that a branch is not there', async () => {
    expect(await world({}).targets(true, 'next')).toEqual({
      error:
        "failed to generate manifest for source 1 of 1: rpc error: code = Unknown desc = unable to resolve 'next' to a commit SHA",
    });
  });

  it('needs the cluster for its version', async () => {
    const { targets, cluster } = world({ 'config.json': configMap });
    cluster.setReachable(false);
    expect(await targets(true)).toMatchObject({
      error: expect.stringMatching(
        /^failed to get cluster version for cluster "https:\/\/dev-1": failed to get cluster info/,
      ),
    });
  });
});
