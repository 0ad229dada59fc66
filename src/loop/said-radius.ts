/** What was said last of each open pull request, so that a sweep finds what is new and a rollout finds who has to hear of it. */
import { placeName } from '../content/place-name.ts';
import type { BlastRadius } from '../domain/blast-radius.ts';
import type { ObjectKey } from '../domain/objects.ts';
import type { PullRequest, Repository } from '../ports.ts';

interface Said {
  repository: Repository;
  number: number;
  headSha: string;
  sets: ReadonlySet<ObjectKey>;
  words: string;
  /** Since when these words are said. */
  since: number;
}

export interface SaidRadiuses {
  /**
   * In how many milliseconds it is to be looked at once more: GitHub's answers may have been older than the news, and nothing
   * else would tell. Null when these words were found a second time. `words`: a digest of all that is said of it.
   */
  say(
    repository: Repository,
    pullRequest: PullRequest,
    radius: BlastRadius,
    words: string,
    now: number,
  ): number | null;
  /** The head of which it was said; undefined when nothing was. */
  headOf(repository: Repository, number: number): string | undefined;
  forget(repository: Repository, number: number): void;
  /** Those that are not open any more are forgotten. */
  keepOpen(repository: Repository, open: readonly PullRequest[]): void;
  /** The latest that feed an ApplicationSet, or change its manifest. */
  concernedBy(key: ObjectKey): readonly Pick<Said, 'repository' | 'number'>[];
  clear(): void;
}

/** Pull requests that are looked at again when an ApplicationSet begins or ends to fail, the latest first. */
const againMax = 50;
const saidMax = 5_000;
/** GitHub's answers are not older than this. */
const onceMoreMs = 5 * 60_000;

export function openSaidRadiuses(): SaidRadiuses {
  const said = new Map<string, Said>();
  return {
    say(repository, { number, headSha, isOurs }, radius, words, now) {
      const concerned = [...radius.reaches, ...radius.generated, ...radius.edited].map(({ key }) => key);
      const sets = new Set(concerned.filter((one) => one !== null));
      const key = keyOf(repository, number);
      const before = said.get(key);
      const since = before?.words === words ? before.since : now;
      said.delete(key);
      // A revert of ours that no incident was known of yet is told again when one is.
      const isWhole = !isOurs || radius.takesBack !== null;
      said.set(key, { repository, number, headSha: isWhole ? headSha : '', sets, words, since });
      for (const oldest of said.keys()) if (said.size > saidMax) said.delete(oldest);
      return now < since + onceMoreMs ? since + onceMoreMs - now : null;
    },
    headOf: (repository, number) => said.get(keyOf(repository, number))?.headSha,
    forget: (repository, number) => void said.delete(keyOf(repository, number)),
    keepOpen(repository, pullRequests) {
      const open = new Set(pullRequests.map(({ number }) => keyOf(repository, number)));
      const place = placeName(repository);
      for (const [key, one] of said)
        if (placeName(one.repository) === place && !open.has(key)) said.delete(key);
    },
    concernedBy: (key) => [...said.values()].filter((one) => one.sets.has(key)).slice(-againMax),
    clear: () => said.clear(),
  };
}

function keyOf(repository: Repository, number: number): string {
  return `${placeName(repository)}#${number}`;
}
