/**
 * Looks up what the revisions of an ApplicationSet contain, once for each, because a commit never changes.
 * The facts are what makes an innocent commit equal to the one before it and a revert equal to last good.
 */
import { type ContentFacts, contentKey, type Revisions } from '../domain/content.ts';
import type { BranchHead } from '../domain/look.ts';
import type { ApplicationMemory } from '../domain/memory.ts';
import { type Application, isCommit, type Source } from '../domain/objects.ts';
import { contentIdOf } from './feeds.ts';
import type { ContentSource } from './source.ts';

/** Facts that grow; one for the process, handed to every look. */
export interface KnownContent extends ContentFacts {
  ids: Map<string, string>;
  gone: Set<string>;
}

export function emptyContent(): KnownContent {
  return { ids: new Map(), gone: new Set() };
}

/** So many are kept; the oldest are looked up again. */
const idsMax = 200_000;

/**
 * Adds what is not known yet of every revision that the Applications, their memories and the branch heads
 * name. Throws WorldProblem when the forge cannot be read: without facts there is no verdict.
 */
export async function learnContent(
  forge: ContentSource,
  known: KnownContent,
  applications: readonly Application[],
  memories: ReadonlyMap<string, ApplicationMemory>,
  heads: readonly BranchHead[],
): Promise<void> {
  const wanted = new Map<string, { source: Source; revision: string }>();
  const want = (source: Source, revision: string | undefined): void => {
    if (revision === undefined || source.chart !== null || !isCommit(revision) || known.gone.has(revision))
      return;
    const key = contentKey(source, revision);
    if (!known.ids.has(key)) wanted.set(key, { source, revision });
  };
  const mentioned = applications.map((application) =>
    revisionsOf(application, memories.get(application.key) ?? null),
  );
  for (const application of applications) {
    application.sources.forEach((source, index) => {
      // One Application is compared with what the others run, so each is asked about every revision of the set.
      for (const revisions of mentioned.flat()) want(source, revisions[index]);
      for (const head of heads) if (head.repoURL === source.repoURL) want(source, head.sha);
    });
  }
  await Promise.all(
    [...wanted].map(([key, { source, revision }]) => learnOne(forge, known, key, source, revision)),
  );
}

async function learnOne(
  forge: ContentSource,
  known: KnownContent,
  key: string,
  source: Source,
  revision: string,
): Promise<void> {
  const repository = forge.repositoryOf(source.repoURL);
  if (repository === null) return;
  const id = await contentIdOf(forge, repository, source, revision);
  if (id === null) {
    known.gone.add(revision);
    return;
  }
  known.ids.set(key, id);
  if (known.ids.size > idsMax) {
    const oldest = known.ids.keys().next().value;
    if (oldest !== undefined) known.ids.delete(oldest);
  }
}

/** Every revision that an Application or what is remembered of it names. */
function revisionsOf(application: Application, memory: ApplicationMemory | null): readonly Revisions[] {
  return [
    application.sync.revisions,
    application.operation?.result?.revisions ?? [],
    application.operation?.pinnedRevisions ?? [],
    ...application.history.map((entry) => entry.revisions),
    ...(memory?.contents.map((record) => record.revisions) ?? []),
  ];
}
