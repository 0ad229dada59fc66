/** What a law is: words that hold in every seed, and how to see that they are broken. */
import type { HubEvent } from './hub-objects.ts';
import type { Written } from './through-trouble.ts';
import type { World } from './world.ts';

export interface Law {
  name: string;
  /** The law, in one sentence. */
  words: string;
  /** Looks at something that happened on GitHub; a sentence says how the law is broken, null that it holds. */
  onEvent?(world: World, event: HubEvent): string | null;
  /** Looks at a writing call of a Stepback that reached the world. */
  onWrite?(world: World, written: Written): string | null;
  /** Watches from the beginning, by timers of the world. */
  watch?(world: World, report: (how: string) => void): void;
  /** Looks at the end, when everything has settled. */
  atEnd?(world: World): string | null;
}

/** The commits that a revert of ours says it takes back, from the message of its newest commit. */
export function takenBackBy(world: World, number: number): readonly string[] {
  const { repository } = world;
  const pull = repository.pulls.get(number);
  if (pull === undefined) return [];
  // A person may have pushed onto the branch: the first of ours down the line speaks for it.
  for (let sha: string | undefined = pull.headSha; sha !== undefined; ) {
    const commit = repository.git.commit(sha);
    const named = [...(commit?.message ?? '').matchAll(/^Reverts: ([0-9a-f]{40})$/gm)].map(
      (match) => match[1] ?? '',
    );
    if (named.length > 0) return named;
    sha = commit?.parents[0];
  }
  return [];
}
