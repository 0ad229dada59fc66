/**
 * Looks up what the revisions of an ApplicationSet contain, once for each, because a commit never changes.
 * The facts are what makes an innocent commit equal to the one before it and a revert equal to last good.
 */
import { type ContentFacts, contentKey, goneKey, type Revisions } from '../domain/content.ts';
import type { BranchHead } from '../domain/look.ts';
import type { ApplicationMemory } from '../domain/memory.ts';
import { type Application, type ApplicationSet, isCommit, type Source } from '../domain/objects.ts';
import { contentIdOf } from './feeds.ts';
import type { ContentSource } from './source.ts';

/** Facts that grow; one for the process, handed to every look. */
export interface KnownContent extends ContentFacts {
  ids: Map<string, string>;
  gone: Set<string>;
  /** When a commit was found to be missing; a fresh one may only not be visible yet. */
  goneSince: Map<string, number>;
}

export function emptyContent(): KnownContent {
  return { ids: new Map(), gone: new Set(), goneSince: new Map() };
}

/** Notes that a commit is missing in its repository. */
export function noteGone(known: KnownContent, key: string, now: number): void {
  known.gone.add(key);
  known.goneSince.set(key, now);
}

/** After so long a missing commit is asked for again. */
const goneMsMax = 10 * 60_000;

/** So many are kept; the oldest are looked up again. */
const idsMax = 200_000;

/** What names revisions. */
export interface Named {
  applicationSet: Pick<ApplicationSet, 'applicationStatus'>;
  applications: readonly Application[];
  memories: ReadonlyMap<string, ApplicationMemory>;
  heads: readonly BranchHead[];
}

/**
 * Adds what is not known yet of every revision that the ApplicationSet, its Applications, their memories and the branch heads
 * name. Throws WorldProblem when the forge cannot be read: without facts there is no verdict.
 */
export async function learnContent(
  forge: ContentSource,
  known: KnownContent,
  { applicationSet, applications, memories, heads }: Named,
  now: number,
): Promise<void> {
  for (const [key, since] of known.goneSince) {
    if (now - since <= goneMsMax) continue;
    known.gone.delete(key);
    known.goneSince.delete(key);
  }
  const wanted = new Map<string, { source: Source; revision: string }>();
  const want = (source: Source, revision: string | undefined): void => {
    if (
      revision === undefined ||
      source.chart !== null ||
      !isCommit(revision) ||
      known.gone.has(goneKey(source, revision))
    )
      return;
    const key = contentKey(source, revision);
    if (!known.ids.has(key)) wanted.set(key, { source, revision });
  };
  // One Application is compared with what the others run, so each source is asked about every revision of the set.
  const mentioned = mentionedAt(applicationSet, applications, memories);
  const asked = new Set<string>();
  for (const source of applications.flatMap((application) =>
    application.sources.map((source, index) => ({ source, index })),
  )) {
    const key = `${source.index} ${contentKey(source.source, '')}`;
    if (asked.has(key)) continue;
    asked.add(key);
    for (const revision of mentioned.get(placeOf(source.index, source.source)) ?? [])
      want(source.source, revision);
    for (const head of heads) if (head.repoURL === source.source.repoURL) want(source.source, head.sha);
  }
  await Promise.all(
    [...wanted].map(([key, { source, revision }]) => learnOne(forge, known, key, source, revision, now)),
  );
}

/** Adds what one source holds at one commit, if that is not known yet. Throws WorldProblem. */
export async function learnRevision(
  forge: ContentSource,
  known: KnownContent,
  source: Source,
  revision: string,
  now: number,
): Promise<void> {
  const key = contentKey(source, revision);
  if (source.chart !== null || !isCommit(revision)) return;
  if (known.ids.has(key) || known.gone.has(goneKey(source, revision))) return;
  await learnOne(forge, known, key, source, revision, now);
}

/**
 * Adds what the sources of Applications hold at revisions, one a source in each list; none where a list has no such index. Throws
 * WorldProblem.
 */
export async function learnRevisions(
  forge: ContentSource,
  known: KnownContent,
  applications: readonly Pick<Application, 'sources'>[],
  several: readonly Revisions[],
  now: number,
): Promise<void> {
  const wanted = new Map<string, { source: Source; revision: string }>();
  for (const revisions of several)
    for (const { sources } of applications)
      sources.forEach((source, index) => {
        const revision = revisions[index];
        if (revision !== undefined) wanted.set(contentKey(source, revision), { source, revision });
      });
  for (const { source, revision } of wanted.values())
    await learnRevision(forge, known, source, revision, now);
}

async function learnOne(
  forge: ContentSource,
  known: KnownContent,
  key: string,
  source: Source,
  revision: string,
  now: number,
): Promise<void> {
  const repository = forge.repositoryOf(source.repoURL);
  if (repository === null) return;
  const id = await contentIdOf(forge, repository, source, revision);
  if (id === null) {
    noteGone(known, goneKey(source, revision), now);
    return;
  }
  known.ids.set(key, id);
  if (known.ids.size > idsMax) {
    const oldest = known.ids.keys().next().value;
    if (oldest !== undefined) known.ids.delete(oldest);
  }
}

/** The revisions that anything of the set names, by the index and the repository of their source. */
function mentionedAt(
  { applicationStatus }: Named['applicationSet'],
  applications: readonly Application[],
  memories: ReadonlyMap<string, ApplicationMemory>,
): ReadonlyMap<string, ReadonlySet<string>> {
  const mentioned = new Map<string, Set<string>>();
  const targets = new Map(applicationStatus.map((entry) => [entry.application, entry.targetRevisions]));
  for (const application of applications) {
    const named = revisionsOf(application, memories.get(application.key) ?? null);
    for (const revisions of [...named, targets.get(application.name) ?? []]) {
      revisions.forEach((revision, index) => {
        const key = placeOf(index, application.sources[index]);
        mentioned.set(key, (mentioned.get(key) ?? new Set()).add(revision));
      });
    }
  }
  return mentioned;
}

function placeOf(index: number, source: Source | undefined): string {
  return `${index} ${source?.repoURL ?? ''}`;
}

/** Every revision that an Application or what is remembered of it names. */
function revisionsOf(application: Application, memory: ApplicationMemory | null): readonly Revisions[] {
  return [
    application.sync.revisions,
    application.operation?.result?.revisions ?? [],
    application.operation?.pinnedRevisions ?? [],
    ...application.history.map((entry) => entry.revisions),
    ...(memory?.contents.map((record) => record.revisions) ?? []),
    // What it runs in part is in no history, and content that came back is recorded by its first commit.
    memory?.running?.revisions ?? [],
    memory?.operation?.target ?? [],
    memory?.trouble?.blamed ?? [],
    memory?.failedSync?.revisions ?? [],
    memory?.outOfSync?.revisions ?? [],
  ];
}
