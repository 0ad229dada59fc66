/**
 * The kill switch: an open issue with the label `stepback: stop`, or one that is configured for it, stops Stepback in a
 * repository; a setting stops the installation. An issue counts only when whoever set the label may write, because
 * anybody may open one. What cannot be read stops as well: then nothing is written, and the look is made again.
 */
import { stopLabel } from '../config/configuration.ts';
import type { Checks } from '../ports/checks.ts';
import type { Clock, Forge, Repository } from '../ports.ts';
import { WorldProblem } from '../ports.ts';

export interface Stop {
  /** Number of the issue; null when the installation's own setting stops it. */
  issue: number | null;
  /** Who set the label; null when nobody knows. */
  by: string | null;
}

export interface Stops {
  /**
   * What stops Stepback in the repository, as of `maxAgeMs` ago at the most (0: asked now). Throws a transient
   * WorldProblem when it cannot be read.
   */
  of(repository: Repository, labels: readonly string[], maxAgeMs: number): Promise<Stop | null>;
  /** Something happened to the issues of the repository: what was read of it before does not count any more. */
  changed(repository: Repository): void;
}

/** For all but the opening of a revert an answer of this age is good enough. */
export const stopMaxAgeMs = 30_000;

/** Permissions with which a person can push. */
export const mayWrite: ReadonlySet<string> = new Set(['admin', 'maintain', 'write']);

/** `isStopped`: the setting of the installation, for which nobody is asked. */
export function openStops(
  forge: Pick<Forge, 'openIssuesWithLabel' | 'permissionOf'>,
  clock: Pick<Clock, 'now'>,
  isStopped: boolean,
): Stops {
  const known = new Map<string, { at: number; stop: Stop | null }>();
  const placeOf = ({ host, owner, name }: Repository): string => `${host}/${owner}/${name} `.toLowerCase();
  return {
    changed(repository) {
      for (const key of known.keys()) if (key.startsWith(placeOf(repository))) known.delete(key);
    },
    async of(repository, labels, maxAgeMs) {
      if (isStopped) return { issue: null, by: null };
      const all = [...new Set([stopLabel, ...labels].map((label) => label.toLowerCase()))].sort();
      const key = placeOf(repository) + JSON.stringify(all);
      const before = known.get(key);
      if (before !== undefined && maxAgeMs > 0 && clock.now() - before.at <= maxAgeMs) return before.stop;
      known.delete(key);
      try {
        const stop = await readStop(forge, repository, all);
        known.set(key, { at: clock.now(), stop });
        return stop;
      } catch (error) {
        if (!(error instanceof WorldProblem)) throw error;
        throw unreadable(repository, error);
      }
    },
  };
}

/** The forge for check runs: they are words, so a stop lets them be, but nothing is written while it cannot be read. */
export function writingWhenReadable(forge: Checks, stops: Stops): Checks {
  const read = (repository: Repository): Promise<unknown> => stops.of(repository, [], stopMaxAgeMs);
  return {
    checkRuns: (repository, sha, name) => forge.checkRuns(repository, sha, name),
    async createCheckRun(repository, run) {
      await read(repository);
      return forge.createCheckRun(repository, run);
    },
    async updateCheckRun(repository, id, content) {
      await read(repository);
      return forge.updateCheckRun(repository, id, content);
    },
  };
}

async function readStop(
  forge: Pick<Forge, 'openIssuesWithLabel' | 'permissionOf'>,
  repository: Repository,
  labels: readonly string[],
): Promise<Stop | null> {
  const lists = await Promise.all(labels.map((label) => forge.openIssuesWithLabel(repository, label)));
  const issues = [...new Map(lists.flat().map((issue) => [issue.number, issue])).values()];
  for (const { number, labelledBy, author } of issues.sort((one, other) => one.number - other.number)) {
    const permission = await forge.permissionOf(repository, labelledBy ?? author);
    if (mayWrite.has(permission)) return { issue: number, by: labelledBy };
  }
  return null;
}

function unreadable({ owner, name }: Repository, cause: WorldProblem): WorldProblem {
  return new WorldProblem(
    'transient',
    `Whether somebody stopped Stepback in ${owner}/${name} cannot be read, so I write nothing there and ask again. ${cause.message}`,
    { cause, ...(cause.retryAfterMs === null ? {} : { retryAfterMs: cause.retryAfterMs }) },
  );
}
