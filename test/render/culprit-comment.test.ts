import { describe, expect, it } from 'vitest';
import type { Incident } from '../../src/domain/incident.ts';
import { parseMarker } from '../../src/domain/marker.ts';
import { culpritComment, noticeOf } from '../../src/render/culprit-comment.ts';
import type { RenderContext } from '../../src/render/facts.ts';
import * as story from './incidents.ts';
import { context, entry, incident, inPhase, later, standing, suspect } from './sample-incident.ts';

function commentOf(one: Incident, at: RenderContext = context): string {
  const body = culpritComment(one, 412, at);
  expect(parseMarker(body)).toEqual({ kind: 'culprit', instance: one.instance, incident: one.id });
  return `\n${body.slice(0, body.lastIndexOf('\n\n<!-- stepback'))}\n`;
}

describe('the comment on the pull request that did it', () => {
  it('says who runs it, and where the way back is', () => {
    expect(commentOf(incident())).toMatchInlineSnapshot(`
      "
      This change runs on **3 of 7** Applications of \`argocd/payments\` (dev-1, staging-1 and prod-2), **prod-2 out of order**, and made staging-1 Degraded.

      Argo CD stops here but does not take it back. The way back is **[#415](https://github.com/acme/payments/pull/415)**.
      "
    `);
  });

  it('says when it was Healthy first, and how far it got', () => {
    expect(commentOf(story.lateAndGrown(), later(6))).toMatchInlineSnapshot(`
      "
      This change runs on **7 of 7** Applications of \`argocd/inventory\` (dev-1, staging-1, staging-2, staging-3, prod-1 and 2 more) and made dev-1, prod-1, prod-2 and prod-3 Degraded.

      Argo CD does not take it back. The way back is **[#415](https://github.com/acme/payments/pull/415)**.
      "
    `);
  });

  it('says that Argo CD may go on while it can', () => {
    const late = story.lateAndGrown();
    const [set] = late.sets;
    const stages = set?.stages.map((one, index) => (index === 2 ? { ...one, having: [], failing: [] } : one));
    expect(
      commentOf({ ...late, sets: [{ ...standing(), ...set, stages: stages ?? [] }] }),
    ).toMatchInlineSnapshot(`
      "
      This change runs on **4 of 7** Applications of \`argocd/inventory\` (dev-1, staging-1, staging-2 and staging-3) and made dev-1, prod-1, prod-2 and prod-3 Degraded.

      Argo CD may go on to the other stages, and does not take it back. The way back is **[#415](https://github.com/acme/payments/pull/415)**.
      "
    `);
  });

  it('says when nothing of it runs', () => {
    expect(commentOf(story.syncFailed())).toMatchInlineSnapshot(`
      "
      This change cannot be synced on dev-1 of \`argocd/invoices\`, and no Application runs it.

      Argo CD stops here but does not take it back. The way back is **[#415](https://github.com/acme/payments/pull/415)**.
      "
    `);
    expect(commentOf(story.renderError())).toMatchInlineSnapshot(`
      "
      This change cannot be rendered for \`argocd/search\`: Argo CD has got no manifests out of it for 2 min, and none of **3 Applications** can be updated.

      Argo CD stops here but does not take it back. The way back is **[#415](https://github.com/acme/payments/pull/415)**.
      "
    `);
  });

  it('says when something newer runs already', () => {
    const stages = standing().stages.map((one) => ({ ...one, having: [], outOfOrder: [] }));
    const overtaken = incident({ sets: [standing({ having: 0, stages })] });
    expect(commentOf(overtaken)).toMatchInlineSnapshot(`
      "
      This change made staging-1 of \`argocd/payments\` Degraded, and no Application runs exactly this any more, only what was built on it.

      Argo CD stops here but does not take it back. The way back is **[#415](https://github.com/acme/payments/pull/415)**.
      "
    `);
  });

  it('speaks of every ApplicationSet', () => {
    expect(commentOf(story.twoSets())).toMatchInlineSnapshot(`
      "
      This change makes **2 ApplicationSets** fail.

      - It runs on **1 of 7** Applications of \`argocd/orders\` (dev-1) and made dev-1 Degraded.
      - It runs on **1 of 7** Applications of \`argocd/returns\` (dev-1) and made dev-1 Degraded.

      Argo CD stops here but does not take it back. The way back is **[#415](https://github.com/acme/payments/pull/415)**.
      "
    `);
  });

  it('says that it may not have been this one', () => {
    expect(commentOf(story.severalSuspects())).toMatchInlineSnapshot(`
      "
      This change runs on **3 of 7** Applications of \`argocd/payments\` (dev-1, staging-1 and prod-2), **prod-2 out of order**, and made staging-1 Degraded. It is one of **2 changes** since last good; which of them did it I cannot tell, so all are taken back together.

      Argo CD stops here but does not take it back. The way back is **[#415](https://github.com/acme/payments/pull/415)**.
      "
    `);
  });

  it('says why there is no revert, and the ways out', () => {
    expect(commentOf(story.conflict())).toMatchInlineSnapshot(`
      "
      This change runs on **3 of 7** Applications of \`argocd/payments\` (dev-1, staging-1 and prod-2), **prod-2 out of order**, and made staging-1 Degraded.

      Argo CD does not take it back, and **there is no revert pull request**. The change cannot be taken back by itself, because what landed later builds on it: \`apps/payments/values.yaml\` (the same lines were changed, by \`5db8d21\` and \`ea283fd\`); \`apps/payments/old.yaml\` (one side changed it, the other deletes it, by \`5db8d21\`). Three ways out: revert \`5db8d21\` and \`ea283fd\` first, comment \`/stepback restore\` to put the folder back to last good as a whole, or revert by hand and resolve the conflict.
      "
    `);
    const archived = incident({ phase: 'noticed', pullRequest: null, obstacle: { kind: 'archived' } });
    expect(commentOf(archived)).toMatchInlineSnapshot(`
      "
      This change runs on **3 of 7** Applications of \`argocd/payments\` (dev-1, staging-1 and prod-2), **prod-2 out of order**, and made staging-1 Degraded.

      Argo CD does not take it back, and **there is no revert pull request**. The repository is archived, and nobody can push to it. Unarchive it, or point the ApplicationSet to the repository that took its place.
      "
    `);
  });

  it('says that a revert is to come while there is none', () => {
    expect(commentOf(incident({ phase: 'noticed', pullRequest: null }))).toMatchInlineSnapshot(`
      "
      This change runs on **3 of 7** Applications of \`argocd/payments\` (dev-1, staging-1 and prod-2), **prod-2 out of order**, and made staging-1 Degraded.

      Argo CD does not take it back. There is no revert yet; I link it here as soon as there is one.
      "
    `);
  });

  it('follows the merge', () => {
    expect(commentOf(story.mergedWithOneLeft(), later(15))).toMatchInlineSnapshot(`
      "
      This change ran on up to **3 of 7** Applications of \`argocd/payments\` and made it Degraded.

      [#415](https://github.com/acme/payments/pull/415) was merged at 03:25 UTC; 1 Application is not back yet:

      - \`payments-prod-2\` has differed from Git since 2026-08-01 03:26:05 UTC, and no sync is coming (\`status.sync.status\`: \`OutOfSync, Healthy in the ApplicationSet\`). If it stays so, run \`argocd app sync payments-prod-2\`.
      "
    `);
    expect(commentOf(story.recovered(), later(15))).toMatchInlineSnapshot(`
      "
      This change ran on up to **3 of 7** Applications of \`argocd/payments\` and made it Degraded.

      It is taken back by [#415](https://github.com/acme/payments/pull/415), and every Application is back on [\`ea283fd\`](https://github.com/acme/payments/commit/ea283fd214ab2c8b09f342cbb443bb15fae16512). To bring it in again, revert that revert and correct what failed.
      "
    `);
  });

  it('says when it healed, and when a person closed the revert', () => {
    expect(commentOf(inPhase('healed'), later(6))).toMatchInlineSnapshot(`
      "
      This change ran on up to **3 of 7** Applications of \`argocd/payments\` and made it Degraded.

      It has been well again since 03:20 UTC, without a revert; [#415](https://github.com/acme/payments/pull/415) is closed. If it fails again, I say so here.
      "
    `);
    expect(commentOf(inPhase('dismissed'), later(6))).toMatchInlineSnapshot(`
      "
      This change ran on up to **3 of 7** Applications of \`argocd/payments\` and made it Degraded.

      A person closed [#415](https://github.com/acme/payments/pull/415) at 03:20 UTC, so I leave this change alone. To take it back after all, reopen and merge [#415](https://github.com/acme/payments/pull/415).
      "
    `);
  });

  it('does not change while nothing that it says changes', () => {
    const one = incident();
    const noted = { ...one, timeline: [...one.timeline, entry('recomputed', 1)], openedAt: one.openedAt + 1 };
    expect(culpritComment(noted, 412, context)).toBe(culpritComment(one, 412, context));
  });
});

describe('the notice of a change that has no pull request', () => {
  it('names the commit instead', () => {
    const one = incident({ suspects: [suspect({ pullRequest: null })] });
    const notice = noticeOf(one, context);
    expect(parseMarker(notice)?.kind).toBe('notice');
    expect(notice.split('\n\n<!--')[0]).toMatchInlineSnapshot(`
      "[\`d2bf318\`](https://github.com/acme/payments/commit/d2bf318c0e1a4f5b6c7d8e9f0a1b2c3d4e5f6a7b) \`payments: new ledger endpoint\` runs on **3 of 7** Applications of \`argocd/payments\` (dev-1, staging-1 and prod-2), **prod-2 out of order**, and made staging-1 Degraded.

      Argo CD stops here but does not take it back. The way back is **[#415](https://github.com/acme/payments/pull/415)**."
    `);
  });
});
