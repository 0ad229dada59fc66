/** Everything the status page shows, gathered at one moment. The page itself only renders. */
import type { Incident } from '../domain/incident.ts';
import { isOpen } from '../domain/incident.ts';
import type { ApplicationRow, ObjectKey } from '../domain/objects.ts';
import { type Verdict, verdicts } from '../domain/verdict.ts';
import type { Answer } from '../domain/watcher.ts';
import type { WhyNot } from '../domain/why-not.ts';
import type { Clock, Forge, Sight } from '../ports.ts';
import type { Tally } from './tally.ts';
import type { Watched } from './watched.ts';

export interface SetStatus {
  key: ObjectKey;
  /** Of the last close look; null when the radar was enough until now, or there was no look yet. */
  answer: Answer | null;
  /** Why there is no revert, as of that look; null when there is one, or nothing is wrong. */
  whyNot: WhyNot | null;
  rows: readonly ApplicationRow[];
  /** By our clock; null when it was not looked at yet. */
  lookedAt: number | null;
  /** The last look came to nothing, so what is shown is older. */
  /** Why the last look failed; null when it did not. */
  problem: string | null;
}

export interface InstanceStatus {
  instance: string;
  sight: Sight;
  /** Which replica acts; null when it is this one, `nobody` when there is none. */
  acting: string | null;
  /** The gravest first. */
  sets: readonly SetStatus[];
  /** Open ones first, then the newest; null when they cannot be read. */
  incidents: readonly Incident[] | null;
  /** Why not, in sentences for people. */
  incidentsProblem: string | null;
}

export interface Status {
  now: number;
  instances: readonly InstanceStatus[];
  /** Where a revision can be read by people; null when it is no commit of a forge we serve. */
  commitUrl(repoURL: string, revision: string): string | null;
}

export interface StatusOptions {
  watched: readonly Watched[];
  forge: Pick<Forge, 'repositoryOf' | 'commitUrl'>;
  tally: Tally;
  clock: Pick<Clock, 'now'>;
}

/** Never throws: what cannot be read is said. */
export async function gatherStatus(options: StatusOptions): Promise<Status> {
  const { watched, forge, clock, tally } = options;
  return {
    now: clock.now(),
    instances: await Promise.all(watched.map((one) => instanceStatus(one, tally))),
    commitUrl(repoURL, revision) {
      const repository = forge.repositoryOf(repoURL);
      return repository === null ? null : forge.commitUrl(repository, revision);
    },
  };
}

async function instanceStatus({ cluster, loop, leadership }: Watched, tally: Tally): Promise<InstanceStatus> {
  const { instance } = cluster;
  const results = loop.results();
  const keys = new Set([...cluster.applicationSets().keys(), ...results.keys()]);
  const sets = [...keys].map((key) => ({
    key,
    answer: results.get(key)?.answer ?? null,
    whyNot: results.get(key)?.whyNot ?? null,
    rows: cluster.rows(key),
    lookedAt: tally.lookedAt(instance, key),
    problem: tally.problem(instance, key),
  }));
  const status = {
    instance,
    sight: cluster.sight(),
    acting: actingOf(leadership),
    sets: sets.sort(byGravity),
  };
  try {
    const incidents = [...(await loop.incidents())].sort(byUrgency);
    return { ...status, incidents, incidentsProblem: null };
  } catch (problem) {
    const incidentsProblem = problem instanceof Error ? problem.message : String(problem);
    return { ...status, incidents: null, incidentsProblem };
  }
}

function actingOf(leadership: Watched['leadership']): string | null {
  if (leadership === undefined || leadership.isLeading()) return null;
  return leadership.leader()?.identity ?? 'nobody';
}

/** The verdict of the last look; null when there is none. */
export function verdictOf(set: SetStatus): Verdict | null {
  return set.answer?.rollout.verdict ?? null;
}

/** As the verdicts are ordered; those without one before those that are well. */
function byGravity(one: SetStatus, other: SetStatus): number {
  const rank = (set: SetStatus) => verdicts.indexOf(verdictOf(set) ?? 'in-progress');
  return rank(one) - rank(other) || (one.key < other.key ? -1 : 1);
}

function byUrgency(one: Incident, other: Incident): number {
  return Number(isOpen(other)) - Number(isOpen(one)) || other.openedAt - one.openedAt;
}
