/** The URL of a request, taken apart as k8s.io/apiserver/pkg/endpoints/request does: which verb on which resource. */

export type ApiVerb =
  | 'get'
  | 'list'
  | 'watch'
  | 'create'
  | 'update'
  | 'patch'
  | 'delete'
  | 'deletecollection';

/** A request for objects, whether such a resource exists or not. */
export interface ApiTarget {
  verb: ApiVerb;
  group: string;
  version: string;
  /** The plural name. */
  resource: string;
  /** Absent over all namespaces and for what has none. */
  namespace?: string;
  name?: string;
  subresource?: string;
}

/** The target of a request, or undefined for everything else (discovery, health, unknown paths). */
export function targetOf(method: string, pathname: string, query: URLSearchParams): ApiTarget | undefined {
  const segments = pathname.split('/').slice(1).map(decodeURIComponent);
  const isCore = segments[0] === 'api';
  if (!isCore && segments[0] !== 'apis') return undefined;
  const [group, version, ...rest] = isCore ? ['', ...segments.slice(1)] : segments.slice(1);
  if (version === undefined || rest[0] === undefined || rest[0] === '') return undefined;
  const isNamespaced = rest[0] === 'namespaces' && rest.length > 2 && rest[2] !== 'status';
  const [resource, name, subresource, ...more] = isNamespaced ? rest.slice(2) : rest;
  if (more.length > 0) return undefined;
  const verb = verbOf(method, name !== undefined, query);
  if (verb === undefined) return undefined;
  const namespace = isNamespaced ? rest[1] : undefined;
  return { verb, group: group!, version, resource: resource!, namespace, name, subresource };
}

function verbOf(method: string, isNamed: boolean, query: URLSearchParams): ApiVerb | undefined {
  switch (method) {
    case 'GET':
      if (isTrue(query.get('watch'))) return 'watch';
      return isNamed ? 'get' : 'list';
    case 'POST':
      return 'create';
    case 'PUT':
      return 'update';
    case 'PATCH':
      return 'patch';
    case 'DELETE':
      return isNamed ? 'delete' : 'deletecollection';
    default:
      return undefined;
  }
}

/** A boolean parameter of the query, in the forms that the API server takes. */
export function isTrue(value: string | null): boolean {
  return value === '1' || value === 'true' || value === 'True' || value === 'TRUE' || value === 't';
}
