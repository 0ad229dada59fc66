/** What is said about those that are still ahead: every word, and what is never put on a command line. */
import { expect, test } from 'vitest';
import type { ContainmentPlan } from '../../src/domain/containment.ts';
import type { Containment, HeldStep } from '../../src/domain/held-steps.ts';
import type { Incident, Phase } from '../../src/domain/incident.ts';
import { containmentInShort, containmentSection } from '../../src/render/containment.ts';
import { culpritComment } from '../../src/render/culprit-comment.ts';
import type { Detail } from '../../src/render/fit.ts';
import { revertBody } from '../../src/render/revert-pull-request.ts';
import { began, context, incident, standing } from './sample-incident.ts';

const detail: Detail = {
  sets: 10,
  stages: 30,
  names: 5,
  cell: 120,
  commits: 10,
  applications: 10,
  evidence: 20,
  message: 1_500,
};

const staging = { index: 1, name: 'staging', expressions: [], maxUpdate: '50%', applications: 2 } as const;
const prod = { index: 2, name: 'prod', expressions: [], maxUpdate: 1, applications: 2 } as const;

const plan = (change: Partial<ContainmentPlan> = {}): ContainmentPlan => {
  return { ahead: 4, steps: [staging, prod], gates: [], escaping: [], ...change };
};

const step = (state: HeldStep['state'], of: typeof staging | typeof prod = prod): HeldStep => {
  const { index, name, expressions, maxUpdate: former } = of;
  return { index, name, expressions, former, state, at: began, generation: 1 };
};

function contained(change: Partial<Containment>, phase: Phase = 'proposed'): Incident {
  const containment: Containment = {
    key: 'argocd/payments',
    uid: 'one',
    will: 'advise',
    order: null,
    plan: plan(),
    steps: [],
    obstacle: null,
    ...change,
  };
  return incident({ phase, containments: [containment] });
}

const said = (change: Partial<Containment>, phase: Phase = 'proposed'): string =>
  containmentSection(contained(change, phase), detail);

test('advice: how many, the command, and what to put back', () => {
  expect(said({})).toMatchInlineSnapshot(`
    "**Still ahead** · **4 of 7** Applications can still get the change. This holds staging and prod:

    \`\`\`text
    kubectl -n argocd patch applicationset payments --type json -p '[{"op":"add","path":"/spec/strategy/rollingSync/steps/1/maxUpdate","value":0},{"op":"add","path":"/spec/strategy/rollingSync/steps/2/maxUpdate","value":0}]'
    \`\`\`

    After the merge put back what stands there now: staging \`50%\` and prod \`1\`. Else nothing there ever moves again."
  `);
});

test('advice where one cannot be held any more, and a stage moves only by hand', () => {
  const escaping = [
    { application: 'payments-staging-2', stage: 'staging', why: 'operation' },
    { application: 'payments-prod-2', stage: 'prod', why: 'pending' },
  ] as const;
  expect(
    said({ plan: plan({ steps: [{ ...staging, maxUpdate: null }], gates: ['prod'], escaping }) }),
  ).toMatchInlineSnapshot(`
    "**Still ahead** · **4 of 7** Applications can still get the change. **staging-2 cannot be held any more**: a sync of the change is under way there. **prod-2 cannot be held any more**: it is Pending, and Argo CD syncs it as soon as the stages before are through. prod moves only by hand, so nothing there gets it. This holds staging:

    \`\`\`text
    kubectl -n argocd patch applicationset payments --type json -p '[{"op":"add","path":"/spec/strategy/rollingSync/steps/1/maxUpdate","value":0}]'
    \`\`\`

    After the merge put back what stands there now: staging without one. Else nothing there ever moves again."
  `);
});

test('held: from what, for how long, and what stood there', () => {
  const steps = [step('held', staging), step('held')];
  const held = { will: 'hold', steps, plan: plan({ steps: [], gates: ['staging', 'prod'] }) } as const;
  expect(said(held)).toMatchInlineSnapshot(
    `"**Frozen** · I keep the change from staging and prod with \`maxUpdate: 0\`. As soon as the revert, or a fix, is on \`main\`, I put back what stood there: staging \`50%\` and prod \`1\`."`,
  );
  expect(said({ ...held, order: { kind: 'freeze', by: 'dana', at: 0 } })).toMatchInlineSnapshot(
    `"**Frozen** · I keep the change from staging and prod with \`maxUpdate: 0\`, as \`dana\` asked. As soon as the revert, or a fix, is on \`main\`, I put back what stood there: staging \`50%\` and prod \`1\`."`,
  );
});

test('what somebody else changed is said, and left to them', () => {
  expect(
    said({ will: 'hold', steps: [step('undone')], plan: plan({ steps: [prod] }) }),
  ).toMatchInlineSnapshot(
    `"**Still ahead** · **4 of 7** Applications can still get the change. **prod is not held any more**: something put \`maxUpdate\` back, a parent Application or a person, and I do not change it a second time. To hold it, change it where the manifest is kept."`,
  );
  const steps = [step('held', staging), step('changed')];
  expect(said({ will: 'hold', steps, plan: plan({ steps: [], gates: ['staging'] }) })).toMatchInlineSnapshot(
    `"**Frozen** · I keep the change from staging with \`maxUpdate: 0\`. As soon as the revert, or a fix, is on \`main\`, I put back what stood there: staging \`50%\`. **prod is not held any more**: somebody gave \`maxUpdate\` another value, and that stays."`,
  );
});

test('an ApplicationSet that another controller owns: where to change it', () => {
  const owners = ['Application/platform'];
  const place = { repository: 'acme/platform', path: 'argocd/sets' };
  expect(said({ will: 'hold', obstacle: { kind: 'owned', owners, place } })).toMatchInlineSnapshot(
    `"**Still ahead** · **4 of 7** Applications can still get the change. To hold staging and prod, set \`maxUpdate: 0\` in its manifest in \`acme/platform\`, below \`argocd/sets\`: the ApplicationSet belongs to \`Application/platform\`, which would put back what is changed in the cluster."`,
  );
  expect(said({ obstacle: { kind: 'owned', owners, place: null } })).toMatchInlineSnapshot(
    `"**Still ahead** · **4 of 7** Applications can still get the change. To hold staging and prod, set \`maxUpdate: 0\` where its manifest is kept: the ApplicationSet belongs to \`Application/platform\`, which would put back what is changed in the cluster."`,
  );
});

test('what the cluster refuses is quoted, and can be done by hand', () => {
  const obstacle = {
    kind: 'refused',
    message: 'Stepback has no right to patch applicationsets.',
    at: 1,
  } as const;
  expect(said({ will: 'hold', obstacle })).toMatchInlineSnapshot(`
    "**Still ahead** · **4 of 7** Applications can still get the change. I cannot hold them: \`Stepback has no right to patch applicationsets.\`. This holds staging and prod:

    \`\`\`text
    kubectl -n argocd patch applicationset payments --type json -p '[{"op":"add","path":"/spec/strategy/rollingSync/steps/1/maxUpdate","value":0},{"op":"add","path":"/spec/strategy/rollingSync/steps/2/maxUpdate","value":0}]'
    \`\`\`

    After the merge put back what stands there now: staging \`50%\` and prod \`1\`. Else nothing there ever moves again."
  `);
});

test('let go by a person: the number, and no command that they know', () => {
  expect(said({ order: { kind: 'thaw', by: 'dana', at: 0 } })).toMatchInlineSnapshot(
    `"**Still ahead** · **4 of 7** Applications can still get the change. \`dana\` asked me to let them go, so I do not hold them."`,
  );
});

test('afterwards nothing is said, unless a step is held still', () => {
  expect(said({ plan: null, steps: [step('released')] }, 'merged')).toBe('');
  const obstacle = { kind: 'refused', message: 'no right', at: 1 } as const;
  expect(said({ plan: null, steps: [step('held')], obstacle }, 'recovered')).toMatchInlineSnapshot(`
    "**Still frozen** · I have not been able to put back \`maxUpdate\` of prod yet: \`no right\`. I try again; until then nothing there moves. This does it:

    \`\`\`text
    kubectl -n argocd patch applicationset payments --type json -p '[{"op":"replace","path":"/spec/strategy/rollingSync/steps/2/maxUpdate","value":1}]'
    \`\`\`"
  `);
});

test('nobody is ahead, or nothing is known: nothing is said', () => {
  expect(said({ plan: plan({ ahead: 0, steps: [] }) })).toBe('');
  expect(said({ plan: null })).toBe('');
  expect(containmentSection(incident({}), detail)).toBe('');
});

test('names that Kubernetes does not allow are put on no command line', () => {
  const key = "argocd/payments'; rm -rf ~ #";
  const hostile = incident({
    sets: [standing({ key })],
    containments: [{ ...(contained({}).containments?.[0] as Containment), key }],
  });
  expect(containmentSection(hostile, detail)).not.toContain('kubectl');
  const odd = said({ will: 'advise', plan: null, steps: [{ ...step('held'), former: "1'; rm" }] }, 'merged');
  expect(odd).not.toContain('kubectl');
});

test('it stands below the stages of the revert, and in short on the change itself', () => {
  const body = revertBody(contained({}), context);
  expect(body.indexOf('| 3 |')).toBeLessThan(body.indexOf('**Still ahead**'));
  expect(body.indexOf('**Still ahead**')).toBeLessThan(body.indexOf('**What this takes back**'));
  const held = contained({ will: 'hold', steps: [step('held', staging), step('held')] });
  const escaping = [{ application: 'payments-prod-2', stage: 'prod', why: 'pending' }] as const;
  const all = [contained({}), held, contained({ ...held.containments?.[0], plan: plan({ escaping }) })];
  expect(all.map((one) => containmentInShort(one, '#415'))).toMatchInlineSnapshot(`
    [
      "**4 more Applications** can still get it: #415 says how to hold them.",
      "I hold staging and prod until then.",
      "I hold staging and prod until then, but for **1 Application** that cannot be held.",
    ]
  `);
  expect(culpritComment(held, 412, context)).toContain('I hold staging and prod until then.');
});

test('a stage that we hold is not called one that moves only by hand', () => {
  const gated = standing().stages.map((one) => ({ ...one, pace: 'only by hand', verdict: 'manual-gate' }));
  const steps = [step('held', staging), step('held')];
  const all = { ...contained({ will: 'hold', steps }), sets: [standing({ stages: gated })] };
  const rows = revertBody(all, context)
    .split('\n')
    .filter((line) => /^\| [23] /.test(line));
  expect(rows).toMatchInlineSnapshot(`
    [
      "| 2 | staging (50 % at a time, frozen) | 1 of 3: staging-1 | **Degraded**: Deployment payments: back-off 20s restarting failed container |",
      "| 3 | prod (one at a time, frozen) | 1 of 3: prod-2, **out of order** | Healthy; prod-1 and prod-3 wait |",
    ]
  `);
  expect(revertBody(all, context)).not.toMatch(/(staging|prod) (\(by hand\)|moves? only by hand)/);
});

test('where there is no revert, the change itself says all of it', () => {
  const alone = { ...contained({}, 'noticed'), pullRequest: null };
  expect(culpritComment(alone, 412, context)).toContain('kubectl -n argocd patch applicationset payments');
});
