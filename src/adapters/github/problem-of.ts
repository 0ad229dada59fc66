/**
 * What goes wrong between us and GitHub, in sentences: what happened, what it means, what to do. Transient means
 * that looking again may help; permanent means that somebody has to do something first. Limits do not come here,
 * the gate has turned them into problems already. What is no fault of the world is a fault of ours and stays as it is.
 */
import { WorldProblem } from '../../ports.ts';
import { type Refusal, refusalOf } from './refusal.ts';

const quoteLengthMax = 300;

const certificateCodes = new Set([
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'CERT_HAS_EXPIRED',
  'CERT_UNTRUSTED',
  'ERR_TLS_CERT_ALTNAME_INVALID',
]);

/**
 * The WorldProblem of anything that was thrown while we were `doing` something ("open a pull request in o/r").
 * A WorldProblem comes back as it is, and so does an error of our own.
 */
export function problemOf(error: unknown, doing: string): unknown {
  const refusal = refusalOf(error);
  if (refusal !== null) return problemOfRefusal(refusal, doing, error);
  return isNetworkError(error) ? problemOfNetwork(error, doing) : error;
}

function problemOfRefusal(refusal: Refusal, doing: string, cause: unknown): WorldProblem {
  const said = quoted(refusal);
  if (refusal.status >= 500) {
    const retryAfterMs = Number(refusal.headers['retry-after']) * 1000 || undefined;
    return new WorldProblem(
      'transient',
      `GitHub has trouble itself (${refusal.status}${said}), so Stepback could not ${doing}. ` +
        'Stepback tries again; githubstatus.com or the people who run your Enterprise Server know more.',
      { cause, retryAfterMs },
    );
  }
  const { kind, advice } = adviceFor(refusal);
  return new WorldProblem(kind, `GitHub refused to ${doing} (${refusal.status}${said}). ${advice}`, {
    cause,
  });
}

interface Advice {
  kind: 'transient' | 'permanent';
  advice: string;
}

function adviceFor(refusal: Refusal): Advice {
  switch (refusal.status) {
    case 401:
      return permanent(
        'It does not accept the credentials: the private key is not one of this App, it was revoked, or the clock ' +
          'of this machine is wrong. Make a new key on the settings page of the App and give it to Stepback.',
      );
    case 403:
      return adviceForForbidden(refusal);
    case 404:
      return adviceForNotFound(refusal);
    case 409:
      return hasWords(refusal, /Repository is empty/i)
        ? permanent('The repository has no commit yet, so there is nothing to take back.')
        : transient('Something changed at the same moment. Stepback looks again.');
    case 410:
      return permanent(
        'What it is about was deleted, or issues are switched off in the repository. Nothing has to be done.',
      );
    case 422:
      return adviceForInvalid(refusal);
    case 451:
      return permanent('The repository is blocked for legal reasons. Only GitHub can lift that.');
    default:
      return refusal.status === 408 || refusal.status === 425
        ? transient('Stepback tries again.')
        : permanent('Stepback does not know this answer. Please report it with the words above.');
  }
}

function adviceForForbidden(refusal: Refusal): Advice {
  if (hasWords(refusal, /archived/i)) {
    return permanent(
      'The repository is archived and nobody can change it. Unarchive it, or point Argo CD to the one that took its place.',
    );
  }
  if (hasWords(refusal, /suspended/i)) {
    return permanent(
      'The installation of the App is suspended. An owner of the organisation can take that back in its settings.',
    );
  }
  if (hasWords(refusal, /is locked/i)) {
    return permanent(
      'The conversation is locked. Unlock it, or read in the pull request of the revert what Stepback has to say.',
    );
  }
  if (hasWords(refusal, /IP allow list/i)) {
    return permanent(
      'The organisation lets in only addresses on its IP allow list. Add the address that Stepback comes from.',
    );
  }
  if (hasWords(refusal, /larger than|up to 100 ?MB|too large/i)) {
    return permanent(
      'The file is larger than the API serves (100 MB). Take the change back with git by hand.',
    );
  }
  if (hasWords(refusal, /not accessible by integration/i)) {
    return permanent(lackOf(permissionsNeeded(refusal)));
  }
  return permanent(
    'The App may not do this here. Look at its permissions and at the rules of the repository.',
  );
}

/** GitHub names what it would accept: `contents=write,workflows=write; …`, alternatives apart by semicolons. */
function permissionsNeeded(refusal: Refusal): string {
  const header = refusal.headers['x-accepted-github-permissions'] ?? '';
  return header
    .split(';')
    .map((alternative) =>
      alternative
        .split(',')
        .map((item) => item.trim().replace('=', ': '))
        .join(' and '),
    )
    .filter((alternative) => /^[a-z_: ]+$/.test(alternative))
    .join(', or ');
}

function lackOf(needed: string): string {
  return needed === ''
    ? 'The App lacks a permission. Grant what the installation guide lists, and let an owner accept it.'
    : `The App lacks the permission ${needed}. Add it on the settings page of the App, and let an owner of the ` +
        'organisation accept it.';
}

function adviceForNotFound(refusal: Refusal): Advice {
  if (hasWords(refusal, /Integration not found/i)) {
    return permanent(
      'There is no App with this id on this server. Check the App id and the API address; the key belongs to one App.',
    );
  }
  return permanent(
    'It is not there, or the App may not see it: GitHub answers the same to both. Check that the App is installed ' +
      'on this repository and that the repository was not deleted or moved to another owner.',
  );
}

function adviceForInvalid(refusal: Refusal): Advice {
  if (hasWords(refusal, /rule violations?|protected branch|restricted/i)) {
    return permanent(
      'A rule of the repository forbids it. Let the App bypass that rule, or let it match other branches than ' +
        'those of Stepback.',
    );
  }
  if (hasWords(refusal, /too long/i)) {
    return permanent(
      'The text is longer than GitHub takes. Please report this: Stepback should have cut it.',
    );
  }
  return permanent('It finds the request invalid. Please report this with the words above.');
}

function problemOfNetwork(error: Error, doing: string): WorldProblem {
  const code = codeOf(error);
  const said = code === '' ? cut(error.message) : code;
  if (certificateCodes.has(code)) {
    return new WorldProblem(
      'permanent',
      `Stepback could not ${doing}, because it does not trust the certificate of the server (${said}). If your ` +
        'organisation has its own certificate authority, name its file in NODE_EXTRA_CA_CERTS; if the certificate ' +
        'has expired or names another host, whoever runs the server must renew it.',
      { cause: error },
    );
  }
  if (/proxy response \(407\)|proxy authentication required/i.test(allMessages(error))) {
    return new WorldProblem(
      'permanent',
      `Stepback could not ${doing}, because the proxy wants a log-in (407). Put user and password into the proxy address.`,
      { cause: error },
    );
  }
  return new WorldProblem(
    'transient',
    `Stepback could not ${doing}, because it got no answer (${said}). Whether GitHub did it is not known, so Stepback ` +
      'looks before it tries again. If this stays so, check the network, the proxy and the API address.',
    { cause: error },
  );
}

/** Octokit gives network errors a status of 500 and no response; `fetch` throws a TypeError with the cause inside. */
function isNetworkError(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  return error.name === 'HttpError' || error.name === 'AbortError' || error.name === 'TimeoutError';
}

function codeOf(error: Error): string {
  let inner: unknown = error;
  for (let depth = 0; inner instanceof Error && depth < 5; depth += 1) {
    if ('code' in inner && typeof inner.code === 'string') return inner.code;
    if (inner.name === 'TimeoutError') return 'timed out';
    // Several addresses were tried: the first error is as good as any.
    inner = inner instanceof AggregateError && inner.cause === undefined ? inner.errors[0] : inner.cause;
  }
  return '';
}

function allMessages(error: Error): string {
  const messages: string[] = [];
  let inner: unknown = error;
  for (let depth = 0; inner instanceof Error && depth < 5; depth += 1) {
    messages.push(inner.message);
    inner = inner.cause;
  }
  return messages.join('\n');
}

function quoted(refusal: Refusal): string {
  return refusal.messages.length === 0 ? '' : `: ${cut([...new Set(refusal.messages)].join(', '))}`;
}

function cut(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > quoteLengthMax ? `${line.slice(0, quoteLengthMax)}…` : line;
}

function hasWords(refusal: Refusal, words: RegExp): boolean {
  return refusal.messages.some((message) => words.test(message));
}

function transient(advice: string): Advice {
  return { kind: 'transient', advice };
}

function permanent(advice: string): Advice {
  return { kind: 'permanent', advice };
}
