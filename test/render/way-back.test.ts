/** Every hindrance in its words, and what was done about it. */
import { expect, test } from 'vitest';
import type { Left } from '../../src/domain/incident.ts';
import type { Attempt, LeftBehind } from '../../src/domain/recovery-aid.ts';
import { type Hindrance, hindrances } from '../../src/domain/way-back.ts';
import { wayBackLines } from '../../src/render/way-back.ts';

const noon = Date.parse('2026-12-01T12:00:00Z');

const inTheWay: Partial<Record<Hindrance, readonly string[]>> = {
  'manual-gate': ['prod'],
  'behind-a-stage': ['staging'],
  'behind-the-unreachable': ['payments-prod-2'],
  'behind-a-sibling': ['payments-dev-2'],
  'needs-prune': ['ConfigMap payments-extra', 'Job seed'],
  'never-in-sync': ['Deployment payments'],
  'held-by-a-later-commit': ['89f39b5d78ccd3411ad075ca1ebfbbce824ca6fb'],
};

function left(application: string, hindrance: Hindrance, change: Partial<LeftBehind> = {}): Left {
  return {
    application,
    reasons: [],
    wayBack: {
      key: `argocd/${application}`,
      hindrance,
      remedy: 'wait',
      by: inTheWay[hindrance] ?? [],
      since: noon - 4 * 60_000,
      operationStartedAt: null,
      attempts: [],
      ...change,
    },
  };
}

const attempt = (aid: Attempt['aid'], minute: number, rest: Partial<Attempt> = {}): Attempt => ({
  aid,
  at: noon - 60_000 * (10 - minute),
  outcome: 'done',
  detail: '',
  ...rest,
});

test('each hindrance says what is in the way and what helps', () => {
  expect(
    hindrances.flatMap((one) => wayBackLines([left('payments-dev-1', one)], 5, noon)).join('\n'),
  ).toMatchInlineSnapshot(`
    "\`payments-dev-1\` has the bad commit still, and so does the branch, as far as I can see.
    \`payments-dev-1\` has not been compared with the revert yet (for 4 min). \`argocd app get payments-dev-1 --refresh\` makes Argo CD look.
    \`payments-dev-1\` is compared with the revert, and no sync is coming (for 4 min): a refresh does not change that, \`argocd app sync payments-dev-1\` does.
    \`payments-dev-1\` has a sync of the bad commit under way (for 4 min), perhaps in a hook. One that ends now applies that commit after all: end it with \`argocd app terminate-op payments-dev-1\`, then \`argocd app sync payments-dev-1\`.
    \`payments-dev-1\` has a failed sync that waits for its retry (for 4 min). The retry takes what the branch holds then, which is the revert: nothing to do.
    \`payments-dev-1\` has a sync that names the bad commit itself and tries it again and again (for 4 min): end it with \`argocd app terminate-op payments-dev-1\`, then \`argocd app sync payments-dev-1\`.
    \`payments-dev-1\` waits for a sync window (for 4 min). When it opens Argo CD may not notice for minutes; \`argocd app get payments-dev-1 --refresh\` helps then.
    \`payments-dev-1\` waits for a person (for 4 min): \`prod\` moves only by hand (\`maxUpdate: 0\`). \`argocd app sync payments-dev-1\` brings it back.
    \`payments-dev-1\` waits for \`staging\`, which comes first. Nothing to do.
    \`payments-dev-1\` cannot be reached by Argo CD (for 4 min): the cluster is away or refuses its credentials. It comes back when the cluster does.
    \`payments-dev-1\` waits behind \`payments-prod-2\`, whose cluster cannot be reached (for 4 min). \`argocd app sync payments-dev-1\` brings it back without waiting.
    \`payments-dev-1\` waits behind \`payments-dev-2\`, which holds every slot of the stage and does not come to an end (for 4 min). \`argocd app sync payments-dev-1\` brings it back without waiting.
    \`payments-dev-1\` has the revert, but for what would have to be deleted: \`ConfigMap payments-extra\` and \`Job seed\`. The template does not prune; \`argocd app sync payments-dev-1 --prune\` deletes them.
    \`payments-dev-1\` has the revert and stays OutOfSync all the same (for 4 min): \`Deployment payments\`. Something else changes it, or it differs by design: look at the difference with \`argocd app diff payments-dev-1\`.
    \`payments-dev-1\` is told to run a later commit than the revert (\`89f39b5\`) and is not well on it (for 4 min). I bring no later commit anywhere: mend or revert that one, or \`argocd app sync payments-dev-1\` if it is to go there.
    \`payments-dev-1\` has the revert and is not Healthy on it (for 4 min): what the bad commit did there is not undone by going back. Look at the Application itself.
    \`payments-dev-1\` is in no stage of the rollout, which therefore never syncs it: \`argocd app sync payments-dev-1\` does.
    \`payments-dev-1\` is on the way back."
  `);
});

test('several with the same in their way share a line, and no name is a command', () => {
  const names = ['payments-prod-1', 'payments-prod-3', 'payments-prod-4'];
  const lines = wayBackLines(
    names.map((name) => left(name, 'no-sync-is-coming')),
    2,
    noon,
  );
  expect(lines).toMatchInlineSnapshot(`
    [
      "\`payments-prod-1\`, \`payments-prod-3\` and 1 more are compared with the revert, and no sync is coming (for 4 min): a refresh does not change that, \`argocd app sync NAME\` does.",
    ]
  `);
});

test('what was done is said, how often, and what was not allowed', () => {
  const tries: readonly (readonly Attempt[])[] = [
    [attempt('refresh', 1)],
    [attempt('refresh', 1), attempt('sync', 3)],
    [attempt('sync', 1), attempt('sync', 6)],
    [attempt('terminate', 2)],
    [attempt('sync', 2, { outcome: 'busy' })],
    [
      attempt('sync', 2, {
        outcome: 'refused',
        detail: 'no right to patch applications; apply deploy/rbac-recover.yaml',
      }),
    ],
  ];
  const lines = tries.flatMap((attempts) => wayBackLines([left('a', 'on-its-way', { attempts })], 5, noon));
  expect(lines.join('\n')).toMatchInlineSnapshot(`
    "\`a\` is on the way back. I asked Argo CD to compare it at 11:51 UTC.
    \`a\` is on the way back. I asked Argo CD to sync it at 11:53 UTC.
    \`a\` is on the way back. I asked Argo CD to sync it at 11:56 UTC, for the second time.
    \`a\` is on the way back. I ended the operation at 11:52 UTC.
    \`a\` is on the way back.
    \`a\` is on the way back. I may not sync it: \`no right to patch applications; apply deploy/rbac-recover.yaml\`."
  `);
});

test('names of the cluster stay names', () => {
  const hostile = '`@all` <img src=x> | #1';
  const [line = ''] = wayBackLines([left(hostile, 'needs-prune', { by: [hostile] })], 5, noon);
  expect(line).toMatchInlineSnapshot(
    `"\`\` \`@all\` <img src=x> | #1 \`\` has the revert, but for what would have to be deleted: \`\` \`@all\` <img src=x> | #1 \`\`. The template does not prune; \`\`argocd app sync \`@all\` <img src=x> | #1 --prune\`\` deletes it."`,
  );
});
