/** The traps that a cluster sets, as they are written down in test/incidents. */
import { expect, test } from 'vitest';
import { readApplicationSet } from '../../../src/domain/read-application-set.ts';
import { clusterOver } from './cluster-world.ts';
import { feedOver, listOf, whole } from './feed-world.ts';
import { incidentCase, scriptOf } from './incident-cases.ts';
import { lines } from './scripted-server.ts';

test('KW01: after both shapes of 410 the list is read again, and changes and deletions are told', async () => {
  const { expect: expected, script } = incidentCase('KW01-gone-410-two-shapes');
  const { server, clock, events, told, feed } = await feedOver(scriptOf(script));
  await told(2);
  expect(events.splice(0)).toEqual(['shop-dev added', 'shop-old added']);
  // list, refused streamed list, watch with the ERROR event; then list again, and the watch that is refused with 410.
  await clock.passPause();
  await told(2);
  expect(events.sort()).toEqual(expected.events);
  await clock.passPause();
  const asked = await server.request(6);
  expect(asked.isWatch).toBe(false);
  const lists = server.asked.filter((one) => !one.isWatch);
  expect(lists).toHaveLength(1 + expected.relists);
  // What is gone is never asked for again, and no list may be older than what is known.
  expect(lists.map((one) => one.query.get('resourceVersion'))).toEqual(['0', '100', '5001']);
  const watched = server.asked.filter((one) => one.isWatch).map((one) => one.query.get('resourceVersion'));
  expect(watched).toEqual([null, '100', '5001']);
  expect(feed.sight().blindness).toBeNull();
});

test('KW03: a clean end is no alarm; silence is noticed, blinds, and is over with the next word', async () => {
  const { expect: expected, script } = incidentCase('KW03-stream-ends-without-error');
  const path = '/apis/argoproj.io/v1alpha1/applications';
  const list = {
    request: path,
    body: { kind: 'ApplicationList', metadata: { resourceVersion: '100' }, items: [] },
  };
  const play = scriptOf([list, ...script]);
  const { server, clock, feed, told, recovered } = await feedOver((asked, number) =>
    number < 4
      ? play(asked, number)
      : {
          stream: (response) =>
            void response.write('{"type":"BOOKMARK","object":{"metadata":{"resourceVersion":"150"}}}\n'),
        },
  );
  await told(1);
  await clock.passPause();
  const second = await server.request(4);
  expect(second.query.get('resourceVersion')).toBe(expected.reconnectFrom);
  expect(feed.sight().blindness).toBeNull();
  await clock.timer((delayMs) => delayMs === 100_000);
  const heardAt = feed.sight().lastHeardAt;
  clock.advance(100_000);
  await clock.passPause();
  expect(feed.sight()).toMatchObject({
    lastHeardAt: heardAt,
    blindness: expect.stringMatching(/sent nothing for 100 s/),
  });
  expect((await server.request(5)).query.get('resourceVersion')).toBe('101');
  await recovered();
  expect(feed.sight().blindness).toBeNull();
});

test('KW04: a storm of clean ends is met with patience, and with a new list after a few', async () => {
  const { expect: expected, script } = incidentCase('KW04-reconnect-storm');
  const path = '/apis/argoproj.io/v1alpha1/applications';
  const list = {
    request: path,
    body: { kind: 'ApplicationList', metadata: { resourceVersion: '100' }, items: [] },
  };
  const { server, clock, feed } = await feedOver(scriptOf([list, ...script]), { random: () => 0 });
  const start = clock.now();
  while (clock.now() - start < 10_000) await clock.passPause();
  expect(server.asked.filter((asked) => asked.query.has('watch')).length).toBeLessThanOrEqual(
    expected.maxRequestsIn10s,
  );
  while (clock.now() - start < 3_600_000) await clock.passPause();
  // Afterwards about two a minute, lists not counted.
  expect(server.asked.length).toBeLessThan(250);
  expect(server.asked.filter((asked) => !asked.isWatch).length).toBeGreaterThan(10);
  expect(feed.sight().blindness).toBeNull();
});

test('KW05: where watching and the whole cluster are forbidden, one namespace is listed again and again', async () => {
  const { expect: expected, script } = incidentCase('KW05-rbac-list-ok-watch-forbidden');
  // The same of ApplicationSets, of which the case does not speak.
  const sets = script.map((step) => ({
    ...step,
    request: step.request?.replace('/applications', '/applicationsets'),
  }));
  const controllers = ['/api/v1/namespaces/argocd/pods', '/apis/apps/v1/namespaces/argocd/deployments'];
  const others = controllers.map((request) => ({ request, status: 403 }));
  const play = scriptOf([...script, ...sets.slice(0, 3), ...others]);
  const { server, clock, cluster } = await clusterOver((asked, number) =>
    asked.query.has('sendInitialEvents') ? { status: 403 } : play(asked, number),
  );
  expect(expected).toEqual({ mode: 'namespaced-poll', flag: 'unknown' });
  await cluster.seen();
  const path = '/apis/argoproj.io/v1alpha1/namespaces/argocd/applications';
  const polls = () => server.asked.filter((one) => one.path === path && !one.isWatch).length;
  const before = polls();
  await clock.timer((delayMs) => delayMs === 30_000);
  clock.advance(30_000);
  await server.until(() => polls() > before);
  expect(cluster.notices()).toMatchInlineSnapshot(`
    [
      "Stepback has no right to list applications.argoproj.io in all namespaces of cluster "prod", so it sees only those in namespace argocd. Grant the ClusterRole of deploy/rbac.yaml, or name the namespaces to watch.",
      "Stepback has no right to watch applications.argoproj.io of cluster "prod" in namespace argocd, so it lists them every 30 s and notices changes later. Grant the verb "watch" as deploy/rbac.yaml does.",
      "Stepback has no right to list applicationsets.argoproj.io in all namespaces of cluster "prod", so it sees only those in namespace argocd. Grant the ClusterRole of deploy/rbac.yaml, or name the namespaces to watch.",
      "Stepback has no right to watch applicationsets.argoproj.io of cluster "prod" in namespace argocd, so it lists them every 30 s and notices changes later. Grant the verb "watch" as deploy/rbac.yaml does.",
    ]
  `);
  const flag = await cluster.featureFlag();
  expect(flag.state).toBe(expected.flag);
  expect(flag.evidence).toMatchInlineSnapshot(`
    [
      "In cluster "prod" Stepback has no right to list pods in namespace argocd. Grant the verb "list" on pods in namespace argocd, as deploy/rbac.yaml does. The answer was: {}",
      "In cluster "prod" Stepback has no right to list deployments.apps in namespace argocd. Grant the verb "list" on deployments.apps in namespace argocd, as deploy/rbac.yaml does. The answer was: {}",
      "In cluster "prod" Stepback has no right to get configmaps argocd/argocd-cmd-params-cm. Grant the verb "get" on configmaps in namespace argocd, as deploy/rbac.yaml does. The answer was: {}",
    ]
  `);
});

test('KW07: a line of 2.4 MB in small pieces is one object, and resources that were cut off change nothing', async () => {
  const { expect: expected, script } = incidentCase('KW07-huge-objects-and-split-lines');
  const bytes = (script[0] as { streamBytes: { lineLength: number; chunkSize: number } }).streamBytes;
  const padding = 'ü€𝄞'.repeat(Math.ceil(bytes.lineLength / 9));
  const application = whole('shop-dev', '101');
  const line = Buffer.from(
    `${JSON.stringify({ type: 'ADDED', object: { ...application, status: { padding } } })}\n`,
  );
  expect(line.length).toBeGreaterThan(bytes.lineLength);
  const { told, index, feed } = await feedOver(({ isWatch, query }) => {
    if (query.has('sendInitialEvents')) return { status: 422 };
    if (!isWatch) return { body: listOf('100') };
    return {
      stream: (response) => {
        for (let at = 0; at < line.length; at += bytes.chunkSize) {
          response.write(line.subarray(at, at + bytes.chunkSize));
        }
      },
    };
  });
  expect(await told(1)).toEqual(['shop-dev added']);
  expect(index.items.size).toBe(expected.objects);
  expect(feed.notices()).toEqual([]);
  // Of an ApplicationSet nothing is kept that could be mistaken for a list of all its Applications.
  const { resourcesCount, resourcesListed } = (script[1] as { applicationSetStatus: Record<string, number> })
    .applicationSetStatus;
  const resources = Array.from({ length: resourcesListed! }, (_, number) => ({ name: `shop-${number}` }));
  const metadata = { name: 'shop', namespace: 'argocd' };
  const kept = readApplicationSet({ metadata, status: { resourcesCount, resources } });
  expect(JSON.stringify(kept)).not.toContain('shop-4999');
  expect(expected.resourcesComplete).toBe(false);
});

test('KW08: a look carries the time of the cluster, however wrong our own clock is', async () => {
  const { expect: expected, script } = incidentCase('KW08-clock-skew');
  const skew = script[0] as unknown as {
    ourClock: string;
    serverDate: string;
    applicationStatus: { status: string; lastTransitionTime: string };
  };
  const date = new Date(skew.serverDate).toUTCString();
  const set = {
    metadata: { name: 'shop', namespace: 'argocd', uid: 's', resourceVersion: '1' },
    status: { applicationStatus: [{ application: 'shop-dev', ...skew.applicationStatus }] },
  };
  const { clock, cluster } = await clusterOver(() => ({ headers: { date }, body: set }));
  clock.advance(Date.parse(skew.ourClock) - clock.now());
  const look = await cluster.closeLook('argocd/shop');
  expect(look?.observedAt).toBe(Date.parse(skew.serverDate));
  const age = look!.observedAt - look!.applicationSet.applicationStatus[0]!.lastTransitionAt!;
  expect(age < 0).toBe(expected.negativeAge);
  expect(age).toBe(11_000);
});

test('KW10: the same name with another uid is told, and the row is that of the new object', async () => {
  const { script } = incidentCase('KW10-same-name-new-uid');
  const { index, events, told } = await feedOver(({ isWatch, query }) => {
    if (query.has('sendInitialEvents')) return { status: 422 };
    if (!isWatch) return { body: listOf('99') };
    return { stream: (response) => void response.write(lines(...script[0]!.stream!)) };
  });
  await told(2);
  expect(events).toEqual(['shop-dev added', 'shop-dev changed']);
  expect(index.get('argocd/shop-dev')).toMatchObject({ uid: 'u2', healthStatus: 'Healthy' });
});
