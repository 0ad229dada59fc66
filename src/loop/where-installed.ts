/**
 * A source can lie where the App is not installed: a public repository that Argo CD reads without being let in. GitHub says
 * so only when it is asked, and the ApplicationSet must be judged all the same. What was refused counts for a while as
 * a place that is on no forge; then it is asked once more, because the App may have been installed there.
 */
import { placeName } from '../content/place-name.ts';
import type { Clock, Forge, Log } from '../ports.ts';
import { WorldProblem } from '../ports.ts';

export interface WhereInstalled {
  /** The forge, but that it finds no repository where the App was not let in of late. */
  forge: Forge;
  /** True when what failed should be made once more, because now it goes on without what was refused. */
  leaveOut(problem: unknown): boolean;
}

/** As long as the adapter takes an installation for absent. */
const leftOutMs = 60_000;

export function openWhereInstalled(forge: Forge, clock: Pick<Clock, 'now'>, log: Log): WhereInstalled {
  const refusedAt = new Map<string, number>();
  const isLeftOut = (place: string): boolean => {
    const at = refusedAt.get(place);
    return at !== undefined && clock.now() - at < leftOutMs;
  };
  function repositoryOf(repoURL: string): ReturnType<Forge['repositoryOf']> {
    const repository = forge.repositoryOf(repoURL);
    return repository !== null && isLeftOut(placeName(repository)) ? null : repository;
  }
  return {
    forge: new Proxy(forge, {
      get: (target, name) => (name === 'repositoryOf' ? repositoryOf : Reflect.get(target, name, target)),
    }),
    leaveOut(problem) {
      const refused = problem instanceof WorldProblem ? problem.notInstalledOn : null;
      if (refused === null || isLeftOut(placeName(refused))) return false;
      // Said once; it is asked again every minute.
      if (!refusedAt.has(placeName(refused)))
        log.warn('a source is judged without what its repository holds', {
          repository: placeName(refused),
          problem: problem instanceof Error ? problem.message : '',
        });
      refusedAt.set(placeName(refused), clock.now());
      return true;
    },
  };
}
