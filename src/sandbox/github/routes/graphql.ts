/**
 * The two things that GitHub offers in GraphQL alone: turning on auto-merge and taking a pull request out of draft.
 * As there, an error is an answer of status 200 with `errors`. https://docs.github.com/graphql/reference/mutations
 */
import { isReady, mergeabilityOf, proposedWords } from '../acts/merge.ts';
import { issueOf, markReady } from '../acts/pulls.ts';
import { type Answer, ok } from '../http/answers.ts';
import type { Call, Route } from '../http/call.ts';
import { idOfNode, nodeId, optionalTimestamp } from '../json/accounts.ts';
import { issuePage } from '../json/issues.ts';
import type { MergeMethod, PullRequest, Repository } from '../state.ts';
import { type Field, parseOperation } from './graphql-document.ts';

/** The one route of GraphQL. */
export const graphqlRoutes: Route[] = [{ method: 'POST', path: '/graphql', handle: graphql }];

type GraphqlError = { type?: string; path?: string[]; message: string };
type Target = { repository: Repository; pull: PullRequest };

/** A mutation that GitHub refuses. */
class MutationError extends Error {
  readonly type: string;

  constructor(type: string, message: string) {
    super(message);
    this.type = type;
  }
}

const MUTATIONS: Record<string, (call: Call, input: Record<string, unknown>, target: Target) => void> = {
  enablePullRequestAutoMerge,
  disablePullRequestAutoMerge: (_call, _input, { pull }) => {
    pull.autoMerge = null;
  },
  markPullRequestReadyForReview: (call, _input, { repository, pull }) =>
    markReady(call.site, repository, call.actor, pull),
};

function graphql(call: Call): Answer {
  const variables = (call.body.variables ?? {}) as Record<string, unknown>;
  try {
    const operation = parseOperation(call.text('query') ?? '', variables);
    return ok(answerOf(call, operation.fields));
  } catch (error) {
    return ok({ errors: [{ message: `Parse error: ${(error as Error).message}` }] });
  }
}

function answerOf(call: Call, fields: Field[]): Record<string, unknown> {
  const data: Record<string, unknown> = {};
  const errors: GraphqlError[] = [];
  for (const field of fields) {
    const mutation = MUTATIONS[field.name];
    if (mutation === undefined) {
      const message = `Field '${field.name}' doesn't exist on type 'Mutation'`;
      return { errors: [{ path: [field.alias], message }] };
    }
    const input = (field.arguments.input ?? {}) as Record<string, unknown>;
    try {
      const target = targetOf(call, input);
      mutation(call, input, target);
      const payload = {
        clientMutationId: input.clientMutationId ?? null,
        pullRequest: pullObject(call, target),
        actor: { login: call.actor.login },
      };
      data[field.alias] = select(payload, field.selection);
    } catch (error) {
      if (!(error instanceof MutationError)) throw error;
      data[field.alias] = null;
      errors.push({ type: error.type, path: [field.alias], message: error.message });
    }
  }
  return errors.length === 0 ? { data } : { data, errors };
}

function targetOf(call: Call, input: Record<string, unknown>): Target {
  const node = String(input.pullRequestId ?? '');
  const id = idOfNode('PR', node);
  for (const repository of call.view.state.repositories.values()) {
    const pull = [...repository.pulls.values()].find((one) => one.id === id);
    const reached = call.repositoryIds === undefined || call.repositoryIds.includes(repository.id);
    if (pull === undefined || !reached || repository.owner !== call.installation?.account) continue;
    if (call.installation.permissions.pull_requests !== 'write') {
      throw new MutationError('FORBIDDEN', 'Resource not accessible by integration');
    }
    return { repository, pull };
  }
  throw new MutationError('NOT_FOUND', `Could not resolve to a node with the global id of '${node}'`);
}

function enablePullRequestAutoMerge(
  call: Call,
  input: Record<string, unknown>,
  { repository, pull }: Target,
): void {
  // GitHub puts "Pull request" before every one of these, also where it is there already:
  // https://github.com/peter-evans/enable-pull-request-automerge/issues/343
  const refuse = (message: string) => new MutationError('UNPROCESSABLE', `Pull request ${message}`);
  const method = String(input.mergeMethod ?? 'MERGE').toLowerCase() as MergeMethod;
  const issue = issueOf(repository, pull);
  if (!repository.allow.autoMerge) throw refuse('Auto merge is not allowed for this repository');
  if (issue.state === 'closed') throw refuse('Pull request is closed');
  if (pull.draft) throw refuse('Pull request is in draft state');
  if (!repository.allow[method])
    throw refuse(`Merge method ${method} merging is not allowed on this repository`);
  if (!repository.rules.has(pull.baseRef)) {
    throw refuse('Protected branch rules not configured for this branch');
  }
  const mergeability = mergeabilityOf(call.site, repository, pull);
  if (isReady(mergeability)) throw refuse(`Pull request is in ${mergeability.state} status`);
  const proposed = proposedWords(call.site, repository, pull, method);
  const text = (name: string, otherwise: string) => {
    const value = input[name];
    return typeof value === 'string' ? value : otherwise;
  };
  pull.autoMerge = {
    by: call.actor.login,
    method,
    title: text('commitHeadline', proposed.title),
    message: text('commitBody', proposed.message),
  };
}

/** The members of a PullRequest that may be asked for. */
function pullObject(call: Call, { repository, pull }: Target): Record<string, unknown> {
  const issue = issueOf(repository, pull);
  return {
    __typename: 'PullRequest',
    id: nodeId('PR', pull.id),
    number: pull.number,
    title: issue.title,
    url: issuePage(call.view, repository, pull.number),
    state: pull.mergedAt !== null ? 'MERGED' : issue.state.toUpperCase(),
    isDraft: pull.draft,
    merged: pull.mergedAt !== null,
    mergedAt: optionalTimestamp(pull.mergedAt),
    headRefOid: pull.headSha,
    headRefName: pull.headRef,
    baseRefName: pull.baseRef,
    autoMergeRequest:
      pull.autoMerge === null
        ? null
        : {
            enabledBy: { login: pull.autoMerge.by },
            mergeMethod: pull.autoMerge.method.toUpperCase(),
            commitHeadline: pull.autoMerge.title,
            commitBody: pull.autoMerge.message,
          },
  };
}

function select(value: unknown, selection: readonly Field[]): unknown {
  if (selection.length === 0 || typeof value !== 'object' || value === null) return value;
  const object = value as Record<string, unknown>;
  return Object.fromEntries(
    selection.map((field) => [field.alias, select(object[field.name] ?? null, field.selection)]),
  );
}
