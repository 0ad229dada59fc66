/**
 * Whom a command is about: the ApplicationSets of the incident that its pull request belongs to, else those that the
 * pull request feeds. A button names its ApplicationSet. Only what the letter's own repository feeds is ever meant, because
 * whoever may write there may nothing elsewhere.
 */

import { closest } from '../config/suggest.ts';
import { contentIdOf } from '../content/feeds.ts';
import { placeName } from '../content/place-name.ts';
import { branchOf } from '../domain/configuration.ts';
import { contentKey } from '../domain/content.ts';
import { trackingOf } from '../domain/culprit.ts';
import { type Incident, isOpen } from '../domain/incident.ts';
import type { Application, ApplicationSet, ObjectKey, Source } from '../domain/objects.ts';
import type { Letter } from '../ports/mailbox.ts';
import type { PullRequest, Repository } from '../ports.ts';
import type { NoSubject } from '../render/command-results.ts';
import type { World } from './world.ts';

export type Subject =
  | {
      kind: 'sets';
      keys: readonly ObjectKey[];
      /** Incidents of this repository: those of the pull request, else the open ones of the ApplicationSets. */
      incidents: readonly Incident[];
    }
  | { kind: 'none'; why: NoSubject };

/** Throws WorldProblem when GitHub or the cluster cannot be asked for now. */
export async function subjectOf(world: World, letter: Letter): Promise<Subject> {
  const here = (await world.memories.incidents()).filter((one) => isIn(one, letter.repository));
  if (letter.applicationSet !== null) {
    if (!world.cluster.applicationSets().has(letter.applicationSet))
      return { kind: 'none', why: notSeen(world) ?? { kind: 'gone' } };
    const keys = [letter.applicationSet];
    const sha = letter.check?.sha ?? '';
    const ofCommit = here.filter(
      (one) => concerns(one, keys) && one.suspects.some((suspect) => suspect.sha === sha),
    );
    return { kind: 'sets', keys, incidents: ofCommit.length > 0 ? ofCommit : openOf(here, keys) };
  }
  const { number } = letter;
  if (number === null || !letter.isPullRequest) return { kind: 'none', why: { kind: 'issue' } };
  const own = here.filter(
    (one) =>
      one.pullRequest?.number === number ||
      one.suspects.some((suspect) => suspect.pullRequest?.number === number),
  );
  const known = world.cluster.applicationSets();
  const ofIncidents = [...new Set(own.flatMap((one) => one.sets.map((set) => set.key)))];
  const keys = ofIncidents.filter((key) => known.has(key));
  const blind = keys.length < ofIncidents.length ? notSeen(world) : null;
  if (blind !== null) return { kind: 'none', why: blind };
  if (keys.length > 0) return { kind: 'sets', keys, incidents: own };
  if (ofIncidents.length > 0) return { kind: 'none', why: { kind: 'gone' } };
  return fedBy(world, letter.repository, number, here);
}

/** What is not known may be there all the same while the cluster cannot be seen, as just after a start; null when it can. */
function notSeen({ cluster }: World): NoSubject | null {
  const { blindness } = cluster.sight();
  return blindness === null ? null : { kind: 'cannot-see', problem: blindness };
}

async function fedBy(
  world: World,
  repository: Repository,
  number: number,
  here: readonly Incident[],
): Promise<Subject> {
  const pullRequest = await world.forge.pullRequest(repository, number);
  if (pullRequest === null) return { kind: 'none', why: { kind: 'issue' } };
  const blind = notSeen(world);
  if (blind !== null) return { kind: 'none', why: blind };
  const keys = await setsFedBy(world, repository, pullRequest);
  if (keys.length === 0) return { kind: 'none', why: { kind: 'feeds-nothing', number } };
  return { kind: 'sets', keys, incidents: openOf(here, keys) };
}

/** Every ApplicationSet that gets something else from the pull request, merged or not. */
async function setsFedBy(
  world: World,
  repository: Repository,
  pullRequest: PullRequest,
): Promise<readonly ObjectKey[]> {
  const ends = await endsOf(world, repository, pullRequest);
  if (ends === null) return [];
  const answers = new Map<string, Promise<boolean>>();
  const changes = (source: Source): Promise<boolean> => {
    const key = contentKey(source, '');
    const known = answers.get(key) ?? differs(world, repository, source, ends);
    answers.set(key, known);
    return known;
  };
  const fed: ObjectKey[] = [];
  for (const { key, sources } of await feedingSets(world, repository)) {
    const following = sources.filter((source) => follows(source, pullRequest.baseBranch, ends.defaultBranch));
    const all = await Promise.all(following.map(changes));
    if (all.some((one) => one)) fed.push(key);
  }
  return fed;
}

interface Ends {
  before: string;
  after: string;
  defaultBranch: string;
}

/** What the branch holds before and after it; of an open one from where it left the branch. */
async function endsOf(
  world: World,
  repository: Repository,
  { isMerged, mergeCommit, baseBranch, headSha }: PullRequest,
): Promise<Ends | null> {
  const { forge } = world;
  const defaultBranch = (await forge.repository(repository))?.defaultBranch ?? 'main';
  if (isMerged && mergeCommit !== null) {
    const commit = await forge.commit(repository, mergeCommit);
    const before = commit?.parents[0];
    return before === undefined ? null : { before, after: mergeCommit, defaultBranch };
  }
  const base = await forge.branchHead(repository, baseBranch);
  const range = base === null ? null : await forge.range(repository, base.sha, headSha);
  return range === null ? null : { before: range.mergeBase, after: headSha, defaultBranch };
}

async function differs(
  { forge }: World,
  repository: Repository,
  source: Source,
  { before, after }: Ends,
): Promise<boolean> {
  const [one, other] = await Promise.all([
    contentIdOf(forge, repository, source, before),
    contentIdOf(forge, repository, source, after),
  ]);
  return one !== other;
}

/** True when the source takes what lands on this branch of its repository. */
export function follows(source: Source, branch: string, defaultBranch: string): boolean {
  if (trackingOf(source) !== 'branch') return false;
  const tracked = branchOf(source.targetRevision);
  return (tracked === 'HEAD' ? defaultBranch : tracked) === branch;
}

/** An ApplicationSet with those sources of its Applications that lie in the repository. */
export interface FeedingSet {
  key: ObjectKey;
  applicationSet: ApplicationSet;
  applications: readonly Application[];
  sources: readonly Source[];
}

/** Whole objects are read only of those that could take from it. */
export async function feedingSets(world: World, repository: Repository): Promise<readonly FeedingSet[]> {
  const isHere = (url: string): boolean => {
    const own = world.forge.repositoryOf(url);
    return own !== null && placeName(own) === placeName(repository);
  };
  const found: FeedingSet[] = [];
  for (const [key, set] of world.cluster.applicationSets()) {
    const urls = set.templateSources.map((source) => source.repoURL);
    const could = set.hasTemplatePatch || urls.some((url) => url.includes('{{') || isHere(url));
    const look = could ? await world.cluster.closeLook(key) : null;
    if (look === null) continue;
    const sources = look.applications
      .flatMap((application) => application.sources)
      .filter((source) => source.chart === null && isHere(source.repoURL));
    const { applicationSet, applications } = look;
    if (sources.length > 0) found.push({ key, applicationSet, applications, sources });
  }
  return found;
}

/** The ApplicationSet of this name, with its namespace or without, that the letter's repository feeds. */
export async function subjectNamed(world: World, { repository }: Letter, name: string): Promise<Subject> {
  const all = (await feedingSets(world, repository)).map(({ key }) => key);
  const short = (key: ObjectKey): string => key.slice(key.indexOf('/') + 1);
  const keys = all.filter((key) => key === name || short(key) === name);
  if (keys.length === 1) {
    const here = (await world.memories.incidents()).filter((one) => isIn(one, repository));
    return { kind: 'sets', keys, incidents: openOf(here, keys) };
  }
  if (keys.length > 1)
    return {
      kind: 'none',
      why: { kind: 'unknown', unknown: { kind: 'several-sets', name, candidates: keys } },
    };
  const blind = notSeen(world);
  if (blind !== null) return { kind: 'none', why: blind };
  const suggestion = closest(name, [...all.map(short), ...all]);
  return { kind: 'none', why: { kind: 'unknown', unknown: { kind: 'set', name, suggestion, known: all } } };
}

/** Open incidents of ApplicationSets, newest first. */
function openOf(incidents: readonly Incident[], keys: readonly ObjectKey[]): readonly Incident[] {
  return incidents
    .filter((one) => isOpen(one) && concerns(one, keys))
    .sort((one, other) => other.openedAt - one.openedAt);
}

function concerns(incident: Incident, keys: readonly ObjectKey[]): boolean {
  return incident.sets.some((set) => keys.includes(set.key));
}

/** True when the incident's revert goes to this repository. */
export function isIn(incident: Incident, repository: Repository): boolean {
  const own = `${incident.host}/${incident.repository}`.toLowerCase();
  return own === placeName(repository);
}
