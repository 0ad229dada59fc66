/** Holds a request against what GitHub describes: its REST API, or the schema of its GraphQL. */
import { checkAgainstGraphqlSchema } from './graphql-schema.ts';
import { checkAgainstOpenApi, type Operation, type SentRequest } from './openapi.ts';

/** The operation a request means. Throws an Error that names the fault when GitHub does not describe the request. */
export async function checkAgainstGitHub(request: SentRequest): Promise<Operation> {
  const { pathname } = new URL(request.path, 'https://api.github.com');
  if (request.method !== 'POST' || !pathname.endsWith('/graphql')) return checkAgainstOpenApi(request);
  await checkAgainstGraphqlSchema(request.body);
  return { route: 'POST /graphql', example: { data: {} } };
}
