/**
 * `stepback replay FILE`: one file of Kubernetes objects, as a person gathers them from a cluster when something is
 * wrong, judged as it stands. A header `kind: Case` can say when that was (`now`) and with which `policy`; snapshots of
 * one Application in time can stand in it, and facts about the repository. Nothing that the header expects is read.
 */
import { readFileSync } from 'node:fs';
import { parseAllDocuments } from 'yaml';
import { type ContentFacts, goneKey, noFacts } from '../../domain/content.ts';
import {
  type FeatureFlagView,
  type FlagAnswer,
  featureFlagOf,
  type Looked,
} from '../../domain/feature-flag.ts';
import type { Application, ApplicationSet } from '../../domain/objects.ts';
import type { Policy } from '../../domain/policy.ts';
import { type Json, list, record, recordOrNull, text, texts, time } from '../../domain/read.ts';
import { readApplication } from '../../domain/read-application.ts';
import { readApplicationSet } from '../../domain/read-application-set.ts';
import { answerOf, emptyStageMemory, rememberAll, type Sighting } from '../../domain/watcher.ts';
import { WorldProblem } from '../../ports.ts';
import { type CaseAnswer, caseAnswerOf } from './case-answer.ts';
import { policyOf } from './policy-file.ts';
import { timesIn } from './recording.ts';

/** One moment of the file: everything as it was seen then. */
interface Moment {
  at: number;
  objects: readonly Json[];
}

/**
 * Judges the file; one answer an ApplicationSet. `policy` null: that of the header, else the defaults. Throws
 * WorldProblem when the file is no YAML or holds nothing to judge.
 */
export function replayCase(file: string, policy: Policy | null): readonly CaseAnswer[] {
  const answers = judgeCase(readDocuments(file), policy);
  if (answers.length > 0) return answers;
  throw new WorldProblem(
    'permanent',
    `${file} holds no ApplicationSet, no Application and no Snapshots. Add what "kubectl get applicationsets,applications -o yaml" prints.`,
  );
}

/** Judges the documents of a file. Pure and total: none when there is nothing to judge. */
export function judgeCase(documents: readonly Json[], policy: Policy | null): readonly CaseAnswer[] {
  const header = documents.find((document) => document.kind === 'Case') ?? {};
  const policyInForce =
    policy ?? policyOf(record(recordOrNull(header.policy) ?? record(header.expect).policy));
  const moments = momentsOf(documents);
  const now = time(header.now) ?? moments.at(-1)?.at ?? 0;
  const world = { facts: factsOf(documents), flag: flagOf(documents), policy: policyInForce };
  return ownersOf(moments).map((set) => judge(set, moments, now, world));
}

/** The objects of a file. Throws WorldProblem when there is no such file, or it is no YAML. */
export function readDocuments(file: string): readonly Json[] {
  const documents = parseAllDocuments(readFileSync(file, 'utf8'));
  const faults = documents.flatMap((document) => document.errors);
  const [fault] = faults;
  if (fault !== undefined)
    throw new WorldProblem('permanent', `${file} is no YAML: ${fault.message}. Mend that place.`);
  // A list, as kubectl prints it, is the objects in it.
  return documents
    .map((document) => record(document.toJS({ maxAliasCount: 100 })))
    .flatMap((document) => (document.kind === 'List' ? list(document.items).map(record) : [document]));
}

interface CaseWorld {
  facts: ContentFacts;
  flag: FlagAnswer | null;
  policy: Policy;
}

/** Looks at every moment of the file in turn, and then at the same objects once more as of now. */
function judge(set: ApplicationSet, moments: readonly Moment[], now: number, world: CaseWorld): CaseAnswer {
  const verdicts: string[] = [];
  let memory = emptyStageMemory;
  let sighting = sightingOf(set, moments[0] ?? { at: now, objects: [] }, world);
  for (const moment of moments) {
    sighting = sightingOf(set, moment, world);
    const answer = answerOf(rememberAll(memory, sighting), sighting);
    verdicts.push(answer.rollout.verdict);
    memory = answer.memory;
  }
  sighting = { ...sighting, now: Math.max(now, sighting.now) };
  const answer = answerOf(rememberAll(memory, sighting), sighting);
  const parents = applicationsIn(moments.at(-1)?.objects ?? []);
  return caseAnswerOf({ answer, sighting, verdicts, flag: world.flag, parents });
}

function sightingOf(set: ApplicationSet, moment: Moment, world: CaseWorld): Sighting {
  return {
    applicationSet: setsIn(moment.objects).find((one) => one.key === set.key) ?? set,
    applications: applicationsIn(moment.objects).filter((one) => isOwnedBy(one, set)),
    facts: world.facts,
    heads: [],
    policy: world.policy,
    now: moment.at,
    blindness: null,
    featureFlag: world.flag?.state ?? 'unknown',
  };
}

/** An Application that names no owner belongs to the ApplicationSet whose status names it. */
function isOwnedBy(application: Application, set: ApplicationSet): boolean {
  if (application.namespace !== set.namespace) return false;
  if (application.owner !== null) return application.owner.name === set.name;
  return set.applicationStatus.some((entry) => entry.application === application.name) || set.name === '';
}

/**
 * The snapshots, or the one moment in which everything in the file was read. That was not before the newest time in
 * the objects, and what they show has been so since.
 */
function momentsOf(documents: readonly Json[]): readonly Moment[] {
  const snapshots = documents.filter((document) => document.kind === 'Snapshots').flatMap(snapshotsOf);
  const objects = documents.filter(
    (document) => document.kind === 'Application' || document.kind === 'ApplicationSet',
  );
  if (objects.length === 0) return snapshots;
  const at = objects.flatMap(timesIn).reduce((newest, one) => Math.max(newest, one), 0);
  return [...snapshots, { at, objects }];
}

/** Each item shows `sync`, `health`, `revision`, `conditions` and the `cause` of one Application that was seen at `t`. */
function snapshotsOf(document: Json): readonly Moment[] {
  let before = '';
  let since = '';
  return list(document.items).map((value) => {
    const item = record(value);
    const at = text(item.t);
    const health = text(item.health) || 'Healthy';
    if (health !== before) since = at;
    before = health;
    const cause = text(item.cause);
    const application = {
      kind: 'Application',
      metadata: { name: 'application', namespace: 'argocd', uid: 'application' },
      spec: {
        source: { repoURL: 'https://git.example.com/repository.git', path: '', targetRevision: 'main' },
      },
      status: {
        sync: { status: text(item.sync) || 'Synced', revision: text(item.revision) },
        health: {
          status: health,
          lastTransitionTime: since,
          message: cause === '' ? '' : `Caused by ${cause}`,
        },
        reconciledAt: at,
        conditions: list(item.conditions),
      },
    };
    return { at: time(at) ?? 0, objects: [application] };
  });
}

/** The ApplicationSets of the file, and a plain one for every owner, or none, that Applications name and the file lacks. */
function ownersOf(moments: readonly Moment[]): readonly ApplicationSet[] {
  const objects = moments.flatMap((moment) => moment.objects);
  const sets = new Map(setsIn(objects).map((set) => [set.key, set]));
  for (const application of applicationsIn(objects)) {
    if ([...sets.values()].some((set) => isOwnedBy(application, set))) continue;
    const name = application.owner?.name ?? '';
    sets.set(`${application.namespace}/${name}`, plainSet(application.namespace, name));
  }
  return [...sets.values()];
}

/** An ApplicationSet of which nothing is known but that it owns Applications: all of them in one stage. */
function plainSet(namespace: string, name: string): ApplicationSet {
  const set = readApplicationSet({ metadata: { namespace, name: name === '' ? 'none' : name } });
  if (set === null) throw new Error('A set with a name can be read.');
  return { ...set, name, key: `${namespace}/${name}` };
}

function setsIn(objects: readonly Json[]): readonly ApplicationSet[] {
  return objects
    .filter((object) => object.kind === 'ApplicationSet')
    .map(readApplicationSet)
    .filter((set): set is ApplicationSet => set !== null);
}

function applicationsIn(objects: readonly Json[]): readonly Application[] {
  return objects
    .filter((object) => object.kind === 'Application')
    .map(readApplication)
    .filter((application): application is Application => application !== null);
}

/** `missing`: commits that the repository does not have any more. */
function factsOf(documents: readonly Json[]): ContentFacts {
  const facts = documents.filter((document) => document.kind === 'GitFacts');
  const missing = facts.flatMap((document) => texts(document.missing));
  const sources = applicationsIn(documents).flatMap((application) => application.sources);
  return {
    ...noFacts,
    gone: new Set(sources.flatMap((source) => missing.map((revision) => goneKey(source, revision)))),
  };
}

/** Null when the file holds nothing that could tell whether progressive syncs are on. */
function flagOf(documents: readonly Json[]): FlagAnswer | null {
  const ofKind = (kind: string): readonly Json[] => documents.filter((document) => document.kind === kind);
  const seen = (objects: readonly unknown[]): Looked => ({ kind: 'seen', objects });
  const configMaps = ofKind('ConfigMap').map((object) => {
    return [text(record(object.metadata).name), seen([object])] as const;
  });
  const pods = ofKind('Pod');
  const deployments = ofKind('Deployment');
  if (configMaps.length + pods.length + deployments.length === 0) return null;
  const metadata = record([...ofKind('ConfigMap'), ...pods, ...deployments][0]?.metadata);
  const view: FeatureFlagView = {
    namespace: text(metadata.namespace),
    configMaps: Object.fromEntries(configMaps),
    pods: seen(pods),
    deployments: seen(deployments),
  };
  return featureFlagOf(view);
}
