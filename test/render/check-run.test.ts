import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CheckState, CommitCheck, WaitingVerdict } from '../../src/domain/commit-check.ts';
import type { Reason, ReasonCode } from '../../src/domain/verdict.ts';
import { checkRunLimits } from '../../src/ports/checks.ts';
import { checkRunOf } from '../../src/render/check-run.ts';
import { bytesOf } from '../../src/render/fit.ts';
import { checkStage, commitCheckOf } from './sample-check.ts';
import { context, entry, incident, innocent, inPhase, reason, standing } from './sample-incident.ts';

/** As people see it: the conclusion, the title, the summary, the text, the buttons. */
function shown(change: Partial<CommitCheck>): string {
  const run = checkRunOf(commitCheckOf(change), 'argocd', context.links);
  const buttons = run.actions.map((action) => `[${action.label}]`).join(' ');
  return [`${run.conclusion ?? run.status} · ${run.title}`, run.summary, run.text, buttons]
    .filter((part) => part !== '')
    .join('\n\n')
    .replaceAll('https://github.com/acme/payments', '');
}

const failing = (state: Partial<Extract<CheckState, { kind: 'failing' }>>): CheckState => ({
  kind: 'failing',
  incident: null,
  culprit: null,
  ...state,
});

describe('the check run of a commit says', () => {
  it('that it is queued', () => {
    expect(shown({ state: { kind: 'queued' }, stages: [checkStage(1, 'dev')] })).toMatchInlineSnapshot(`
      "queued · Queued: Argo CD has not begun with it

      [\`d2bf318\`](/commit/d2bf318c0e1a4f5b6c7d8e9f0a1b2c3d4e5f6a7b) changes what \`argocd/payments\` deploys. Argo CD has not begun with it yet.

      |  | Stage | Runs | Health |
      | --- | --- | --- | --- |
      | 1 | dev | \`ea283fd\`: all 3 | Healthy, waits for its turn |

      [Explain] [Hold]"
    `);
  });

  it('how far it is, and who has it out of order', () => {
    expect(shown({})).toMatchInlineSnapshot(`
      "in-progress · 3 of 7 Applications run it, now in staging; prod-2 has it out of order

      **3 of 7** Applications of \`argocd/payments\` run [\`d2bf318\`](/commit/d2bf318c0e1a4f5b6c7d8e9f0a1b2c3d4e5f6a7b). **prod-2 got it out of order**, before the stages ahead of it were Healthy.

      |  | Stage | Runs | Health |
      | --- | --- | --- | --- |
      | 1 | dev | [\`d2bf318\`](/commit/d2bf318c0e1a4f5b6c7d8e9f0a1b2c3d4e5f6a7b): dev-1 | Healthy |
      | 2 | staging | [\`d2bf318\`](/commit/d2bf318c0e1a4f5b6c7d8e9f0a1b2c3d4e5f6a7b): staging-1; \`ea283fd\`: staging-2 and staging-3 | Progressing: waiting for the rollout to finish |
      | 3 | prod | [\`d2bf318\`](/commit/d2bf318c0e1a4f5b6c7d8e9f0a1b2c3d4e5f6a7b): prod-2, **out of order**; \`ea283fd\`: prod-1 and prod-3 | Healthy, waits for its turn |

      [Revert] [Explain] [Hold]"
    `);
  });

  it('that every stage runs it', () => {
    const stages = [checkStage(1, 'dev', { having: 3, verdict: 'ok' })];
    expect(shown({ state: { kind: 'done' }, stages })).toMatchInlineSnapshot(`
      "success · Every stage runs it and is Healthy

      All 3 Applications of \`argocd/payments\` run [\`d2bf318\`](/commit/d2bf318c0e1a4f5b6c7d8e9f0a1b2c3d4e5f6a7b), and every stage is Healthy.

      |  | Stage | Runs | Health |
      | --- | --- | --- | --- |
      | 1 | dev | \`ea283fd\`: all 3 | Healthy |"
    `);
  });

  it('that a newer commit goes on in its place', () => {
    expect(shown({ state: { kind: 'overtaken', by: innocent }, stages: [] })).toMatchInlineSnapshot(`
      "neutral · Overtaken by 5db8d21

      [\`5db8d21\`](/commit/5db8d21f00112233445566778899aabbccddeeff) changes \`argocd/payments\` as well and landed before every stage ran [\`d2bf318\`](/commit/d2bf318c0e1a4f5b6c7d8e9f0a1b2c3d4e5f6a7b). How it goes on stands there."
    `);
  });

  it('where it stopped, who has it out of order, and where the way back is', () => {
    expect(shown({ state: failing({ incident: incident() }) })).toMatchInlineSnapshot(`
      "failure · Stopped in staging; prod-2 has it out of order

      This commit runs on **3 of 7** Applications of \`argocd/payments\` (dev-1, staging-1 and prod-2), **prod-2 out of order**, and made staging-1 Degraded.

      Argo CD stops here but does not take it back. The way back is **[#415](/pull/415)**.

      |  | Stage | Runs | Health |
      | --- | --- | --- | --- |
      | 1 | dev | [\`d2bf318\`](/commit/d2bf318c0e1a4f5b6c7d8e9f0a1b2c3d4e5f6a7b): dev-1 | Healthy |
      | 2 | staging | [\`d2bf318\`](/commit/d2bf318c0e1a4f5b6c7d8e9f0a1b2c3d4e5f6a7b): staging-1; \`ea283fd\`: staging-2 and staging-3 | Progressing: waiting for the rollout to finish |
      | 3 | prod | [\`d2bf318\`](/commit/d2bf318c0e1a4f5b6c7d8e9f0a1b2c3d4e5f6a7b): prod-2, **out of order**; \`ea283fd\`: prod-1 and prod-3 | Healthy, waits for its turn |

      \`payments-staging-1\` has been Degraded since 2026-08-01 03:12:05 UTC, on a commit on which it never was Healthy (\`status.health.status\`: \`Degraded\`): \`Deployment payments: back-off 20s restarting failed container\`.

      [Explain] [Hold]"
    `);
  });

  it('that there is no revert, and why', () => {
    const obstacle = { kind: 'archived' } as const;
    const noticed = inPhase('noticed', { pullRequest: null, obstacle });
    expect(shown({ state: failing({ incident: noticed }), stages: [] })).toMatchInlineSnapshot(`
      "failure · Stopped in staging

      This commit runs on **3 of 7** Applications of \`argocd/payments\` (dev-1, staging-1 and prod-2), **prod-2 out of order**, and made staging-1 Degraded.

      Argo CD does not take it back, and **there is no revert pull request**. The repository is archived, and nobody can push to it. Unarchive it, or point the ApplicationSet to the repository that took its place.

      \`payments-staging-1\` has been Degraded since 2026-08-01 03:12:05 UTC, on a commit on which it never was Healthy (\`status.health.status\`: \`Degraded\`): \`Deployment payments: back-off 20s restarting failed container\`.

      [Revert] [Explain] [Hold]"
    `);
  });

  it('that nobody can be blamed, and why', () => {
    const culprit = { kind: 'none', reason: 'no-baseline', detail: '' } as const;
    expect(shown({ state: failing({ culprit }), reasons: [reason()], stages: [] })).toMatchInlineSnapshot(`
      "failure · Failed; no revert

      [\`d2bf318\`](/commit/d2bf318c0e1a4f5b6c7d8e9f0a1b2c3d4e5f6a7b) fails in \`argocd/payments\`.

      **No revert.** There is nothing to go back to: no failing Application was seen Healthy on another commit. Fix it with a new commit.

      \`payments-staging-1\` has been Degraded since 2026-08-01 03:12:05 UTC, on a commit on which it never was Healthy (\`status.health.status\`: \`Degraded\`): \`Deployment payments: back-off 20s restarting failed container\`.

      [Revert] [Explain] [Hold]"
    `);
  });

  it('what took it back, and who is not back', () => {
    const left = [{ application: 'payments-prod-2', reasons: [reason({ application: 'payments-prod-2' })] }];
    const merged = inPhase('merged', { sets: [standing({ left })], changedAt: entry('merged', 12).at });
    expect(shown({ state: failing({ incident: merged }), stages: [] })).toMatchInlineSnapshot(`
      "failure · Taken back by #415; 1 Application is not back yet

      This commit ran on up to **3 of 7** Applications of \`argocd/payments\` and made it Degraded.

      [#415](/pull/415) was merged at 03:25 UTC; 1 Application is not back yet:

      - \`payments-prod-2\` has the bad commit still: Argo CD has not noticed the revert there yet.

      \`payments-staging-1\` has been Degraded since 2026-08-01 03:12:05 UTC, on a commit on which it never was Healthy (\`status.health.status\`: \`Degraded\`): \`Deployment payments: back-off 20s restarting failed container\`.

      [Explain]"
    `);
  });

  it('that every stage is back', () => {
    const recovered = inPhase('recovered', { sets: [standing({ isRecovered: true, having: 0 })] });
    expect(shown({ state: failing({ incident: recovered }), stages: [] })).toMatchInlineSnapshot(`
      "failure · Taken back by #415; every stage is back

      This commit ran on up to **3 of 7** Applications of \`argocd/payments\` and made it Degraded.

      It is taken back by [#415](/pull/415), and every Application is back on [\`ea283fd\`](/commit/ea283fd214ab2c8b09f342cbb443bb15fae16512). To bring it in again, revert that revert and correct what failed.

      \`payments-staging-1\` has been Degraded since 2026-08-01 03:12:05 UTC, on a commit on which it never was Healthy (\`status.health.status\`: \`Degraded\`): \`Deployment payments: back-off 20s restarting failed container\`."
    `);
  });

  it('that it became well, or that a person closed the revert', () => {
    for (const phase of ['healed', 'dismissed'] as const) {
      const { title } = checkRunOf(
        commitCheckOf({ state: failing({ incident: inPhase(phase) }) }),
        'argocd',
        context.links,
      );
      expect(title).toMatch(/^Stopped in staging; (well again without|a person closed) /);
    }
  });

  it('what a person is needed for', () => {
    const reasons: Readonly<Record<WaitingVerdict, Reason>> = {
      'manual-gate': reason({
        code: 'gate',
        application: null,
        field: 'stage 3 (prod)',
        value: 'payments-prod-1',
        message: '',
      }),
      paused: about('suspended'),
      blocked: about('sync-window'),
      stuck: about('operation-runs-too-long'),
      sick: about('unhealthy-before-the-change'),
      stalled: about('progressing-too-long'),
      unnoticed: about('no-sync-is-coming'),
      misconfigured: reason({ code: 'no-steps', application: null, field: '', message: '' }),
    };
    const said = (Object.keys(reasons) as WaitingVerdict[]).map((verdict) => {
      const stages = [checkStage(3, 'prod', { verdict, applications: 1 })];
      const check = commitCheckOf({
        state: { kind: 'waiting', verdict },
        stages,
        reasons: [reasons[verdict]],
      });
      const { conclusion, title, summary } = checkRunOf(check, 'argocd', context.links);
      return `${conclusion} · ${title}\n${summary.split('\n')[0]}\n${summary.split('\n').at(-1)}\n`;
    });
    expect(said.join('\n').replaceAll('https://github.com/acme/payments', '')).toMatchInlineSnapshot(`
      "action-required · prod moves only by hand
      The rollout of [\`d2bf318\`](/commit/d2bf318c0e1a4f5b6c7d8e9f0a1b2c3d4e5f6a7b) in \`argocd/payments\` does not go on by itself. Stage 3 (prod) moves only by hand (\`maxUpdate: 0\`). When you want it to go on, sync \`payments-prod-1\`.
      | 3 | prod | \`ea283fd\`: prod-1 | Healthy, moves only by hand |

      action-required · Waits for a person in prod
      The rollout of [\`d2bf318\`](/commit/d2bf318c0e1a4f5b6c7d8e9f0a1b2c3d4e5f6a7b) in \`argocd/payments\` does not go on by itself. \`payments-prod-1\` has been Suspended since 2026-08-01 03:12:05 UTC (\`status.health.status\`: \`Degraded\`). A paused rollout or a suspended Job waits for a person: resume it and the stage goes on. I open no revert: a pause is opened by a person.
      | 3 | prod | \`ea283fd\`: prod-1 | Healthy, waits for a person |

      action-required · Held from outside in prod
      The rollout of [\`d2bf318\`](/commit/d2bf318c0e1a4f5b6c7d8e9f0a1b2c3d4e5f6a7b) in \`argocd/payments\` does not go on by itself. A sync window has held \`payments-prod-1\` since 2026-08-01 03:12:05 UTC (\`status.health.status\`: \`Degraded\`). It goes on when the window allows it, or by a manual sync where the window allows one. I open no revert: what holds it is outside of the commit.
      | 3 | prod | \`ea283fd\`: prod-1 | Healthy, held from outside |

      action-required · Stuck in prod
      The rollout of [\`d2bf318\`](/commit/d2bf318c0e1a4f5b6c7d8e9f0a1b2c3d4e5f6a7b) in \`argocd/payments\` does not go on by itself. An operation on \`payments-prod-1\` has been running without an end since 2026-08-01 03:12:05 UTC (\`status.health.status\`: \`Degraded\`). What landed since, a revert too, waits for it. To end it, run \`argocd app terminate-op payments-prod-1\`. I open no revert: it would wait behind what cannot end.
      | 3 | prod | \`ea283fd\`: prod-1 | Healthy, stuck |

      action-required · Unhealthy in prod, and no commit explains it
      The rollout of [\`d2bf318\`](/commit/d2bf318c0e1a4f5b6c7d8e9f0a1b2c3d4e5f6a7b) in \`argocd/payments\` does not go on by itself. \`payments-prod-1\` has been unhealthy since 2026-08-01 03:12:05 UTC (\`status.health.status\`: \`Degraded\`). It was so before this commit arrived. I look again when it recovers or when another Application fails. I open no revert: taking the commit back would not heal it.
      | 3 | prod | \`ea283fd\`: prod-1 | Healthy, and no commit explains it |

      action-required · Neither Healthy nor Degraded for too long in prod
      The rollout of [\`d2bf318\`](/commit/d2bf318c0e1a4f5b6c7d8e9f0a1b2c3d4e5f6a7b) in \`argocd/payments\` does not go on by itself. \`payments-prod-1\` has been neither Healthy nor Degraded since 2026-08-01 03:12:05 UTC (\`status.health.status\`: \`Degraded\`). That alone is no reason for a revert: look at its resources, and revert by hand if it is the commit. I open no revert for slowness alone.
      | 3 | prod | \`ea283fd\`: prod-1 | Healthy, for too long |

      action-required · No sync is coming in prod
      The rollout of [\`d2bf318\`](/commit/d2bf318c0e1a4f5b6c7d8e9f0a1b2c3d4e5f6a7b) in \`argocd/payments\` does not go on by itself. \`payments-prod-1\` has differed from Git since 2026-08-01 03:12:05 UTC, and no sync is coming (\`status.health.status\`: \`Degraded\`). If it stays so, run \`argocd app sync payments-prod-1\`. I open no revert: nothing has failed on this commit.
      | 3 | prod | \`ea283fd\`: prod-1 | Healthy, no sync is coming |

      action-required · The ApplicationSet cannot roll out as it is
      The rollout of [\`d2bf318\`](/commit/d2bf318c0e1a4f5b6c7d8e9f0a1b2c3d4e5f6a7b) in \`argocd/payments\` does not go on by itself. The strategy is RollingSync and has no step: Argo CD rolls nothing out. Add steps, or remove \`spec.strategy\` to sync all Applications at once. I open no revert: no commit of this repository is to blame.
      | 3 | prod | \`ea283fd\`: prod-1 | Healthy |
      "
    `);
    function about(code: ReasonCode): Reason {
      return reason({ code, application: 'payments-prod-1', message: '' });
    }
  });
});

it('fits what GitHub takes, whatever the cluster holds', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 400 });
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 400 }), (word, number) => {
      const names = Array.from({ length: number }, (_, index) => `${word}-${index}`);
      const stages = names.map((name, index) =>
        checkStage(index + 1, name, { message: name, runs: [{ commit: name, isThis: true, names }] }),
      );
      const reasons = names.map((application) => reason({ application, message: `${word} ${application}` }));
      const state = { kind: 'waiting', verdict: 'sick' } as const;
      const run = checkRunOf(commitCheckOf({ stages, reasons, state }), 'argocd', context.links);
      expect(bytesOf(run.summary)).toBeLessThanOrEqual(checkRunLimits.textBytesMax);
      expect(bytesOf(run.text)).toBeLessThanOrEqual(checkRunLimits.textBytesMax);
      expect([...run.title].length).toBeLessThanOrEqual(140);
    }),
    { numRuns: 20 },
  );
});
