/** Through a proxy that is really there: a small one on this machine that notes where it was asked to go. */
import { createServer, request, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fetchThroughProxy } from '../../../src/adapters/github/proxy.ts';

const askedOfProxy: string[] = [];
let server: Server;
let proxy: Server;

beforeAll(async () => {
  server = createServer((_, response) => response.end('from the server'));
  proxy = createServer((incoming, response) => {
    askedOfProxy.push(`GET ${incoming.url} ${incoming.headers['proxy-authorization'] ?? ''}`.trim());
    request(incoming.url ?? '', (answer) => answer.pipe(response)).end();
  });
  proxy.on('connect', (incoming, socket) => {
    askedOfProxy.push(`CONNECT ${incoming.url} ${incoming.headers['proxy-authorization'] ?? ''}`.trim());
    const [host, port] = (incoming.url ?? '').split(':');
    const through = connect(Number(port), host);
    through.on('connect', () => socket.write('HTTP/1.1 200 Connection established\r\n\r\n'));
    through.pipe(socket).pipe(through);
    socket.on('error', () => through.destroy());
    through.on('error', () => socket.destroy());
  });
  await Promise.all(
    [server, proxy].map((each) => new Promise<void>((resolve) => each.listen(0, '127.0.0.1', resolve))),
  );
});

afterAll(() => {
  for (const each of [server, proxy]) each.closeAllConnections();
  server.close();
  proxy.close();
});

const portOf = (each: Server) => (each.address() as AddressInfo).port;

test('requests go through the proxy with its log-in, but for the hosts that are excepted', async () => {
  const url = `http://user:secret@127.0.0.1:${portOf(proxy)}`;
  const target = `http://127.0.0.1:${portOf(server)}/repos`;
  const logIn = `Basic ${Buffer.from('user:secret').toString('base64')}`;

  const through = await fetchThroughProxy({ url, except: '' })(target);
  expect(await through.text()).toBe('from the server');
  expect(askedOfProxy).toHaveLength(1);
  expect(askedOfProxy[0]).toContain(`127.0.0.1:${portOf(server)}`);
  expect(askedOfProxy[0]).toContain(logIn);

  const direct = await fetchThroughProxy({ url, except: 'localhost,127.0.0.1' })(target);
  expect(await direct.text()).toBe('from the server');
  expect(askedOfProxy).toHaveLength(1);
});
