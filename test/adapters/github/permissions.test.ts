import { expect, test } from 'vitest';
import { api, eachTestHasItsOwnGitHub, gitops, installed, path, world } from './world.ts';

eachTestHasItsOwnGitHub();

const permission = `${path}/collaborators/dana/permission`;

test.each([
  ['the roles that GitHub knows', 'write', 'maintain', 'maintain'],
  ['the roles that GitHub knows', 'read', 'triage', 'triage'],
  ['the roles that GitHub knows', 'admin', 'admin', 'admin'],
  ["an organisation's own role is what it builds on", 'write', 'release-captain', 'write'],
  ['no role at all', 'none', '', 'none'],
  ['a word that is new', 'superb', 'superb', 'none'],
])('%s: %s, %s', async (_, base, role, expected) => {
  installed();
  api().get(permission).reply(200, { permission: base, role_name: role, user: null });
  expect(await world().forge.permissionOf(gitops, 'dana')).toBe(expected);
});

test('who is no user may nothing', async () => {
  installed();
  const { forge } = world();
  api()
    .get(`${path}/collaborators/renovate%5Bbot%5D/permission`)
    .reply(404, { message: 'renovate[bot] is not a user' });
  expect(await forge.permissionOf(gitops, 'renovate[bot]')).toBe('none');
  api().get(permission).reply(404, { message: 'Not Found' });
  api().get(path).reply(200, {});
  expect(await forge.permissionOf(gitops, 'dana')).toBe('none');
});

test('a repository that is not seen any more says nothing of anybody', async () => {
  installed();
  api().get(permission).reply(404, { message: 'Not Found' });
  api().get(path).reply(404, { message: 'Not Found' });
  await expect(world().forge.permissionOf(gitops, 'dana')).rejects.toMatchObject({ kind: 'permanent' });
});

const membership = '/orgs/example-org/teams/platform/memberships/dana';

test.each([
  ['a member', 200, { state: 'active', role: 'member' }, 'yes'],
  ['an invitation that was not accepted', 200, { state: 'pending', role: 'member' }, 'no'],
  ['nobody of the team, or no such team', 404, { message: 'Not Found' }, 'no'],
  ['an App that may not ask', 403, { message: 'Resource not accessible by integration' }, 'unknown'],
])('%s', async (_, status, body, expected) => {
  installed();
  api().get(membership).reply(status, body);
  expect(await world().forge.isMemberOf(gitops, 'platform', 'dana')).toBe(expected);
});

test('a fault of GitHub is no answer about a member', async () => {
  installed();
  api().get(membership).times(4).reply(502, {});
  await expect(world().forge.isMemberOf(gitops, 'platform', 'dana')).rejects.toMatchObject({
    kind: 'transient',
    message: expect.stringContaining('read whether dana is in the team example-org/platform'),
  });
});
