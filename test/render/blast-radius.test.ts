import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BlastRadius, Landing, Trouble } from '../../src/domain/blast-radius.ts';
import type { Fault } from '../../src/domain/fault.ts';
import type { Reach, StageReach } from '../../src/domain/layout.ts';
import { checkRunLimits } from '../../src/ports/checks.ts';
import { blastRadiusWords } from '../../src/render/blast-radius.ts';
import { configurationWords } from '../../src/render/configuration-check.ts';
import { hostileText } from './hostile.ts';
import { read } from './markdown.ts';
import { context, suspect } from './sample-incident.ts';

function stage(number: number, name: string, change: Partial<StageReach> = {}): StageReach {
  const names = [`${name}-1`, `${name}-2`];
  return {
    number,
    name,
    selector: `env in ${name}`,
    pace: 'all at once',
    maxUpdate: 2,
    total: 2,
    applications: names.map((one) => `payments-${one}`),
    clusters: names,
    ...change,
  };
}

function reach(change: Partial<Reach> = {}): Reach {
  return {
    key: 'argocd/payments',
    name: 'payments',
    order: 'stages',
    stages: [stage(1, 'dev'), stage(2, 'staging', { pace: 'one at a time', maxUpdate: 1 }), stage(3, 'prod')],
    unselected: [],
    applications: 6,
    clusters: 6,
    total: 6,
    ...change,
  };
}

function radius(change: Partial<BlastRadius> = {}): BlastRadius {
  return {
    branch: 'main',
    reaches: [reach()],
    generated: [],
    edited: [],
    troubles: [],
    landings: [],
    takesBack: null,
    doubts: [],
    ...change,
  };
}

const trouble: Trouble = {
  key: 'argocd/payments',
  name: 'payments',
  stage: { number: 2, name: 'staging' },
  failureKind: 'sync',
  revert: null,
};

const landing: Landing = {
  incident: 'argocd-d2bf318c0e1a',
  revert: 415,
  suspect: suspect(),
  key: 'argocd/payments',
  name: 'payments',
  stage: { number: 2, name: 'staging' },
  failureKind: 'degraded',
  by: 'same-content',
};

const untouched = { applications: [], clusters: [] };

/** The title and the paragraphs that are not the table. */
function words(change: Partial<BlastRadius>): string {
  const { title, summary } = blastRadiusWords(radius(change), context.links);
  const paragraphs = summary.split('\n\n').filter((paragraph) => !paragraph.startsWith('|'));
  return [title, ...paragraphs].join('\n');
}

describe('an open pull request is told', () => {
  it('the stages that it would go through', () => {
    expect(blastRadiusWords(radius(), context.links)).toMatchInlineSnapshot(`
      {
        "conclusion": "success",
        "summary": "Merging this into \`main\` reaches **6 of 6** Applications of \`argocd/payments\` on **6 clusters**: dev, then staging, then prod.

      |  | Stage | Reaches | How |
      | --- | --- | --- | --- |
      | 1 | dev | 2 of 2 on 2 clusters: dev-1 and dev-2 | all at once |
      | 2 | staging | 2 of 2 on 2 clusters: staging-1 and staging-2 | one at a time |
      | 3 | prod | 2 of 2 on 2 clusters: prod-1 and prod-2 | all at once |

      This is the order that is meant. Argo CD can sync a later stage early when its Applications notice the commit first.",
        "text": "",
        "title": "argocd/payments: dev, then staging, then prod; 6 clusters",
      }
    `);
  });

  it('that a gate is on its way', () => {
    const stages = [
      stage(1, 'dev'),
      stage(2, 'staging', { maxUpdate: 0, pace: 'only by hand' }),
      stage(3, 'prod'),
    ];
    expect(
      blastRadiusWords(radius({ reaches: [reach({ stages })] }), context.links).summary,
    ).toMatchInlineSnapshot(`
      "Merging this into \`main\` reaches **6 of 6** Applications of \`argocd/payments\` on **6 clusters**: dev, then staging, then prod.

      |  | Stage | Reaches | How |
      | --- | --- | --- | --- |
      | 1 | dev | 2 of 2 on 2 clusters: dev-1 and dev-2 | all at once |
      | 2 | staging | 2 of 2 on 2 clusters: staging-1 and staging-2 | **only by hand** |
      | 3 | prod | 2 of 2 on 2 clusters: prod-1 and prod-2 | all at once |

      Stage 2 (staging) is a gate (\`maxUpdate\` is 0): a person syncs it, and every stage behind it waits as well.

      This is the order that is meant. Argo CD can sync a later stage early when its Applications notice the commit first."
    `);
  });

  it('that it is tried nowhere before, and whom the rollout leaves out', () => {
    const stages = [
      stage(1, 'dev', untouched),
      stage(2, 'empty', { ...untouched, total: 0 }),
      stage(3, 'prod', { selector: 'env in prod and tier not in edge' }),
    ];
    const reaches = [reach({ stages, applications: 3, clusters: 2, unselected: ['payments-lab'] })];
    expect(blastRadiusWords(radius({ reaches }), context.links).summary).toMatchInlineSnapshot(`
      "Merging this into \`main\` reaches **3 of 6** Applications of \`argocd/payments\` on **2 clusters**: prod.

      |  | Stage | Reaches | How |
      | --- | --- | --- | --- |
      | 1 | dev | none of 2 | all at once |
      | 2 | empty | no Application | all at once |
      | 3 | prod (\`env in prod and tier not in edge\`) | 2 of 2 on 2 clusters: prod-1 and prod-2 | all at once |

      **It begins in prod**: what it changes feeds no earlier stage, so it is tried nowhere before. \`payments-lab\` is in no stage: the rollout never syncs it."
    `);
  });

  it.each(['flag-off', 'at-once', 'empty-steps', 'create-only'] as const)(
    'what becomes of its order: %s',
    (order) => {
      const stages =
        order === 'at-once' ? [stage(1, 'all at once', { selector: 'every Application' })] : reach().stages;
      expect(
        words({ reaches: [reach({ order, stages: order === 'empty-steps' ? [] : stages })] }),
      ).toMatchSnapshot();
    },
  );

  it('that what it feeds is failing', () => {
    expect(words({ troubles: [trouble] })).toMatchInlineSnapshot(`
      "argocd/payments is failing right now in stage 2 (staging)
      **A rollout of \`argocd/payments\` is failing right now**: it cannot be synced in stage 2 (staging). Unless this is what mends it, wait: merged now, this rolls out together with what fails.
      Merging this into \`main\` reaches **6 of 6** Applications of \`argocd/payments\` on **6 clusters**: dev, then staging, then prod.
      This is the order that is meant. Argo CD can sync a later stage early when its Applications notice the commit first."
    `);
    const merged = { ...trouble, stage: null, revert: { number: 415, isMerged: true } };
    expect(words({ troubles: [merged, { ...trouble, key: 'argocd/orders' }] })).toMatchInlineSnapshot(`
      "argocd/payments is failing right now, and 1 other
      **A rollout of \`argocd/payments\` is failing right now**: it cannot be synced. [#415](https://github.com/acme/payments/pull/415) took back what did it, and not every Application is back yet. Unless this helps them, wait until it says so.
      **A rollout of \`argocd/orders\` is failing right now**: it cannot be synced in stage 2 (staging). Unless this is what mends it, wait: merged now, this rolls out together with what fails.
      Merging this into \`main\` reaches **6 of 6** Applications of \`argocd/payments\` on **6 clusters**: dev, then staging, then prod.
      This is the order that is meant. Argo CD can sync a later stage early when its Applications notice the commit first."
    `);
  });

  it('that it lands again what was taken back', () => {
    expect(words({ landings: [landing] })).toMatchInlineSnapshot(`
      "Lands again what #415 took back in argocd/payments
      **This lands again what [#415](https://github.com/acme/payments/pull/415) took back**: [#412](https://github.com/acme/payments/pull/412) \`payments: new ledger endpoint\`. \`argocd/payments\` became Degraded on it in stage 2 (staging), and it would get exactly the same once more. Correct what failed before you merge.
      Merging this into \`main\` reaches **6 of 6** Applications of \`argocd/payments\` on **6 clusters**: dev, then staging, then prod.
      This is the order that is meant. Argo CD can sync a later stage early when its Applications notice the commit first."
    `);
    expect(
      words({ landings: [{ ...landing, by: 'content', stage: null, failureKind: 'render' }] }),
    ).toMatchInlineSnapshot(`
      "Lands again what #415 took back in argocd/payments
      **This lands again what [#415](https://github.com/acme/payments/pull/415) took back**, in whole or in part: [#412](https://github.com/acme/payments/pull/412) \`payments: new ledger endpoint\`. \`argocd/payments\` could not be rendered on it. If what failed is corrected here, go ahead; if not, it fails again.
      Merging this into \`main\` reaches **6 of 6** Applications of \`argocd/payments\` on **6 clusters**: dev, then staging, then prod.
      This is the order that is meant. Argo CD can sync a later stage early when its Applications notice the commit first."
    `);
    const pushed = { ...landing, revert: null, suspect: suspect({ pullRequest: null }) };
    expect(words({ landings: [{ ...pushed, by: 'words', failureKind: 'sync' }] })).toMatchInlineSnapshot(`
      "Says that it lands again what was taken back in argocd/payments
      **This says that it lands again what was taken back**: [\`d2bf318\`](https://github.com/acme/payments/commit/d2bf318c0e1a4f5b6c7d8e9f0a1b2c3d4e5f6a7b) \`payments: new ledger endpoint\`. \`argocd/payments\` could not be synced on it in stage 2 (staging). Its files do not hold that change as it was; see that what failed is corrected.
      Merging this into \`main\` reaches **6 of 6** Applications of \`argocd/payments\` on **6 clusters**: dev, then staging, then prod.
      This is the order that is meant. Argo CD can sync a later stage early when its Applications notice the commit first."
    `);
  });

  it('that it is the way back', () => {
    const takesBack = { incident: 'argocd-d2bf318c0e1a', suspects: [suspect()] };
    expect(words({ takesBack, troubles: [trouble] })).toMatchInlineSnapshot(`
      "Takes back what fails in argocd/payments
      **This takes back [#412](https://github.com/acme/payments/pull/412) \`payments: new ledger endpoint\`.** Its description says what fails and how far it got.
      **A rollout of \`argocd/payments\` is failing right now**: it cannot be synced in stage 2 (staging).
      Merging this into \`main\` reaches **6 of 6** Applications of \`argocd/payments\` on **6 clusters**: dev, then staging, then prod.
      This is the order that is meant. Argo CD can sync a later stage early when its Applications notice the commit first."
    `);
    expect(words({ takesBack, reaches: [] })).toMatchInlineSnapshot(`
      "Takes back what fails
      **This takes back [#412](https://github.com/acme/payments/pull/412) \`payments: new ledger endpoint\`.** Its description says what fails and how far it got. The branch holds it no more, so merging this changes nothing.
      Merging this into \`main\` rolls nothing out: no ApplicationSet takes from there what it changes. When it changes, I look again."
    `);
  });

  it('what cannot be told, and why', () => {
    const problem = 'The API server does not answer. I try again.';
    expect(words({ reaches: [], doubts: [{ kind: 'cluster', sets: 2, problem }] })).toMatchInlineSnapshot(`
      "Cannot tell what it feeds
      I cannot see 2 ApplicationSets now, so what is said here may not be all: The API server does not answer. I try again. I look again in a minute."
    `);
    expect(words({ reaches: [], doubts: [{ kind: 'no-comparison' }] })).toMatchInlineSnapshot(`
      "Cannot tell what it feeds
      GitHub does not show what this changes against its base, so nobody can say what it feeds. Bring the branch up to date, and I look again."
    `);
    expect(words({ doubts: [{ kind: 'unsure', sets: ['argocd/orders'] }] })).toMatchInlineSnapshot(`
      "argocd/payments: dev, then staging, then prod; 6 clusters
      Merging this into \`main\` reaches **6 of 6** Applications of \`argocd/payments\` on **6 clusters**: dev, then staging, then prod.
      Whether it feeds \`argocd/orders\` as well cannot be told from the files: what their folders are built from could not be followed to its end.
      This is the order that is meant. Argo CD can sync a later stage early when its Applications notice the commit first."
    `);
  });

  it('that it changes what Applications are generated from', () => {
    const generated = [{ key: 'argocd/payments', files: ['envs/dev.yaml', 'envs/prod.yaml'] }];
    expect(words({ reaches: [], generated })).toMatchInlineSnapshot(`
      "Changes what argocd/payments is generated from
      It changes what \`argocd/payments\` is generated from (\`envs/dev.yaml\` and \`envs/prod.yaml\`): Applications can come, go or move to another revision, and how many shows only when Argo CD has read it."
    `);
  });

  it('that nothing rolls out', () => {
    expect(words({ reaches: [] })).toMatchInlineSnapshot(`
      "Feeds no ApplicationSet
      Merging this into \`main\` rolls nothing out: no ApplicationSet takes from there what it changes. When it changes, I look again."
    `);
  });
});

const bytes = (text: string): number => new TextEncoder().encode(text).length;

describe('what GitHub takes', () => {
  it('holds hundreds of ApplicationSets, the largest with their stages and every one in a line', () => {
    const reaches = Array.from({ length: 300 }, (_, index) =>
      reach({ key: `argocd/${'payments'.repeat(6)}-${index}`, name: `${'payments'.repeat(6)}-${index}` }),
    );
    const { title, summary, text } = blastRadiusWords(radius({ reaches }), context.links);
    expect(title).toBe('300 ApplicationSets, 1,800 Applications');
    expect(text.split('\n').filter((line) => line.includes('payments'))).toHaveLength(300);
    expect(read(summary).tables).toHaveLength(8);
    expect(Math.max(bytes(summary), bytes(text))).toBeLessThanOrEqual(checkRunLimits.textBytesMax);
  });

  it('holds the worst of names, thousands of them', () => {
    const name = '界'.repeat(60);
    const many = Array.from({ length: 60 }, (_, index) => stage(index + 1, `${name}${index}`));
    const reaches = Array.from({ length: 2_000 }, (_, index) =>
      reach({ key: `${name}/${index}`, stages: many }),
    );
    const troubles = reaches.map(({ key }) => ({ ...trouble, key }));
    const { summary, text } = blastRadiusWords(radius({ reaches, troubles }), context.links);
    expect(Math.max(bytes(summary), bytes(text))).toBeLessThanOrEqual(checkRunLimits.textBytesMax);
    expect(summary).toContain('more ApplicationSets that this feeds are failing as well');
  });

  it('calls nobody and links nowhere, whatever the names are', () => {
    fc.assert(
      fc.property(fc.array(hostileText, { minLength: 8, maxLength: 8 }), (texts) => {
        const [
          key = '',
          name = '',
          selector = '',
          cluster = '',
          subject = '',
          file = '',
          branch = '',
          problem = '',
        ] = texts;
        const stages = [1, 2].map((number) =>
          stage(number, name, {
            selector,
            pace: selector,
            applications: [name, cluster],
            clusters: [cluster],
          }),
        );
        const { summary, text, title } = blastRadiusWords(
          radius({
            branch,
            reaches: Array.from({ length: 10 }, () => reach({ key, name, stages, unselected: [name] })),
            troubles: [{ ...trouble, key, stage: { number: 1, name } }],
            landings: [{ ...landing, key, suspect: suspect({ subject }), stage: { number: 1, name } }],
            generated: [{ key, files: [file] }],
            doubts: [
              { kind: 'cluster', sets: 1, problem },
              { kind: 'unsure', sets: [key] },
            ],
          }),
          context.links,
        );
        for (const markdown of [summary, text]) {
          const { links, html, live, strange, tables } = read(markdown);
          expect(links.filter((url) => !url.startsWith('https://github.com/acme/payments/pull/'))).toEqual(
            [],
          );
          expect({ html, live, strange }).toEqual({ html: [], live: [], strange: [] });
          for (const rows of tables) expect(new Set(rows).size).toBe(1);
        }
        expect(title).not.toMatch(/[\r\n]/);
      }),
      { numRuns: 60 },
    );
  });
});

describe('a configuration', () => {
  const fault: Fault = {
    severity: 'error',
    source: 'acme/payments',
    line: 3,
    column: 10,
    path: 'times.grace',
    problem: '"3 parsecs" is no time.',
    mend: 'Write it like "90s".',
    excerpt: '    3 |   grace: 3 parsecs\n      |          ^^^^^^^^^',
  };
  const path = '.github/stepback.yaml';
  const title = (faults: readonly Fault[], obeyed: 'this-file' | 'watching' | 'not-merged' | 'removed') => {
    const { conclusion, title, summary } = configurationWords({ path, faults, obeyed });
    return `${conclusion}: ${title}\n${summary}`;
  };

  it('is told what counts in its place', () => {
    expect(title([fault, fault], 'watching')).toMatchInlineSnapshot(`
      "failure: Cannot be used: line 3, column 10, and 1 more fault
      \`.github/stepback.yaml\` has 2 faults, so nothing in it counts. There is no good version before it, so Stepback only watches and writes nothing until it is mended."
    `);
    expect(title([{ ...fault, severity: 'warning' }], 'this-file')).toMatchInlineSnapshot(`
      "neutral: Can be used, with 1 warning
      \`.github/stepback.yaml\` counts. What is said below does nothing there, or not what it seems to."
    `);
    expect(title([], 'not-merged')).toMatchInlineSnapshot(`
      "success: Can be used
      \`.github/stepback.yaml\` has no fault and counts as soon as it is merged."
    `);
    expect(title([], 'removed')).toMatchInlineSnapshot(`
      "success: Takes the configuration away
      Without \`.github/stepback.yaml\` the defaults of the organisation and of Stepback count from the merge on."
    `);
  });

  it('with the worst of texts is told within what GitHub takes, and calls nobody', () => {
    fc.assert(
      fc.property(hostileText, hostileText, (one, other) => {
        const faults = Array.from({ length: 51 }, () => ({
          ...fault,
          problem: one,
          mend: other,
          excerpt: one,
        }));
        const { text } = configurationWords({ path, faults, obeyed: 'last-good' });
        expect(bytes(text)).toBeLessThanOrEqual(checkRunLimits.textBytesMax);
        const { links, html, live, strange } = read(text);
        expect({ links, html, live, strange }).toEqual({ links: [], html: [], live: [], strange: [] });
      }),
      { numRuns: 60 },
    );
    const long = {
      ...fault,
      problem: '界'.repeat(5_000),
      mend: '界'.repeat(5_000),
      excerpt: '界'.repeat(5_000),
    };
    const { text } = configurationWords({
      path,
      faults: Array.from({ length: 51 }, () => long),
      obeyed: 'last-good',
    });
    expect(bytes(text)).toBeLessThanOrEqual(checkRunLimits.textBytesMax);
    expect(text.slice(-30)).toMatch(/… and \d+ more\.$/);
  });
});
