import { expect, it } from 'vitest';
import { repository, staging } from '../../src/sandbox/stories/staging.ts';
import { ourComments } from './looks.ts';
import { masked } from './masked.ts';
import { open } from './playing.ts';

it('tells the main story: what people read when staging stops, and when every stage is back', async () => {
  const play = await open(staging);
  const { world } = play;
  await staging.play(play.director);
  const revert = () => world.github.pullRequest(repository, 3);
  expect(masked(world, revert()?.title ?? '')).toMatchInlineSnapshot(
    `"Revert "payments: new ledger endpoint": argocd/payments is Degraded in stage 2 (staging)"`,
  );
  expect(masked(world, revert()?.body ?? '')).toMatchInlineSnapshot(`
    "\`payments\` stopped in **staging**: \`payments-staging-1\` has been Degraded for 1 min on [\`D\`](https://github.com/acme/payments/commit/D). **3 of 12** Applications run that commit, **one of them in prod, ahead of its turn**. Merging this puts all of them back on [\`B\`](https://github.com/acme/payments/commit/B).

    |  | Stage | Has the bad commit | Health |
    | --- | --- | --- | --- |
    | 1 | dev | 1 of 1: dev-1 | Healthy |
    | 2 | staging (50 % at a time) | 1 of 3: staging-1 | **Degraded**; staging-2 and staging-3 wait |
    | 3 | prod (one at a time) | 1 of 8: prod-8, **out of order** | Healthy; prod-1, prod-2 and 5 more wait |

    **Still ahead** · **9 of 12** Applications can still get the change. This holds staging and prod:

    \`\`\`text
    kubectl -n argocd patch applicationset payments --type json -p '[{"op":"add","path":"/spec/strategy/rollingSync/steps/1/maxUpdate","value":0},{"op":"add","path":"/spec/strategy/rollingSync/steps/2/maxUpdate","value":0}]'
    \`\`\`

    After the merge put back what stands there now: staging \`50%\` and prod \`1\`. Else nothing there ever moves again.

    **What this takes back** · [#2](https://github.com/acme/payments/pull/2) \`payments: new ledger endpoint\` by \`dana\`, 1 file, \`apps/payments/config.json\`.

    **After the merge** · Argo CD brings back dev, then staging, then prod. I follow until every Application is back, and say so here.

    **Not this one?** · Close it, or comment \`/stepback dismiss <why>\`, and I leave this change alone. \`/stepback explain\` shows every step of the reasoning. If it heals by itself, or a fix lands first, I close it.

    As of 2026-12-01 hh:mm:ss UTC; I edit this text when something changes.

    <details><summary>Evidence</summary>

    **\`argocd/payments\`** of Argo CD \`argocd\`, failing since 2026-12-01 hh:mm:ss UTC

    Last good: [\`B\`](https://github.com/acme/payments/commit/B), seen Synced and Healthy · [what changed since](https://github.com/acme/payments/compare/B...D)

    \`payments-staging-1\` has been Degraded since 2026-12-01 hh:mm:ss UTC, on a commit on which it never was Healthy (\`status.health.status\`: \`Degraded\`).

    **Timeline**

    - 2026-12-01 hh:mm:ss UTC: noticed that it fails

    </details>

    <!-- stepback:v1 … -->"
  `);
  expect(ourComments(world, 2).map((body) => masked(world, body))).toMatchInlineSnapshot(`
    [
      "This change runs on **3 of 12** Applications of \`argocd/payments\` (dev-1, staging-1 and prod-8), **prod-8 out of order**, and made staging-1 Degraded.

    Argo CD stops here but does not take it back. The way back is **[#3](https://github.com/acme/payments/pull/3)**. **9 more Applications** can still get it: [#3](https://github.com/acme/payments/pull/3) says how to hold them.

    <!-- stepback:v1 … -->",
    ]
  `);
  const [commit] = world.github.commits(repository, revert()?.head.sha, 1);
  expect(commit?.verified).toBe(true);
  expect(masked(world, commit?.message ?? '')).toMatchInlineSnapshot(`
    "Revert "payments: new ledger endpoint"

    argocd/payments is Degraded in stage 2 (staging), since 2026-12-01 hh:mm:ss UTC.

    This reverts commit D.
    "payments: new ledger endpoint" by dana, from pull request 2.

    Last good for argocd/payments: B.

    To bring the change back, revert this commit.

    Stepback-Incident: argocd-D
    Reverts: D
    "
  `);

  await staging.after?.(play.director);
  expect(revert()?.state).toBe('merged');
  expect(masked(world, revert()?.title ?? '')).toMatchInlineSnapshot(
    `"Revert "payments: new ledger endpoint": argocd/payments was Degraded"`,
  );
  expect(masked(world, revert()?.body ?? '')).toMatchInlineSnapshot(`
    "**Recovered.** Every Application is back, Synced and Healthy: \`payments\` on [\`B\`](https://github.com/acme/payments/commit/B). At the worst **3 of 12** Applications ran [\`D\`](https://github.com/acme/payments/commit/D) (3 of 12 when it was noticed, 2 of 12 when the revert was merged).

    |  | At |  |
    | --- | --- | --- |
    | It began to fail | 2026-12-01 hh:mm:ss UTC |  |
    | Noticed | 2026-12-01 hh:mm:ss UTC | after 1 min |
    | Revert opened | 2026-12-01 hh:mm:ss UTC | at once |
    | Merged | 2026-12-01 hh:mm:ss UTC | at once |
    | Recovered | 2026-12-01 hh:mm:ss UTC | after 7 s |
    | **In all** |  | **1 min** |

    | Stage | Seen with it | Back |  |
    | --- | --- | --- | --- |
    | dev | 2026-12-01 hh:mm:ss UTC | 2026-12-01 hh:mm:ss UTC | after 2 s |
    | staging | 2026-12-01 hh:mm:ss UTC | 2026-12-01 hh:mm:ss UTC | after 5 s |
    | prod | 2026-12-01 hh:mm:ss UTC | 2026-12-01 hh:mm:ss UTC | after 7 s |

    **What this took back** · [#2](https://github.com/acme/payments/pull/2) \`payments: new ledger endpoint\` by \`dana\`, 1 file, \`apps/payments/config.json\`.

    The change can come back with what made it fail corrected: revert this revert and add the correction.

    As of 2026-12-01 hh:mm:ss UTC; I edit this text when something changes.

    <details><summary>Evidence</summary>

    **\`argocd/payments\`** of Argo CD \`argocd\`, failing since 2026-12-01 hh:mm:ss UTC

    Last good: [\`B\`](https://github.com/acme/payments/commit/B), seen Synced and Healthy · [what changed since](https://github.com/acme/payments/compare/B...D)

    \`payments-staging-1\` has been Degraded since 2026-12-01 hh:mm:ss UTC, on a commit on which it never was Healthy (\`status.health.status\`: \`Degraded\`).

    **Timeline**

    - 2026-12-01 hh:mm:ss UTC: noticed that it fails
    - 2026-12-01 hh:mm:ss UTC: opened this revert
    - 2026-12-01 hh:mm:ss UTC: merged
    - 2026-12-01 hh:mm:ss UTC: every Application is back

    </details>

    <!-- stepback:v1 … -->"
  `);
  expect(ourComments(world, 2).map((body) => masked(world, body))).toMatchInlineSnapshot(`
    [
      "This change ran on up to **3 of 12** Applications of \`argocd/payments\` and made it Degraded.

    It is taken back by [#3](https://github.com/acme/payments/pull/3), and every Application is back on [\`B\`](https://github.com/acme/payments/commit/B). To bring it in again, revert that revert and correct what failed.

    <!-- stepback:v1 … -->",
    ]
  `);
  expect(play.told).toMatchInlineSnapshot(`
    [
      "Version 1 is deployed to twelve clusters: dev 1, staging 3, prod 8.",
      "Dana merges #1, a good change: it walks through the stages.",
      "Dana merges #2. Its container does not start in staging-1.",
      "Dana merges the revert, #3.",
    ]
  `);
});
