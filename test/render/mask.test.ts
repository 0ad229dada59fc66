import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maskSecrets } from '../../src/render/mask.ts';
import { codeSpan } from '../../src/render/safe.ts';

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const secretOf = (length: number): fc.Arbitrary<string> =>
  fc.array(fc.constantFrom(...letters), { minLength: length, maxLength: length }).map((all) => all.join(''));

/** How a secret of 24 letters and digits comes along in messages. */
const carriers: Readonly<Record<string, (secret: string) => string>> = {
  'password of an address': (secret) => `failed to fetch https://bot:${secret}@git.acme.example/x.git`,
  'user of an address': (secret) => `failed to fetch https://${secret}@git.acme.example/x.git: denied`,
  'address with an at sign in the password': (secret) => `postgres://app:p@${secret}@db:5432/x`,
  'bearer header': (secret) => `Authorization: Bearer ${secret}`,
  'bearer alone': (secret) => `got 401 with bearer ${secret}`,
  'basic header': (secret) => `authorization=Basic ${secret}==, retried`,
  assignment: (secret) => `exec: DB_PASSWORD=${secret} failed`,
  'assignment in quotes': (secret) => `--token="${secret} and more" was refused`,
  'JSON field': (secret) => `{"clientSecret":"${secret}"}`,
  'escaped JSON field': (secret) => `patch: {\\"api_key\\":\\"${secret}\\"}`,
  'YAML field': (secret) => `apiKey: ${secret}\nother: x`,
  'query of an address': (secret) => `GET https://x.blob.acme.example/a?sv=1&sig=${secret}&x=1`,
  'GitHub token': (secret) => `remote: ghp_${secret}`,
  'GitHub App token': (secret) => `x-access-token:ghs_${secret}`,
  'fine-grained token': (secret) => `github_pat_${secret}_${secret}`,
  'GitLab token': (secret) => `glpat-${secret}`,
  'AWS key': (secret) => `AKIA${secret.slice(0, 16).toUpperCase()}`,
  'AWS secret': (secret) => `aws_secret_access_key = ${secret}/${secret}`,
  'JSON web token': (secret) => `token eyJhbGciOiJI.eyJ${secret}.${secret}`,
  'private key': (secret) =>
    `-----BEGIN RSA PRIVATE KEY-----\n${secret}\n${secret}\n-----END RSA PRIVATE KEY-----`,
  'private key cut off': (secret) => `-----BEGIN OPENSSH PRIVATE KEY-----\n${secret}\n${secret}`,
  'data of a Secret in JSON': (secret) => `{"kind":"Secret","data":{"user":"${secret}","x":"${secret}"}}`,
  'data of a Secret in YAML': (secret) =>
    `kind: Secret\ndata:\n  user: ${secret}\n  other: ${secret}\nmetadata: x`,
  'base64 with padding': (secret) => `Invalid value: "${secret}=="`,
  'Slack hook': (secret) => `https://hooks.slack.com/services/T0/B0/${secret}`,
};

describe('a secret', () => {
  for (const [name, carry] of Object.entries(carriers)) {
    it(`is masked as ${name}`, () => {
      fc.assert(
        fc.property(secretOf(24), fc.constantFrom('', 'rpc error: ', 'x '), (secret, before) => {
          const masked = maskSecrets(before + carry(secret));
          expect(masked).toContain('[masked]');
          expect(masked.toLowerCase()).not.toContain(secret.slice(4, 16).toLowerCase());
        }),
        { numRuns: 30 },
      );
    });
  }

  it('is not given away by characters that nobody sees, by line breaks or by being cut', () => {
    expect(codeSpan('pass\u200bword=hunter2')).toBe('`password=[masked]`');
    expect(codeSpan('password:\n  hunter2')).toBe('`password: [masked]`');
    expect(codeSpan(`${'x'.repeat(30)} password=hunter2`, { max: 43 })).not.toContain('hunter');
    expect(codeSpan(`${' '.repeat(65_530)}ghp_abcdefghijklmnopqrstuvwxyz`)).toBe('(empty)');
  });
});

describe('what is no secret', () => {
  it('stays, because people need it', () => {
    const messages = [
      'Deployment payments: back-off 20s restarting failed container',
      'Failed to load target state: failed to generate manifest for source 1 of 1: rpc error: code = FailedPrecondition desc = Failed to unmarshal "config.json": unexpected EOF',
      'Failed to load live state: failed to get cluster info for "https://prod-2.k8s.acme.example:6443": error synchronizing cache state : failed to get server version: the server has asked for the client to provide credentials',
      'Sync operation blocked by sync window',
      'waiting for completion of hook batch/Job/catalog-migrate',
      'ConfigMap invoices: cannot reach the ledger',
      'Caused by ConfigMap:dev-1/cart',
      'secret "db" not found',
      'secretName: db-credentials is not there',
      'image sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08 not found',
      'ssh://git@github.com/acme/payments.git: repository not found',
      'd2bf318c0e1a4f5b6c7d8e9f0a1b2c3d4e5f6a7b is not in the repository',
      'bearer token required',
      'https://github.com/Acme-Corporation/Deployments2/blob/main/apps/Payments/overlays/Prod3/kustomization.yaml',
    ];
    expect(messages.map(maskSecrets)).toEqual(messages);
  });
});

describe('masking', () => {
  it('comes to an end soon for whatever text', () => {
    const parts = [
      'password',
      'eyJ',
      '-----BEGIN ',
      'PRIVATE KEY',
      'data:{',
      'a'.repeat(50),
      '\\"',
      '://',
      '@',
      '= ',
      'A1',
      '\n ',
    ];
    for (const part of parts)
      expect(typeof codeSpan(part.repeat(Math.ceil(200_000 / part.length)))).toBe('string');
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...parts), { maxLength: 2_000 }), (all) => {
        expect(maskSecrets(all.join(''))).toBeTypeOf('string');
      }),
      { numRuns: 20 },
    );
  });
});
