/** Which ApplicationSets a repository feeds or configures, as far as looks have told: a push to it nudges them. */
import type { ObjectKey } from '../domain/objects.ts';
import type { Repository } from '../ports.ts';

export interface Followers {
  /** A repository that is on no forge of ours is followed by nobody. */
  follow(repository: Repository | null, key: ObjectKey): void;
  /** Those that take from it. */
  of(repository: Repository): ReadonlySet<ObjectKey>;
  /** Those too that it configures: the `.github` repository of an organisation configures all of its others. */
  concernedBy(repository: Repository): readonly ObjectKey[];
}

export function openFollowers(): Followers {
  const known = new Map<string, Set<ObjectKey>>();
  return {
    follow(repository, key) {
      if (repository === null) return;
      const name = nameOf(repository);
      known.set(name, (known.get(name) ?? new Set()).add(key));
    },
    of: (repository) => known.get(nameOf(repository)) ?? new Set(),
    concernedBy(repository) {
      const isDefault = repository.name.toLowerCase() === '.github';
      const owner = `${repository.host}/${repository.owner}/`.toLowerCase();
      return [...known]
        .filter(([name]) => name === nameOf(repository) || (isDefault && name.startsWith(owner)))
        .flatMap(([, keys]) => [...keys]);
    },
  };
}

/** In lower case, as GitHub compares names. */
export function nameOf(repository: Repository): string {
  return `${repository.host}/${repository.owner}/${repository.name}`.toLowerCase();
}
