/**
 * Holds a GraphQL request against GitHub's own schema: the document is valid, and every variable that it declares is
 * given, is not one too many, and is a value of its type.
 */
interface SchemaType {
  name: string;
  enumValues: readonly { name: string }[] | null;
}

/** Throws an Error that names the fault when GitHub would not take the request. */
export async function checkAgainstGraphqlSchema(body: unknown): Promise<void> {
  const { query, variables = {}, ...rest } = body as { query: string; variables?: Record<string, unknown> };
  if (Object.keys(rest).length > 0) throw new Error(`GraphQL takes no ${Object.keys(rest).join(', ')}`);
  // Reading the schema takes a third of a second, which most tests have no use for.
  const { validate, schema } = await import('@octokit/graphql-schema');
  const types: readonly SchemaType[] = schema.json.__schema.types;
  const faults = validate(query).map(({ message }) => message);
  const declared = [...query.matchAll(/\$(\w+): (\w+)!/g)].map(([, name = '', type = '']) => ({
    name,
    type,
  }));
  faults.push(...Object.keys(variables).filter((name) => !declared.some((one) => one.name === name)));
  for (const { name, type } of declared) {
    const value = variables[name];
    const known = types.find((one) => one.name === type);
    const allowed = known?.enumValues?.map((one) => one.name);
    if (typeof value !== 'string' || allowed?.includes(value) === false) {
      faults.push(`$${name} of type ${type} is ${JSON.stringify(value)}`);
    }
  }
  if (faults.length > 0) throw new Error(`GraphQL: ${faults.join('; ')}`);
}
