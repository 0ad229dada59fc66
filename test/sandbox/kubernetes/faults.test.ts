import { expect, test } from 'vitest';
import type { FaultRule } from '../../../src/sandbox/kubernetes/faults.ts';
import { APPLICATIONS, application, endsInsideCharacter, IN_ARGOCD, startWorld } from './world.ts';

const MERGE = { 'content-type': 'application/merge-patch+json' };

async function startWith(...rules: FaultRule[]) {
  const world = await startWorld();
  world.store.create('applications', application('a'));
  for (const rule of rules) world.kubernetes.faults.add(rule);
  const from = `${APPLICATIONS}?watch=1&resourceVersion=${world.store.resourceVersion}`;
  const project = (name: string) =>
    world.store.patchMerge('applications', 'argocd', 'a', { spec: { project: name } });
  return { ...world, from, project };
}

test('a rule hits the requests it names, from the nth on, so many times', async () => {
  const fault = { kind: 'status', code: 503 } as const;
  const { get, request, kubernetes } = await startWith({ verb: 'list', nth: 2, times: 2, fault });
  const answers: number[] = [];
  for (let count = 0; count < 5; count += 1) answers.push((await get(APPLICATIONS)).status);
  expect(answers).toEqual([200, 503, 503, 200, 200]);
  kubernetes.faults.add({ path: /argocd\/applications\/a$/, method: 'GET', times: Infinity, fault });
  const takeBack = kubernetes.faults.add({ resource: 'applicationsets', times: Infinity, fault });
  expect((await get(`${IN_ARGOCD}/a`)).status).toBe(503);
  expect((await request('PATCH', `${IN_ARGOCD}/a`, {}, MERGE)).status).toBe(200);
  expect((await get('/apis/argoproj.io/v1alpha1/applicationsets')).status).toBe(503);
  takeBack();
  expect((await get('/apis/argoproj.io/v1alpha1/applicationsets')).status).toBe(200);
  kubernetes.faults.clear();
  expect((await get(`${IN_ARGOCD}/a`)).status).toBe(200);
});

test('a status comes instead of the effect, in any words', async () => {
  const { request, get, kubernetes, store } = await startWith({
    method: 'DELETE',
    fault: {
      kind: 'status',
      code: 429,
      retryAfterSeconds: 7,
      text: 'Too many requests, please try again later.',
    },
  });
  const refused = await request('DELETE', `${IN_ARGOCD}/a`);
  expect(refused).toMatchObject({ status: 429, body: 'Too many requests, please try again later.' });
  expect(refused.headers.get('retry-after')).toBe('7');
  expect(store.list('applications')).toHaveLength(1);
  kubernetes.faults.add({ fault: { kind: 'status', code: 502, body: { odd: true } } });
  expect(await get(APPLICATIONS)).toMatchObject({ status: 502, body: { odd: true } });
});

test('a request can hang or break before anything is done', async () => {
  const { fetched, kubernetes, store } = await startWith(
    { method: 'DELETE', fault: { kind: 'hang' } },
    { method: 'PUT', fault: { kind: 'reset' } },
  );
  const stop = new AbortController();
  const hanging = fetched(`${IN_ARGOCD}/a`, { method: 'DELETE', signal: stop.signal });
  const [entry] = await kubernetes.journal.arrived({ method: 'DELETE' });
  expect([entry!.isOver, entry!.status]).toEqual([false, undefined]);
  stop.abort();
  await expect(hanging).rejects.toThrow();
  await expect(fetched(`${IN_ARGOCD}/a`, { method: 'PUT', body: '{}' })).rejects.toThrow();
  expect(store.list('applications')).toHaveLength(1);
});

test('an answer can be lost after the effect, in three ways', async () => {
  const { fetched, request, kubernetes, store } = await startWith(
    { method: 'POST', nth: 1, fault: { kind: 'lostAnswer', as: 'reset' } },
    { method: 'POST', nth: 2, fault: { kind: 'lostAnswer', as: 504 } },
    { method: 'POST', nth: 3, fault: { kind: 'lostAnswer', as: 'hang' } },
  );
  const init = (name: string) => ({ method: 'POST', body: JSON.stringify(application(name)) });
  await expect(fetched(IN_ARGOCD, init('b'))).rejects.toThrow();
  expect((await request('POST', IN_ARGOCD, application('c'))).status).toBe(504);
  const created = new Promise<void>((resolve) => store.subscribe(() => resolve()));
  const stop = new AbortController();
  const hanging = fetched(IN_ARGOCD, { ...init('d'), signal: stop.signal });
  await created;
  stop.abort();
  await expect(hanging).rejects.toThrow();
  expect(store.list('applications').map(({ metadata }) => metadata.name)).toEqual(['a', 'b', 'c', 'd']);
  expect(kubernetes.journal.find({ verb: 'create' }).map(({ status }) => status)).toEqual([
    undefined,
    504,
    undefined,
  ]);
});

test('an answer can be late', async () => {
  const { get, store, clock } = await startWith({ verb: 'list', fault: { kind: 'delay', delayMs: 5_000 } });
  let isThere = false;
  const late = get(APPLICATIONS).then((answer) => {
    isThere = true;
    return answer;
  });
  expect((await get(`${IN_ARGOCD}/a`)).status).toBe(200);
  store.create('applications', application('b'));
  expect(isThere).toBe(false);
  clock.advance(5_000);
  expect((await late).body.items).toHaveLength(1);
});

test('a body can break off after so many bytes', async () => {
  const { fetched } = await startWith({ verb: 'list', fault: { kind: 'cut', afterBytes: 100 } });
  const response = await fetched(APPLICATIONS);
  expect(response.status).toBe(200);
  await expect(response.text()).rejects.toThrow();
});

test('a list that goes on can be told that its token is too old, one that begins that its version is', async () => {
  const fault = { kind: 'gone', as: 'status' } as const;
  const { get } = await startWith({ path: 'limit=1', verb: 'list', nth: 2, times: 2, fault });
  const first = await get(`${APPLICATIONS}?limit=1`);
  expect(first.status).toBe(200);
  expect((await get(`${APPLICATIONS}?limit=1`)).status).toBe(410);
  const token = Buffer.from('{"v":"meta.k8s.io/v1","rv":4,"start":""}').toString('base64url');
  expect((await get(`${APPLICATIONS}?limit=1&continue=${token}`)).body.metadata).toHaveProperty('continue');
});

test('a read can lag behind', async () => {
  const { get, project } = await startWith({ verb: 'get', fault: { kind: 'staleRead', behind: 1 } });
  project('newer');
  expect((await get(`${IN_ARGOCD}/a`)).body.spec.project).toBe('default');
  expect((await get(`${IN_ARGOCD}/a`)).body.spec.project).toBe('newer');
});

test('events are lost, come twice, or are followed by the state before them', async () => {
  const { watch, from, project, kubernetes } = await startWith(
    { verb: 'watch', nth: 1, fault: { kind: 'events', each: 'dropped', from: 2, count: 1 } },
    { verb: 'watch', nth: 2, fault: { kind: 'events', each: 'doubled' } },
    { verb: 'watch', nth: 3, fault: { kind: 'events', each: 'staleAgain', from: 3 } },
  );
  const streams = [await watch(from), await watch(from), await watch(from)];
  for (const name of ['1', '2', '3']) project(name);
  kubernetes.watches.end();
  const seen: string[] = [];
  for (const lines of streams) {
    const events = await lines.rest();
    seen.push(events.map(({ object }) => object.spec.project).join(' '));
  }
  expect(seen).toEqual(['1 3', '1 1 2 2 3 3', '1 2 3 2']);
});

test('a character of several bytes can be split, and a line can have megabytes', async () => {
  const { watch, from, project, kubernetes } = await startWith(
    { verb: 'watch', fault: { kind: 'chunks', bytes: 16_384 } },
    { verb: 'watch', fault: { kind: 'padding', bytes: 2_400_000 } },
  );
  const lines = await watch(from);
  project('über');
  kubernetes.watches.end();
  const event = (await lines.next())!;
  expect(event.object.spec.project).toBe('über');
  expect(event.object.metadata.annotations.padding).toMatch(/^(ß…🜂)+$/u);
  expect(Buffer.byteLength(event.object.metadata.annotations.padding)).toBeGreaterThanOrEqual(2_400_000);
  expect(lines.pieces.some(endsInsideCharacter)).toBe(true);
});
