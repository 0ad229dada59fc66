/**
 * All objects of a kind by an ordinary list, for servers without streamed lists. The first list comes from the
 * server's cache (`resourceVersion=0`): an old etcd needs a second for every page of 500. Later ones must not be older
 * than what is known already, and when a version is gone they are read from etcd, in pages.
 */
import { type Json, record, text } from '../../domain/read.ts';
import type { ApiClient } from './api-client.ts';
import { ApiProblem, problemOfNonsense } from './api-problem.ts';
import type { Resource } from './resource.ts';
import { versionOf } from './table.ts';

export interface ListRequest {
  client: ApiClient;
  resource: Resource;
  namespace: string | null;
  accept: string;
  /** Parameters that go with every page. */
  query: Readonly<Record<string, string>>;
  /** The newest version that is known; null when none is, or none that the server still has. */
  knownVersion: string | null;
  /** Any state will do, and all of it at once: nothing is known yet. */
  isFromCache: boolean;
  pageSize: number;
  /** How long one answer may be. */
  bytesMax: number;
  signal: AbortSignal;
}

/** No fleet has so many pages; a server that never ends its list does. */
const pagesMax = 20_000;

/**
 * Reads page after page into `onPage`, and gives back the version from which a watch continues. When the list
 * expires half way (410) it is read once more from the beginning, in one piece. Throws ApiProblem.
 */
export async function listAll(
  request: ListRequest,
  onPage: (page: Json) => void,
  onRestart: () => void,
): Promise<string> {
  try {
    return await readPages(request, pagedQuery(request), onPage);
  } catch (problem) {
    const hasExpired = problem instanceof ApiProblem && problem.reason === 'gone';
    if (!hasExpired) throw problem;
    onRestart();
    return readPages(request, {}, onPage);
  }
}

function pagedQuery({ knownVersion, isFromCache, pageSize }: ListRequest): Record<string, string> {
  const limit = String(pageSize);
  if (knownVersion !== null) {
    return { limit, resourceVersion: knownVersion, resourceVersionMatch: 'NotOlderThan' };
  }
  return isFromCache ? { limit, resourceVersion: '0' } : { limit };
}

async function readPages(
  request: ListRequest,
  firstQuery: Readonly<Record<string, string>>,
  onPage: (page: Json) => void,
): Promise<string> {
  const { client, resource, namespace, accept, signal, bytesMax } = request;
  let query: Readonly<Record<string, string>> = { ...request.query, ...firstQuery };
  for (let page = 0; page < pagesMax; page += 1) {
    const { object } = await client.list(resource, namespace, { query, accept, signal, bytesMax });
    onPage(object);
    const token = text(record(object.metadata).continue);
    if (token === '') return versionOf(object);
    query = { ...request.query, limit: String(request.pageSize), continue: token };
  }
  throw problemOfNonsense(
    client.asked({ verb: 'list', resource, namespace }),
    `more than ${pagesMax} pages without an end`,
  );
}
