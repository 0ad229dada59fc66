import { expect, test } from 'vitest';
import { ApiClient } from '../../../src/adapters/kubernetes/api-client.ts';
import { ApiProblem } from '../../../src/adapters/kubernetes/api-problem.ts';
import { ContextCredentials } from '../../../src/adapters/kubernetes/credentials.ts';
import { applicationSets, applications } from '../../../src/adapters/kubernetes/resource.ts';
import { TestClock } from '../test-clock.ts';
import { recordedAnswer } from './recordings.ts';
import { type Answer, scriptedClient, scriptedServer } from './scripted-server.ts';

async function problemOf(action: Promise<unknown>): Promise<ApiProblem> {
  const problem = await action.then(
    () => null,
    (error: unknown) => error,
  );
  expect(problem).toBeInstanceOf(ApiProblem);
  return problem as ApiProblem;
}

async function problemWith(answer: Answer): Promise<ApiProblem> {
  const { client } = await scriptedClient(() => answer);
  return problemOf(client.list(applications, 'fleet'));
}

/** The sentence without the port, which is another one each time. */
function said(problem: ApiProblem): string {
  return `${problem.reason}, ${problem.kind}: ${problem.message.replace(/127\.0\.0\.1:\d+/g, 'HOST')}`;
}

test('recorded refusals are told apart, and say what happened, what it means and what to do', async () => {
  const names = ['forbidden', 'unauthorized', 'no-such-kind', 'conflict', 'list-continue-expired'];
  const sentences: string[] = [];
  for (const name of names) sentences.push(said(await problemWith(recordedAnswer(name))));
  expect(sentences).toMatchInlineSnapshot(`
    [
      "forbidden, permanent: In cluster "prod" Stepback has no right to list applications.argoproj.io in namespace fleet. Grant the verb "list" on applications.argoproj.io in namespace fleet, as deploy/rbac.yaml does. The answer was: applications.argoproj.io is forbidden: User "nobody" cannot list resource "applications" in API group "argoproj.io" in the namespace "fleet"",
      "unauthorized, permanent: The Kubernetes API of cluster "prod" does not accept our credentials, also after they were read again, so nothing is seen there. Renew the token or certificate of this context. The answer was: Unauthorized",
      "no-such-kind, permanent: The API of cluster "prod" does not know applications.argoproj.io. Argo CD is not installed in this cluster, or this is not the cluster it is installed in. Point Stepback at the cluster that runs the Argo CD controllers.",
      "conflict, transient: In cluster "prod" applications.argoproj.io in namespace fleet was changed by somebody else in between. It is read again before the next try. The answer was: Operation cannot be fulfilled on applications.argoproj.io "fleet-00003": the object has been modified; please apply your changes to the latest version and try again",
      "gone, transient: The list of applications.argoproj.io in namespace fleet in cluster "prod" has moved on too far to be continued. It is read again from the beginning. The answer was: The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects …",
    ]
  `);
});

test('other refusals', async () => {
  const status = (code: number, message: string, more: object = {}): Answer => ({
    status: code,
    body: { kind: 'Status', apiVersion: 'v1', status: 'Failure', message, code, ...more },
  });
  const answers = [
    status(409, 'rollbacks.stepback.dev "x" already exists', { reason: 'AlreadyExists' }),
    status(422, 'spec.id: Required value', { reason: 'Invalid' }),
    status(500, 'etcdserver: request is too large'),
    status(413, 'Request entity too large: limit is 3145728'),
    status(504, 'Too large resource version: 99, current: 5', {
      details: { causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }] },
    }),
    status(503, 'apiserver is shutting down'),
    { status: 200, body: '<html>Please log in</html>' },
    { status: 302, headers: { location: '/login' }, body: '' },
  ];
  const sentences: string[] = [];
  for (const answer of answers) sentences.push(said(await problemWith(answer)));
  expect(sentences).toMatchInlineSnapshot(`
    [
      "already-exists, permanent: In cluster "prod" applications.argoproj.io in namespace fleet exists already. The answer was: rollbacks.stepback.dev "x" already exists",
      "invalid, permanent: The Kubernetes API of cluster "prod" refuses the request to list applications.argoproj.io in namespace fleet as invalid. This is a fault of Stepback or of a version it does not know; please report it. The answer was: spec.id: Required value",
      "too-large, permanent: The API of cluster "prod" takes no object as large as this applications.argoproj.io in namespace fleet, so it was not written. The answer was: etcdserver: request is too large",
      "too-large, permanent: The API of cluster "prod" takes no object as large as this applications.argoproj.io in namespace fleet, so it was not written. The answer was: Request entity too large: limit is 3145728",
      "version-too-large, transient: The state of cluster "prod" is older than what was seen of it before (set back by a restore, perhaps). It is read again from the beginning. The answer was: Too large resource version: 99, current: 5",
      "server-error, transient: The Kubernetes API of cluster "prod" failed with status 503 when asked to list applications.argoproj.io in namespace fleet. Stepback tries again. The answer was: apiserver is shutting down",
      "not-understood, transient: The answer of cluster "prod" to the request to list applications.argoproj.io in namespace fleet cannot be understood (status 200). Check that http://HOST is a Kubernetes API server; Stepback tries again. The answer was: <html>Please log in</html>",
      "unreachable, transient: The Kubernetes API of cluster "prod" cannot be reached at http://HOST, so nothing is seen there. Check that it runs, and the network and address; Stepback keeps trying. The error was: unexpected redirect",
    ]
  `);
});

test('words of a server are quoted on one line and cut', async () => {
  const problem = await problemWith({ status: 500, body: `a\u0000b\r\n\u202Ec ${'x'.repeat(5_000)}` });
  expect(problem.message).toContain('a b c xxx');
  expect(problem.message).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  expect(problem.message.length).toBeLessThan(600);
});

test('a server that asks for patience is heard, in the header or in the answer', async () => {
  expect((await problemWith({ status: 429, headers: { 'retry-after': '7' } })).retryAfterMs).toBe(7_000);
  const details = { kind: 'Status', message: 'slow down', details: { retryAfterSeconds: 3 } };
  expect((await problemWith({ status: 429, body: details })).retryAfterMs).toBe(3_000);
  expect((await problemWith({ status: 503 })).retryAfterMs).toBeNull();
});

test('a server that is not there', async () => {
  const clock = new TestClock();
  const server = await scriptedServer(() => ({}));
  const text = server.kubeconfig();
  await server.close();
  const client = new ApiClient('prod', new ContextCredentials({ kind: 'text', text }, null, clock), clock);
  const problem = await problemOf(client.list(applications, null));
  expect(said(problem)).toMatchInlineSnapshot(
    `"unreachable, transient: The Kubernetes API of cluster "prod" cannot be reached at http://HOST, so nothing is seen there. Check that it runs, and the network and address; Stepback keeps trying. The error was: ECONNREFUSED: connect ECONNREFUSED HOST"`,
  );
});

test('an answer that falls silent is given up, also in the middle', async () => {
  const { client, clock, server } = await scriptedClient((_asked, number) => ({
    stream: (response) => (number === 0 ? undefined : response.write('{"kind":')),
  }));
  for (const count of [1, 2]) {
    const problem = problemOf(client.list(applications, 'argocd'));
    await server.request(count);
    clock.advance(25_000);
    expect(said(await problem)).toMatchInlineSnapshot(
      `"silent, transient: The Kubernetes API of cluster "prod" accepted a request to list applications.argoproj.io in namespace argocd and then sent nothing for 25 s, so the connection counts as dead. Stepback connects again; if this repeats, look at proxies in between."`,
    );
  }
});

test('a request ends when Stepback stops', async () => {
  const { client, server } = await scriptedClient(() => ({ stream: () => {} }));
  const stop = new AbortController();
  const problem = problemOf(client.list(applications, null, { signal: stop.signal }));
  await server.request(1);
  stop.abort();
  expect((await problem).reason).toBe('stopped');
  expect((await problemOf(client.list(applications, null, { signal: stop.signal }))).reason).toBe('stopped');
});

test('an answer comes with the time of the server, and our clock is put right by it', async () => {
  const date = 'Tue, 01 Dec 2026 12:05:00 GMT';
  const { client, clock } = await scriptedClient(() => ({ headers: { date }, body: { kind: 'x' } }));
  expect(client.serverNow()).toBe(clock.now());
  const answer = await client.get(applicationSets, 'argocd', 'shop');
  expect(answer).toEqual({ object: { kind: 'x' }, observedAt: Date.parse(date) });
  clock.advance(1_000);
  expect(client.serverNow()).toBe(Date.parse(date) + 1_000);
});

test('an object that is not there is null, a kind that is not known is a problem', async () => {
  const missing = { kind: 'Status', status: 'Failure', reason: 'NotFound', message: 'not found', code: 404 };
  const { client } = await scriptedClient((_asked, number) =>
    number === 0 ? { status: 404, body: missing } : recordedAnswer('no-such-kind'),
  );
  expect(await client.get(applications, 'argocd', 'shop')).toBeNull();
  expect((await problemOf(client.get(applications, 'argocd', 'shop'))).reason).toBe('no-such-kind');
});

test('each verb is the request that the API wants, with every part of the path escaped', async () => {
  const { client, server } = await scriptedClient(() => ({ body: { kind: 'x' } }));
  const object = { metadata: { name: 'a', namespace: 'n', resourceVersion: '5' }, spec: { x: 1 } };
  await client.create(applications, 'n', object);
  await client.replace(applications, object);
  await client.replace(applications, object, { subresource: 'status' });
  await client.patch(applications, 'n', 'a', { metadata: { resourceVersion: '5' } });
  await client.delete(applications, 'n', 'a', '5');
  await client.get(applications, '../../api', 'a/b?c');
  const requests = server.asked.map((asked) =>
    [asked.method, asked.path, asked.headers['content-type'] ?? '', asked.body].join(' ').trim(),
  );
  expect(requests).toMatchInlineSnapshot(`
    [
      "POST /apis/argoproj.io/v1alpha1/namespaces/n/applications application/json {"metadata":{"name":"a","namespace":"n","resourceVersion":"5"},"spec":{"x":1}}",
      "PUT /apis/argoproj.io/v1alpha1/namespaces/n/applications/a application/json {"metadata":{"name":"a","namespace":"n","resourceVersion":"5"},"spec":{"x":1}}",
      "PUT /apis/argoproj.io/v1alpha1/namespaces/n/applications/a/status application/json {"metadata":{"name":"a","namespace":"n","resourceVersion":"5"},"spec":{"x":1}}",
      "PATCH /apis/argoproj.io/v1alpha1/namespaces/n/applications/a application/merge-patch+json {"metadata":{"resourceVersion":"5"}}",
      "DELETE /apis/argoproj.io/v1alpha1/namespaces/n/applications/a application/json {"apiVersion":"v1","kind":"DeleteOptions","preconditions":{"resourceVersion":"5"}}",
      "GET /apis/argoproj.io/v1alpha1/namespaces/..%2F..%2Fapi/applications/a%2Fb%3Fc",
    ]
  `);
});

test('a name that would lead to another path is the name of nothing, and nothing is asked', async () => {
  const { client, server } = await scriptedClient(() => ({ body: { kind: 'x' } }));
  for (const name of ['', '.', '..']) {
    expect(await client.get(applications, 'argocd', name)).toBeNull();
    expect(await client.get(applications, name, 'shop')).toBeNull();
  }
  expect(server.asked).toEqual([]);
});

test('a token that has become invalid is read again once, and the request is repeated', async () => {
  const clock = new TestClock();
  let valid = 'old';
  const server = await scriptedServer((asked) =>
    asked.headers.authorization === `Bearer ${valid}`
      ? { body: { kind: 'x' } }
      : recordedAnswer('unauthorized'),
  );
  const source = { kind: 'text' as const, text: server.kubeconfig({ token: 'old' }) };
  const client = new ApiClient('prod', new ContextCredentials(source, null, clock), clock);
  await client.list(applications, null);
  valid = 'new';
  source.text = server.kubeconfig({ token: 'new' });
  // Two requests at once are refused, and the kubeconfig is read again for both.
  await Promise.all([client.list(applications, null), client.list(applications, null)]);
  expect(server.asked).toHaveLength(5);
  valid = 'gone';
  expect((await problemOf(client.list(applications, null))).reason).toBe('unauthorized');
  expect(server.asked).toHaveLength(7);
});
