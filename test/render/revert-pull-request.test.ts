import { describe, expect, it } from 'vitest';
import { parseMarker } from '../../src/domain/marker.ts';
import { revertBody, revertTitle } from '../../src/render/revert-pull-request.ts';
import * as story from './incidents.ts';
import {
  bad,
  context,
  entry,
  incident,
  innocent,
  lastGood,
  later,
  stage,
  standing,
} from './sample-incident.ts';

/** Bodies without what is the same in each: the marker is tested by itself. */
function bodyOf(...[one, options]: Parameters<typeof revertBody>): string {
  const body = revertBody(one, options);
  expect(parseMarker(body)).toEqual({ kind: 'revert', instance: one.instance, incident: one.id });
  return `\n${body.slice(0, body.lastIndexOf('\n\n<!-- stepback'))}\n`;
}

/** What is read before anything is unfolded. */
const aboveTheFold = (...[one, options]: Parameters<typeof revertBody>): string =>
  `${bodyOf(one, options).split('\n\n<details>')[0]}\n`;

describe('the body of an open revert', () => {
  it('says what is broken, how far it got and what merging does', () => {
    expect(bodyOf(incident(), context)).toMatchInlineSnapshot(`
      "
      \`payments\` stopped in **staging**: \`payments-staging-1\` has been Degraded for 2 min on [\`d2bf318\`](https://github.com/acme/payments/commit/d2bf318c0e1a4f5b6c7d8e9f0a1b2c3d4e5f6a7b). **3 of 7** Applications run that commit, **one of them in prod, ahead of its turn**. Merging this puts all of them back on [\`ea283fd\`](https://github.com/acme/payments/commit/ea283fd214ab2c8b09f342cbb443bb15fae16512).

      |  | Stage | Has the bad commit | Health |
      | --- | --- | --- | --- |
      | 1 | dev | 1 of 1: dev-1 | Healthy |
      | 2 | staging (50 % at a time) | 1 of 3: staging-1 | **Degraded**: Deployment payments: back-off 20s restarting failed container |
      | 3 | prod (one at a time) | 1 of 3: prod-2, **out of order** | Healthy; prod-1 and prod-3 wait |

      **What this takes back** · [#412](https://github.com/acme/payments/pull/412) \`payments: new ledger endpoint\` by \`mona\`, 3 files under \`apps/payments\`.

      **After the merge** · Argo CD brings back dev, then staging, then prod. I follow until every Application is back, and say so here.

      **Not this one?** · Close it, or comment \`/stepback dismiss <why>\`, and I leave this change alone. \`/stepback explain\` shows every step of the reasoning. If it heals by itself, or a fix lands first, I close it.

      As of 2026-08-01 03:14:05 UTC; I edit this text when something changes.

      <details><summary>Evidence</summary>

      **\`argocd/payments\`** of Argo CD \`argocd\`, failing since 2026-08-01 03:12:05 UTC

      Last good: [\`ea283fd\`](https://github.com/acme/payments/commit/ea283fd214ab2c8b09f342cbb443bb15fae16512), seen Synced and Healthy · [what changed since](https://github.com/acme/payments/compare/ea283fd214ab2c8b09f342cbb443bb15fae16512...d2bf318c0e1a4f5b6c7d8e9f0a1b2c3d4e5f6a7b)

      \`payments-staging-1\` has been Degraded since 2026-08-01 03:12:05 UTC, on a commit on which it never was Healthy (\`status.health.status\`: \`Degraded\`): \`Deployment payments: back-off 20s restarting failed container\`.

      **Timeline**

      - 2026-08-01 03:14:05 UTC: noticed that it fails

      </details>
      "
    `);
  });

  it('says when the change was Healthy first and went on to every stage', () => {
    expect(aboveTheFold(story.lateAndGrown(), later(6))).toMatchInlineSnapshot(`
      "
      \`inventory\` broke in **dev** and **prod** after it was Healthy there: \`inventory-dev-1\` and 3 more have been Degraded for 8 min on [\`d2bf318\`](https://github.com/acme/payments/commit/d2bf318c0e1a4f5b6c7d8e9f0a1b2c3d4e5f6a7b). **7 of 7** Applications run that commit. Merging this puts all of them back on [\`ea283fd\`](https://github.com/acme/payments/commit/ea283fd214ab2c8b09f342cbb443bb15fae16512).

      |  | Stage | Has the bad commit | Health |
      | --- | --- | --- | --- |
      | 1 | dev | 1 of 1: dev-1 | **Degraded**: Deployment inventory: OOMKilled |
      | 2 | staging | 3 of 3 | Healthy |
      | 3 | prod | 3 of 3 | **Degraded** (3) |

      **What this takes back** · [#412](https://github.com/acme/payments/pull/412) \`payments: new ledger endpoint\` by \`mona\`, 3 files under \`apps/payments\`.

      **After the merge** · Argo CD brings back dev, then staging, then prod. I follow until every Application is back, and say so here.

      **Not this one?** · Close it, or comment \`/stepback dismiss <why>\`, and I leave this change alone. \`/stepback explain\` shows every step of the reasoning. If it heals by itself, or a fix lands first, I close it.

      As of 2026-08-01 03:20:05 UTC; I edit this text when something changes.
      "
    `);
  });

  it('says when it is still growing', () => {
    const { sets, ...rest } = incident();
    const timeline = [entry('noticed', 0), entry('grew', 3, 'argocd/payments: 3 of 7')];
    expect(revertBody({ ...rest, sets, timeline }, later(4)).split('\n')[0]).toMatchInlineSnapshot(
      `"\`payments\` stopped in **staging**: \`payments-staging-1\` has been Degraded for 6 min on [\`d2bf318\`](https://github.com/acme/payments/commit/d2bf318c0e1a4f5b6c7d8e9f0a1b2c3d4e5f6a7b). **3 of 7** Applications run that commit, **one of them in prod, ahead of its turn**, **growing, last at 03:17 UTC**. Merging this puts all of them back on [\`ea283fd\`](https://github.com/acme/payments/commit/ea283fd214ab2c8b09f342cbb443bb15fae16512)."`,
    );
  });

  it('says when it does not fail at the moment', () => {
    const stages = standing().stages.map((one) => ({ ...one, failing: [], health: 'Healthy' }));
    const well = incident({ sets: [standing({ verdict: 'ok', stages })] });
    expect(revertBody(well, context).split('\n')[0]).toMatchInlineSnapshot(
      `"\`payments\` does not fail at this moment, after it did on [\`d2bf318\`](https://github.com/acme/payments/commit/d2bf318c0e1a4f5b6c7d8e9f0a1b2c3d4e5f6a7b). **3 of 7** Applications run that commit, **one of them in prod, ahead of its turn**. If it stays well, I close this. Merging this puts all of them back on [\`ea283fd\`](https://github.com/acme/payments/commit/ea283fd214ab2c8b09f342cbb443bb15fae16512)."`,
    );
  });

  it('says when something newer runs already', () => {
    const stages = standing().stages.map((one) => ({ ...one, having: [], outOfOrder: [] }));
    const overtaken = incident({ sets: [standing({ having: 0, stages })] });
    expect(revertBody(overtaken, context).split('\n')[0]).toMatchInlineSnapshot(
      `"\`payments\` stopped in **staging**: \`payments-staging-1\` has been Degraded for 2 min on [\`d2bf318\`](https://github.com/acme/payments/commit/d2bf318c0e1a4f5b6c7d8e9f0a1b2c3d4e5f6a7b). No Application runs exactly that commit any more, only what was built on it. Merging this brings the branch back to [\`ea283fd\`](https://github.com/acme/payments/commit/ea283fd214ab2c8b09f342cbb443bb15fae16512), from where the stages go on."`,
    );
  });

  it('says what a failed sync left running', () => {
    expect(aboveTheFold(story.syncFailed(), context)).toMatchInlineSnapshot(`
      "
      \`invoices\` stopped in **dev**: \`invoices-dev-1\` has failed to sync for 2 min (2 failed attempts) on [\`d2bf318\`](https://github.com/acme/payments/commit/d2bf318c0e1a4f5b6c7d8e9f0a1b2c3d4e5f6a7b). No Application runs that commit; what ran before keeps running. Merging this brings the branch back to [\`ea283fd\`](https://github.com/acme/payments/commit/ea283fd214ab2c8b09f342cbb443bb15fae16512), from where the stages go on.

      |  | Stage | Has the bad commit | Health |
      | --- | --- | --- | --- |
      | 1 | dev | 0 of 1 | **Sync failed**: Job invoices-check: cannot reach the ledger |
      | 2 | staging | 0 of 3 | Healthy; staging-1, staging-2 and 1 more wait |
      | 3 | prod | 0 of 3 | Healthy; prod-1, prod-2 and 1 more wait |

      **What this takes back** · [#412](https://github.com/acme/payments/pull/412) \`invoices: check the ledger before a sync\` by \`mona\`, 1 file, \`apps/invoices/hook.yaml\`.

      **After the merge** · Argo CD syncs dev again. What runs in staging and prod stays as it is. I follow until every Application is back, and say so here.

      **Not this one?** · Close it, or comment \`/stepback dismiss <why>\`, and I leave this change alone. \`/stepback explain\` shows every step of the reasoning. If it heals by itself, or a fix lands first, I close it.

      As of 2026-08-01 03:14:05 UTC; I edit this text when something changes.
      "
    `);
  });

  it('says that nothing can be deployed when a commit cannot be rendered', () => {
    expect(bodyOf(story.renderError(), context)).toMatchInlineSnapshot(`
      "
      Argo CD has got no manifests for \`search\` for 2 min: it cannot be rendered at [\`d2bf318\`](https://github.com/acme/payments/commit/d2bf318c0e1a4f5b6c7d8e9f0a1b2c3d4e5f6a7b). None of its 3 Applications can be updated; what ran before keeps running. Merging this brings the branch back to [\`ea283fd\`](https://github.com/acme/payments/commit/ea283fd214ab2c8b09f342cbb443bb15fae16512), from where the stages go on.

      |  | Stage | Has the bad commit | Health |
      | --- | --- | --- | --- |
      | 1 | dev | 0 of 1 | **Cannot be rendered**: \`…rpc error: code = FailedPrecondition desc = Failed to unmarshal "config.json": unexpected EOF\` |
      | 2 | staging | 0 of 1 | **Cannot be rendered** |
      | 3 | prod | 0 of 1 | **Cannot be rendered** |

      **What this takes back** · [#412](https://github.com/acme/payments/pull/412) \`search: tidy the config\` by \`mona\`, 1 file, \`apps/search/config.json\`.

      **After the merge** · Argo CD renders \`search\` again, and what runs stays as it is. I follow until every Application is back, and say so here.

      **Not this one?** · Close it, or comment \`/stepback dismiss <why>\`, and I leave this change alone. \`/stepback explain\` shows every step of the reasoning. If it heals by itself, or a fix lands first, I close it.

      As of 2026-08-01 03:14:05 UTC; I edit this text when something changes.

      <details><summary>Evidence</summary>

      **\`argocd/search\`** of Argo CD \`argocd\`, failing since 2026-08-01 03:12:05 UTC

      Last good: [\`ea283fd\`](https://github.com/acme/payments/commit/ea283fd214ab2c8b09f342cbb443bb15fae16512), seen Synced and Healthy · [what changed since](https://github.com/acme/payments/compare/ea283fd214ab2c8b09f342cbb443bb15fae16512...d2bf318c0e1a4f5b6c7d8e9f0a1b2c3d4e5f6a7b)

      Argo CD has got no manifests for \`search-dev-1\` out of the commit since 2026-08-01 03:12:05 UTC (\`status.conditions[ComparisonError]\`): \`Failed to load target state: failed to generate manifest for source 1 of 1: rpc error: code = FailedPrecondition desc = Failed to unmarshal "config.json": unexpected EOF\`. What runs keeps running, and nothing newer can be deployed. The same goes for \`search-staging-1\` and \`search-prod-1\`.

      **Timeline**

      - 2026-08-01 03:14:05 UTC: noticed that it fails

      </details>
      "
    `);
  });

  it('speaks of every ApplicationSet that the change hits', () => {
    expect(bodyOf(story.twoSets(), context)).toMatchInlineSnapshot(`
      "
      **2 ApplicationSets** fail on [\`d2bf318\`](https://github.com/acme/payments/commit/d2bf318c0e1a4f5b6c7d8e9f0a1b2c3d4e5f6a7b): **2 of 14** Applications run it. Merging this takes it back from all of them.

      - \`orders\` stopped in **dev**: \`orders-dev-1\` has been Degraded for 2 min. **1 of 7** Applications runs that commit. It goes back to [\`ea283fd\`](https://github.com/acme/payments/commit/ea283fd214ab2c8b09f342cbb443bb15fae16512).
      - \`returns\` stopped in **dev**: \`returns-dev-1\` has been Degraded for 2 min. **1 of 7** Applications runs that commit. It goes back to [\`ea283fd\`](https://github.com/acme/payments/commit/ea283fd214ab2c8b09f342cbb443bb15fae16512).

      **\`orders\`**

      |  | Stage | Has the bad commit | Health |
      | --- | --- | --- | --- |
      | 1 | dev | 1 of 1: dev-1 | **Degraded**: Service base: no endpoints |
      | 2 | staging | 0 of 3 | Healthy; staging-1 waits |
      | 3 | prod | 0 of 3 | Healthy |

      **\`returns\`**

      |  | Stage | Has the bad commit | Health |
      | --- | --- | --- | --- |
      | 1 | dev | 1 of 1: dev-1 | **Degraded**: Service base: no endpoints |
      | 2 | staging | 0 of 3 | Healthy; staging-1 waits |
      | 3 | prod | 0 of 3 | Healthy |

      **What this takes back** · [#412](https://github.com/acme/payments/pull/412) \`base: one port for everything\` by \`mona\`, 2 files under \`base\`.

      **After the merge** · Argo CD brings back \`orders\` in dev and \`returns\` in dev. I follow until every Application is back, and say so here.

      **Watch out for:**

      - If the change added objects, they stay after the merge: the template of \`returns\` does not prune. Their Applications are then OutOfSync, and the stages behind them wait until you run \`argocd app sync NAME --prune\` for each.

      **Not this one?** · Close it, or comment \`/stepback dismiss <why>\`, and I leave this change alone. \`/stepback explain\` shows every step of the reasoning. If it heals by itself, or a fix lands first, I close it.

      As of 2026-08-01 03:14:05 UTC; I edit this text when something changes.

      <details><summary>Evidence</summary>

      **\`argocd/orders\`** of Argo CD \`argocd\`, failing since 2026-08-01 03:12:05 UTC

      Last good: [\`ea283fd\`](https://github.com/acme/payments/commit/ea283fd214ab2c8b09f342cbb443bb15fae16512), seen Synced and Healthy · [what changed since](https://github.com/acme/payments/compare/ea283fd214ab2c8b09f342cbb443bb15fae16512...d2bf318c0e1a4f5b6c7d8e9f0a1b2c3d4e5f6a7b)

      \`orders-dev-1\` has been Degraded since 2026-08-01 03:12:05 UTC, on a commit on which it never was Healthy (\`status.health.status\`: \`Degraded\`): \`Service base: no endpoints\`.

      **\`argocd/returns\`** of Argo CD \`argocd\`, failing since 2026-08-01 03:12:05 UTC

      Last good: [\`ea283fd\`](https://github.com/acme/payments/commit/ea283fd214ab2c8b09f342cbb443bb15fae16512), seen Synced and Healthy · [what changed since](https://github.com/acme/payments/compare/ea283fd214ab2c8b09f342cbb443bb15fae16512...d2bf318c0e1a4f5b6c7d8e9f0a1b2c3d4e5f6a7b)

      \`returns-dev-1\` has been Degraded since 2026-08-01 03:12:05 UTC, on a commit on which it never was Healthy (\`status.health.status\`: \`Degraded\`): \`Service base: no endpoints\`.

      **Timeline**

      - 2026-08-01 03:14:05 UTC: noticed that it fails

      </details>
      "
    `);
  });

  it('names every suspect, and what stays', () => {
    expect(aboveTheFold(story.severalSuspects(), context)).toMatchInlineSnapshot(`
      "
      \`payments\` stopped in **staging**: \`payments-staging-1\` has been Degraded for 2 min on [\`d2bf318\`](https://github.com/acme/payments/commit/d2bf318c0e1a4f5b6c7d8e9f0a1b2c3d4e5f6a7b). **3 of 7** Applications run that commit, **one of them in prod, ahead of its turn**. Merging this puts all of them back on [\`ea283fd\`](https://github.com/acme/payments/commit/ea283fd214ab2c8b09f342cbb443bb15fae16512).

      |  | Stage | Has the bad commit | Health |
      | --- | --- | --- | --- |
      | 1 | dev | 1 of 1: dev-1 | Healthy |
      | 2 | staging (50 % at a time) | 1 of 3: staging-1 | **Degraded**: Deployment payments: back-off 20s restarting failed container |
      | 3 | prod (one at a time) | 1 of 3: prod-2, **out of order** | Healthy; prod-1 and prod-3 wait |

      **What this takes back** · 2 changes, newest first. Which of them did it I cannot tell; all landed since last good.

      - [#412](https://github.com/acme/payments/pull/412) \`payments: new ledger endpoint\` by \`mona\`, 3 files under \`apps/payments\`
      - [\`aaaaaaa\`](https://github.com/acme/payments/commit/aaaaaaa0112233445566778899aabbccddeeff00) \`payments: raise the memory limit\` by \`Hubert Example\`, pushed without a pull request

      **What it leaves** · [\`5db8d21\`](https://github.com/acme/payments/commit/5db8d21f00112233445566778899aabbccddeeff) \`docs: how to add a cluster (#413)\` landed in between and changes nothing that fails here.

      **After the merge** · Argo CD brings back dev, then staging, then prod. I follow until every Application is back, and say so here.

      **Not this one?** · Close it, or comment \`/stepback dismiss <why>\`, and I leave this change alone. \`/stepback explain\` shows every step of the reasoning. If it heals by itself, or a fix lands first, I close it.

      As of 2026-08-01 03:14:05 UTC; I edit this text when something changes.
      "
    `);
  });

  it('names a few of 5,000 Applications', () => {
    expect(bodyOf(story.hugeFleet(), context)).toMatchInlineSnapshot(`
      "
      \`payments\` stopped in **shops**: \`payments-shop-1\` and 2,499 more have been Degraded for 2 min on [\`d2bf318\`](https://github.com/acme/payments/commit/d2bf318c0e1a4f5b6c7d8e9f0a1b2c3d4e5f6a7b). **2,501 of 5,001** Applications run that commit. Merging this puts all of them back on [\`ea283fd\`](https://github.com/acme/payments/commit/ea283fd214ab2c8b09f342cbb443bb15fae16512). **Something is in the way of that: see below.**

      |  | Stage | Has the bad commit | Health |
      | --- | --- | --- | --- |
      | 1 | dev | 1 of 1: dev-1 | Healthy |
      | 2 | shops (50 % at a time) | 2,500 of 5,000: shop-1, shop-2, shop-3, shop-4, shop-5 and 2,495 more | **Degraded** (2,500): Deployment payments: back-off 20s restarting failed container; shop-2501, shop-2502 and 2,498 more wait |

      **What this takes back** · [#412](https://github.com/acme/payments/pull/412) \`payments: new ledger endpoint\` by \`mona\`, 3 files under \`apps/payments\`.

      **After the merge** · Argo CD brings back dev, then shops. I follow until every Application is back, and say so here.

      **Watch out for:**

      - \`payments-shop-1\`, \`payments-shop-2\`, \`payments-shop-3\`, \`payments-shop-4\`, \`payments-shop-5\` and 2,495 more have a sync of the bad commit under way since 2026-08-01 03:12:05 UTC (waiting for completion of hook batch/Job/payments-migrate). One that ends after the merge applies that commit after all: end them now with \`argocd app terminate-op NAME\`, or sync once more when they have ended.

      **Not this one?** · Close it, or comment \`/stepback dismiss <why>\`, and I leave this change alone. \`/stepback explain\` shows every step of the reasoning. If it heals by itself, or a fix lands first, I close it.

      As of 2026-08-01 03:14:05 UTC; I edit this text when something changes.

      <details><summary>Evidence</summary>

      **\`argocd/payments\`** of Argo CD \`argocd\`, failing since 2026-08-01 03:12:05 UTC

      Last good: [\`ea283fd\`](https://github.com/acme/payments/commit/ea283fd214ab2c8b09f342cbb443bb15fae16512), seen Synced and Healthy · [what changed since](https://github.com/acme/payments/compare/ea283fd214ab2c8b09f342cbb443bb15fae16512...d2bf318c0e1a4f5b6c7d8e9f0a1b2c3d4e5f6a7b)

      \`payments-shop-1\` has been Degraded since 2026-08-01 03:12:05 UTC, on a commit on which it never was Healthy (\`status.health.status\`: \`Degraded\`): \`Deployment payments: back-off 20s restarting failed container\`. The same goes for \`payments-shop-2\`, \`payments-shop-3\`, \`payments-shop-4\`, \`payments-shop-5\`, \`payments-shop-6\`, \`payments-shop-7\`, \`payments-shop-8\`, \`payments-shop-9\`, \`payments-shop-10\`, \`payments-shop-11\` and 2,489 more.

      **Timeline**

      - 2026-08-01 03:14:05 UTC: noticed that it fails

      </details>
      "
    `);
  });

  it('says what can be done but merging', () => {
    const line = revertBody(incident(), context)
      .split('\n')
      .find((one) => one.startsWith('**Not this one?**'));
    expect(line).toMatchInlineSnapshot(
      `"**Not this one?** · Close it, or comment \`/stepback dismiss <why>\`, and I leave this change alone. \`/stepback explain\` shows every step of the reasoning. If it heals by itself, or a fix lands first, I close it."`,
    );
  });

  it('says when a person has the branch, and when GitHub has not signed it', () => {
    const before = incident();
    const one = incident({
      obstacle: { kind: 'human-changed-branch', branch: before.revertBranch },
      pullRequest: before.pullRequest === null ? null : { ...before.pullRequest, isVerified: false },
    });
    expect(aboveTheFold(one, context).split('\n\n').slice(1, 3).join('\n\n')).toMatchInlineSnapshot(`
      "Somebody else pushed to \`stepback/argocd/revert-d2bf318c0e1a\`, so I leave that branch alone: it is yours. If the base branch moves on and conflicts, resolve it there.

      GitHub has not signed the commit of this branch. Where signed commits are required, merge it by squash, which GitHub signs."
    `);
  });

  it('is the same before it has a number as right after, so that opening it needs no second call', () => {
    const open = incident();
    const about = { phase: 'noticed', pullRequest: null, timeline: [entry('noticed', 0, bad)] } as const;
    expect(revertBody({ ...open, ...about }, context)).toBe(revertBody(open, context));
    expect(revertTitle({ ...open, ...about })).toBe(revertTitle(open));
  });

  it('calls everything at once no stage', () => {
    const everything = stage(1, 'all at once', {
      selector: 'every Application',
      applications: 7,
      having: ['payments-dev-1', 'payments-staging-1', 'payments-prod-2'],
      failing: ['payments-staging-1'],
      health: 'Degraded',
    });
    expect(
      aboveTheFold(incident({ sets: [standing({ stages: [everything] })] }), context),
    ).toMatchInlineSnapshot(`
      "
      \`payments\` fails: \`payments-staging-1\` has been Degraded for 2 min on [\`d2bf318\`](https://github.com/acme/payments/commit/d2bf318c0e1a4f5b6c7d8e9f0a1b2c3d4e5f6a7b). **3 of 7** Applications run that commit. Merging this puts all of them back on [\`ea283fd\`](https://github.com/acme/payments/commit/ea283fd214ab2c8b09f342cbb443bb15fae16512).

      |  | Stage | Has the bad commit | Health |
      | --- | --- | --- | --- |
      | 1 | all at once | 3 of 7: dev-1, staging-1 and prod-2 | **Degraded**: Deployment payments: back-off 20s restarting failed container |

      **What this takes back** · [#412](https://github.com/acme/payments/pull/412) \`payments: new ledger endpoint\` by \`mona\`, 3 files under \`apps/payments\`.

      **After the merge** · Argo CD brings back all Applications at once. I follow until every Application is back, and say so here.

      **Not this one?** · Close it, or comment \`/stepback dismiss <why>\`, and I leave this change alone. \`/stepback explain\` shows every step of the reasoning. If it heals by itself, or a fix lands first, I close it.

      As of 2026-08-01 03:14:05 UTC; I edit this text when something changes.
      "
    `);
  });

  it('shows the last good commit of the source that changed, and links no commit of another repository', () => {
    const other = 'cccccccccccccccccccccccccccccccccccccccc';
    const twoSources = standing({ bad: [other, bad], lastGood: [other, lastGood] });
    const chart = standing({ bad: ['1.5.0', bad], lastGood: ['1.4.2', lastGood] });
    const shownLater = standing({ bad: [innocent], lastGood: [lastGood] });
    for (const set of [twoSources, chart, shownLater])
      expect(revertBody(incident({ sets: [set] }), context)).toContain(`back on [\`ea283fd\`](`);
    const unsure = standing({ bad: [innocent, innocent], lastGood: [other, lastGood] });
    expect(revertBody(incident({ sets: [unsure] }), context)).toContain('back on `ccccccc`.');
    expect(revertBody(incident({ sets: [shownLater] }), context)).toContain(
      'Argo CD shows `5db8d21`, which brings nothing of its own here',
    );
  });
});
