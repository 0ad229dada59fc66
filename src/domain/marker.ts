/**
 * The machine-readable line in what Stepback writes on GitHub: it finds its own words again after a restart.
 * A marker counts only in a text whose author is this App; one that somebody else typed is not ours. Printer
 * and parser stand together so that they cannot drift apart.
 */
import { type Memo, readMemo } from './memo.ts';

export interface Marker {
  /** What the text is: a pull request body, the comment on a culprit, a notice, the reply to commands. */
  kind: 'revert' | 'culprit' | 'notice' | 'reply';
  instance: string;
  /** The incident's id; of a reply that of the letter. */
  incident: string;
}

const kinds: readonly Marker['kind'][] = ['revert', 'culprit', 'notice', 'reply'];

const pattern = /<!-- stepback:v1 ([A-Za-z0-9+/=_-]{1,40000}) -->/;

/** One HTML comment, invisible to readers, safe whatever the values hold. `memo`: what is to be found with it. */
export function printMarker({ kind, instance, incident }: Marker, memo: Memo | null = null): string {
  const parts = [kind, instance, incident, ...(memo === null ? [] : [memo])];
  return `<!-- stepback:v1 ${toBase64(JSON.stringify(parts))} -->`;
}

/** The first marker in a text, or null when there is none that can be read. Never throws. */
export function parseMarker(text: string): Marker | null {
  const [written, instance, incident] = partsOf(text);
  const kind = kinds.find((known) => known === written);
  if (kind === undefined || typeof instance !== 'string' || typeof incident !== 'string') return null;
  return { kind, instance, incident };
}

/** What the first marker in a text holds besides; null when that is nothing. Never throws. */
export function parseMemo(text: string): Memo | null {
  return readMemo(partsOf(text)[3]);
}

function partsOf(text: string): readonly unknown[] {
  const encoded = pattern.exec(text)?.[1];
  if (encoded === undefined) return [];
  try {
    const value: unknown = JSON.parse(fromBase64(encoded));
    return Array.isArray(value) && value.length <= 4 ? value : [];
  } catch {
    return [];
  }
}

function toBase64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}

function fromBase64(encoded: string): string {
  return new TextDecoder('utf-8', { fatal: true }).decode(
    Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0)),
  );
}
