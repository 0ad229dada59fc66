/**
 * The change that did it: the commits between last good and bad, for each git source, that touch what feeds
 * the failing Applications. Or why nobody can be named: a revert of the wrong commit is worse than none.
 */
import type { Revisions } from './content.ts';
import type { RolloutFailure } from './failure.ts';
import { isCommit, type Source } from './objects.ts';

/** What a source follows. A revert on a branch moves only what follows that branch. */
export type Tracking = 'branch' | 'tag' | 'tag-range' | 'pinned' | 'chart';

/**
 * What `targetRevision` follows: a commit id, whole or cut short, is a pin, a version constraint a range of tags (PS23), a
 * version one tag, all else (HEAD, nothing, a name) a branch. After
 * https://github.com/argoproj/argo-cd/blob/v3.5.1/util/versions/tags.go and `lsRemote` of util/git/client.go.
 */
export function trackingOf(source: Source): Tracking {
  const target = source.targetRevision.trim();
  if (source.chart !== null) return 'chart';
  if (isCommit(target) || /^(?=.*\d)(?=.*[a-f])[0-9a-f]{7,40}$/i.test(target)) return 'pinned';
  if (target.startsWith('refs/tags/')) return 'tag';
  if (/^v?\d+\.\d+(\.\d+)?([-+][0-9A-Za-z.+-]+)?$/.test(target)) return 'tag';
  return isConstraint(target) ? 'tag-range' : 'branch';
}

const comparison = /^(?:[=!<>~^]{0,2})v?(?:\d+|[xX*])(?:\.(?:\d+|[xX*])){0,2}(?:[-+][0-9A-Za-z.+-]+)?$/;

/** A constraint on versions, as Masterminds/semver reads one: alternatives of comparisons. A lone number is a name. */
function isConstraint(target: string): boolean {
  if (target === '' || target.length > 200 || /^\d+$/.test(target) || /^[xX]$/.test(target)) return false;
  const parts = target
    .split('||')
    .flatMap((alternative) => alternative.replace(/([=!<>~^])\s+/g, '$1').split(/[\s,]+/))
    .filter((part) => part !== '' && part !== '-');
  return parts.length > 0 && parts.every((part) => comparison.test(part));
}

export interface PullRequestFacts {
  number: number;
  title: string;
  url: string;
  author: string;
}

export interface RangeCommit {
  sha: string;
  message: string;
  author: string;
  /** Tree ids, for taking it back without a clone. */
  tree: string;
  firstParent: string | null;
  firstParentTree: string | null;
  parentsCount: number;
  /** Whether it changes what feeds the failing Applications. `unsure` keeps it as a suspect. */
  feeds: 'yes' | 'no' | 'unsure';
  files: readonly string[] | null;
  pullRequest: PullRequestFacts | null;
  /** A revert that Stepback itself made. */
  isOurs: boolean;
  /** When it came to the branch: the merge of its pull request, else its own time, which can be earlier. */
  landedAt?: number;
}

/** The first-parent line from last good to bad in the repository of one source, oldest first. */
export interface SourceRange {
  /** `owner/name`. */
  repository: string;
  branch: string;
  base: string;
  bad: string;
  /** `not-on-a-forge`: nobody tells us what it changed; `repository` is then its address. */
  status: 'ahead' | 'identical' | 'behind' | 'diverged' | 'not-found' | 'not-on-a-forge';
  isComplete: boolean;
  commits: readonly RangeCommit[];
}

export const noCulpritReasons = [
  'no-baseline',
  'bad-is-not-a-commit',
  'baseline-is-gone',
  'nothing-new',
  'template-edited',
  'not-ahead',
  'range-is-cut',
  'follows-a-tag',
  'pinned',
  'chart-changed',
  'no-commit-touches-it',
  'several-repositories',
  'revert-of-ours',
  'octopus-merge',
  'not-on-a-forge',
] as const;

export type NoCulpritReason = (typeof noCulpritReasons)[number];

export type Culprit =
  | {
      kind: 'suspects';
      repository: string;
      branch: string;
      /** Newest first: the order in which they are taken back. */
      suspects: readonly RangeCommit[];
      innocents: readonly RangeCommit[];
      /** Every commit of the range is a suspect: going back to last good does it in one merge. */
      isWholeRange: boolean;
      lastGood: Revisions;
      bad: Revisions;
    }
  | { kind: 'none'; reason: NoCulpritReason; detail: string };

const none = (reason: NoCulpritReason, detail = ''): Culprit => ({ kind: 'none', reason, detail });

/** Sources whose revision differs between last good and bad, by index (PS20). */
export function changedSources(lastGood: Revisions, bad: Revisions): readonly number[] {
  return bad.map((_, index) => index).filter((index) => bad[index] !== lastGood[index]);
}

/** Why no range can be asked for, or null when the ranges of the changed sources will tell. */
export function whyNoRange(failure: RolloutFailure): Culprit | null {
  const { bad, lastGood, first } = failure;
  if (bad === null) return none('bad-is-not-a-commit');
  if (lastGood === null) return none('no-baseline');
  const changed = changedSources(lastGood.revisions, bad);
  if (changed.length === 0) return none(failure.isTemplateEdited ? 'template-edited' : 'nothing-new');
  const { sources } = first.application;
  if (changed.some((index) => sources[index] === undefined)) return none('not-on-a-forge');
  const git = changed.filter((index) => sources[index]?.chart === null);
  if (git.length === 0) {
    const index = changed[0] ?? 0;
    return none(
      'chart-changed',
      `${sources[index]?.chart ?? ''} ${lastGood.revisions[index]} → ${bad[index]}`,
    );
  }
  const tracking = git.map((index) => trackingOf(sources[index] as Source));
  if (tracking.includes('pinned')) return none('pinned', git.map((index) => bad[index]).join(', '));
  const tag = git.find((_, position) => tracking[position] === 'tag' || tracking[position] === 'tag-range');
  if (tag !== undefined) return none('follows-a-tag', sources[tag]?.targetRevision ?? '');
  if (failure.isTemplateEdited) return none('template-edited');
  return null;
}

/** Names the commits to take back, or says why none can be named. `ranges`: one for each changed git source. */
export function findCulprit(failure: RolloutFailure, ranges: readonly SourceRange[]): Culprit {
  const before = whyNoRange(failure);
  if (before !== null) return before;
  if (failure.bad === null || failure.lastGood === null) return none('no-baseline');
  // It changed as well, and may have done it.
  const unread = ranges.find((range) => range.status === 'not-on-a-forge');
  if (unread !== undefined) return none('not-on-a-forge', unread.repository);
  // Force-pushed away: GitHub may keep such a commit, but it is no ancestor of what is there now (PS46).
  const gone = ranges.find((range) => range.status === 'not-found' || range.status === 'diverged');
  if (gone !== undefined) return none('baseline-is-gone', gone.base);
  const strange = ranges.find((range) => range.status === 'behind');
  if (strange !== undefined) return none('not-ahead', `${strange.base}...${strange.bad}`);
  const withSuspects = ranges.filter((range) => range.commits.some(isSuspect));
  // A list that was cut proves nothing about what is absent (GH09).
  const cut = ranges.find((range) => !range.isComplete);
  if (cut !== undefined) return none('range-is-cut', cut.repository);
  const [range] = withSuspects;
  if (range === undefined) return none('no-commit-touches-it');
  if (new Set(withSuspects.map(({ repository, branch }) => `${repository} ${branch}`)).size > 1) {
    return none('several-repositories', withSuspects.map(({ repository }) => repository).join(', '));
  }
  const commits = uniqueCommits(withSuspects);
  const suspects = commits.filter(isSuspect).reverse();
  const ours = suspects.find((commit) => commit.isOurs);
  if (ours !== undefined) return none('revert-of-ours', ours.sha);
  const octopus = suspects.find((commit) => commit.parentsCount > 2);
  if (octopus !== undefined) return none('octopus-merge', octopus.sha);
  return {
    kind: 'suspects',
    repository: range.repository,
    branch: range.branch,
    suspects,
    innocents: commits.filter((commit) => !isSuspect(commit)),
    isWholeRange: suspects.length === commits.length && withSuspects.length === 1,
    lastGood: failure.lastGood.revisions,
    bad: failure.bad,
  };
}

function isSuspect(commit: RangeCommit): boolean {
  return commit.feeds !== 'no';
}

/** Two sources of one repository share a range; a commit stands in it once. */
function uniqueCommits(ranges: readonly SourceRange[]): readonly RangeCommit[] {
  const bySha = new Map<string, RangeCommit>();
  for (const commit of ranges.flatMap((range) => range.commits)) {
    const known = bySha.get(commit.sha);
    if (known === undefined || (!isSuspect(known) && isSuspect(commit))) bySha.set(commit.sha, commit);
  }
  return [...bySha.values()];
}
