/** References: reading, making, moving and deleting them, with the 422s that tell the cases apart. */
import { mayHold, unsignedMessage } from '../acts/merge.ts';
import { pushBranch } from '../acts/pulls.ts';
import { collidesWithFolder, isRefName, moveRef } from '../acts/refs.ts';
import { isAncestor } from '../git/history.ts';
import { type Answer, notFound, ok, unprocessable } from '../http/answers.ts';
import type { Call, Route } from '../http/call.ts';
import { refJson } from '../json/repositories.ts';

/** Routes of references. */
export const refRoutes: Route[] = [
  {
    method: 'GET',
    path: '/repos/{owner}/{repo}/git/ref/{ref}',
    needs: ['contents:read'],
    handle: (call) => {
      const name = `refs/${call.param('ref')}`;
      const sha = call.repository.refs.get(name);
      if (sha === undefined) throw notFound();
      return ok(refJson(call.view, call.repository, name, sha));
    },
  },
  {
    method: 'GET',
    path: '/repos/{owner}/{repo}/git/matching-refs/{ref}',
    needs: ['contents:read'],
    handle: (call) => {
      const prefix = `refs/${call.param('ref')}`;
      const found = [...call.repository.refs].filter(([name]) => name.startsWith(prefix)).sort();
      return call.paged(found, ([name, sha]) => refJson(call.view, call.repository, name, sha));
    },
  },
  { method: 'POST', path: '/repos/{owner}/{repo}/git/refs', needs: ['contents:write'], handle: create },
  {
    method: 'PATCH',
    path: '/repos/{owner}/{repo}/git/refs/{ref}',
    needs: ['contents:write'],
    handle: update,
  },
  {
    method: 'DELETE',
    path: '/repos/{owner}/{repo}/git/refs/{ref}',
    needs: ['contents:write'],
    handle: (call) => {
      const name = `refs/${call.param('ref')}`;
      if (!call.repository.refs.has(name)) throw unprocessable('Reference does not exist');
      move(call, name, undefined);
      return { status: 204 };
    },
  },
];

function create(call: Call): Answer {
  const { repository, view } = call;
  const name = call.text('ref');
  const sha = call.text('sha');
  if (name === undefined || sha === undefined) {
    const missing = name === undefined ? 'ref' : 'sha';
    throw unprocessable(`Invalid request.\n\n"${missing}" wasn't supplied.`);
  }
  if (!name.startsWith('refs/') || name.split('/').length < 3) {
    throw unprocessable("Reference name must start with 'refs/' and contain at least two slashes.");
  }
  if (!isRefName(name)) throw unprocessable(`${name} is not a valid ref name.`);
  if (repository.refs.has(name)) throw unprocessable('Reference already exists');
  checkObject(call, name, sha);
  if (collidesWithFolder(repository, name)) throw unprocessable('Reference update failed');
  move(call, name, sha);
  return ok(refJson(view, repository, name, sha), 201);
}

function update(call: Call): Answer {
  const { repository, view, git } = call;
  const name = `refs/${call.param('ref')}`;
  const sha = call.text('sha');
  if (sha === undefined) throw unprocessable('Invalid request.\n\n"sha" wasn\'t supplied.');
  const before = repository.refs.get(name);
  if (before === undefined) throw unprocessable('Reference does not exist');
  checkObject(call, name, sha);
  if (call.body.force !== true && !isAncestor(git, before, sha)) {
    throw unprocessable('Update is not a fast forward');
  }
  move(call, name, sha);
  return ok(refJson(view, repository, name, sha));
}

function checkObject(call: Call, name: string, sha: string): void {
  if (!/^[0-9a-f]{40}$/.test(sha))
    throw unprocessable('The sha parameter must be exactly 40 characters and contain only [0-9a-f].');
  const object = call.git.read(sha);
  if (object === undefined) throw unprocessable('Object does not exist');
  const branch = /^refs\/heads\/(.+)$/.exec(name)?.[1];
  if (branch === undefined) return;
  if (object.type !== 'commit') throw unprocessable('Object does not exist');
  if (!mayHold(call.site, call.repository, branch, sha))
    throw unprocessable(unsignedMessage(call.repository, branch));
}

function move(call: Call, name: string, sha: string | undefined): void {
  const branch = /^refs\/heads\/(.+)$/.exec(name)?.[1];
  if (branch === undefined) moveRef(call.site, call.repository, call.actor, name, sha);
  else pushBranch(call.site, call.repository, call.actor, branch, sha);
}
