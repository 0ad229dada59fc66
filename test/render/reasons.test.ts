import { describe, expect, it } from 'vitest';
import { reasonCodes } from '../../src/domain/verdict.ts';
import { describeReason, reasonInMarkdown } from '../../src/render/reasons.ts';
import { read } from './markdown.ts';
import { began, reason } from './sample-incident.ts';

/** What the domain gives with the codes that are not about one Application's health. */
const details: Readonly<Record<string, Parameters<typeof reason>[0]>> = {
  blind: { value: 'I may not list Applications in argocd. Grant the ClusterRole.' },
  'no-steps': { field: 'spec.strategy.rollingSync.steps', value: 'empty' },
  'no-application-in-a-step': { field: 'status.applicationStatus[].step', value: '-1' },
  'policy-prevents-sync': { field: 'spec.syncPolicy.applicationsSync', value: 'create-only' },
  'flag-off': { field: 'argocd-cmd-params-cm', value: 'off' },
  'status-write-rejected': { field: 'status.applicationStatus[].targetRevisions', value: 'absent' },
  'slot-held-by-unselected': { field: 'stage 1 (dev)', value: 'payments-dev-1' },
  gate: { field: 'stage 3 (prod)', value: 'payments-prod-1, payments-prod-2' },
};

const ofOne = (code: (typeof reasonCodes)[number]): ReturnType<typeof reason> =>
  code in details
    ? reason({ code, application: null, since: null, message: '', ...details[code] })
    : reason({ code, application: 'payments-dev-1', message: 'its own words' });

describe('a reason', () => {
  it('has one sentence for every code', () => {
    const sentences = reasonCodes.map((code) => `${code}\n  ${describeReason(ofOne(code))}`).join('\n');
    expect(`\n${sentences}\n`).toMatchInlineSnapshot(`
      "
      blind
        I cannot see enough of the cluster to judge, so I change nothing: I may not list Applications in argocd. Grant the ClusterRole. As soon as I can see it, I judge again.
      no-steps
        The strategy is RollingSync and has no step (spec.strategy.rollingSync.steps: empty): Argo CD rolls nothing out. Add steps, or remove spec.strategy to sync all Applications at once.
      no-application-in-a-step
        No Application is in a step (status.applicationStatus[].step: -1), so the rollout never syncs any. Steps match labels of the generated Application, not those of the cluster. Add to spec.template.metadata.labels of the ApplicationSet: env: '{{metadata.labels.env}}'.
      policy-prevents-sync
        With spec.syncPolicy.applicationsSync create-only the controller may not update Applications, so it never starts a sync and the rollout stands still. Set it to sync or create-update.
      flag-off
        Progressive syncs are switched off (argocd-cmd-params-cm: off): Argo CD ignores the steps, and every Application follows its own sync policy. To use the steps, set applicationsetcontroller.enable.progressive.syncs: "true" in the ConfigMap argocd-cmd-params-cm and restart the ApplicationSet controller.
      status-write-rejected
        Entries of an older Argo CD have no status.applicationStatus[].targetRevisions: newer API servers refuse every write of that status, and the rollout stands still. Take those entries out of the status (kubectl edit --subresource=status), or upgrade to a version of Argo CD that migrates them.
      degraded
        payments-dev-1 has been Degraded since 2026-08-01 03:12:05 UTC, on a commit on which it never was Healthy (status.health.status: Degraded): "its own words".
      degraded-after-healthy
        payments-dev-1 was Healthy on this commit and has been Degraded since 2026-08-01 03:12:05 UTC (status.health.status: Degraded): "its own words". Most versions of Argo CD do not stop for that and go on to the next stage.
      sync-failed
        payments-dev-1 has failed to sync since 2026-08-01 03:12:05 UTC (status.health.status: Degraded): "its own words".
      render-error
        Argo CD has got no manifests for payments-dev-1 out of the commit since 2026-08-01 03:12:05 UTC (status.health.status: Degraded): "its own words". What runs keeps running, and nothing newer can be deployed.
      grace-time
        payments-dev-1 has been failing since 2026-08-01 03:12:05 UTC, for less than the grace time: it may still heal by itself, so a revert waits.
      unhealthy-before-the-change
        payments-dev-1 has been unhealthy since 2026-08-01 03:12:05 UTC (status.health.status: Degraded): "its own words". It was so before this commit arrived. I look again when it recovers or when another Application fails.
      healthy-beyond-the-bake-time
        payments-dev-1 has been Degraded since 2026-08-01 03:12:05 UTC (status.health.status: Degraded): "its own words". It was Healthy on this commit for longer than the bake time: look for another cause first. If it is the commit after all, revert it by hand.
      nothing-new-came
        payments-dev-1 has been Degraded since 2026-08-01 03:12:05 UTC (status.health.status: Degraded): "its own words". Nothing new was deployed before, so no commit explains it: look at its resources and at what they depend on.
      same-failure-on-last-good
        payments-dev-1 has been Degraded since 2026-08-01 03:12:05 UTC (status.health.status: Degraded): "its own words". It failed the same way on the last good commit, so a revert would not help: fix what fails on both.
      degraded-on-last-good
        payments-dev-1 is back on the last good commit and has been Degraded since 2026-08-01 03:12:05 UTC (status.health.status: Degraded): "its own words". The revert alone does not heal it: look at what the bad commit left behind, such as data, Jobs and objects of its own.
      commit-does-not-explain-render-error
        Argo CD has got no manifests for payments-dev-1 since 2026-08-01 03:12:05 UTC (status.health.status: Degraded): "its own words". It has them from the same commit already, so no commit explains it: look at the repo server and at what the manifests are generated with.
      template-edited
        payments-dev-1 has been failing since 2026-08-01 03:12:05 UTC (status.health.status: Degraded): "its own words". It was Healthy on the same commit before the ApplicationSet's template or parameters were edited, so a revert of the commit changes nothing: take that edit back.
      began-before-we-looked
        payments-dev-1 was Degraded already when I first saw it (status.health.status: Degraded): "its own words". With which commit it began I cannot tell. If it is the newest one, revert it by hand.
      health-script-error
        The health script for a resource of payments-dev-1 has been crashing since 2026-08-01 03:12:05 UTC (status.health.status: Degraded): "its own words". Health stays Unknown, and every sync ends in Error: correct the script in argocd-cm (resource.customizations.health).
      health-unknown
        The health of payments-dev-1 has not been known since 2026-08-01 03:12:05 UTC (status.health.status: Degraded): "its own words". Nothing is concluded from that, good or bad: look at its health checks in argocd-cm.
      destination-unreachable
        Argo CD has not reached the cluster of payments-dev-1 since 2026-08-01 03:12:05 UTC (status.health.status: Degraded): "its own words". The Application keeps what it runs, and its place in the step, until the cluster and its credentials are back.
      transport-trouble
        Argo CD has not been able to compare payments-dev-1 with Git since 2026-08-01 03:12:05 UTC (status.health.status: Degraded): "its own words". That names no fault of a commit; I judge it again when the comparison works.
      sync-window
        A sync window has held payments-dev-1 since 2026-08-01 03:12:05 UTC (status.health.status: Degraded): "its own words". It goes on when the window allows it, or by a manual sync where the window allows one.
      needs-prune
        payments-dev-1 has been OutOfSync since 2026-08-01 03:12:05 UTC (status.health.status): Degraded should be deleted, and the template does not prune. The stages behind it wait. Run argocd app sync payments-dev-1 --prune, or set automated.prune: true in the template's syncPolicy.
      missing-kind
        payments-dev-1 has failed to sync since 2026-08-01 03:12:05 UTC (status.health.status: Degraded): "its own words". Its cluster does not know a kind that the commit uses: install the CustomResourceDefinition there, then sync again.
      slot-held-by-unselected
        In stage 1 (dev) the slots are taken by an Application that is in no step, so payments-dev-1 cannot start. Give that Application a label that a step selects, or bring it to Healthy by hand.
      operation-runs-too-long
        An operation on payments-dev-1 has been running without an end since 2026-08-01 03:12:05 UTC (status.health.status: Degraded): "its own words". What landed since, a revert too, waits for it. To end it, run argocd app terminate-op payments-dev-1.
      operation-never-starts
        An operation on payments-dev-1 has been requested since 2026-08-01 03:12:05 UTC and has not begun (status.health.status: Degraded): "its own words". Request it again with argocd app sync payments-dev-1; if that does not start either, restart the application controller.
      still-out-of-sync
        payments-dev-1 was synced and has differed from Git all the same since 2026-08-01 03:12:05 UTC (status.health.status: Degraded): "its own words". Its stage does not end like this: look at what changes those objects, or ignore the difference (ignoreDifferences in the template).
      pending-for-another-revision
        payments-dev-1 has been Pending since 2026-08-01 03:12:05 UTC for a commit that was overtaken (status.health.status: Degraded): "its own words". That is a fault of Argo CD before 2.14.3, and its stage does not go on: run argocd app sync payments-dev-1, restart the ApplicationSet controller, or upgrade.
      progressing-too-long
        payments-dev-1 has been neither Healthy nor Degraded since 2026-08-01 03:12:05 UTC (status.health.status: Degraded): "its own words". That alone is no reason for a revert: look at its resources, and revert by hand if it is the commit.
      suspended
        payments-dev-1 has been Suspended since 2026-08-01 03:12:05 UTC (status.health.status: Degraded): "its own words". A paused rollout or a suspended Job waits for a person: resume it and the stage goes on.
      no-sync-is-coming
        payments-dev-1 has differed from Git since 2026-08-01 03:12:05 UTC, and no sync is coming (status.health.status: Degraded): "its own words". If it stays so, run argocd app sync payments-dev-1.
      gate
        Stage 3 (prod) moves only by hand (maxUpdate: 0). When you want it to go on, sync payments-prod-1, payments-prod-2.
      waits-for-its-turn
        payments-dev-1 has waited for the stages before it since 2026-08-01 03:12:05 UTC (status.health.status: Degraded): "its own words".
      sync-is-coming
        payments-dev-1 has waited for its sync to start since 2026-08-01 03:12:05 UTC (status.health.status: Degraded): "its own words".
      operation-runs
        A sync of payments-dev-1 has been running since 2026-08-01 03:12:05 UTC (status.health.status: Degraded): "its own words".
      operation-on-other-commit
        payments-dev-1 is Synced, and an operation on another commit has been running since 2026-08-01 03:12:05 UTC (status.health.status: Degraded): "its own words". When it ends, that commit is what runs. To prevent it, run argocd app terminate-op payments-dev-1.
      waits-for-retry
        A sync of payments-dev-1 has failed and waits for its next attempt since 2026-08-01 03:12:05 UTC (status.health.status: Degraded): "its own words".
      progressing
        payments-dev-1 has been on its way to Healthy since 2026-08-01 03:12:05 UTC (status.health.status: Degraded): "its own words".
      never-deployed
        payments-dev-1 has not been deployed yet (status.health.status: Degraded): "its own words".
      unselected
        payments-dev-1 is in no step, so the rollout never syncs it (status.health.status: Degraded): "its own words". Give it a label that a step selects, or run argocd app sync payments-dev-1.
      orphan
        payments-dev-1 belongs to the ApplicationSet and is not generated any more (status.health.status: Degraded): "its own words". The rollout leaves it as it is; delete it if nobody needs it.
      being-deleted
        payments-dev-1 is being deleted (status.health.status: Degraded): "its own words". What it shows meanwhile counts for nothing, and it is not waited for. If it does not go, look at its finalizers and at its cluster.
      ignored-application
        payments-dev-1 is left out: ignore.applications names it. It counts again when .github/stepback.yaml does not name it any more.
      ignored-kind
        payments-dev-1 is left out while nothing but Degraded is Degraded since 2026-08-01 03:12:05 UTC: ignore.kinds names that kind.
      snoozed
        payments-dev-1 is left out until 2026-08-01 03:12:05 UTC: Degraded snoozed its own words.
      below-threshold
        In status.health.status Degraded failures that are needed have come (thresholds in .github/stepback.yaml), so none counts yet.
      healthy
        payments-dev-1 is Healthy (status.health.status: Degraded): "its own words".
      "
    `);
  });

  it('is the same words in Markdown, with names and messages as code', () => {
    for (const code of reasonCodes) {
      const markdown = reasonInMarkdown(ofOne(code));
      const plain = describeReason(ofOne(code));
      expect(read(markdown).live).toEqual([]);
      expect(markdown.replaceAll('`', '').replaceAll('"', '')).toBe(plain.replaceAll('"', ''));
    }
  });

  it('says who, where and since when', () => {
    expect(
      reasonInMarkdown(reason({ code: 'suspended', value: 'Suspended', message: '' })),
    ).toMatchInlineSnapshot(
      `"\`payments-staging-1\` has been Suspended since 2026-08-01 03:12:05 UTC (\`status.health.status\`: \`Suspended\`). A paused rollout or a suspended Job waits for a person: resume it and the stage goes on."`,
    );
  });

  it('is not told twice what the field holds and what the message says', () => {
    const message = 'failed to get cluster info';
    const told = describeReason(
      reason({ code: 'destination-unreachable', field: 'status.conditions', value: message, message }),
    );
    expect(told.split(message)).toHaveLength(2);
  });

  it('needs no time, no field and no message', () => {
    const bare = reason({ code: 'degraded', field: '', value: '', since: null, message: '' });
    expect(describeReason(bare)).toMatchInlineSnapshot(
      `"payments-staging-1 has been Degraded, on a commit on which it never was Healthy."`,
    );
    expect(describeReason(reason({ since: Number.NaN }))).toContain('since an unknown time');
  });

  it('of a version to come is told as it stands', () => {
    const unknown = reason({ code: 'from-the-future' as 'degraded', since: began });
    expect(describeReason(unknown)).toMatchInlineSnapshot(
      `"payments-staging-1: from-the-future since 2026-08-01 03:12:05 UTC (status.health.status: Degraded): "Deployment payments: back-off 20s restarting failed container"."`,
    );
    expect(describeReason(reason({ code: 'toString' as 'degraded' }))).toContain('toString');
  });

  it('obeys nothing that stands in it, and keeps no secret', () => {
    const hostile = reason({ message: '\u001b[31m@everyone password=hunter2\n#1', application: 'x`<b>' });
    expect(describeReason(hostile)).toMatchInlineSnapshot(
      `"x\`<b> has been Degraded since 2026-08-01 03:12:05 UTC, on a commit on which it never was Healthy (status.health.status: Degraded): "@everyone password=[masked] #1"."`,
    );
    expect(reasonInMarkdown(hostile)).toMatchInlineSnapshot(
      `"\`\`x\`<b>\`\` has been Degraded since 2026-08-01 03:12:05 UTC, on a commit on which it never was Healthy (\`status.health.status\`: \`Degraded\`): \`@everyone password=[masked] #1\`."`,
    );
  });
});
