/** Which ApplicationSets a repository feeds or configures, as far as looks have told: a push to it nudges them. */
import { placeName } from '../content/place-name.ts';
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
      const name = placeName(repository);
      known.set(name, (known.get(name) ?? new Set()).add(key));
    },
    of: (repository) => known.get(placeName(repository)) ?? new Set(),
    concernedBy(repository) {
      const isDefault = repository.name.toLowerCase() === '.github';
      const owner = `${repository.host}/${repository.owner}/`.toLowerCase();
      return [...known]
        .filter(([name]) => name === placeName(repository) || (isDefault && name.startsWith(owner)))
        .flatMap(([, keys]) => [...keys]);
    },
  };
}
