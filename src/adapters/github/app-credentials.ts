/**
 * Credentials of the App: a JWT signed with its private key for the App itself, and from it a token for an
 * installation, renewed before it ends. The key is read anew for every JWT, so it can be rotated while we run.
 * auth-app only signs the JWT: it would remember installation tokens by installation number alone, which two
 * servers can share, and for an hour whatever the server says.
 * https://docs.github.com/apps/creating-github-apps/authenticating-with-a-github-app
 */
import { createPrivateKey } from 'node:crypto';
import { createAppAuth } from '@octokit/auth-app';
import type { Octokit } from '@octokit/rest';
import { type Clock, WorldProblem } from '../../ports.ts';
import type { Authorize } from './octokit.ts';

export interface AppKey {
  /** The App's number or its client id. */
  appId: string;
  /** PEM, as GitHub gives it out or with `\n` for its line ends. Called for every JWT. */
  privateKey: () => string;
}

/** A JWT lives ten minutes and is used for less; an installation token lives an hour. */
const jwtUsedMs = 8 * 60_000;
const renewBeforeMs = 5 * 60_000;

/**
 * Credentials of the App itself. Throws a permanent WorldProblem when the key cannot be read. Learns the difference
 * between the two clocks from a refused JWT.
 */
export function authorizeApp(key: AppKey, clock: Clock): Authorize {
  let token: { text: string; madeAt: number; pem: string } | null = null;
  let skewMs = 0;
  return async (refused) => {
    if (refused?.date != null) skewMs = (Date.parse(refused.date) || clock.now()) - clock.now();
    const pem = readKey(key);
    const age = token === null ? Number.POSITIVE_INFINITY : clock.now() - token.madeAt;
    if (token === null || token.pem !== pem || refused !== null || age > jwtUsedMs) {
      // Octokit signs by the machine's clock, which need not be ours, plus this difference.
      const timeDifference = Math.round((clock.now() + skewMs - Date.now()) / 1000);
      const auth = createAppAuth({ appId: key.appId, privateKey: pem, timeDifference });
      const { token: text } = await auth({ type: 'app' });
      token = { text, madeAt: clock.now(), pem };
    }
    return `bearer ${token.text}`;
  };
}

/** Credentials of one installation. `app` speaks as the App. Throws what the App is refused. */
export function authorizeInstallation(app: Octokit, installationId: number, clock: Clock): Authorize {
  let token: { text: string; expiresAt: number } | null = null;
  let asking: Promise<string> | null = null;

  async function ask(): Promise<string> {
    const { data } = await app.request('POST /app/installations/{installation_id}/access_tokens', {
      installation_id: installationId,
    });
    token = { text: data.token, expiresAt: Date.parse(data.expires_at) };
    return data.token;
  }

  return async (refused) => {
    if (refused !== null) token = null;
    if (token !== null && token.expiresAt - renewBeforeMs > clock.now()) return `token ${token.text}`;
    asking ??= ask().finally(() => {
      asking = null;
    });
    return `token ${await asking}`;
  };
}

/** The PEM, checked. Throws a permanent WorldProblem that says nothing of the key but that it is unreadable. */
export function readKey(key: AppKey): string {
  const pem = key.privateKey().replaceAll('\\n', '\n').trim();
  try {
    if (createPrivateKey(pem).asymmetricKeyType === 'rsa') return pem;
  } catch {
    // The library's words are of no use to people, and quoting a key would be worse.
  }
  throw new WorldProblem(
    'permanent',
    `The private key of GitHub App ${key.appId} cannot be read. It must be the whole PEM file that GitHub gave out, ` +
      'from "-----BEGIN RSA PRIVATE KEY-----" to the END line. Download a new one on the settings page of the App.',
  );
}
