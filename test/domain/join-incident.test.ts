/** Which incident a failure joins, and what of its range that one takes back. */
import { describe, expect, it } from 'vitest';
import type { Culprit, RangeCommit } from '../../src/domain/culprit.ts';
import type { Incident } from '../../src/domain/incident.ts';
import { joinIncident } from '../../src/domain/join-incident.ts';
import { incident, suspect } from '../render/sample-incident.ts';

const [oldest, middle, newest] = ['1', '2', '3'].map((digit) => digit.repeat(40)) as [string, string, string];
const context = { instance: 'argocd', host: 'github.com', now: Date.UTC(2026, 7, 1, 4), failingSince: null };

function commit(sha: string): RangeCommit {
  return {
    sha,
    message: `change ${sha[0]}`,
    author: 'mona',
    tree: `tree-${sha[0]}`,
    firstParent: null,
    firstParentTree: `tree-before-${sha[0]}`,
    parentsCount: 1,
    feeds: 'yes',
    files: null,
    pullRequest: null,
    isOurs: false,
  };
}

/** Newest first, as a culprit has them. */
function blaming(...shas: readonly string[]): Culprit {
  return {
    kind: 'suspects',
    repository: 'acme/payments',
    branch: 'main',
    suspects: shas.map(commit),
    innocents: [],
    isWholeRange: true,
    lastGood: [],
    bad: [...shas.slice(0, 1)],
  };
}

function about(id: string, sha: string, change: Partial<Incident> = {}): Incident {
  const lastGoodTree = `tree-before-${sha[0]}`;
  return incident({
    id,
    suspects: [suspect({ sha, firstParentTree: lastGoodTree })],
    lastGoodTree,
    ...change,
  });
}

function join(incidents: readonly Incident[], culprit: Culprit): [string, ...string[]] {
  const joined = joinIncident(incidents, culprit, context);
  return [joined?.id ?? '', ...(joined?.suspects ?? []).map(({ sha }) => sha)];
}

describe('a range that two open incidents are in', () => {
  const both = [about('one', oldest), about('other', newest)];

  it('joins the one that takes its newest suspect back, and leaves the other its own', () => {
    expect(join(both, blaming(newest, oldest))).toEqual(['other', newest]);
    expect(join([...both].reverse(), blaming(newest, oldest))).toEqual(['other', newest]);
  });

  it('brings it what nobody takes back yet', () => {
    const joined = joinIncident(both, blaming(newest, middle, oldest), context);
    expect(joined?.suspects.map(({ sha }) => sha)).toEqual([newest, middle]);
    // Last good lies before the suspect of the other one, which stays.
    expect(joined).toMatchObject({ isWholeRange: false, lastGoodTree: 'tree-before-2' });
  });

  it('joins the one that is open when the other is over, and takes all of it back', () => {
    const incidents = [about('one', oldest), about('other', newest, { phase: 'healed' })];
    expect(join(incidents, blaming(newest, oldest))).toEqual(['one', newest, oldest]);
  });
});

it('takes back to before the oldest suspect when an older one joins', () => {
  const joined = joinIncident([about('one', newest)], blaming(newest, oldest), context);
  expect(joined).toMatchObject({ isWholeRange: true, lastGoodTree: 'tree-before-1' });
});

it('opens one where no incident of the same branch has a suspect of it', () => {
  const elsewhere = about('elsewhere', newest, { branch: 'release' });
  expect(join([elsewhere, about('one', oldest)], blaming(newest))).toEqual(['argocd-333333333333', newest]);
});

describe('a range that holds what is settled already', () => {
  const dismissed = about('dismissed', oldest, { phase: 'dismissed' });
  const merged = about('merged', oldest, {
    phase: 'merged',
    pullRequest: null,
    takenBackBy: { number: 7, author: 'sam' },
  });
  const theirs = (sha: string): RangeCommit => ({
    ...commit(sha),
    pullRequest: { number: 7, title: 'Back to before', url: '', author: 'sam' },
  });

  it('gives what landed after a dismissed change an incident of its own, which leaves that one', () => {
    const joined = joinIncident([dismissed], blaming(newest, middle, oldest), context);
    expect(joined).toMatchObject({
      id: 'argocd-222222222222',
      isWholeRange: false,
      lastGoodTree: 'tree-before-2',
    });
    expect(joined?.suspects.map(({ sha }) => sha)).toEqual([newest, middle]);
    expect(joined?.settled?.map(({ sha }) => sha)).toEqual([oldest]);
  });

  it('keeps the two apart at the next look, whoever is named first', () => {
    const own = joinIncident([dismissed], blaming(newest, oldest), context);
    if (own === null) throw new Error('There is no incident.');
    for (const incidents of [
      [dismissed, own],
      [own, dismissed],
    ])
      expect(join(incidents, blaming(newest, oldest))).toEqual([own.id, newest]);
  });

  it('stays with the dismissed one when what failed on that has not been well since', () => {
    const landed = Date.UTC(2026, 7, 1, 3);
    const culprit = blaming(newest, oldest);
    if (culprit.kind === 'none') throw new Error('Nobody is named.');
    const [last, first] = culprit.suspects as [RangeCommit, RangeCommit];
    const dated = { ...culprit, suspects: [{ ...last, landedAt: landed }, first] };
    const joined = (failingSince: number) =>
      joinIncident([dismissed], dated, { ...context, failingSince })?.suspects.map(({ sha }) => sha);
    expect(joined(landed - 1)).toEqual([oldest]);
    expect(joined(landed + 60_000)).toEqual([newest]);
  });

  it('stays with the dismissed one when that is the newest of the range', () => {
    expect(join([about('dismissed', newest, { phase: 'dismissed' })], blaming(newest, oldest))).toEqual([
      'dismissed',
      newest,
    ]);
  });

  it('waits for a merged revert when the next change landed before it', () => {
    expect(join([merged], blaming(newest, oldest))).toEqual(['merged', oldest]);
  });

  it('takes back what landed after the merge of a revert, and not that revert', () => {
    const culprit = blaming(newest, oldest);
    if (culprit.kind === 'none') throw new Error('Nobody is named.');
    const [last, first] = culprit.suspects as [RangeCommit, RangeCommit];
    const joined = joinIncident([merged], { ...culprit, suspects: [last, theirs(middle), first] }, context);
    expect(joined?.suspects.map(({ sha }) => sha)).toEqual([newest]);
  });

  it('lets what had healed grow when it fails again together with a newer change', () => {
    expect(join([about('healed', oldest, { phase: 'healed' })], blaming(newest, oldest))).toEqual([
      'healed',
      newest,
      oldest,
    ]);
  });
});
