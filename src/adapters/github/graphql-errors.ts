/**
 * GraphQL says no with status 200 and a list of errors. Here they get the shape of a refusal over REST, so that limits,
 * missing permissions and troubles of the server are told in one place for both.
 * https://docs.github.com/graphql/guides/using-graphql-clients
 */

/** By the `type` of the first error. Any other, and none, is about the request itself. */
const statuses: Readonly<Record<string, number>> = {
  FORBIDDEN: 403,
  INSUFFICIENT_SCOPES: 403,
  RATE_LIMITED: 403,
  NOT_FOUND: 404,
  STALE_DATA: 409,
  INTERNAL: 502,
  SERVICE_UNAVAILABLE: 503,
};

/** The error to throw for an answer that carries errors; null for a good one. */
export function graphqlRefusal(answer: { data: unknown; headers: object }): Error | null {
  const { data, headers } = answer;
  if (typeof data !== 'object' || data === null || !('errors' in data) || !Array.isArray(data.errors)) {
    return null;
  }
  const [first] = data.errors;
  const type = typeof first?.type === 'string' ? first.type : '';
  const refusal = new Error(`GraphQL errors of type ${type || 'unknown'}`);
  return Object.assign(refusal, { status: statuses[type] ?? 422, response: { data, headers } });
}
