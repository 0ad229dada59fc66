/** What people read when GitHub, the network or the certificate is in the way: as the Forge throws it. */
import { expect, test } from 'vitest';
import { WorldProblem } from '../../../src/ports.ts';
import { api, eachTestHasItsOwnGitHub, gitops, installed, path, world } from './world.ts';

eachTestHasItsOwnGitHub();

async function problemOfAnswer(status: number, body: object, headers: Record<string, string> = {}) {
  api().patch(`${path}/pulls/41`).reply(status, body, headers);
  return said(world().forge.updatePullRequest(gitops, 41, { state: 'closed' }));
}

async function problemOfFailure(cause: Error) {
  const { forge } = world({
    fetch: (url, init) =>
      String(url).endsWith('/pulls/41')
        ? Promise.reject(new TypeError('fetch failed', { cause }))
        : globalThis.fetch(url, init),
  });
  return said(forge.updatePullRequest(gitops, 41, { state: 'closed' }));
}

async function said(work: Promise<unknown>): Promise<string> {
  const error = await work.catch((thrown: unknown) => thrown);
  if (!(error instanceof WorldProblem)) throw new Error('It did not end with a problem', { cause: error });
  return `${error.kind}: ${error.message}`;
}

const code = (name: string) => Object.assign(new Error(`${name} happened`), { code: name });

test('a missing permission is named', async () => {
  installed();
  const message = { message: 'Resource not accessible by integration' };
  const header = 'x-accepted-github-permissions';
  const all = [
    await problemOfAnswer(403, message, { [header]: 'pull_requests=write' }),
    await problemOfAnswer(403, message, { [header]: 'contents=write,workflows=write; administration=write' }),
    await problemOfAnswer(403, message, { [header]: '<script>=write' }),
    await problemOfAnswer(403, message),
  ];
  expect(all).toMatchInlineSnapshot(`
    [
      "permanent: GitHub refused to edit pull request #41 of example-org/gitops (403: Resource not accessible by integration). The App lacks the permission pull_requests: write. Add it on the settings page of the App, and let an owner of the organisation accept it.",
      "permanent: GitHub refused to edit pull request #41 of example-org/gitops (403: Resource not accessible by integration). The App lacks the permission contents: write and workflows: write, or administration: write. Add it on the settings page of the App, and let an owner of the organisation accept it.",
      "permanent: GitHub refused to edit pull request #41 of example-org/gitops (403: Resource not accessible by integration). The App lacks a permission. Grant what the installation guide lists, and let an owner accept it.",
      "permanent: GitHub refused to edit pull request #41 of example-org/gitops (403: Resource not accessible by integration). The App lacks a permission. Grant what the installation guide lists, and let an owner accept it.",
    ]
  `);
});

test('every other no', async () => {
  installed();
  const all = [
    await problemOfAnswer(403, { message: 'Repository was archived so is read-only.' }),
    await problemOfAnswer(403, { message: 'This installation has been suspended' }),
    await problemOfAnswer(403, {
      message:
        'Although you appear to have the correct authorization credentials, the `example-org` organization has an IP allow list enabled, and 192.0.2.1 is not permitted to access this resource.',
    }),
    await problemOfAnswer(403, { message: 'Nobody expected this' }),
    await problemOfAnswer(404, { message: 'Not Found' }),
    await problemOfAnswer(409, { message: 'Git Repository is empty.' }),
    await problemOfAnswer(409, { message: 'Merge conflict' }),
    await problemOfAnswer(418, { message: 'I am a teapot' }),
    await problemOfAnswer(422, {
      message: 'Validation Failed',
      errors: [{ message: 'body is too long (maximum is 65536 characters)' }],
    }),
    await problemOfAnswer(451, { message: 'Repository access blocked' }),
  ];
  expect(all).toMatchInlineSnapshot(`
    [
      "permanent: GitHub refused to edit pull request #41 of example-org/gitops (403: Repository was archived so is read-only.). The repository is archived and nobody can change it. Unarchive it, or point Argo CD to the one that took its place.",
      "permanent: GitHub refused to edit pull request #41 of example-org/gitops (403: This installation has been suspended). The installation of the App is suspended. An owner of the organisation can take that back in its settings.",
      "permanent: GitHub refused to edit pull request #41 of example-org/gitops (403: Although you appear to have the correct authorization credentials, the \`example-org\` organization has an IP allow list enabled, and 192.0.2.1 is not permitted to access this resource.). The organisation lets in only addresses on its IP allow list. Add the address that Stepback comes from.",
      "permanent: GitHub refused to edit pull request #41 of example-org/gitops (403: Nobody expected this). The App may not do this here. Look at its permissions and at the rules of the repository.",
      "permanent: GitHub refused to edit pull request #41 of example-org/gitops (404: Not Found). It is not there, or the App may not see it: GitHub answers the same to both. Check that the App is installed on this repository and that the repository was not deleted or moved to another owner.",
      "permanent: GitHub refused to edit pull request #41 of example-org/gitops (409: Git Repository is empty.). The repository has no commit yet, so there is nothing to take back.",
      "transient: GitHub refused to edit pull request #41 of example-org/gitops (409: Merge conflict). Something changed at the same moment. Stepback looks again.",
      "permanent: GitHub refused to edit pull request #41 of example-org/gitops (418: I am a teapot). Stepback does not know this answer. Please report it with the words above.",
      "permanent: GitHub refused to edit pull request #41 of example-org/gitops (422: Validation Failed, body is too long (maximum is 65536 characters)). The text is longer than GitHub takes. Please report this: Stepback should have cut it.",
      "permanent: GitHub refused to edit pull request #41 of example-org/gitops (451: Repository access blocked). The repository is blocked for legal reasons. Only GitHub can lift that.",
    ]
  `);
});

test("what GitHub says is quoted in one line and cut: it is somebody else's text", async () => {
  installed();
  const text = await problemOfAnswer(422, { message: `line one\n\nline two ${'x'.repeat(5_000)}` });
  expect(text).toContain('line one line two xxx');
  expect(text.length).toBeLessThan(700);
});

test('answers that are no object, or have odd errors in them, are understood', async () => {
  installed();
  for (const body of [[], { message: 7 }, { errors: 'one string' }, { errors: [null, 7, {}] }]) {
    expect(await problemOfAnswer(422, body)).toMatch(/^permanent: GitHub refused to edit pull request #41/);
  }
});

test('trouble of GitHub itself passes, and its Retry-After is kept', async () => {
  installed();
  api()
    .post(`${path}/issues/7/comments`)
    .reply(503, { message: 'Service Unavailable' }, { 'retry-after': '120' });
  const error = await world()
    .forge.createComment(gitops, 7, 'Hello')
    .catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ kind: 'transient', retryAfterMs: 120_000 });
  expect(error).toMatchInlineSnapshot(
    `[WorldProblem: GitHub has trouble itself (503: Service Unavailable), so Stepback could not comment on #7 in example-org/gitops. Stepback tries again; githubstatus.com or the people who run your Enterprise Server know more.]`,
  );
});

test('no answer at all', async () => {
  installed();
  const several = Object.assign(new AggregateError([code('ECONNREFUSED'), code('ENETUNREACH')]), {
    code: undefined,
  });
  const all = [
    await problemOfFailure(code('ECONNRESET')),
    await problemOfFailure(code('ENOTFOUND')),
    await problemOfFailure(several),
    await problemOfFailure(new Error('other side closed')),
  ];
  expect(all.map((text) => text.split('. Whether')[0])).toMatchInlineSnapshot(`
    [
      "transient: Stepback could not edit pull request #41 of example-org/gitops, because it got no answer (ECONNRESET)",
      "transient: Stepback could not edit pull request #41 of example-org/gitops, because it got no answer (ENOTFOUND)",
      "transient: Stepback could not edit pull request #41 of example-org/gitops, because it got no answer (ECONNREFUSED)",
      "transient: Stepback could not edit pull request #41 of example-org/gitops, because it got no answer (other side closed)",
    ]
  `);
});

test('a certificate that is not trusted, and a proxy that wants a log-in', async () => {
  installed();
  const all = [
    await problemOfFailure(code('SELF_SIGNED_CERT_IN_CHAIN')),
    await problemOfFailure(code('CERT_HAS_EXPIRED')),
    await problemOfFailure(new Error('proxy authentication required')),
    await problemOfFailure(new Error('Proxy response (407) !== 200 when HTTP Tunneling')),
  ];
  expect(all).toMatchInlineSnapshot(`
    [
      "permanent: Stepback could not edit pull request #41 of example-org/gitops, because it does not trust the certificate of the server (SELF_SIGNED_CERT_IN_CHAIN). If your organisation has its own certificate authority, name its file in NODE_EXTRA_CA_CERTS; if the certificate has expired or names another host, whoever runs the server must renew it.",
      "permanent: Stepback could not edit pull request #41 of example-org/gitops, because it does not trust the certificate of the server (CERT_HAS_EXPIRED). If your organisation has its own certificate authority, name its file in NODE_EXTRA_CA_CERTS; if the certificate has expired or names another host, whoever runs the server must renew it.",
      "permanent: Stepback could not edit pull request #41 of example-org/gitops, because the proxy wants a log-in (407). Put user and password into the proxy address.",
      "permanent: Stepback could not edit pull request #41 of example-org/gitops, because the proxy wants a log-in (407). Put user and password into the proxy address.",
    ]
  `);
});
