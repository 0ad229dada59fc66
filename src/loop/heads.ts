/**
 * What the tracked branches hold, as far as we know: pushes that were announced, and looks of our own. They tell
 * which commit broke rendering (the Application then shows only the name of the branch) and which of two commits
 * came first. A push that was never announced is found at the next look.
 */

import { placeName } from '../content/place-name.ts';
import { branchOf } from '../domain/configuration.ts';
import { trackingOf } from '../domain/culprit.ts';
import type { BranchHead } from '../domain/look.ts';
import type { Application, Source } from '../domain/objects.ts';
import type { Clock, Forge, Repository } from '../ports.ts';
import { followedBranch } from './followed-branch.ts';

/** So long after a push was announced GitHub may still answer with what was there before it. */
const replicaLagMs = 60_000;

/** Heads of one branch that are kept. */
const headsMax = 50;

interface Branch {
  heads: { sha: string; at: number; unseenSince?: number }[];
  lookedAt: number;
  /** The last look of our own; a commit that the next one finds came after it. */
  seenAt: number | null;
}

export interface Heads {
  /** A push webhook. */
  announce(repository: Repository, branch: string, sha: string): void;
  /** Heads of every branch that the Applications follow; looks where nothing is known or it is older than `maxAgeMs`. */
  of(applications: readonly Pick<Application, 'sources'>[], maxAgeMs: number): Promise<readonly BranchHead[]>;
}

export function openHeads(forge: Forge, clock: Clock): Heads {
  const branches = new Map<string, Branch>();
  const defaults = new Map<string, string>();
  const keyOf = (repository: Repository, branch: string): string => `${placeName(repository)} ${branch}`;

  function add(key: string, sha: string, at: number, unseenSince?: number): Branch {
    const branch = branches.get(key) ?? { heads: [], lookedAt: 0, seenAt: null };
    branches.set(key, branch);
    if (branch.heads.at(-1)?.sha !== sha) {
      branch.heads.push({ sha, at: Math.max(at, branch.heads.at(-1)?.at ?? 0), unseenSince });
      branch.heads.splice(0, Math.max(0, branch.heads.length - headsMax));
    }
    return branch;
  }

  /** HEAD follows the default branch, also when it is renamed (GH14). */
  async function nameOf(repository: Repository, source: Source): Promise<string> {
    if (branchOf(source.targetRevision) !== 'HEAD') return branchOf(source.targetRevision);
    const key = keyOf(repository, 'HEAD');
    const known = defaults.get(key) ?? (await followedBranch(forge, repository, 'HEAD'));
    defaults.set(key, known);
    return known;
  }

  async function headsOf(source: Source, maxAgeMs: number): Promise<readonly BranchHead[]> {
    const repository = forge.repositoryOf(source.repoURL);
    if (repository === null || trackingOf(source) !== 'branch') return [];
    const name = await nameOf(repository, source);
    const key = keyOf(repository, name);
    const known = branches.get(key);
    if (known === undefined || clock.now() - known.lookedAt > maxAgeMs) {
      const head = await forge.branchHead(repository, name);
      if (head === null) return [];
      // Not looked at: it is asked for again at the next look.
      if (known !== undefined && (await isBehind(repository, head.sha, known))) return shown(known, source);
      // At the first look the commit may have been there for long: its own time is the best guess.
      const at = known === undefined ? Math.min(clock.now(), head.committedAt) : clock.now();
      const branch = add(key, head.sha, at, known?.seenAt ?? undefined);
      branch.lookedAt = clock.now();
      branch.seenAt = clock.now();
    }
    const branch = branches.get(key);
    return branch === undefined ? [] : shown(branch, source);
  }

  /** GitHub answered with what the branch held before a push that it has announced a moment ago. */
  async function isBehind(repository: Repository, sha: string, { heads, seenAt }: Branch): Promise<boolean> {
    const announced = heads.at(-1);
    const isYoung =
      announced !== undefined &&
      announced.at > (seenAt ?? Number.NEGATIVE_INFINITY) &&
      clock.now() - announced.at < replicaLagMs;
    if (!isYoung || announced.sha === sha) return false;
    return (await forge.range(repository, sha, announced.sha))?.mergeBase === sha;
  }

  function shown({ heads }: Branch, { repoURL, targetRevision }: Source): readonly BranchHead[] {
    const branch = branchOf(targetRevision);
    return heads.map((head) => ({ repoURL, branch, ...head }));
  }

  return {
    announce(repository, branch, sha) {
      const key = keyOf(repository, branch);
      const known = branches.get(key);
      // A late or repeated delivery tells of an older head; only a look tells what the branch holds now.
      if (known?.heads.some((head) => head.sha === sha) !== true) add(key, sha, clock.now());
      const after = branches.get(key);
      if (after !== undefined) after.lookedAt = Number.NEGATIVE_INFINITY;
      // A head that moved may be a default branch that was renamed: ask again.
      defaults.delete(keyOf(repository, 'HEAD'));
    },
    async of(applications, maxAgeMs) {
      const sources = new Map(
        applications
          .flatMap((application) => application.sources)
          .map((source) => [`${source.repoURL} ${source.targetRevision}`, source]),
      );
      const found = await Promise.all([...sources.values()].map((source) => headsOf(source, maxAgeMs)));
      return found.flat();
    },
  };
}
