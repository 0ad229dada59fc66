import { describe, expect, it } from 'vitest';
import { revertBody } from '../../src/render/revert-pull-request.ts';
import * as story from './incidents.ts';
import { context, incident, stage, standing } from './sample-incident.ts';

/** The body without its marker, which is tested by itself. */
function bodyOf(...[one, options]: Parameters<typeof revertBody>): string {
  const body = revertBody(one, options);
  return `\n${body.slice(0, body.lastIndexOf('\n\n<!-- stepback'))}\n`;
}

/** What is read before anything is unfolded. */
const aboveTheFold = (...[one, options]: Parameters<typeof revertBody>): string =>
  `${bodyOf(one, options).split('\n\n<details>')[0]}\n`;

describe('what happens after the merge', () => {
  it('says what keeps the merge from being enough, and that last good is a guess', () => {
    expect(aboveTheFold(story.muchInTheWay(), context)).toMatchInlineSnapshot(`
      "
      \`payments\` stopped in **staging**: \`payments-staging-1\` has been Degraded for 2 min on [\`d2bf318\`](https://github.com/acme/payments/commit/d2bf318c0e1a4f5b6c7d8e9f0a1b2c3d4e5f6a7b). **3 of 7** Applications run that commit, **and 1 more outside of every stage**. Merging this puts all of them back on [\`ea283fd\`](https://github.com/acme/payments/commit/ea283fd214ab2c8b09f342cbb443bb15fae16512). **Something is in the way of that: see below.** **That commit is a guess** out of the history of Argo CD: I have not seen it Healthy myself, so have a look at it first.

      |  | Stage | Has the bad commit | Health |
      | --- | --- | --- | --- |
      | 1 | dev | 1 of 1: dev-1 | Healthy |
      | 2 | staging (50 % at a time) | 1 of 3: staging-1 | **Degraded**: Deployment payments: back-off 20s restarting failed container |
      | 3 | prod (only by hand) | 1 of 3: prod-2, in part | Healthy |

      **What this takes back** · [#412](https://github.com/acme/payments/pull/412) \`payments: new ledger endpoint\` by \`mona\`, 3 files under \`apps/payments\`.

      **After the merge** · Argo CD brings back dev, then staging, then prod (by hand). I follow until every Application is back, and say so here.

      **Watch out for:**

      - \`payments-dev-1\` has a sync of the bad commit under way since 2026-08-01 03:12:05 UTC (waiting for completion of hook batch/Job/payments-migrate). One that ends after the merge applies that commit after all: end it now with \`argocd app terminate-op payments-dev-1\`, or sync once more when it has ended.
      - Argo CD has not reached the cluster of \`payments-prod-2\` since 2026-08-01 03:12:05 UTC (\`status.conditions[ComparisonError]\`): \`failed to get cluster info for "https://prod-2.k8s.acme.example:6443"\`. The Application keeps what it runs, and its place in the step, until the cluster and its credentials are back.
      - prod moves only by hand (\`maxUpdate: 0\`): sync the Applications there yourself after the merge.
      - 1 Application of \`payments\` outside of every stage runs the commit too, and the rollout does not bring it back: sync it by hand after the merge.
      - If the change added objects, they stay after the merge: the template of \`payments\` does not prune. Their Applications are then OutOfSync, and the stages behind them wait until you run \`argocd app sync NAME --prune\` for each.

      **Not this one?** · Close it, or comment \`/stepback dismiss <why>\`, and I leave this change alone. \`/stepback explain\` shows every step of the reasoning. If it heals by itself, or a fix lands first, I close it.

      As of 2026-08-01 03:14:05 UTC; I edit this text when something changes.
      "
    `);
  });

  it('names the files whose objects stay, where they are known', () => {
    const one = incident({ sets: [standing({ prunes: false })] });
    const lineOf = (deletedFiles?: readonly string[]): string | undefined =>
      revertBody(one, { ...context, deletedFiles })
        .split('\n')
        .find((line) => line.includes('does not prune'));
    expect(lineOf(['apps/payments/sidecar.yaml'])).toMatchInlineSnapshot(
      `"- Objects of \`apps/payments/sidecar.yaml\` stay after the merge: the template of \`payments\` does not prune. Their Applications are then OutOfSync, and the stages behind them wait until you run \`argocd app sync NAME --prune\` for each."`,
    );
    expect(lineOf()).toMatchInlineSnapshot(
      `"- If the change added objects, they stay after the merge: the template of \`payments\` does not prune. Their Applications are then OutOfSync, and the stages behind them wait until you run \`argocd app sync NAME --prune\` for each."`,
    );
    expect(lineOf([])).toBeUndefined();
  });

  it('is one order for each ApplicationSet, by what is done to it', () => {
    const [orders] = story.twoSets().sets;
    const [invoices] = story.syncFailed().sets;
    const [search] = story.renderError().sets;
    const sets = [orders, standing(), invoices, search].filter((set) => set !== undefined);
    const lines = revertBody(incident({ sets }), context).split('\n');
    expect(lines.find((line) => line.startsWith('**After the merge**'))).toMatchInlineSnapshot(
      `"**After the merge** · Argo CD brings back \`orders\` in dev and \`payments\` in dev, then staging, then prod. Argo CD syncs \`invoices\` in dev again. Argo CD renders \`search\` again, and what runs stays as it is. I follow until every Application is back, and say so here."`,
    );
  });

  it('is short for many stages', () => {
    const stages = Array.from({ length: 9 }, (_, index) =>
      stage(index + 1, `ring ${index + 1}`, { applications: 1, having: [`payments-${index}`] }),
    );
    const lines = revertBody(incident({ sets: [standing({ stages })] }), context).split('\n');
    expect(lines.find((line) => line.startsWith('**After the merge**'))).toMatchInlineSnapshot(
      `"**After the merge** · Argo CD brings back ring 1, then ring 2, then ring 3, then ring 4, then 5 more stages. I follow until every Application is back, and say so here."`,
    );
  });
});
