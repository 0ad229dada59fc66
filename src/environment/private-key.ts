/**
 * The private key of the App. GitHub gives it out as a PEM file; what arrives in a variable has often lost its line
 * ends on the way, or was put into base64 to keep them.
 */
import { createPrivateKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Reader } from './reader.ts';

const isNoKey =
  'is no RSA private key, so Stepback cannot sign in at GitHub. Give the whole PEM file that GitHub made, from "-----BEGIN RSA PRIVATE KEY-----" to the END line: as it is, with \\n for its line ends, or in base64.';

/** Gives the key as PEM each time it is called; of a file always what it holds now. */
export function readPrivateKey(reader: Reader): () => string {
  const written = reader.text('PRIVATE_KEY');
  const path = reader.text('PRIVATE_KEY_PATH');
  if (written !== null && path !== null) {
    reader.fault(
      'PRIVATE_KEY and PRIVATE_KEY_PATH are both set, and Stepback does not guess which one is right. Unset one of them.',
    );
    return () => '';
  }
  if (path !== null) return readKeyFile(reader, path);
  if (written === null) {
    reader.fault(
      'PRIVATE_KEY and PRIVATE_KEY_PATH are not set, so Stepback cannot sign in at GitHub. Make a private key on the settings page of the App, and name its file in PRIVATE_KEY_PATH.',
    );
    return () => '';
  }
  const pem = pemOf(written);
  if (pem === null) reader.fault(`PRIVATE_KEY ${isNoKey}`);
  return () => pem ?? '';
}

function readKeyFile(reader: Reader, path: string): () => string {
  let last: string | null = null;
  try {
    last = pemOf(readFileSync(path, 'utf8'));
    if (last === null) reader.fault(`The file ${path} that PRIVATE_KEY_PATH names ${isNoKey}`);
  } catch (error) {
    reader.fault(
      `PRIVATE_KEY_PATH names ${path}, which cannot be read (${codeOf(error)}). Check the path, and that the user whom Stepback runs as may read it.`,
    );
  }
  return () => {
    try {
      // While the file is being replaced it may be missing or half written: the key before it still stands.
      last = pemOf(readFileSync(path, 'utf8')) ?? last;
    } catch {
      return last ?? '';
    }
    return last ?? '';
  };
}

/** The key as PEM, however it was squeezed into a line; null when it is no RSA key. */
function pemOf(written: string): string | null {
  const bare = written
    .trim()
    .replace(/^(["'])(.*)\1$/s, '$2')
    .replaceAll('\\r', '')
    .replaceAll('\\n', '\n');
  const decoded = Buffer.from(bare, 'base64').toString();
  return [bare, withLineEnds(bare), decoded].find(isRsaKey) ?? null;
}

/** Some pages for secrets turn line ends into blanks. */
function withLineEnds(bare: string): string {
  return bare.replace(
    /^(-----BEGIN [A-Z ]+-----)([^-]*)(-----END [A-Z ]+-----)$/,
    (_, head: string, body: string, tail: string) =>
      `${head}\n${body.trim().replace(/\s+/g, '\n')}\n${tail}\n`,
  );
}

function isRsaKey(pem: string): boolean {
  try {
    return createPrivateKey(pem).asymmetricKeyType === 'rsa';
  } catch {
    // The library's words are of no use to people, and quoting a key would be worse.
    return false;
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}
