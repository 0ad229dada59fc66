/** What a replica that does not act passes on to the one that does. */
import { expect, test } from 'vitest';
import { openForward } from '../../src/web/forward.ts';
import { FakeArgo, noon, startWeb } from './world.ts';

const push = {
  ref: 'refs/heads/main',
  after: 'a'.repeat(40),
  repository: { full_name: 'acme/gitops' },
  sender: { login: 'dana', type: 'User' },
};

/** A replica that acts, and one that passes on to `address`. */
async function replicas(address?: string) {
  const acting = new FakeArgo();
  const leader = await startWeb({ watched: [acting] });
  const warnings: string[] = [];
  const forward = openForward({
    leaders: () => [address ?? leader.url],
    path: '/api/github/webhooks',
    clock: { now: () => noon },
    log: { info: () => {}, warn: (message) => void warnings.push(message) },
  });
  const watching = new FakeArgo();
  let hasPassedOn = () => {};
  const passedOn = new Promise<void>((resolve) => {
    hasPassedOn = resolve;
  });
  const follower = await startWeb({
    watched: [watching],
    forward: async (...delivery) => {
      await forward(...delivery);
      hasPassedOn();
    },
  });
  return { acting, watching, follower, warnings, forward, passedOn };
}

test('a push that reaches a replica that does not act is heard by the one that does', async () => {
  const { acting, watching, follower, passedOn } = await replicas();
  expect((await follower.deliver('push', push)).status).toBe(200);
  await passedOn;
  const heard = ['pushed github.com/acme/gitops main aaaaaaa'];
  expect([watching.heard(), acting.heard()]).toEqual([heard, heard]);
});

test('what is not signed is not passed on', async () => {
  const { acting, follower, passedOn } = await replicas();
  expect((await follower.deliver('push', push, { secret: 'another' })).status).toBe(400);
  expect((await follower.deliver('push', { ...push, after: 'b'.repeat(40) })).status).toBe(200);
  await passedOn;
  expect(acting.heard()).toEqual(['pushed github.com/acme/gitops main bbbbbbb']);
});

test('what was passed on goes no further, and costs no more than a warning when it cannot be', async () => {
  const { forward, warnings, acting } = await replicas('http://127.0.0.1:9');
  await forward({ 'x-stepback-forwarded': '1' }, Buffer.from('{}'));
  expect(warnings).toEqual([]);
  await forward({}, Buffer.from('{}'));
  await forward({}, Buffer.from('{}'));
  expect(warnings).toEqual([
    'a webhook could not be passed on to the replica that acts; it finds out by itself, later',
  ]);
  expect(acting.heard()).toEqual([]);
});
