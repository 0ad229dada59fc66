/** What came of a sync that a person asked for, Application by Application. */
import { listed } from './command-results.ts';
import { inOneGo, nothing, type Sentence, say } from './sentence.ts';

export interface SyncOutcome {
  name: string;
  result: 'done' | 'busy' | 'gone';
}

/**
 * `rest`: Applications that were not asked for, because there are too many. `ahead`: names of those that have not got
 * what fails, and would get it.
 */
export function syncResult(
  outcomes: readonly SyncOutcome[],
  { rest, ahead }: { rest: number; ahead: readonly string[] },
): Sentence {
  const those = (result: SyncOutcome['result']): readonly string[] =>
    outcomes.filter((one) => one.result === result).map(({ name }) => name);
  const [synced, busy, gone] = [those('done'), those('busy'), those('gone')];
  if (outcomes.length === 0 && ahead.length === 0) return say`There is no Application to sync.`;
  return inOneGo(
    synced.length === 0 ? nothing : say`I asked Argo CD to sync ${listed(synced)}.`,
    busy.length === 0
      ? nothing
      : say`An operation runs or waits on ${listed(busy)}, so nothing was asked there; type it again when that has ended.`,
    gone.length === 0
      ? nothing
      : say`${listed(gone)} ${gone.length === 1 ? say`is` : say`are`} not there any more.`,
    ahead.length === 0
      ? nothing
      : say`I left out ${listed(ahead)}: what fails is what the branch holds, and a sync would bring it there. Merge the revert first.`,
    rest === 0 ? nothing : say`I left out ${rest} more: sync one stage after the other.`,
  );
}
