import { describe, expect, it } from 'vitest';
import type { Obstacle } from '../../src/domain/incident.ts';
import { describeObstacle, obstacleInMarkdown } from '../../src/render/obstacles.ts';
import { read } from './markdown.ts';
import { bad, innocent, lastGood } from './sample-incident.ts';

const paths = (number: number): Extract<Obstacle, { kind: 'conflict' }>['paths'] =>
  Array.from({ length: number }, (_, index) => ({
    path: `apps/payments/${index}.yaml`,
    why: index === 0 ? 'same-lines' : 'changed-and-deleted',
    laterCommits: index === 0 ? [innocent, lastGood] : [],
  }));

const obstacles: readonly Obstacle[] = [
  { kind: 'no-culprit', reason: 'no-baseline', detail: '' },
  { kind: 'conflict', paths: paths(2) },
  { kind: 'conflict', paths: paths(7).slice(1) },
  { kind: 'already-undone', by: null },
  { kind: 'already-undone', by: bad },
  { kind: 'branch-missing', branch: 'main' },
  { kind: 'archived' },
  { kind: 'refused', message: 'Resource not accessible by integration' },
  { kind: 'human-changed-branch', branch: 'stepback/argocd/revert-d2bf318c0e1a' },
];

describe('what is in the way of a revert', () => {
  it('is told with the ways out', () => {
    expect(`\n${obstacles.map(describeObstacle).join('\n')}\n`).toMatchInlineSnapshot(`
      "
      There is nothing to go back to: no failing Application was seen Healthy on another commit. Fix it with a new commit.
      The change cannot be taken back by itself, because what landed later builds on it: apps/payments/0.yaml (the same lines were changed, by 5db8d21 and ea283fd); apps/payments/1.yaml (one side changed it, the other deletes it). Three ways out: revert 5db8d21 and ea283fd first, comment /stepback restore to put the folder back to last good as a whole, or revert by hand and resolve the conflict.
      The change cannot be taken back by itself, because what landed later builds on it: apps/payments/1.yaml (one side changed it, the other deletes it); apps/payments/2.yaml (one side changed it, the other deletes it); apps/payments/3.yaml (one side changed it, the other deletes it); apps/payments/4.yaml (one side changed it, the other deletes it); apps/payments/5.yaml (one side changed it, the other deletes it); and 1 more. Two ways out: comment /stepback restore to put the folder back to last good as a whole, or revert by hand and resolve the conflict.
      The branch already is as the revert would leave it, so there is nothing to merge.
      d2bf318 has taken the change back already, so there is nothing to merge.
      The branch main is not there any more. Point the ApplicationSet to the branch that took its place, or bring it back.
      The repository is archived, and nobody can push to it. Unarchive it, or point the ApplicationSet to the repository that took its place.
      GitHub does not let me make the revert: "Resource not accessible by integration". I try again at the next look; what you can do now is to revert by hand.
      Somebody else pushed to stepback/argocd/revert-d2bf318c0e1a, so I leave that branch alone: it is yours. If the base branch moves on and conflicts, resolve it there.
      "
    `);
  });

  it('is the same words in Markdown', () => {
    for (const obstacle of obstacles) {
      const markdown = obstacleInMarkdown(obstacle);
      expect(markdown.replaceAll('`', '')).toBe(describeObstacle(obstacle).replaceAll('"', ''));
      expect(read(markdown).live).toEqual([]);
    }
  });

  it('shows what GitHub says without obeying it', () => {
    const { live, html } = read(obstacleInMarkdown({ kind: 'refused', message: '@everyone <b> `x` #1' }));
    expect({ live, html }).toEqual({ live: [], html: [] });
  });

  it('tells a reason that it does not know in its own words', () => {
    const strange = { path: 'a.yaml', why: 'something new', laterCommits: [] };
    expect(describeObstacle({ kind: 'conflict', paths: [strange] })).toContain('a.yaml (something new)');
  });
});
