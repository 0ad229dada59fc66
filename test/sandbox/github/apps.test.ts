import { expect, test } from 'vitest';
import { startWorld } from './world.ts';

test('the App finds itself, its installations and a token', async () => {
  const world = await startWorld();
  const app = await world.asApp('GET', '/app');
  expect(app.body).toMatchObject({ slug: 'stepback', installations_count: 1 });
  const installations = await world.asApp('GET', '/app/installations');
  expect(installations.body).toMatchObject([
    { account: { login: 'example-org' }, repository_selection: 'all' },
  ]);
  const [{ id }] = installations.body;
  for (const path of [
    '/orgs/example-org/installation',
    '/users/example-org/installation',
    `/app/installations/${id}`,
  ]) {
    expect((await world.asApp('GET', path)).body.id).toBe(id);
  }
  const token = await world.asApp('POST', `/app/installations/${id}/access_tokens`, {
    repositories: ['gitops'],
    permissions: { contents: 'read' },
  });
  expect(token.body).toMatchObject({ permissions: { contents: 'read' }, repositories: [{ name: 'gitops' }] });
  const repositories = await world.get('/installation/repositories');
  expect(repositories.body).toMatchObject({
    total_count: 1,
    repositories: [{ full_name: 'example-org/gitops' }],
  });
});

test('a JWT must be whole, signed by the key, issued by the App and of this hour', async () => {
  const world = await startWorld();
  const messageFor = async (claims: Record<string, unknown>, key?: string) => {
    const authorization = `Bearer ${world.jwt(claims, key)}`;
    const answer = await world.send('GET', '/app', undefined, { authorization });
    return `${answer.status} ${answer.body.message}`;
  };
  const now = Math.floor(Date.now() / 1000);
  const old = world.github.app.privateKey as string;
  expect(await messageFor({})).toMatch(/^200/);
  expect(await messageFor({ exp: now - 1 })).toMatch(
    /^401 'Expiration time' claim \('exp'\) must be a numeric value/,
  );
  expect(await messageFor({ exp: now + 7_200 })).toMatch(
    /^401 'Expiration time' claim \('exp'\) is too far in the future/,
  );
  expect(await messageFor({ iat: now + 600 })).toMatch(/^401 'Issued at' claim/);
  expect(await messageFor({ iss: 99 })).toMatch(/^401 'Issuer' claim/);
  const fresh = world.github.rotateAppKey();
  expect(await messageFor({}, old)).toBe('401 A JSON web token could not be decoded');
  expect(await messageFor({}, fresh)).toMatch(/^200/);
});

test('who calls without a token, with a wrong one or with the wrong kind is sent away', async () => {
  const world = await startWorld();
  const ask = async (path: string, authorization?: string) => {
    const answer = await world.send(
      'GET',
      path,
      undefined,
      authorization === undefined ? {} : { authorization },
    );
    return `${answer.status} ${answer.body.message ?? ''}`;
  };
  expect(await ask(world.path('issues'))).toBe('401 Requires authentication');
  expect(await ask(world.path('issues'), 'token ghs_nonsense')).toBe('401 Bad credentials');
  expect(await ask(world.path('issues'), `Bearer ${world.jwt()}`)).toBe('401 Bad credentials');
  expect(await ask('/app', 'token ghs_nonsense')).toBe('401 A JSON web token could not be decoded');
  expect(await ask('/meta')).toBe('200 ');
});

test('tokens end after an hour, and at once when they are revoked', async () => {
  let time = Date.now();
  const world = await startWorld({ authenticationClock: { now: () => time } });
  expect((await world.get('')).status).toBe(200);
  time += 3_600_001;
  expect((await world.get('')).status).toBe(401);
  time -= 3_600_001;
  expect((await world.get('')).status).toBe(200);
  world.github.revokeTokens();
  expect((await world.get('')).body.message).toBe('Bad credentials');
});

test('a permission that was not granted is a 403 that names it', async () => {
  const world = await startWorld();
  world.github.grant('example-org', { metadata: 'read', contents: 'read' });
  expect((await world.get('contents/README.md')).status).toBe(200);
  const refused = await world.post('git/refs', { ref: 'refs/heads/x', sha: world.github.head(world.repo) });
  expect(refused).toMatchObject({ status: 403, body: { message: 'Resource not accessible by integration' } });
  expect(refused.headers.get('x-accepted-github-permissions')).toBe('contents=write');
});

test('a repository that the installation does not reach is not there', async () => {
  const world = await startWorld();
  world.github.createRepository({ owner: 'example-org', name: 'other', files: {} });
  expect((await world.get('/repos/example-org/other')).status).toBe(200);
  world.github.selectRepositories('example-org', ['example-org/gitops']);
  expect((await world.get('/repos/example-org/other')).status).toBe(404);
  expect((await world.asApp('GET', '/repos/example-org/other/installation')).status).toBe(404);
  world.github.suspend('example-org');
  expect((await world.get('')).body.message).toBe('This installation has been suspended');
  world.github.uninstall('example-org');
  expect((await world.get('')).status).toBe(401);
});

test('a renamed repository redirects, an archived one is read-only', async () => {
  const world = await startWorld();
  world.github.renameRepository(world.repo, 'fleet');
  const moved = await world.get('contents/README.md?ref=main');
  expect(moved.status).toBe(301);
  const location = moved.headers.get('location') as string;
  expect(location).toMatch(/\/repositories\/\d+\/contents\/README\.md\?ref=main$/);
  const followed = await world.get(location.slice(world.github.url.length));
  expect(followed.body.name).toBe('README.md');
  world.repo = 'example-org/fleet';
  world.github.setRepository(world.repo, { archived: true });
  expect((await world.get('')).body.archived).toBe(true);
  const refused = await world.post('issues', { title: 'No' });
  expect(refused).toMatchObject({
    status: 403,
    body: { message: 'Repository was archived so is read-only.' },
  });
});

test('GitHub Enterprise Server serves the same under /api/v3, and links stay there', async () => {
  const world = await startWorld();
  const answer = await world.get('/api/v3/repos/example-org/gitops/pulls?state=all');
  expect(answer).toMatchObject({ status: 200, body: [] });
  const repository = await world.get('/api/v3/repos/example-org/gitops');
  expect(repository.body.url).toBe(`${world.github.url}/api/v3/repos/example-org/gitops`);
  expect(repository.body.html_url).toBe(`${world.github.url}/example-org/gitops`);
  const graphql = await world.call('POST', '/api/graphql', { query: 'mutation { nonsense { id } }' });
  expect(graphql.body.errors[0].message).toBe("Field 'nonsense' doesn't exist on type 'Mutation'");
});

test('roles and teams are told as GitHub tells them', async () => {
  const world = await startWorld();
  world.github.addCollaborator(world.repo, 'mia', 'maintain');
  world.github.addPerson({ login: 'stranger' });
  world.github.addTeam('example-org', 'platform', ['dana']);
  const permission = async (login: string) => {
    const { status, body } = await world.get(`collaborators/${login}/permission`);
    return status === 200 ? [body.permission, body.role_name] : status;
  };
  expect(await permission('dana')).toEqual(['admin', 'admin']);
  expect(await permission('mia')).toEqual(['write', 'maintain']);
  expect(await permission('toni')).toEqual(['read', 'triage']);
  expect(await permission('stranger')).toEqual(['none', 'none']);
  expect(await permission('nobody-ever-met')).toBe(404);
  const member = await world.get('/orgs/example-org/teams/platform/memberships/dana');
  expect(member.body).toMatchObject({ role: 'member', state: 'active' });
  expect((await world.get('/orgs/example-org/teams/platform/memberships/toni')).status).toBe(404);
});
