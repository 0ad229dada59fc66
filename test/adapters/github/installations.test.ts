/** Who may speak where: tokens, and installations that are missing, suspended or removed in mid-incident. */
import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import nock from 'nock';
import { expect, test } from 'vitest';
import { connectToGitHub } from '../../../src/adapters/github/github.ts';
import {
  api,
  eachTestHasItsOwnGitHub,
  gitops,
  installation,
  leapingClock,
  path,
  privateKey,
  sha,
  token,
  world,
} from './world.ts';

eachTestHasItsOwnGitHub();

const at = `${path}/installation`;
const tokens = '/app/installations/42/access_tokens';
const tree = (start: string) => `${path}/git/trees/${sha(start)}`;
const emptyTree = { tree: [], truncated: false };

test('the installation is looked up once an owner, in any case, and its token made once', async () => {
  const { forge } = world();
  const other = { ...gitops, owner: 'Example-Org', name: 'other' };
  api().get(at).reply(200, installation());
  api().post(tokens).reply(201, token('ghs_secret'));
  api().get(tree('a1')).matchHeader('authorization', 'token ghs_secret').reply(200, emptyTree);
  api()
    .get(`/repos/Example-Org/other/git/trees/${sha('a2')}`)
    .matchHeader('authorization', 'token ghs_secret')
    .reply(200, emptyTree);
  await forge.readTree(gitops, sha('a1'));
  await forge.readTree(other, sha('a2'));
});

test('requests that begin together share one look-up and one token', async () => {
  const { forge } = world();
  api().get(at).reply(200, installation());
  api().post(tokens).reply(201, token());
  for (const start of ['a1', 'a2', 'a3']) api().get(tree(start)).reply(200, emptyTree);
  await Promise.all(['a1', 'a2', 'a3'].map((start) => forge.readTree(gitops, sha(start))));
});

test('a token is renewed before it ends', async () => {
  const { forge, clock } = world();
  api().get(at).times(2).reply(200, installation());
  api().post(tokens).reply(201, token('ghs_one'));
  api().get(tree('a1')).matchHeader('authorization', 'token ghs_one').reply(200, emptyTree);
  await forge.readTree(gitops, sha('a1'));
  clock.leap(56 * 60_000);
  api().post(tokens).reply(201, token('ghs_two', 7_200_000));
  api().get(tree('a2')).matchHeader('authorization', 'token ghs_two').reply(200, emptyTree);
  await forge.readTree(gitops, sha('a2'));
});

test('a token that was revoked before its time is replaced, once', async () => {
  const { forge } = world();
  api().get(at).reply(200, installation());
  api().post(tokens).reply(201, token('ghs_one'));
  api()
    .get(tree('a1'))
    .matchHeader('authorization', 'token ghs_one')
    .reply(401, { message: 'Bad credentials' });
  api().post(tokens).reply(201, token('ghs_two'));
  api().get(tree('a1')).matchHeader('authorization', 'token ghs_two').reply(200, emptyTree);
  await forge.readTree(gitops, sha('a1'));

  api().get(tree('a2')).times(2).reply(401, { message: 'Bad credentials' });
  api().post(tokens).reply(201, token('ghs_three'));
  await expect(forge.readTree(gitops, sha('a2'))).rejects.toThrowErrorMatchingInlineSnapshot(
    `[WorldProblem: GitHub refused to read tree a200000000000000000000000000000000000000 of example-org/gitops (401: Bad credentials). It does not accept the credentials: the private key is not one of this App, it was revoked, or the clock of this machine is wrong. Make a new key on the settings page of the App and give it to Stepback.]`,
  );
});

test('where the App is not installed, reading the repository gives null and all else a problem', async () => {
  const { forge, clock } = world();
  api().get(at).reply(404, { message: 'Not Found' });
  expect(await forge.repository(gitops)).toBeNull();
  await expect(forge.branchHead(gitops, 'main')).rejects.toThrowErrorMatchingInlineSnapshot(
    `[WorldProblem: The GitHub App is not installed on example-org/gitops, so Stepback can neither read nor revert there. Install it there, or add the repository to those that the installation covers.]`,
  );

  clock.leap(60_000);
  api().get(at).reply(200, installation());
  api().post(tokens).reply(201, token());
  api().get(tree('a1')).reply(200, emptyTree);
  expect(await forge.readTree(gitops, sha('a1')), 'a new installation works after a minute').toEqual([]);
});

test('a suspended installation is said so', async () => {
  const { forge } = world();
  api()
    .get(at)
    .reply(200, installation({ suspended_at: '2026-08-01T10:00:00Z' }));
  await expect(forge.repository(gitops)).rejects.toThrowErrorMatchingInlineSnapshot(
    `[WorldProblem: The installation of the GitHub App on example-org is suspended, so Stepback can neither read nor write there. An owner of the organisation can take that back in its settings, under GitHub Apps.]`,
  );
});

test('an installation that is suspended or removed while we run is noticed with the next token', async () => {
  const { forge } = world();
  api().get(at).reply(200, installation());
  api().post(tokens).reply(403, { message: 'This installation has been suspended' });
  await expect(forge.readTree(gitops, sha('a1'))).rejects.toMatchObject({
    kind: 'permanent',
    message: expect.stringContaining('is suspended'),
  });
  api().get(at).reply(200, installation());
  api().post(tokens).reply(404, { message: 'Not Found' });
  await expect(forge.readTree(gitops, sha('a1'))).rejects.toThrowErrorMatchingInlineSnapshot(
    `[WorldProblem: The GitHub App was removed from example-org, so Stepback can neither read nor write there. Install it again, or take the ApplicationSets of its repositories out of what Stepback looks after.]`,
  );
  api().get(at).reply(404, { message: 'Not Found' });
  expect(await forge.repository(gitops)).toBeNull();
});

test('an installation that was renewed has another number', async () => {
  const { forge, clock } = world();
  api().get(at).reply(200, installation());
  api().post(tokens).reply(201, token('ghs_one'));
  api().get(tree('a1')).reply(200, emptyTree);
  await forge.readTree(gitops, sha('a1'));
  clock.leap(11 * 60_000);
  api()
    .get(at)
    .reply(200, installation({ id: 43 }));
  api().post('/app/installations/43/access_tokens').reply(201, token('ghs_new'));
  api().get(tree('a2')).matchHeader('authorization', 'token ghs_new').reply(200, emptyTree);
  await forge.readTree(gitops, sha('a2'));
});

const moved = { ...gitops, name: 'moved' };
const movedPath = '/repos/example-org/moved';

/** GitHub leads from the old address of a transferred repository to the installation of its new owner. */
function movedAway(change: object = {}): void {
  api()
    .get(`${movedPath}/installation`)
    .reply(301, {}, { location: 'https://api.github.com/repositories/5/installation' });
  api()
    .get('/repositories/5/installation')
    .reply(200, installation({ id: 77, account: { login: 'New-Org' }, ...change }));
}

test('a repository that moved to another owner does not lend its installation to those that stayed', async () => {
  const { forge } = world();
  movedAway();
  api().post('/app/installations/77/access_tokens').reply(201, token('ghs_theirs'));
  for (const start of ['a1', 'a3']) {
    api()
      .get(`${movedPath}/git/trees/${sha(start)}`)
      .matchHeader('authorization', 'token ghs_theirs')
      .reply(200, emptyTree);
  }
  api()
    .get(at)
    .reply(200, installation({ account: { login: 'Example-Org' } }));
  api().post(tokens).reply(201, token('ghs_ours'));
  for (const start of ['a2', 'a4']) {
    api().get(tree(start)).matchHeader('authorization', 'token ghs_ours').reply(200, emptyTree);
  }
  await forge.readTree(moved, sha('a1'));
  await forge.readTree(gitops, sha('a2'));
  await forge.readTree(moved, sha('a3'));
  await forge.readTree(gitops, sha('a4'));
});

test('a repository that moved is asked about anew, also while the installation of those that stayed is known', async () => {
  const { forge, clock } = world();
  movedAway();
  api().post('/app/installations/77/access_tokens').reply(201, token('ghs_theirs'));
  api()
    .get(`${movedPath}/git/trees/${sha('a1')}`)
    .reply(200, emptyTree);
  await forge.readTree(moved, sha('a1'));
  clock.leap(11 * 60_000);
  api()
    .get(at)
    .reply(200, installation({ account: { login: 'example-org' } }));
  api().post(tokens).reply(201, token('ghs_ours'));
  api().get(tree('a2')).reply(200, emptyTree);
  await forge.readTree(gitops, sha('a2'));
  movedAway();
  api()
    .get(`${movedPath}/git/trees/${sha('a3')}`)
    .matchHeader('authorization', 'token ghs_theirs')
    .reply(200, emptyTree);
  await forge.readTree(moved, sha('a3'));
});

test('where a repository moved to, the App is named by the new owner, and forgotten when it is removed there', async () => {
  const { forge } = world();
  movedAway();
  api().post('/app/installations/77/access_tokens').reply(404, { message: 'Not Found' });
  await expect(forge.readTree(moved, sha('a1'))).rejects.toThrow('The GitHub App was removed from new-org');
  movedAway({ suspended_at: '2026-08-01T10:00:00Z' });
  await expect(forge.readTree(moved, sha('a1'))).rejects.toThrow('GitHub App on new-org is suspended');
});

/** What a JWT says, unchecked. */
function claimsOf(authorization: string): { iss: string; iat: number; exp: number } {
  const payload = authorization.replace(/^bearer /, '').split('.')[1] ?? '';
  return JSON.parse(Buffer.from(payload, 'base64url').toString());
}

test('a clock that is wrong is corrected by the time GitHub says', async () => {
  const { forge, clock } = world();
  const theirNow = clock.now() - 3_600_000;
  const seen: string[] = [];
  api()
    .get(at)
    .reply(
      401,
      {
        message:
          "'Issued at' claim ('iat') must be an Integer representing the time that the assertion was issued",
      },
      { date: new Date(theirNow).toUTCString() },
    );
  nock('https://api.github.com', { reqheaders: { authorization: (value) => seen.push(String(value)) > 0 } })
    .get(at)
    .reply(404, { message: 'Not Found' });
  expect(await forge.repository(gitops)).toBeNull();
  const claims = claimsOf(seen[0] ?? '');
  expect(claims.iss).toBe('7');
  expect(Math.abs(claims.iat - theirNow / 1000)).toBeLessThan(60);
});

test('a wrong key and a wrong App id are told apart', async () => {
  const { forge } = world();
  api().get(at).times(2).reply(401, { message: 'A JSON web token could not be decoded' });
  await expect(forge.repository(gitops)).rejects.toThrowErrorMatchingInlineSnapshot(
    `[WorldProblem: GitHub refused to read example-org/gitops (401: A JSON web token could not be decoded). It does not accept the credentials: the private key is not one of this App, it was revoked, or the clock of this machine is wrong. Make a new key on the settings page of the App and give it to Stepback.]`,
  );
  api().get(at).reply(404, { message: 'Integration not found' });
  await expect(forge.repository(gitops)).rejects.toThrowErrorMatchingInlineSnapshot(
    `[WorldProblem: GitHub refused to read example-org/gitops (404: Integration not found). There is no App with this id on this server. Check the App id and the API address; the key belongs to one App.]`,
  );
});

test('a key is read anew for every look-up, so it can be rotated; line ends may be escaped', async () => {
  const rotated = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
  let key = privateKey.replaceAll('\n', '\\n');
  const { forge } = world({ privateKey: () => key });
  const seen: string[] = [];
  for (const name of ['gitops', 'other']) {
    nock('https://api.github.com', { reqheaders: { authorization: (value) => seen.push(String(value)) > 0 } })
      .get(`/repos/example-org/${name}/installation`)
      .reply(404, { message: 'Not Found' });
    expect(await forge.repository({ ...gitops, name })).toBeNull();
    key = rotated.export({ type: 'pkcs8', format: 'pem' }) as string;
  }
  expect(isSignedWith(privateKey, seen[0] ?? '')).toBe(true);
  expect(isSignedWith(privateKey, seen.at(-1) ?? '')).toBe(false);
  expect(isSignedWith(key, seen.at(-1) ?? '')).toBe(true);
});

function isSignedWith(key: string, authorization: string): boolean {
  const [header, payload, signature] = authorization.replace(/^bearer /, '').split('.');
  const signed = Buffer.from(`${header}.${payload}`);
  return verify('RSA-SHA256', signed, createPublicKey(key), Buffer.from(signature ?? '', 'base64url'));
}

test.each(['', 'secret', '-----BEGIN RSA PRIVATE KEY-----'])(
  'a key that is none is refused at the start, unquoted: "%s"',
  (key) => {
    const connect = () => connectToGitHub({ appId: '7', privateKey: () => key, clock: leapingClock() });
    expect(connect).toThrowErrorMatchingInlineSnapshot(
      `[WorldProblem: The private key of GitHub App 7 cannot be read. It must be the whole PEM file that GitHub gave out, from "-----BEGIN RSA PRIVATE KEY-----" to the END line. Download a new one on the settings page of the App.]`,
    );
  },
);

test('an API address that is none is refused at the start', () => {
  const options = {
    appId: '7',
    privateKey: () => privateKey,
    clock: leapingClock(),
    baseUrl: 'git.example.com',
  };
  expect(() => connectToGitHub(options)).toThrowErrorMatchingInlineSnapshot(
    `[WorldProblem: The address of the GitHub API, "git.example.com", is none. Give https://HOST/api/v3 for an Enterprise Server, or nothing for github.com.]`,
  );
});

test.each([
  ['https://api.github.com', 'github.com', 'https://github.com'],
  ['https://git.example.com/api/v3', 'git.example.com', 'https://git.example.com'],
  ['https://git.example.com:8443/api/v3', 'git.example.com', 'https://git.example.com:8443'],
  ['https://api.octo.ghe.com', 'octo.ghe.com', 'https://octo.ghe.com'],
  ['http://127.0.0.1:4000/api/v3', '127.0.0.1', 'http://127.0.0.1:4000'],
])('the API at %s belongs to %s', (baseUrl, host, webUrl) => {
  const github = connectToGitHub({
    appId: '7',
    privateKey: () => privateKey,
    clock: leapingClock(),
    baseUrl,
  });
  expect(github.names.host).toBe(host);
  expect(github.webUrl).toBe(webUrl);
});
