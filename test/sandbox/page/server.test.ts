import { expect, it, onTestFinished } from 'vitest';
import { ActFault } from '../../../src/sandbox/acts.ts';
import { PortTaken, servePages } from '../../../src/sandbox/page/server.ts';
import { talk } from '../../../src/sandbox/talk.ts';

async function served() {
  const acted: string[] = [];
  const server = await servePages({
    port: 0,
    look: () => null,
    act(verb, words) {
      if (verb === 'close') throw new ActFault('#3 is merged already.');
      acted.push([verb, ...words].join(' '));
      return `done: ${verb}`;
    },
  });
  onTestFinished(() => server.close());
  return { server, acted };
}

it('does verbs for another terminal, and says why one cannot be done', async () => {
  const { server, acted } = await served();
  expect(await talk(server.port, 'merge', ['3'])).toEqual({ isDone: true, text: 'done: merge' });
  expect(await talk(server.port, 'close', [])).toEqual({ isDone: false, text: '#3 is merged already.' });
  expect(acted).toEqual(['merge 3']);
});

it('does verbs for a form, and leads back to the page', async () => {
  const { server, acted } = await served();
  const response = await fetch(`${server.url}/do`, {
    method: 'POST',
    body: new URLSearchParams([
      ['verb', 'merge'],
      ['word', 'acme/payments#3'],
    ]),
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin: server.url },
    redirect: 'manual',
  });
  expect([response.status, response.headers.get('location')]).toEqual([303, '/']);
  expect(acted).toEqual(['merge acme/payments#3']);
});

it('does nothing for other sites in the same browser, nor under a foreign name', async () => {
  const { server, acted } = await served();
  const post = (headers: Record<string, string>) =>
    fetch(`${server.url}/do`, { method: 'POST', body: '{"verb":"stop"}', headers });
  expect((await post({ origin: 'https://evil.example' })).status).toBe(403);
  expect((await post({ origin: 'null' })).status).toBe(403);
  expect(acted).toEqual([]);
});

it.each([
  ['GET', '/do', 405],
  ['GET', '/', 503],
  ['DELETE', '/', 405],
  ['POST', '/do', 400],
])('answers %s %s with %i before the world is there', async (method, path, status) => {
  const { server } = await served();
  expect((await fetch(server.url + path, { method })).status).toBe(status);
});

it('says that a port is taken', async () => {
  const { server } = await served();
  const second = servePages({ port: server.port, look: () => null, act: () => '' });
  await expect(second).rejects.toBeInstanceOf(PortTaken);
});

it('says when nobody is there to talk to', async () => {
  const { server } = await served();
  await server.close();
  expect(await talk(server.port, 'status', [])).toEqual({
    isDone: false,
    text: `No sandbox runs on port ${server.port}. Start one with "npm run sandbox", or name its port with --port.`,
  });
});
