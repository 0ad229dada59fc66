/** Bytes in and out: addresses, bodies, ETags and the headers that every answer of GitHub has. */
import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Site } from '../site.ts';
import { fullName, repositoryNamed } from '../state.ts';
import type { Answer } from './answers.ts';

/** GitHub takes bodies up to 40 MB. */
const BODY_BYTES_MAX = 40 * 1024 * 1024;

export type Target = {
  /** The address as it was asked for. */
  url: URL;
  /** The path without the base of GitHub Enterprise Server, repository ids turned into names. */
  path: string;
  /** The base address that the answer's links begin with. */
  api: string;
};

/** What a request asks for. Under `/api/v3` and `/api/graphql` the same is served as by GitHub Enterprise Server. */
export function targetOf(request: IncomingMessage, site: Site): Target {
  const url = new URL(request.url ?? '/', site.api);
  const enterprise = /^\/api\/v3(?=\/|$)/.test(url.pathname);
  const plain = url.pathname.replace(/^\/api\/v3(?=\/|$)/, '').replace(/^\/api\/graphql$/, '/graphql');
  const path = plain.replace(/^\/repositories\/(\d+)(?=\/|$)/, (whole, id: string) => {
    const repository = site.state.repositories.get(Number(id));
    return repository === undefined ? whole : `/repos/${fullName(repository)}`;
  });
  return {
    url,
    path: path.replace(/(?<=.)\/+$/, '') || '/',
    api: enterprise ? `${site.api}/api/v3` : site.api,
  };
}

/** A redirect to the id when a repository is asked for by a name it no longer has. */
export function movedAnswer(
  site: Site,
  target: Target,
  params: Record<string, string>,
  method: string,
): Answer | undefined {
  const { owner, repo } = params;
  if (owner === undefined || repo === undefined) return undefined;
  if (repositoryNamed(site.state, owner, repo) !== undefined) return undefined;
  const id = site.state.formerNames.get(`${owner}/${repo}`.toLowerCase());
  if (id === undefined || !site.state.repositories.has(id)) return undefined;
  const rest = target.path.split('/').slice(4).join('/');
  const location = `${target.api}/repositories/${id}${rest === '' ? '' : `/${rest}`}${target.url.search}`;
  return {
    status: method === 'GET' ? 301 : 307,
    body: { message: 'Moved Permanently', url: location, documentation_url: 'https://docs.github.com/rest' },
    headers: { location },
  };
}

/** The body as JSON; undefined when there is none, the text itself when it is not JSON. */
export async function readBody(request: IncomingMessage): Promise<unknown> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of request) {
    length += (part as Buffer).length;
    if (length <= BODY_BYTES_MAX) parts.push(part as Buffer);
  }
  const text = Buffer.concat(parts).toString('utf8');
  if (text === '') return request.method === 'GET' ? undefined : {};
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** An answer ready to be sent: 304 without a body when the caller has shown that it holds the same already. */
export function prepare(request: IncomingMessage, answer: Answer): Answer & { raw: Buffer } {
  const json = answer.raw === undefined;
  const raw =
    answer.raw ?? (answer.body === undefined ? Buffer.alloc(0) : Buffer.from(JSON.stringify(answer.body)));
  const etag = `W/"${createHash('sha256').update(raw).digest('hex')}"`;
  const cacheable = request.method === 'GET' && answer.status === 200;
  const unchanged = cacheable && request.headers['if-none-match'] === etag;
  const headers = {
    'content-type': json ? 'application/json; charset=utf-8' : 'application/octet-stream',
    ...(cacheable ? { etag, 'cache-control': 'private, max-age=60, s-maxage=60' } : {}),
    ...answer.headers,
  };
  return unchanged ? { status: 304, headers, raw: Buffer.alloc(0) } : { ...answer, headers, raw };
}

/** Sends what was prepared. `now` is the Date of the answer, in milliseconds. */
export function write(
  response: ServerResponse,
  answer: Answer & { raw: Buffer },
  limits: Record<string, string>,
  now: number,
): void {
  response.sendDate = false;
  response.writeHead(answer.status, {
    date: new Date(now).toUTCString(),
    server: 'github.com',
    'x-github-media-type': 'github.v3; format=json',
    ...limits,
    ...answer.headers,
  });
  response.end(answer.raw);
}
