/**
 * The brakes: what keeps Stepback from opening a revert although a failure and its culprit are known. People stop it, or
 * act themselves; too much happens at once, or too long ago; the cause is somewhere else. Facts in, the first brake that
 * holds out; none of it looks anything up.
 */
import type { Incident, Obstacle, Suspect } from './incident.ts';
import type { BranchHead } from './look.ts';
import { isWanted } from './wish.ts';

/** What a limit of reverts is for. */
export type LimitScope = 'repository' | 'application-set' | 'installation';

export type Brake =
  /** `issue` null: the installation's own setting. */
  | { kind: 'stopped'; issue: number | null; by: string | null }
  /** `until`: when the oldest of those that count is a day old; null when none is allowed at all. */
  | { kind: 'limit-reached'; scope: LimitScope; name: string; max: number; until: number | null }
  | { kind: 'failure-too-old'; since: number; maxMs: number }
  | { kind: 'culprit-too-old'; sha: string; landedAt: number; maxMs: number }
  /** A person is at it: their pull request takes a suspect back. */
  | ({ kind: 'human-revert-open' } & HumanRevert)
  /** A revert of ours for this change, which a person closed. */
  | { kind: 'abandoned'; number: number }
  /** It brings back what had been taken back. */
  | { kind: 'revert-of-revert'; sha: string; subject: string }
  | { kind: 'opted-out'; sha: string; by: 'label' | 'trailer'; name: string }
  /** On these destinations Applications fail that the change does not touch. */
  | { kind: 'storm'; destinations: readonly string[]; others: readonly string[] }
  /** A newer commit that changes what fails landed; first it is seen whether it works. */
  | { kind: 'newer-commit'; sha: string };

export interface HumanRevert {
  number: number;
  author: string;
  /** What its branch held when it was last compared; absent in incidents of an earlier version. */
  headSha?: string;
  /** Nobody says so: what it holds does. */
  isByContent?: boolean;
}

/** The kinds that a person who asks for this one revert overrules. */
const overruled: ReadonlySet<Brake['kind']> = new Set([
  'limit-reached',
  'failure-too-old',
  'culprit-too-old',
  'abandoned',
  'revert-of-revert',
  'storm',
  'newer-commit',
] as const);

export interface BrakeFacts {
  now: number;
  stop: { issue: number | null; by: string | null } | null;
  /** The newest revert of ours from the incident's branch that a person closed without merging it; null for none. */
  abandoned: number | null;
  /** Somebody else's open pull request that takes a suspect back; null for none. */
  humanRevert: HumanRevert | null;
  /** Labels of the pull request that brought a suspect in, by the suspect. */
  labels: ReadonlyMap<string, readonly string[]>;
  optOutLabels: readonly string[];
  optOutTrailers: readonly string[];
  failureAgeMsMax: number;
  culpritAgeMsMax: number;
  limit: Extract<Brake, { kind: 'limit-reached' }> | null;
  storm: Extract<Brake, { kind: 'storm' }> | null;
  newerCommit: string | null;
}

/** The first brake that holds, or null. `incident.wanted` lifts what a person may lift. Pure. */
export function firstBrake(incident: Incident, facts: BrakeFacts): Brake | null {
  const isAllowed = isWanted(incident, facts.now);
  for (const brake of candidates(incident, facts))
    if (brake !== null && !(isAllowed && overruled.has(brake.kind))) return brake;
  return null;
}

function candidates(incident: Incident, facts: BrakeFacts): readonly (Brake | null)[] {
  return [
    facts.stop === null ? null : { kind: 'stopped', ...facts.stop },
    facts.abandoned === null ? null : { kind: 'abandoned', number: facts.abandoned },
    optedOut(incident, facts),
    facts.humanRevert === null ? null : { kind: 'human-revert-open', ...facts.humanRevert },
    revertOfRevert(incident),
    tooOldFailure(incident, facts),
    tooOldCulprit(incident, facts),
    facts.storm,
    facts.newerCommit === null ? null : { kind: 'newer-commit', sha: facts.newerCommit },
    facts.limit,
  ];
}

/** One suspect that must stay keeps them all: what was built on it cannot be told apart. Case does not count. */
function optedOut({ suspects }: Incident, facts: BrakeFacts): Brake | null {
  for (const { sha, trailers = [] } of suspects) {
    const label = common(facts.labels.get(sha) ?? [], facts.optOutLabels);
    if (label !== null) return { kind: 'opted-out', sha, by: 'label', name: label };
    const trailer = common(trailers, facts.optOutTrailers);
    if (trailer !== null) return { kind: 'opted-out', sha, by: 'trailer', name: trailer };
  }
  return null;
}

function common(some: readonly string[], others: readonly string[]): string | null {
  const known = new Set(others.map((one) => one.toLowerCase()));
  return some.find((one) => known.has(one.toLowerCase())) ?? null;
}

/** By the subject that git and GitHub give to the revert of a revert; GitHub and git also say "Reapply". */
function revertOfRevert({ suspects }: Incident): Brake | null {
  const found = suspects.find(({ subject }) => /^(?:Revert "Revert "|Reapply ")/i.test(subject));
  return found === undefined ? null : { kind: 'revert-of-revert', sha: found.sha, subject: found.subject };
}

/** Of several ApplicationSets the one that failed last counts. */
function tooOldFailure({ sets }: Incident, { now, failureAgeMsMax }: BrakeFacts): Brake | null {
  const failing = sets.filter((set) => set.verdict === 'failed');
  if (failing.length === 0) return null;
  const since = Math.max(...failing.map((set) => set.since));
  return now - since <= failureAgeMsMax ? null : { kind: 'failure-too-old', since, maxMs: failureAgeMsMax };
}

/** The newest suspect counts. One of which nobody knows when it landed is not too old. */
function tooOldCulprit({ suspects }: Incident, { now, culpritAgeMsMax }: BrakeFacts): Brake | null {
  const [newest] = suspects;
  if (newest?.landedAt == null || now - newest.landedAt <= culpritAgeMsMax) return null;
  return { kind: 'culprit-too-old', sha: newest.sha, landedAt: newest.landedAt, maxMs: culpritAgeMsMax };
}

/** How long until a brake may not hold any more without an event that tells; none when an event does. In milliseconds. */
export function endsOfBrake(obstacle: Obstacle | null, now: number): readonly number[] {
  switch (obstacle?.kind) {
    case 'limit-reached':
      return obstacle.until === null ? [] : [Math.max(0, obstacle.until - now)];
    case 'stopped':
    case 'storm':
    case 'newer-commit':
      return [lookAgainMs];
    default:
      return [];
  }
}

const lookAgainMs = 60_000;

/** A commit can be older than its push: the branch that did not show it yet tells that it landed later. */
export function landedBy(incident: Incident, heads: readonly BranchHead[]): Incident {
  const suspects = incident.suspects.map((suspect) => {
    const head = heads.find(({ sha }) => sha === suspect.sha);
    const landedAt = Math.max(suspect.landedAt ?? 0, head?.unseenSince ?? head?.at ?? 0);
    return landedAt === (suspect.landedAt ?? 0) ? suspect : { ...suspect, landedAt };
  });
  return suspects.some((suspect, index) => suspect !== incident.suspects[index])
    ? { ...incident, suspects }
    : incident;
}

/** What a pull request of somebody else says that it takes back. */
export interface RevertClaim {
  title: string;
  body: string;
}

/**
 * The suspects that a pull request takes back, by the words that git and GitHub write themselves: `Revert "subject"`,
 * `This reverts commit sha`, `Reverts owner/name#number`, each at the beginning of a line: a changelog, a question or a
 * quotation may mention the same. A subject can stand for many commits, so it counts only where none is named. A pull
 * request that reverts a revert takes nothing back.
 */
export function claimedSuspects(
  { repository, suspects }: Incident,
  { title, body }: RevertClaim,
): readonly Suspect[] {
  if (/^Revert "Revert "/i.test(title)) return [];
  const lines = body.match(/^ {0,3}(?:this )?reverts? .*$/gim)?.map((line) => line.slice(0, 1_000)) ?? [];
  const said = lines.join('\n');
  const shas = [...said.matchAll(/\breverts? (?:commit )?([0-9a-f]{7,40})\b/gi)].map((match) =>
    (match[1] ?? '').toLowerCase(),
  );
  const named = [...said.matchAll(/\breverts? (?:([\w.-]+\/[\w.-]+))?#(\d{1,10})\b/gi)];
  const numbers = named
    .filter((match) => match[1] === undefined || match[1].toLowerCase() === repository.toLowerCase())
    .map((match) => Number(match[2]));
  const isNamed = shas.length > 0 || named.length > 0;
  const quoted = isNamed ? null : (/^Revert "(.+)"(?: \(#\d{1,10}\))?$/i.exec(title)?.[1] ?? null);
  return suspects.filter(({ sha, subject, pullRequest }) => {
    const plain = subject.replace(/ \(#\d{1,10}\)$/, '');
    return (
      shas.some((one) => sha.startsWith(one)) ||
      (pullRequest !== null && numbers.includes(pullRequest.number)) ||
      (quoted !== null && (quoted === subject || quoted === plain))
    );
  });
}

/** Keys of the trailers in the last paragraph of a commit message, as git reads them. */
export function trailersOf(message: string): readonly string[] {
  const paragraphs = message.trimEnd().split(/\r?\n[ \t]*\r?\n/);
  if (paragraphs.length < 2) return [];
  return (paragraphs.at(-1) ?? '')
    .split(/\r?\n/)
    .map((line) => /^([A-Za-z0-9-]{1,100})\s{0,8}:/.exec(line)?.[1])
    .filter((key) => key !== undefined);
}
