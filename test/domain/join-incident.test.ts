/** Which incident a failure joins, and what of its range that one takes back. */
import { describe, expect, it } from 'vitest';
import type { Culprit, RangeCommit } from '../../src/domain/culprit.ts';
import type { Incident } from '../../src/domain/incident.ts';
import { joinIncident } from '../../src/domain/join-incident.ts';
import { incident, suspect } from '../render/sample-incident.ts';

const [oldest, middle, newest] = ['1', '2', '3'].map((digit) => digit.repeat(40)) as [string, string, string];
const context = { instance: 'argocd', host: 'github.com', now: Date.UTC(2026, 7, 1, 4) };

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
