/** SelfSubjectAccessReview: may I do this? Everybody who is known may ask; the answer comes from the same rules as the refusals. */
import { type AccessUser, isAllowed } from './access.ts';
import type { Answer } from './answer.ts';
import type { ApiTarget } from './api-path.ts';
import type { RequestContext } from './context.ts';
import { badRequest } from './store-problem.ts';

interface Review {
  spec?: {
    resourceAttributes?: {
      verb?: string;
      group?: string;
      resource?: string;
      subresource?: string;
      namespace?: string;
      name?: string;
    };
  };
}

/** Whether a request asks for a review. */
export function isReview(target: ApiTarget): boolean {
  return (
    target.group === 'authorization.k8s.io' &&
    target.resource === 'selfsubjectaccessreviews' &&
    target.verb === 'create'
  );
}

/** Answers 201 with `status.allowed`. Throws a StoreProblem 400 when nothing is asked. */
export async function review(context: RequestContext, user: AccessUser, answer: Answer): Promise<void> {
  const asked = (context.body as Review | undefined)?.spec?.resourceAttributes;
  if (asked === undefined) throw badRequest('spec.resourceAttributes: Required value: must be specified');
  const allowed = isAllowed(user, {
    verb: asked.verb ?? '',
    group: asked.group ?? '',
    resource: asked.resource ?? '',
    subresource: asked.subresource || undefined,
    namespace: asked.namespace || undefined,
    name: asked.name || undefined,
  });
  const reason = allowed ? { reason: 'RBAC: allowed by the rules of the sandbox' } : {};
  await answer.json(201, {
    kind: 'SelfSubjectAccessReview',
    apiVersion: 'authorization.k8s.io/v1',
    metadata: {},
    spec: { resourceAttributes: asked },
    status: { allowed, ...reason },
  });
}
