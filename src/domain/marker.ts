/**
 * The machine-readable line in what Stepback writes on GitHub: it finds its own words again after a restart.
 * A marker counts only in a text whose author is this App; one that somebody else typed is not ours. Printer
 * and parser stand together so that they cannot drift apart.
 */

export interface Marker {
  /** What the text is: a pull request body, the comment on a culprit, a notice, the reply to commands. */
  kind: 'revert' | 'culprit' | 'notice' | 'reply';
  instance: string;
  /** The incident's id; of a reply that of the letter. */
  incident: string;
}

const kinds: readonly Marker['kind'][] = ['revert', 'culprit', 'notice', 'reply'];

const pattern = /<!-- stepback:v1 ([A-Za-z0-9+/=_-]{1,2000}) -->/;

/** One HTML comment, invisible to readers, safe whatever the values hold. */
export function printMarker(marker: Marker): string {
  return `<!-- stepback:v1 ${toBase64(JSON.stringify([marker.kind, marker.instance, marker.incident]))} -->`;
}

/** The first marker in a text, or null when there is none that can be read. Never throws. */
export function parseMarker(text: string): Marker | null {
  const encoded = pattern.exec(text)?.[1];
  if (encoded === undefined) return null;
  try {
    const value: unknown = JSON.parse(fromBase64(encoded));
    if (!Array.isArray(value) || value.length !== 3 || !value.every((part) => typeof part === 'string'))
      return null;
    const [written, instance, incident] = value as [string, string, string];
    const kind = kinds.find((known) => known === written);
    return kind === undefined ? null : { kind, instance, incident };
  } catch {
    return null;
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
