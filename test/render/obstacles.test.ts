import { describe, expect, it } from 'vitest';
import type { Obstacle } from '../../src/domain/incident.ts';
import { describeObstacle, obstacleInMarkdown } from '../../src/render/obstacles.ts';
import { read } from './markdown.ts';
import { bad, began, innocent, lastGood, minute } from './sample-incident.ts';

const paths = (number: number): Extract<Obstacle, { kind: 'conflict' }>['paths'] =>
  Array.from({ length: number }, (_, index) => ({
    path: `apps/payments/${index}.yaml`,
    why: index === 0 ? 'same-lines' : 'changed-and-deleted',
    laterCommits: index === 0 ? [innocent, lastGood] : [],
  }));

const obstacles: readonly Obstacle[] = [
  { kind: 'conflict', paths: paths(2) },
  { kind: 'conflict', paths: paths(7).slice(1) },
  { kind: 'already-undone', by: null },
  { kind: 'already-undone', by: bad },
  { kind: 'branch-missing', branch: 'main' },
  { kind: 'archived' },
  { kind: 'refused', message: 'Resource not accessible by integration' },
  { kind: 'human-changed-branch', branch: 'stepback/argocd/revert-d2bf318c0e1a' },
  { kind: 'mode', mode: 'comment' },
  { kind: 'held', by: 'dana', until: began },
  { kind: 'stopped', issue: 7, by: 'dana' },
  { kind: 'stopped', issue: 7, by: null },
  { kind: 'stopped', issue: null, by: null },
  { kind: 'limit-reached', scope: 'repository', name: 'acme/payments', max: 10, until: began },
  { kind: 'limit-reached', scope: 'application-set', name: 'argocd/payments', max: 1, until: began },
  { kind: 'limit-reached', scope: 'installation', name: '', max: 20, until: began },
  { kind: 'limit-reached', scope: 'repository', name: 'acme/payments', max: 0, until: null },
  { kind: 'failure-too-old', since: began, maxMs: 360 * minute },
  { kind: 'culprit-too-old', sha: bad, landedAt: began, maxMs: 1440 * minute },
  { kind: 'human-revert-open', number: 415, author: 'sam' },
  { kind: 'abandoned', number: 415 },
  { kind: 'revert-of-revert', sha: bad, subject: 'Revert "Revert "payments: new ledger endpoint""' },
  { kind: 'opted-out', sha: bad, by: 'label', name: 'stepback: skip' },
  { kind: 'opted-out', sha: bad, by: 'trailer', name: 'Stepback-Skip' },
  {
    kind: 'storm',
    destinations: ['https://dev-1.acme.example:6443'],
    others: ['argocd/orders-dev-1', 'argocd/returns-dev-1'],
  },
  { kind: 'newer-commit', sha: innocent },
];

describe('what is in the way of a revert', () => {
  it('is told with the ways out', () => {
    expect(`\n${obstacles.map(describeObstacle).join('\n')}\n`).toMatchInlineSnapshot(`
      "
      The change cannot be taken back by itself, because what landed later builds on it: apps/payments/0.yaml (the same lines were changed, by 5db8d21 and ea283fd); apps/payments/1.yaml (one side changed it, the other deletes it). Three ways out: revert 5db8d21 and ea283fd first, comment /stepback restore to put the folder back to last good as a whole, or revert by hand and resolve the conflict.
      The change cannot be taken back by itself, because what landed later builds on it: apps/payments/1.yaml (one side changed it, the other deletes it); apps/payments/2.yaml (one side changed it, the other deletes it); apps/payments/3.yaml (one side changed it, the other deletes it); apps/payments/4.yaml (one side changed it, the other deletes it); apps/payments/5.yaml (one side changed it, the other deletes it); and 1 more. Two ways out: comment /stepback restore to put the folder back to last good as a whole, or revert by hand and resolve the conflict.
      The branch already is as the revert would leave it, so there is nothing to merge.
      d2bf318 has taken the change back already, so there is nothing to merge.
      The branch main is not there any more. Point the ApplicationSet to the branch that took its place, or bring it back.
      The repository is archived, and nobody can push to it. Unarchive it, or point the ApplicationSet to the repository that took its place.
      GitHub does not let me make the revert: "Resource not accessible by integration". I try again at the next look; what you can do now is to revert by hand.
      Somebody else pushed to stepback/argocd/revert-d2bf318c0e1a, so I leave that branch alone: it is yours. If the base branch moves on and conflicts, resolve it there.
      Stepback is configured to comment only, so I open no revert. To have one from now on, set mode: revert wherever less is set: in .github/stepback.yaml here or in the organisation, in an annotation, or for the installation. To take this change back now, comment /stepback revert.
      dana ordered no reverts until 2026-08-01 03:12:05 UTC; I look again then. To end that earlier, comment /stepback resume; to have the revert now all the same, /stepback revert.
      Stepback is stopped in this repository by #7, which dana labelled, so it changes nothing. Close that issue, or take the label off, and I go on; until then, revert by hand.
      Stepback is stopped in this repository by #7, so it changes nothing. Close that issue, or take the label off, and I go on; until then, revert by hand.
      Stepback is stopped for the whole installation (STEPBACK_STOP), so it changes nothing. Whoever runs it can start it again; until then, revert by hand.
      10 reverts were opened in acme/payments in 24 hours. That is the limit, so I open none before 2026-08-01 03:12:05 UTC. Revert by hand, or comment /stepback revert to have this one all the same.
      1 revert was opened for argocd/payments in 24 hours. That is the limit, so I open none before 2026-08-01 03:12:05 UTC. Revert by hand, or comment /stepback revert to have this one all the same.
      20 reverts were opened in the whole installation in 24 hours. That is the limit, so I open none before 2026-08-01 03:12:05 UTC. Revert by hand, or comment /stepback revert to have this one all the same.
      No revert is allowed by the limit of reverts in 24 hours, which is 0. Revert by hand, or comment /stepback revert to have this one all the same.
      It has been failing since 2026-08-01 03:12:05 UTC, for longer than the 6 h after which I open no revert by myself (times.failureTooOld): people live with it by now, or work on it. Revert by hand, or comment /stepback revert.
      d2bf318 landed at 2026-08-01 03:12:05 UTC, longer ago than the 24 h after which I open no revert by myself (times.culpritTooOld): much may build on it. Revert by hand, or comment /stepback revert.
      sam takes it back already with #415, so I open none of my own. Merge that one; if it is closed unmerged, I open mine.
      A person closed #415, my revert of this change, so I leave it alone. To have it after all, reopen it, or comment /stepback revert.
      d2bf318 (Revert "Revert "payments: new ledger endpoint"") brings back what had been taken back before. Whoever did that meant it, so I do not take it back a second time by myself: revert by hand, or comment /stepback revert.
      The change has the label stepback: skip, with which changes are never reverted by me. Fix it with a new commit, or revert by hand; without the label I take it back.
      The commit d2bf318 has the trailer Stepback-Skip, with which changes are never reverted by me. Fix it with a new commit, or revert by hand.
      It fails on https://dev-1.acme.example:6443, where argocd/orders-dev-1 and argocd/returns-dev-1 began to fail at the same time without having got this change: it is the destination, not the commit. Look at that cluster first. When the others are well and this fails still, I open the revert; comment /stepback revert to have it now.
      5db8d21 landed since and changes what fails, so I wait for how it fares. If it fails as well, I take both back; if it works, nothing has to be done.
      "
    `);
  });

  it('is the same words in Markdown', () => {
    for (const obstacle of obstacles) {
      const markdown = obstacleInMarkdown(obstacle);
      expect(markdown.replace(/[`"]/g, '')).toBe(describeObstacle(obstacle).replaceAll('"', ''));
      // A number of GitHub's own is meant to be clicked.
      expect(read(markdown).live.filter((text) => !/^#\d$/.test(text))).toEqual([]);
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
