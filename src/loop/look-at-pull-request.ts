/**
 * One look at one open pull request: what it feeds, how far that reaches, what of it fails now, and whether it lands
 * again what was taken back. Reads the cluster and GitHub, writes nothing.
 */

import { type EditedSet, editedSets } from '../content/edited-sets.ts';
import { filesGenerated, generatorsAt } from '../content/generated.ts';
import { follows, openTouched } from '../content/touched.ts';
import { type BlastRadius, type Doubt, troublesOf } from '../domain/blast-radius.ts';
import type { Incident, SetStanding } from '../domain/incident.ts';
import { type Layout, type Reach, reachOf } from '../domain/layout.ts';
import type { ObjectKey } from '../domain/objects.ts';
import type { FeatureFlag, Forge, PullRequest, Repository } from '../ports.ts';
import { landingsOf } from './landings.ts';
import type { KnownLayout } from './layouts.ts';

/** A pull request beside the branch that it goes to. */
export interface Compared {
  pullRequest: PullRequest;
  repository: Repository;
  defaultBranch: string;
  /** Null when the two have nothing in common, or one of them is gone. */
  commits: {
    mergeBase: string;
    base: string;
    trees: { mergeBase: string; base: string; head: string };
    messages: readonly string[];
  } | null;
}

/** Three requests, most of them remembered. Throws WorldProblem. */
export async function comparedWithBase(
  forge: Forge,
  repository: Repository,
  pullRequest: PullRequest,
  defaultBranch: string,
): Promise<Compared> {
  const about = { pullRequest, repository, defaultBranch };
  const base = await forge.branchHead(repository, pullRequest.baseBranch);
  const range = base === null ? null : await forge.range(repository, base.sha, pullRequest.headSha);
  if (base === null || range === null) return { ...about, commits: null };
  const [mergeBase, head] = await Promise.all([
    forge.commit(repository, range.mergeBase),
    forge.commit(repository, pullRequest.headSha),
  ]);
  if (mergeBase === null || head === null) return { ...about, commits: null };
  return {
    ...about,
    commits: {
      mergeBase: mergeBase.sha,
      base: base.sha,
      trees: { mergeBase: mergeBase.tree, base: base.tree, head: head.tree },
      messages: range.commits.map((commit) => commit.message),
    },
  };
}

export interface Surroundings {
  forge: Forge;
  known: readonly KnownLayout[];
  unseen: number;
  problem: string | null;
  incidents: readonly Incident[];
  /** ApplicationSets whose last look says that they fail. */
  failing: ReadonlyMap<ObjectKey, SetStanding['failureKind']>;
  featureFlag: FeatureFlag['state'];
  /** Every ApplicationSet that is watched, also those that take nothing from there. */
  watched: readonly ObjectKey[];
  now: number;
}

/** Throws WorldProblem when GitHub cannot be read. */
export async function blastRadiusOf(compared: Compared, surroundings: Surroundings): Promise<BlastRadius> {
  const { pullRequest, repository } = compared;
  const { incidents, known, unseen, problem } = surroundings;
  const { fed, generated, edited, unsure } = await whatItFeeds(compared, surroundings);
  const isConcerned = (key: ObjectKey): boolean =>
    fed.some(({ layout }) => layout.key === key) || [...generated, ...edited].some((one) => one.key === key);
  const layouts = known.map((one) => one.layout).filter((layout) => isConcerned(layout.key));
  const ours = incidents.find(
    (incident) =>
      pullRequest.isOurs &&
      incident.pullRequest?.number === pullRequest.number &&
      incident.repository.toLowerCase() === `${repository.owner}/${repository.name}`.toLowerCase(),
  );
  const reaches = fed.map(({ layout, keys }) => reachOf(layout, keys, surroundings.featureFlag)).sort(bySize);
  const doubts: Doubt[] = [
    ...(problem === null ? [] : [{ kind: 'cluster' as const, sets: unseen, problem }]),
    ...(unsure.length === 0 ? [] : [{ kind: 'unsure' as const, sets: unsure }]),
    ...(compared.commits === null ? [{ kind: 'no-comparison' as const }] : []),
  ];
  return {
    branch: pullRequest.baseBranch,
    reaches,
    generated,
    edited,
    troubles: troublesOf(layouts, incidents, surroundings.failing),
    landings: ours === undefined ? await landings(compared, surroundings, layouts) : [],
    takesBack: ours === undefined ? null : { incident: ours.id, suspects: ours.suspects },
    doubts,
  };
}

function bySize(one: Reach, other: Reach): number {
  return (
    other.clusters - one.clusters || other.applications - one.applications || (one.key < other.key ? -1 : 1)
  );
}

interface Fed {
  fed: readonly { layout: Layout; keys: ReadonlySet<ObjectKey> }[];
  generated: BlastRadius['generated'];
  edited: BlastRadius['edited'];
  unsure: readonly ObjectKey[];
}

async function whatItFeeds(compared: Compared, { forge, known, watched }: Surroundings): Promise<Fed> {
  const { repository, defaultBranch, commits, pullRequest } = compared;
  const { baseBranch, headSha, number } = pullRequest;
  if (commits === null || commits.mergeBase === headSha)
    return { fed: [], generated: [], edited: [], unsure: [] };
  const touched = openTouched(forge, repository, { ...commits, head: headSha });
  const fed: { layout: Layout; keys: ReadonlySet<ObjectKey> }[] = [];
  const generated: { key: ObjectKey; files: readonly string[] }[] = [];
  const unsure = new Set<ObjectKey>();
  const { files, isComplete } = await forge.filesOfPullRequest(repository, number);
  for (const { applicationSet, layout } of known) {
    const keys = new Set<ObjectKey>();
    for (const application of layout.applications) {
      const answers = await Promise.all(
        application.sources
          .filter((source) => follows(forge, source, repository, baseBranch, defaultBranch))
          .map(touched),
      );
      if (answers.includes('changed')) keys.add(application.key);
      else if (answers.includes('unsure')) unsure.add(layout.key);
    }
    if (keys.size > 0) fed.push({ layout, keys });
    const generators = generatorsAt(forge, applicationSet, repository, baseBranch, defaultBranch);
    if (generators.length === 0) continue;
    const folders = new Set(
      layout.applications.flatMap((one) => one.sources.map((source) => source.path ?? '')),
    );
    const read = filesGenerated(generators, files, folders);
    if (read.length > 0) generated.push({ key: layout.key, files: read });
    else if (!isComplete) unsure.add(layout.key);
  }
  const manifests = await editedSets(forge, repository, files, { before: commits.mergeBase, after: headSha });
  return {
    fed,
    generated,
    edited: manifests.flatMap((one) => asWatched(one, watched)),
    unsure: [...unsure].filter((key) => !fed.some((one) => one.layout.key === key)),
  };
}

/** A manifest without a namespace can be that of several. */
function asWatched(
  { namespace, name, file, change }: EditedSet,
  watched: readonly ObjectKey[],
): BlastRadius['edited'] {
  const keys = watched.filter((key) =>
    namespace === null ? key.endsWith(`/${name}`) : key === `${namespace}/${name}`,
  );
  return (keys.length === 0 ? [null] : keys).map((key) => ({ key, name, file, change }));
}

async function landings(
  { pullRequest, repository, defaultBranch, commits }: Compared,
  { forge, incidents, now }: Surroundings,
  layouts: readonly Layout[],
): Promise<BlastRadius['landings']> {
  if (commits === null || layouts.length === 0) return [];
  return landingsOf({
    forge,
    repository,
    defaultBranch,
    pullRequest,
    trees: commits.trees,
    messages: commits.messages,
    layouts,
    incidents,
    now,
  });
}
