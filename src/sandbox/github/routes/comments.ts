/** Comments on issues and pull requests, and reactions. */
import { addComment, deleteComment, editComment, react } from '../acts/issues.ts';
import { type Answer, invalid, notFound, ok, Refusal } from '../http/answers.ts';
import type { Call, Route } from '../http/call.ts';
import { commentJson, REACTIONS, reactionJson } from '../json/issues.ts';
import type { Comment, Reaction } from '../state.ts';
import { issueOfCall } from './issues.ts';
import { checkComment } from './limits-of-text.ts';

const READ = ['issues:read', 'pull_requests:read'];
const WRITE = ['issues:write', 'pull_requests:write'];

/** Routes of comments and reactions. */
export const commentRoutes: Route[] = [
  {
    method: 'GET',
    path: '/repos/{owner}/{repo}/issues/{issue_number}/comments',
    needs: READ,
    handle: (call) => {
      const issue = issueOfCall(call);
      const since = Date.parse(call.query.get('since') ?? '') || 0;
      const comments = [...call.repository.comments.values()].filter(
        (comment) => comment.issueNumber === issue.number && comment.updatedAt >= since,
      );
      return call.paged(comments, (comment) => commentJson(call.view, call.repository, comment));
    },
  },
  {
    method: 'POST',
    path: '/repos/{owner}/{repo}/issues/{issue_number}/comments',
    needs: WRITE,
    handle: (call) => {
      const issue = issueOfCall(call);
      checkComment(call.text('body'));
      const comment = addComment(call.site, call.repository, call.actor, issue, call.text('body') as string);
      return ok(commentJson(call.view, call.repository, comment), 201);
    },
  },
  {
    method: 'GET',
    path: '/repos/{owner}/{repo}/issues/comments/{comment_id}',
    needs: READ,
    handle: (call) => ok(commentJson(call.view, call.repository, commentOf(call))),
  },
  {
    method: 'PATCH',
    path: '/repos/{owner}/{repo}/issues/comments/{comment_id}',
    needs: WRITE,
    handle: (call) => {
      const comment = commentOf(call);
      checkOwn(call, comment);
      checkComment(call.text('body'));
      editComment(call.site, call.repository, call.actor, comment, call.text('body') as string);
      return ok(commentJson(call.view, call.repository, comment));
    },
  },
  {
    method: 'DELETE',
    path: '/repos/{owner}/{repo}/issues/comments/{comment_id}',
    needs: WRITE,
    handle: (call) => {
      deleteComment(call.site, call.repository, call.actor, commentOf(call));
      return { status: 204 };
    },
  },
  ...reactionRoutes(
    '/repos/{owner}/{repo}/issues/comments/{comment_id}/reactions',
    (call) => commentOf(call).reactions,
  ),
  ...reactionRoutes(
    '/repos/{owner}/{repo}/issues/{issue_number}/reactions',
    (call) => issueOfCall(call).reactions,
  ),
];

function commentOf(call: Call): Comment {
  const comment = call.repository.comments.get(call.numberParam('comment_id'));
  if (comment === undefined) throw notFound();
  return comment;
}

/** An App may edit only what an App wrote; with write access to issues it may still delete anybody's. */
function checkOwn(call: Call, comment: Comment): void {
  if (comment.user !== call.actor.login) throw new Refusal(403, 'Resource not accessible by integration');
}

function reactionRoutes(path: string, reactionsOf: (call: Call) => Reaction[]): Route[] {
  return [
    {
      method: 'GET',
      path,
      needs: READ,
      handle: (call) => call.paged(reactionsOf(call), (reaction) => reactionJson(call.view, reaction)),
    },
    { method: 'POST', path, needs: WRITE, handle: (call) => addReaction(call, reactionsOf(call)) },
    {
      method: 'DELETE',
      path: `${path}/{reaction_id}`,
      needs: WRITE,
      handle: (call) => {
        const reactions = reactionsOf(call);
        const at = reactions.findIndex((one) => one.id === call.numberParam('reaction_id'));
        if (at < 0) throw notFound();
        reactions.splice(at, 1);
        return { status: 204 };
      },
    },
  ];
}

function addReaction(call: Call, reactions: Reaction[]): Answer {
  const content = call.text('content') ?? '';
  if (!REACTIONS.includes(content))
    throw invalid({ resource: 'Reaction', code: 'invalid', field: 'content' });
  const { reaction, isNew } = react(call.site, call.actor, reactions, content);
  return ok(reactionJson(call.view, reaction), isNew ? 201 : 200);
}
