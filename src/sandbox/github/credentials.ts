/**
 * Who is calling: the App with a JWT signed by its private key, or one of its installations with a token that
 * expires after an hour. https://docs.github.com/apps/creating-github-apps/authenticating-with-a-github-app
 */
import { createHash, verify } from 'node:crypto';
import { Refusal } from './http/answers.ts';
import type { AppIdentity } from './site.ts';

export type InstallationToken = {
  token: string;
  installationId: number;
  expiresAt: number;
  /** Undefined: all that the installation covers. */
  repositoryIds: number[] | undefined;
  permissions: Record<string, string> | undefined;
};

const JWT_SECONDS_MAX = 600;
/** GitHub lets clocks differ by about a minute. */
const SKEW_SECONDS = 60;

/** The tokens that are out. */
export class Credentials {
  /** Milliseconds an installation token lives. */
  lifetimeMs = 3_600_000;
  readonly #tokens = new Map<string, InstallationToken>();

  /** Makes a token for an installation. `now` is in milliseconds. */
  issue(now: number, token: Omit<InstallationToken, 'token' | 'expiresAt'>): InstallationToken {
    const secret = createHash('sha256')
      .update(`${this.#tokens.size} ${now}`)
      .digest('base64url')
      .slice(0, 36);
    const issued = {
      ...token,
      token: `ghs_${secret.replace(/[-_]/g, '0')}`,
      expiresAt: now + this.lifetimeMs,
    };
    this.#tokens.set(issued.token, issued);
    return issued;
  }

  /** The token behind this secret. Throws 401 "Bad credentials" when there is none or it expired. */
  find(secret: string, now: number): InstallationToken {
    const token = this.#tokens.get(secret);
    if (token === undefined || token.expiresAt <= now) throw new Refusal(401, 'Bad credentials');
    return token;
  }

  /** Makes every token of an installation worthless, or all tokens there are. */
  revoke(installationId?: number): void {
    for (const [secret, token] of this.#tokens) {
      if (installationId === undefined || token.installationId === installationId)
        this.#tokens.delete(secret);
    }
  }
}

/** True when a secret has the form of a JWT; GitHub tells the two apart the same way. */
export function looksLikeJwt(secret: string): boolean {
  return secret.split('.').length === 3;
}

/**
 * Checks the App's JWT: RS256 with its key, issued by it, not expired, at most ten minutes long.
 * Throws the 401s that GitHub answers; Octokit knows two of them by their words and corrects its clock.
 */
export function checkJwt(jwt: string, app: AppIdentity, nowMs: number): void {
  const [header, payload, signature] = jwt.split('.') as [string, string, string];
  const claims = parse(payload);
  const signed =
    parse(header).alg === 'RS256' &&
    verify(
      'RSA-SHA256',
      Buffer.from(`${header}.${payload}`),
      app.publicKey,
      Buffer.from(signature, 'base64url'),
    );
  if (!signed) throw new Refusal(401, 'A JSON web token could not be decoded');
  if (String(claims.iss) !== String(app.id) && claims.iss !== app.clientId) {
    throw new Refusal(401, "'Issuer' claim ('iss') must be an Integer");
  }
  const now = nowMs / 1000;
  const { iat, exp } = claims as { iat: unknown; exp: unknown };
  if (typeof exp !== 'number' || exp <= now) {
    throw new Refusal(
      401,
      "'Expiration time' claim ('exp') must be a numeric value representing the future time at which the assertion expires",
    );
  }
  if (typeof iat !== 'number' || iat > now + SKEW_SECONDS) {
    throw new Refusal(
      401,
      "'Issued at' claim ('iat') must be an Integer representing the time that the assertion was issued",
    );
  }
  if (exp - now > JWT_SECONDS_MAX + SKEW_SECONDS) {
    throw new Refusal(401, "'Expiration time' claim ('exp') is too far in the future");
  }
}

function parse(part: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    throw new Refusal(401, 'A JSON web token could not be decoded');
  }
}
