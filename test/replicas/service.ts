/** What a Service is to Pods: a delivery goes to any replica that is there, each in its turn; 503 when none is. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Replica } from './replica.ts';

const ownHeaders: readonly string[] = ['host', 'connection', 'content-length'];

/** Listens on 127.0.0.1. One that dies while it is asked makes a 503 too. */
export async function openService(
  replicas: readonly Replica[],
): Promise<{ url: string; close(): Promise<void> }> {
  let turn = 0;
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    const there = replicas.filter(({ isThere }) => isThere);
    turn += 1;
    const chosen = there[turn % Math.max(1, there.length)];
    try {
      if (chosen === undefined) throw new Error('nobody is there');
      const headers = Object.entries(request.headers).filter(
        (entry): entry is [string, string] => typeof entry[1] === 'string' && !ownHeaders.includes(entry[0]),
      );
      const answer = await fetch(`${chosen.url}${request.url}`, {
        method: request.method ?? 'POST',
        headers,
        body: Buffer.concat(parts),
      });
      response.writeHead(answer.status).end(await answer.text());
    } catch {
      response.writeHead(503).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
