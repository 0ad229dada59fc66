/**
 * Who may do what: bearer tokens to users, and rules in the manner of RBAC. Both can be changed while the server runs, so that a
 * test can take a right away in the middle of a story.
 */
import type { ApiTarget } from './api-path.ts';
import { qualified, StoreProblem } from './store-problem.ts';

/** What a user may do. Absent lists and '*' mean all. A rule with namespaces says nothing about the cluster scope. */
export interface AccessRule {
  verbs: readonly string[];
  /** Plural names; a subresource is `applicationsets/status`. */
  resources: readonly string[];
  groups?: readonly string[];
  namespaces?: readonly string[];
  names?: readonly string[];
}

export interface AccessUser {
  /** The bearer token; undefined is everybody who brings none. */
  token: string | undefined;
  name: string;
  allow: 'everything' | readonly AccessRule[];
}

export type AccessQuestion = Omit<ApiTarget, 'verb' | 'version'> & { verb: string };

/** The user behind an Authorization header. Throws a StoreProblem 401 for an unknown token, or none where one is due. */
export function authenticate(users: readonly AccessUser[], authorization: string | undefined): AccessUser {
  const token = authorization?.replace(/^Bearer\s+/i, '');
  const user = users.find((candidate) => candidate.token === token);
  if (user === undefined) throw new StoreProblem(401, 'Unauthorized', 'Unauthorized');
  return user;
}

/** Whether a user may do this. */
export function isAllowed(user: AccessUser, question: AccessQuestion): boolean {
  if (user.allow === 'everything') return true;
  const { verb, group, resource, subresource, namespace, name } = question;
  const full = subresource === undefined ? resource : `${resource}/${subresource}`;
  return user.allow.some(
    (rule) =>
      includes(rule.verbs, verb) &&
      includes(rule.resources, full) &&
      includes(rule.groups, group) &&
      (rule.namespaces === undefined || (namespace !== undefined && includes(rule.namespaces, namespace))) &&
      (rule.names === undefined || (name !== undefined && includes(rule.names, name))),
  );
}

function includes(list: readonly string[] | undefined, value: string): boolean {
  return list === undefined || list.includes('*') || list.includes(value);
}

/** The refusal in the words of the API server (recorded), naming user, verb, resource and scope. */
export function forbidden(user: AccessUser, question: AccessQuestion): StoreProblem {
  const { verb, group, resource, subresource, namespace, name } = question;
  const who = qualified({ group, plural: resource });
  const full = subresource === undefined ? resource : `${resource}/${subresource}`;
  const subject = name === undefined ? who : `${who} "${name}"`;
  const scope = namespace === undefined ? 'at the cluster scope' : `in the namespace "${namespace}"`;
  const message = `${subject} is forbidden: User "${user.name}" cannot ${verb} resource "${full}" in API group "${group}" ${scope}`;
  return new StoreProblem(403, 'Forbidden', message, {
    ...(name === undefined ? {} : { name }),
    ...(group === '' ? {} : { group }),
    kind: resource,
  });
}
