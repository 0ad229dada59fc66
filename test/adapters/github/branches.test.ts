import { expect, test } from 'vitest';
import { api, eachTestHasItsOwnGitHub, gitops, installed, path, sha, world } from './world.ts';

eachTestHasItsOwnGitHub();

const branch = 'stepback/revert';
const refs = `${path}/git/refs`;
const ref = `${path}/git/ref/heads%2Fstepback%2Frevert`;
const refToMove = `${path}/git/refs/heads%2Fstepback%2Frevert`;
const notForward = { message: 'Update is not a fast forward' };

function branchIsAt(commit: string): void {
  api()
    .get(ref)
    .reply(200, { ref: `refs/heads/${branch}`, object: { sha: commit, type: 'commit' } });
}

test('a new branch is created', async () => {
  installed();
  api()
    .post(refs, { ref: 'refs/heads/stepback/revert', sha: sha('c1') })
    .reply(201, {});
  expect(await world().forge.createBranch(gitops, branch, sha('c1'))).toBe('created');
});

test('a branch that is there already is another try of ours, not an error', async () => {
  installed();
  api().post(refs).reply(422, { message: 'Reference already exists' });
  expect(await world().forge.createBranch(gitops, branch, sha('c1'))).toBe('exists');
});

test('a commit made a moment ago may not be known yet: asked again for a few seconds', async () => {
  installed();
  const { forge, clock } = world();
  api().post(refs).reply(422, { message: 'Object does not exist' });
  api().post(refs).reply(404, { message: 'Not Found' });
  api().post(refs).reply(201, {});
  expect(await forge.createBranch(gitops, branch, sha('c1'))).toBe('created');
  expect(clock.waits).toEqual([500, 1_000]);
});

test('a commit that stays unknown is a problem', async () => {
  installed();
  api().post(refs).times(4).reply(422, { message: 'Object does not exist' });
  await expect(world().forge.createBranch(gitops, branch, sha('c1'))).rejects.toMatchObject({
    kind: 'permanent',
    message: expect.stringContaining('Object does not exist'),
  });
});

test('a rule that forbids the branch is told apart', async () => {
  installed();
  api().post(refs).reply(422, {
    message: 'Repository rule violations found\n\nCannot create ref due to creations being restricted.',
  });
  await expect(
    world().forge.createBranch(gitops, branch, sha('c1')),
  ).rejects.toThrowErrorMatchingInlineSnapshot(
    `[WorldProblem: GitHub refused to create the branch stepback/revert of example-org/gitops (422: Repository rule violations found Cannot create ref due to creations being restricted.). A rule of the repository forbids it. Let the App bypass that rule, or let it match other branches than those of Stepback.]`,
  );
});

test('a branch where we left it is moved forward, without force', async () => {
  installed();
  branchIsAt(sha('c1'));
  api()
    .patch(refToMove, { sha: sha('c2'), force: false })
    .reply(200, {});
  expect(await world().forge.moveBranch(gitops, branch, sha('c1'), sha('c2'))).toBe('done');
});

test('a branch that is there already need not be moved', async () => {
  installed();
  branchIsAt(sha('c2'));
  expect(await world().forge.moveBranch(gitops, branch, sha('c1'), sha('c2'))).toBe('done');
});

test('a branch that a person moved is left alone, once the answer has proved to be no old one', async () => {
  installed();
  for (let time = 0; time < 4; time += 1) branchIsAt(sha('face'));
  expect(await world().forge.moveBranch(gitops, branch, sha('c1'), sha('c2'))).toBe('moved');
});

test('an answer of yesterday is not taken for a move', async () => {
  installed();
  const { forge, clock } = world();
  branchIsAt(sha('01d'));
  branchIsAt(sha('c1'));
  api().patch(refToMove).reply(200, {});
  expect(await forge.moveBranch(gitops, branch, sha('c1'), sha('c2'))).toBe('done');
  expect(clock.waits).toEqual([500]);
});

test('a branch that somebody moved between our look and our move is left alone', async () => {
  installed();
  branchIsAt(sha('c1'));
  api().patch(refToMove).reply(422, notForward);
  branchIsAt(sha('face'));
  expect(await world().forge.moveBranch(gitops, branch, sha('c1'), sha('c2'))).toBe('moved');
});

test('a commit that does not come after the branch is not forced onto it', async () => {
  installed();
  branchIsAt(sha('c1'));
  api().patch(refToMove).reply(422, notForward);
  branchIsAt(sha('c1'));
  const moving = world().forge.moveBranch(gitops, branch, sha('c1'), sha('c2'));
  await expect(moving).rejects.toThrowErrorMatchingInlineSnapshot(
    `[WorldProblem: GitHub refused to move the branch stepback/revert of example-org/gitops, because the new commit does not come after the one it is on. Delete the branch, and Stepback makes it anew.]`,
  );
});

test('a branch that is gone is missing, before and between', async () => {
  installed();
  api().get(ref).times(4).reply(404, { message: 'Not Found' });
  expect(await world().forge.moveBranch(gitops, branch, sha('c1'), sha('c2'))).toBe('missing');
  branchIsAt(sha('c1'));
  api().patch(refToMove).reply(422, { message: 'Reference does not exist' });
  expect(await world().forge.moveBranch(gitops, branch, sha('c1'), sha('c2'))).toBe('missing');
});

test('deleting a branch that is gone already is fine', async () => {
  installed();
  const { forge } = world();
  api().delete(refToMove).reply(204);
  await forge.deleteBranch(gitops, branch);
  api().delete(refToMove).reply(422, { message: 'Reference does not exist' });
  await forge.deleteBranch(gitops, branch);
  api().delete(refToMove).reply(403, { message: 'Resource not accessible by integration' });
  await expect(forge.deleteBranch(gitops, branch)).rejects.toMatchObject({ kind: 'permanent' });
});
