import { describe, expect, it } from 'vitest';
import { revertBody } from '../../src/render/revert-pull-request.ts';
import * as story from './incidents.ts';
import { incident, inPhase, later, noticed, standing } from './sample-incident.ts';

/** The body without its marker, which is tested by itself. */
function bodyOf(...[one, options]: Parameters<typeof revertBody>): string {
  const body = revertBody(one, options);
  return `\n${body.slice(0, body.lastIndexOf('\n\n<!-- stepback'))}\n`;
}

/** What is read before anything is unfolded. */
const aboveTheFold = (...[one, options]: Parameters<typeof revertBody>): string =>
  `${bodyOf(one, options).split('\n\n<details>')[0]}\n`;

describe('the body after the merge', () => {
  it('says who is not back, why, and what to do', () => {
    expect(bodyOf(story.mergedWithOneLeft(), later(15))).toMatchInlineSnapshot(`
      "
      **Merged** 4 min ago. **2 of 3** Applications are back on [\`ea283fd\`](https://github.com/acme/payments/commit/ea283fd214ab2c8b09f342cbb443bb15fae16512); **1 Application is not back yet**:

      - \`payments-prod-2\` has differed from Git since 2026-08-01 03:26:05 UTC, and no sync is coming (\`status.sync.status\`: \`OutOfSync, Healthy in the ApplicationSet\`). If it stays so, run \`argocd app sync payments-prod-2\`.

      |  | Stage | Still has the bad commit | Health |
      | --- | --- | --- | --- |
      | 1 | dev | 0 of 1 | Healthy |
      | 2 | staging | 0 of 3 | Healthy |
      | 3 | prod | 1 of 3: prod-2 | Healthy, no sync is coming |

      **What this took back** · [#412](https://github.com/acme/payments/pull/412) \`payments: new ledger endpoint\` by \`mona\`, 3 files under \`apps/payments\`.

      As of 2026-08-01 03:29:05 UTC; I edit this text when something changes.

      <details><summary>Evidence</summary>

      **\`argocd/payments\`** of Argo CD \`argocd\`, failing since 2026-08-01 03:12:05 UTC

      Last good: [\`ea283fd\`](https://github.com/acme/payments/commit/ea283fd214ab2c8b09f342cbb443bb15fae16512), seen Synced and Healthy · [what changed since](https://github.com/acme/payments/compare/ea283fd214ab2c8b09f342cbb443bb15fae16512...d2bf318c0e1a4f5b6c7d8e9f0a1b2c3d4e5f6a7b)

      \`payments-staging-1\` has been Degraded since 2026-08-01 03:12:05 UTC, on a commit on which it never was Healthy (\`status.health.status\`: \`Degraded\`): \`Deployment payments: back-off 20s restarting failed container\`.

      **Timeline**

      - 2026-08-01 03:14:05 UTC: noticed that it fails
      - 2026-08-01 03:14:05 UTC: opened this revert
      - 2026-08-01 03:25:05 UTC: merged

      </details>
      "
    `);
  });

  it('says right after the merge that Argo CD has not noticed it yet', () => {
    const left = ['payments-dev-1', 'payments-staging-1', 'payments-prod-2'].map((application) => ({
      application,
      reasons: [],
    }));
    expect(aboveTheFold(inPhase('merged', { sets: [standing({ left })] }), later(11))).toMatchInlineSnapshot(`
      "
      **Merged** 1 s ago. **0 of 3** Applications are back on [\`ea283fd\`](https://github.com/acme/payments/commit/ea283fd214ab2c8b09f342cbb443bb15fae16512); **3 Applications are not back yet**:

      - \`payments-dev-1\`, \`payments-staging-1\` and \`payments-prod-2\` have the bad commit still: Argo CD has not noticed the revert there yet.

      |  | Stage | Still has the bad commit | Health |
      | --- | --- | --- | --- |
      | 1 | dev | 1 of 1: dev-1 | Healthy |
      | 2 | staging (50 % at a time) | 1 of 3: staging-1 | **Degraded**: Deployment payments: back-off 20s restarting failed container |
      | 3 | prod (one at a time) | 1 of 3: prod-2, **out of order** | Healthy |

      **What this took back** · [#412](https://github.com/acme/payments/pull/412) \`payments: new ledger endpoint\` by \`mona\`, 3 files under \`apps/payments\`.

      As of 2026-08-01 03:25:05 UTC; I edit this text when something changes.
      "
    `);
  });

  it('counts nobody as having had what could not be rendered', () => {
    const [search] = story.renderError().sets;
    const left = (search?.evidence ?? []).map((reason) => ({
      application: reason.application ?? '',
      reasons: [reason],
    }));
    const one = inPhase('merged', { sets: [{ ...standing(), ...search, left }] });
    expect(bodyOf(one, later(13)).split('\n')[1]).toMatchInlineSnapshot(
      `"**Merged** 2 min ago. No Application ran the bad commit; **3 Applications are not well yet**:"`,
    );
  });

  it('says when nobody has it any more and it is looked at once more', () => {
    const one = inPhase('merged', { sets: [standing({ having: 0, stages: [] })] });
    expect(bodyOf(one, later(13)).split('\n')[1]).toMatchInlineSnapshot(
      `"**Merged** 2 min ago. **3 of 3** Applications are back on [\`ea283fd\`](https://github.com/acme/payments/commit/ea283fd214ab2c8b09f342cbb443bb15fae16512); I look once more before I call it recovered."`,
    );
  });

  it('has no figures where too little is remembered', () => {
    const { timeline: _, ...rest } = story.recovered();
    expect(bodyOf({ ...rest, timeline: [] }, later(15))).not.toContain('In all');
  });

  it('has the figures when everything is back', () => {
    expect(bodyOf(story.recovered(), later(15))).toMatchInlineSnapshot(`
      "
      **Recovered.** Every Application is back, Synced and Healthy: \`payments\` on [\`ea283fd\`](https://github.com/acme/payments/commit/ea283fd214ab2c8b09f342cbb443bb15fae16512). At the worst **3 of 7** Applications ran [\`d2bf318\`](https://github.com/acme/payments/commit/d2bf318c0e1a4f5b6c7d8e9f0a1b2c3d4e5f6a7b).

      |  | At |  |
      | --- | --- | --- |
      | It began to fail | 2026-08-01 03:12:05 UTC |  |
      | Noticed | 2026-08-01 03:14:05 UTC | after 2 min |
      | Revert opened | 2026-08-01 03:14:05 UTC | at once |
      | Merged | 2026-08-01 03:25:05 UTC | after 11 min |
      | Recovered | 2026-08-01 03:29:05 UTC | after 4 min |
      | **In all** |  | **17 min** |

      **What this took back** · [#412](https://github.com/acme/payments/pull/412) \`payments: new ledger endpoint\` by \`mona\`, 3 files under \`apps/payments\`.

      The change can come back with what made it fail corrected: revert this revert and add the correction.

      As of 2026-08-01 03:29:05 UTC; I edit this text when something changes.

      <details><summary>Evidence</summary>

      **\`argocd/payments\`** of Argo CD \`argocd\`, failing since 2026-08-01 03:12:05 UTC

      Last good: [\`ea283fd\`](https://github.com/acme/payments/commit/ea283fd214ab2c8b09f342cbb443bb15fae16512), seen Synced and Healthy · [what changed since](https://github.com/acme/payments/compare/ea283fd214ab2c8b09f342cbb443bb15fae16512...d2bf318c0e1a4f5b6c7d8e9f0a1b2c3d4e5f6a7b)

      \`payments-staging-1\` has been Degraded since 2026-08-01 03:12:05 UTC, on a commit on which it never was Healthy (\`status.health.status\`: \`Degraded\`): \`Deployment payments: back-off 20s restarting failed container\`.

      **Timeline**

      - 2026-08-01 03:14:05 UTC: noticed that it fails
      - 2026-08-01 03:14:05 UTC: opened this revert
      - 2026-08-01 03:25:05 UTC: merged
      - 2026-08-01 03:29:05 UTC: every Application is back

      </details>
      "
    `);
  });
});

describe('the body of a revert that was not merged', () => {
  it('has a word when it is not needed any more', () => {
    expect(aboveTheFold(inPhase('healed'), later(6))).toMatchInlineSnapshot(`
      "
      **Not needed any more.** \`payments\` has been well again since 03:20 UTC, without this revert. If the same change fails again, I open this one again.

      **What this would take back** · [#412](https://github.com/acme/payments/pull/412) \`payments: new ledger endpoint\` by \`mona\`, 3 files under \`apps/payments\`.

      As of 2026-08-01 03:20:05 UTC; I edit this text when something changes.
      "
    `);
  });

  it('has a word when a person closed it', () => {
    expect(aboveTheFold(inPhase('dismissed'), later(6))).toMatchInlineSnapshot(`
      "
      **Closed by a person.** I open no other revert for this change and do not follow it any further. When it was closed, 3 of 7 Applications of \`payments\` ran the commit. If you want it after all, reopen and merge this, and look at the stages yourself.

      |  | Stage | Has the bad commit | Health |
      | --- | --- | --- | --- |
      | 1 | dev | 1 of 1: dev-1 | Healthy |
      | 2 | staging (50 % at a time) | 1 of 3: staging-1 | **Degraded**: Deployment payments: back-off 20s restarting failed container |
      | 3 | prod (one at a time) | 1 of 3: prod-2, **out of order** | Healthy; prod-1 and prod-3 wait |

      **What this would take back** · [#412](https://github.com/acme/payments/pull/412) \`payments: new ledger endpoint\` by \`mona\`, 3 files under \`apps/payments\`.

      As of 2026-08-01 03:20:05 UTC; I edit this text when something changes.
      "
    `);
  });
});

describe('the body of a revert that stays closed', () => {
  const before = incident().pullRequest;
  const pullRequest = before === null ? null : { ...before, closedAt: noticed };

  it('says why, when it fails again', () => {
    const kept = inPhase('noticed', {
      pullRequest,
      obstacle: { kind: 'human-revert-open', number: 416, author: 'sam' },
    });
    expect(aboveTheFold(kept, later(5)).split('\n\n')[0]).toMatchInlineSnapshot(`
      "
      **It fails again, and this stays closed for now.** \`sam\` takes it back already with #416, so I open none of my own. Merge that one; if it is closed unmerged, I open mine."
    `);
  });

  it('says who took the change back instead', () => {
    const theirs = inPhase('merged', { pullRequest, takenBackBy: { number: 416, author: 'sam' } });
    expect(bodyOf(theirs, later(15)).split('\n\n<details>')[0]).toMatchInlineSnapshot(`
      "
      **Not needed any more.** \`sam\` took the change back with [#416](https://github.com/acme/payments/pull/416), and I follow that one until every Application is back.

      **What this would take back** · [#412](https://github.com/acme/payments/pull/412) \`payments: new ledger endpoint\` by \`mona\`, 3 files under \`apps/payments\`.

      As of 2026-08-01 03:29:05 UTC; I edit this text when something changes."
    `);
  });
});
