/**
 * What stands behind the name of a command: durations, stages and Applications, commits and pull requests. People type
 * it on a phone, so spelling is forgiven and meaning is not: what could mean two things is a fault, and says what is
 * expected.
 */

/** What a sync or a snooze is about. A stage has a number, counted from 1, or a name, such as `staging`. */
export type Place =
  | { kind: 'stage'; stage: number | string }
  | { kind: 'application'; name: string }
  /** A stage or an Application: whoever knows the ApplicationSet can tell. */
  | { kind: 'either'; name: string };

/** What a revert takes back; `repository` is `host/owner/name` in lower case when somebody pasted an address. */
export type RevertTarget =
  /** 7 to 40 digits, in lower case. */
  | { kind: 'commit'; sha: string; repository: string | null }
  | { kind: 'pull-request'; number: number; repository: string | null }
  /** Whatever made this ApplicationSet fail; `name` or `namespace/name`. */
  | { kind: 'application-set'; name: string };

export type Expected = 'place' | 'duration' | 'reason' | 'revert-target';

/** Why the words behind the name of a command mean nothing. */
export type ArgumentProblem =
  | { kind: 'missing'; expected: Expected }
  | { kind: 'not-one'; expected: Expected; word: string }
  /** One word more than the command takes. */
  | { kind: 'unexpected'; word: string }
  | { kind: 'too-short' | 'too-long'; word: string; limitMs: number };

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

const unitsMs: Readonly<Record<string, number>> = { m: minuteMs, h: hourMs, d: dayMs, w: 7 * dayMs };

/** What people add out of courtesy or haste; it changes nothing at the end of a command. */
const courtesies = new Set(
  'please pls plz now asap immediately thanks thank thx you this it that again'.split(' '),
);

/** A name of Kubernetes or of a stage, with the namespace before it or not. */
const name = /^[a-z0-9](?:[a-z0-9._-]{0,251}[a-z0-9])?(?:\/[a-z0-9](?:[a-z0-9._-]{0,251}[a-z0-9])?)?$/i;
const commit = /^[0-9a-f]{7,40}$/i;
const pullRequest = /^(?:#(\d{1,9})|(\d{1,6}))$/;
const address =
  /^https?:\/\/([a-z0-9.:-]{1,255}\/[\w.-]{1,100}\/[\w.-]{1,100})\/(?:pull\/(\d{1,9})|commits?\/([0-9a-f]{7,40}))(?:[/?#]\S{0,1000})?$/i;
const durationText = /^(?:\d{1,6}[a-z]{1,7})+$/;
const durationPart = /(\d{1,6})([a-z]{1,7})/g;

/** The words of a line, without the backticks and brackets that people copy with them, without courtesies at the end. */
export function wordsOf(text: string): readonly string[] {
  const words = text.split(/\s+/).flatMap((word) => {
    const [, inner] = /^`+([^`]+)`+$/.exec(word) ?? [];
    return word === '' ? [] : [inner ?? word];
  });
  return words.slice(0, words.findLastIndex((word) => !isCourtesy(word)) + 1);
}

function isCourtesy(word: string): boolean {
  return courtesies.has(inLowerCase(word).replace(/[.,!]{1,3}$/, ''));
}

/** Lower case of the letters a to z alone: `K` for kelvin is not a k. */
export function inLowerCase(word: string): string {
  return word.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/** A commit, a pull request or an ApplicationSet; null when the word can be none of them. */
export function readRevertTarget(word: string): RevertTarget | null {
  const [, typedNumber, shortNumber] = pullRequest.exec(word) ?? [];
  const number = Number(typedNumber ?? shortNumber ?? 0);
  if (number > 0) return { kind: 'pull-request', number, repository: null };
  if (commit.test(word)) return { kind: 'commit', sha: inLowerCase(word), repository: null };
  const [, path, linkedNumber, linkedSha] = address.exec(word) ?? [];
  const repository = path === undefined ? null : inLowerCase(path);
  if (Number(linkedNumber) > 0) return { kind: 'pull-request', number: Number(linkedNumber), repository };
  if (linkedSha !== undefined) return { kind: 'commit', sha: inLowerCase(linkedSha), repository };
  return name.test(word) && !/^\d+$/.test(word) ? { kind: 'application-set', name: word } : null;
}

/** `2`, `stage 2`, `staging`, `stage staging`, `payments-prod-2`, `application payments-prod-2`; and the words left. */
export function readPlace(
  words: readonly string[],
): { place: Place; rest: readonly string[] } | ArgumentProblem {
  const [first = '', second] = words;
  if (first === '') return { kind: 'missing', expected: 'place' };
  const keyword = inLowerCase(first);
  const isStage = keyword === 'stage' || keyword === 'step';
  const isApplication = keyword === 'application' || keyword === 'app';
  if ((isStage || isApplication) && second === undefined) return { kind: 'missing', expected: 'place' };
  const word = isStage || isApplication ? (second ?? '') : first;
  if (!name.test(word)) return { kind: 'not-one', expected: 'place', word };
  const rest = words.slice(isStage || isApplication ? 2 : 1);
  if (isApplication) return { place: { kind: 'application', name: word }, rest };
  const isNumber = /^[1-9]\d{0,3}$/.test(word);
  if (isNumber) return { place: { kind: 'stage', stage: Number(word) }, rest };
  return { place: isStage ? { kind: 'stage', stage: word } : { kind: 'either', name: word }, rest };
}

/** Milliseconds, from `30m`, `2h`, `1d`, `1h30m`, `2 hours`. The limits are part of what may be. */
export function readDuration(
  words: readonly string[],
  { minMs, maxMs }: { minMs: number; maxMs: number },
): number | ArgumentProblem {
  const typed = words.filter((word) => inLowerCase(word) !== 'for');
  const word = typed.join(' ');
  if (word === '') return { kind: 'missing', expected: 'duration' };
  const text = inLowerCase(typed.join(''));
  const lengthMs = text.length <= 40 && durationText.test(text) ? sumOf(text) : null;
  if (lengthMs === null) return { kind: 'not-one', expected: 'duration', word };
  if (lengthMs < minMs) return { kind: 'too-short', word, limitMs: minMs };
  if (lengthMs > maxMs) return { kind: 'too-long', word, limitMs: maxMs };
  return lengthMs;
}

/** Null when a unit is not known, or comes twice. */
function sumOf(text: string): number | null {
  const seen = new Set<string>();
  let sumMs = 0;
  for (const [, number, unitText = ''] of text.matchAll(durationPart)) {
    const unit = unitOf(unitText);
    if (unit === null || seen.has(unit)) return null;
    seen.add(unit);
    sumMs += Number(number) * (unitsMs[unit] ?? 0);
  }
  return sumMs;
}

function unitOf(text: string): string | null {
  if (/^(?:m|mins?|minutes?)$/.test(text)) return 'm';
  if (/^(?:h|hrs?|hours?)$/.test(text)) return 'h';
  if (/^(?:d|days?)$/.test(text)) return 'd';
  return /^(?:w|weeks?)$/.test(text) ? 'w' : null;
}

/** What `readDuration` reads, in the largest units: `1d12h`. `lengthMs` is of whole minutes. */
export function printDuration(lengthMs: number): string {
  const days = Math.floor(lengthMs / dayMs);
  const hours = Math.floor((lengthMs % dayMs) / hourMs);
  const minutes = Math.floor((lengthMs % hourMs) / minuteMs);
  const parts = [days > 0 ? `${days}d` : '', hours > 0 ? `${hours}h` : '', minutes > 0 ? `${minutes}m` : ''];
  return parts.join('');
}

/** What `readPlace` reads. */
export function printPlace(place: Place): string {
  if (place.kind === 'stage') return `stage ${place.stage}`;
  return place.kind === 'application' ? `application ${place.name}` : place.name;
}

/** What `readRevertTarget` reads. */
export function printRevertTarget(target: RevertTarget): string {
  switch (target.kind) {
    case 'application-set':
      return target.name;
    case 'commit':
      return target.repository === null ? target.sha : `https://${target.repository}/commit/${target.sha}`;
    case 'pull-request':
      return target.repository === null
        ? `#${target.number}`
        : `https://${target.repository}/pull/${target.number}`;
  }
}
