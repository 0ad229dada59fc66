/**
 * How every ApplicationSet would roll out, kept for the pull requests that ask. Whole objects are read only of those
 * that could lie in a repository at all and that no look has shown of late.
 */
import { placeName } from '../content/place-name.ts';
import { type Layout, layoutOf } from '../domain/layout.ts';
import type { Application, ApplicationSet, ObjectKey } from '../domain/objects.ts';
import { type Clock, type Cluster, type Forge, type Repository, WorldProblem } from '../ports.ts';

export interface KnownLayout {
  applicationSet: ApplicationSet;
  layout: Layout;
}

export interface Layouts {
  /** A look has read these whole. */
  seen(applicationSet: ApplicationSet, applications: readonly Application[]): void;
  /**
   * The repositories that feed something or that a generator reads. Looks at what was not seen yet and tells only in its
   * Applications where it takes from. Throws nothing: what cannot be seen now is found the next time.
   */
  repositories(): Promise<readonly Repository[]>;
  /**
   * Every ApplicationSet that takes something from the repository. `unseen` counts those that could and could not be
   * looked at, with what kept us.
   */
  of(
    repository: Repository,
  ): Promise<{ known: readonly KnownLayout[]; unseen: number; problem: string | null }>;
}

/** Folders and clusters of an ApplicationSet change seldom; when its template or its rows do, it is read at once. */
const maxAgeMs = 15 * 60_000;

interface Kept extends KnownLayout {
  at: number;
  stamp: string;
  /** `host/owner/name` in lower case. */
  places: ReadonlySet<string>;
}

export function openLayouts(
  cluster: Cluster,
  forge: Pick<Forge, 'repositoryOf'>,
  clock: Pick<Clock, 'now'>,
): Layouts {
  const kept = new Map<ObjectKey, Kept>();
  /** Looks come by the hundred while something rolls, and few pull requests ask. */
  const unread = new Map<
    ObjectKey,
    { applicationSet: ApplicationSet; applications: readonly Application[] }
  >();

  function readAll(): void {
    for (const { applicationSet, applications } of unread.values()) keep(applicationSet, applications);
    unread.clear();
  }

  function keep(applicationSet: ApplicationSet, applications: readonly Application[]): Kept {
    const layout = layoutOf(applicationSet, applications);
    const urls = new Set(layout.applications.flatMap((one) => one.sources).map((source) => source.repoURL));
    const places = new Set(
      [...urls, ...writtenUrls(applicationSet)]
        .map((url) => forge.repositoryOf(url))
        .flatMap((one) => (one === null ? [] : [placeName(one)])),
    );
    const entry = {
      applicationSet,
      layout,
      at: clock.now(),
      stamp: stampOf(cluster, applicationSet.key),
      places,
    };
    kept.set(applicationSet.key, entry);
    return entry;
  }

  /** True unless what is written in it names its repositories in full, and this is none of them. */
  function couldTakeFrom(applicationSet: ApplicationSet, place: string): boolean {
    const known = kept.get(applicationSet.key);
    if (known?.places.has(place) === true) return true;
    if (isTemplated(applicationSet))
      return known === undefined || known.stamp !== stampOf(cluster, applicationSet.key);
    return writtenUrls(applicationSet).some((url) => {
      const repository = forge.repositoryOf(url);
      return repository !== null && placeName(repository) === place;
    });
  }

  async function lookAt(key: ObjectKey): Promise<Kept | string | null> {
    const known = kept.get(key);
    if (known !== undefined && known.stamp === stampOf(cluster, key) && clock.now() - known.at <= maxAgeMs)
      return known;
    try {
      const look = await cluster.closeLook(key);
      if (look === null) {
        kept.delete(key);
        return null;
      }
      if (look.sight.blindness !== null) return known ?? look.sight.blindness;
      return keep(look.applicationSet, look.applications);
    } catch (problem) {
      if (!(problem instanceof WorldProblem)) throw problem;
      return known ?? problem.message;
    }
  }

  return {
    seen: (applicationSet, applications) =>
      void unread.set(applicationSet.key, { applicationSet, applications }),
    async repositories() {
      readAll();
      for (const applicationSet of cluster.applicationSets().values())
        if (isTemplated(applicationSet) && !kept.has(applicationSet.key)) await lookAt(applicationSet.key);
      const all = [...cluster.applicationSets().values()].flatMap(writtenUrls);
      const sources = [...kept.values()].flatMap(({ layout }) =>
        layout.applications.flatMap((one) => one.sources.map((source) => source.repoURL)),
      );
      const found = new Map<string, Repository>();
      for (const url of new Set([...all, ...sources])) {
        const repository = url.includes('{{') ? null : forge.repositoryOf(url);
        if (repository !== null) found.set(placeName(repository), repository);
      }
      return [...found.values()];
    },
    async of(repository) {
      readAll();
      const place = placeName(repository);
      const known: KnownLayout[] = [];
      const { blindness } = cluster.sight();
      let problem = cluster.applicationSets().size === 0 ? blindness : null;
      let unseen = 0;
      for (const applicationSet of cluster.applicationSets().values()) {
        if (!couldTakeFrom(applicationSet, place)) continue;
        const look = await lookAt(applicationSet.key);
        if (look === null) continue;
        if (typeof look === 'string') {
          unseen += 1;
          problem = look;
        } else if (look.places.has(place)) known.push(look);
      }
      return { known, unseen, problem };
    },
  };
}

/** Only its Applications tell where it takes from. */
function isTemplated(applicationSet: ApplicationSet): boolean {
  return applicationSet.hasTemplatePatch || writtenUrls(applicationSet).some((url) => url.includes('{{'));
}

/** Addresses as the ApplicationSet itself holds them; with `{{` in it, only its Applications know. */
function writtenUrls({ templateSources, gitGenerators }: ApplicationSet): readonly string[] {
  return [...templateSources, ...gitGenerators].map((one) => one.repoURL);
}

/** Changes when the ApplicationSet or the set of its Applications does. */
function stampOf(cluster: Cluster, key: ObjectKey): string {
  const generation = cluster.applicationSets().get(key)?.generation ?? 0;
  const rows = cluster.rows(key).map((row) => row.uid);
  return `${generation} ${rows.sort().join(' ')}`;
}
