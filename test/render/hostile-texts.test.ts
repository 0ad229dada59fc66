/**
 * Whole texts about incidents in which everything that others can write is hostile: they keep exactly the structure
 * that our templates give them, link to nothing else, call nobody, and fit.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Incident } from '../../src/domain/incident.ts';
import { parseMarker } from '../../src/domain/marker.ts';
import { culpritComment, noticeOf } from '../../src/render/culprit-comment.ts';
import { textLengthMax } from '../../src/render/fit.ts';
import { revertBody, revertTitle } from '../../src/render/revert-pull-request.ts';
import { hostileText, madeHostile } from './hostile.ts';
import * as story from './incidents.ts';
import { read } from './markdown.ts';
import { context, incident, inPhase, later, reason, stage, standing, suspect } from './sample-incident.ts';

const stories: readonly Incident[] = [
  incident(),
  story.lateAndGrown(),
  story.syncFailed(),
  story.renderError(),
  story.twoSets(),
  story.severalSuspects(),
  story.muchInTheWay(),
  story.mergedWithOneLeft(),
  story.recovered(),
  story.conflict(),
  inPhase('healed'),
  inPhase('dismissed'),
];

/** Links that our templates make: to commits, comparisons and pull requests of the repository. */
const ours =
  /^https:\/\/github\.com\/acme\/payments\/(?:commit\/[0-9a-f]{40}|compare\/[0-9a-f]{40}\.\.\.[0-9a-f]{40}|pull\/\d+)$/;

/** A marker may stand in a snapshot without what it holds. */
const unmarked = (text: string): string => text.replace(/<!-- stepback:v1 \S+ -->/, '<!-- stepback:v1 … -->');

function expectOnlyOurs(markdown: string, one: Incident, kind: 'revert' | 'culprit' | 'notice'): void {
  const { instance, id } = one;
  const { links, html, live, strange, tables } = read(markdown);
  expect(links.filter((address) => !ours.test(address))).toEqual([]);
  const folds =
    kind === 'revert' && markdown.includes('<details>')
      ? ['<details><summary>Evidence</summary>', '</details>']
      : [];
  expect(html).toEqual([...folds, expect.stringMatching(/^<!-- stepback:v1 [A-Za-z0-9+/=]+ -->$/)]);
  expect({ live, strange }).toEqual({ live: [], strange: [] });
  for (const rows of tables) expect(new Set(rows).size).toBe(1);
  expect(parseMarker(markdown)).toEqual({ kind, instance, incident: id });
  expect(markdown.length).toBeLessThanOrEqual(textLengthMax);
  expect(markdown).not.toMatch(/(?!\n)\p{Cc}|\p{Cf}|\p{Cs}/u);
}

/** Four columns for stages, three for the figures; as many rows as the incident has stages. */
function expectTables(markdown: string, one: Incident): void {
  const shape = read(markdown).tables.map((rows) => `${rows.length}x${rows[0]}`);
  const stages = one.sets.map((set) => `${set.stages.length + 1}x4`);
  const expected: Record<string, readonly string[]> = { recovered: ['7x3'], healed: [] };
  expect(shape).toEqual(expected[one.phase] ?? stages);
}

const hostileStory: fc.Arbitrary<Incident> = fc
  .tuple(fc.constantFrom(...stories), fc.array(hostileText, { minLength: 1, maxLength: 12 }))
  .map(([one, texts]) => {
    let index = 0;
    return madeHostile(one, () => texts[index++ % texts.length] ?? '');
  });

describe('hostile names, messages and subjects', () => {
  it('change nothing about the structure of a body', () => {
    fc.assert(
      fc.property(hostileStory, (one) => {
        const body = revertBody(one, later(15));
        expectOnlyOurs(body, one, 'revert');
        expectTables(body, one);
      }),
      { numRuns: 300 },
    );
  });

  it('change nothing about the structure of a comment or a notice', () => {
    fc.assert(
      fc.property(hostileStory, (one) => {
        expectOnlyOurs(culpritComment(one, 412, later(15)), one, 'culprit');
        expectOnlyOurs(noticeOf(one, later(15)), one, 'notice');
      }),
      { numRuns: 300 },
    );
  });

  it('make a title of one short line that calls nobody', () => {
    fc.assert(
      fc.property(hostileStory, (one) => {
        const title = revertTitle(one);
        expect(title.length).toBeLessThanOrEqual(256);
        expect(title).toMatch(/^Revert ".+"(?: and \d+ more)?: ./);
        expect(title).not.toMatch(/\p{Cc}|\p{Cf}|\p{Cs}|#\d|(?<![\p{L}\p{N}])@[\p{L}\p{N}]/u);
      }),
      { numRuns: 300 },
    );
  });

  it('are read as what they are', () => {
    const one = incident({
      suspects: [suspect({ subject: '<!-- stepback:v1 x --> fixes #1 | @everyone', author: '@acme/owners' })],
      sets: [
        standing({
          stages: [
            stage(1, 'dev | prod', { applications: 1, having: ['payments-`x`'], selector: 'env in *' }),
            stage(2, '</details>', {
              failing: ['payments-www.evil.example'],
              having: ['payments-www.evil.example'],
              health: '**Degraded**',
              verdict: 'failed',
            }),
          ],
          evidence: [
            reason({
              application: 'payments-www.evil.example',
              message:
                'first\n```\n</details>\n# heading\nhttps://bot:hunter2@git.acme.example Bearer abcdefghijkl',
            }),
          ],
        }),
      ],
    });
    expect(revertTitle(one)).toMatchInlineSnapshot(
      `"Revert "<! -- stepback:v1 x --> fixes # 1 | @ everyone": argocd/payments is Degraded in stage 2 (</details>)"`,
    );
    expect(unmarked(revertBody(one, context))).toMatchInlineSnapshot(`
      "\`payments\` stopped in **\`</details>\`**: \`payments-www.evil.example\` has been Degraded for 2 min on [\`d2bf318\`](https://github.com/acme/payments/commit/d2bf318c0e1a4f5b6c7d8e9f0a1b2c3d4e5f6a7b). **2 of 7** Applications run that commit, **and 1 more outside of every stage**. Merging this puts all of them back on [\`ea283fd\`](https://github.com/acme/payments/commit/ea283fd214ab2c8b09f342cbb443bb15fae16512). **Something is in the way of that: see below.**

      |  | Stage | Has the bad commit | Health |
      | --- | --- | --- | --- |
      | 1 | \`dev \\| prod\` (\`env in *\`) | 1 of 1: \`\` \`x\` \`\` | Healthy |
      | 2 | \`</details>\` | 1 of 3: \`www.evil.example\` | **\`**Degraded**\`**: \`\`\`\`first \`\`\` </details> # heading https://[masked]@git.acme.example Bearer [masked]\`\`\`\` |

      **What this takes back** · [#412](https://github.com/acme/payments/pull/412) \`<! -- stepback:v1 x --> fixes #1 | @everyone\` by \`@acme/owners\`, 3 files under \`apps/payments\`.

      **After the merge** · Argo CD brings back \`dev | prod\`, then \`</details>\`. I follow until every Application is back, and say so here.

      **Watch out for:**

      - 1 Application of \`payments\` outside of every stage runs the commit too, and the rollout does not bring it back: sync it by hand after the merge.

      **Not this one?** · Close it, or comment \`/stepback dismiss <why>\`, and I leave this change alone. \`/stepback explain\` shows every step of the reasoning. If it heals by itself, or a fix lands first, I close it.

      As of 2026-08-01 03:14:05 UTC; I edit this text when something changes.

      <details><summary>Evidence</summary>

      **\`argocd/payments\`** of Argo CD \`argocd\`, failing since 2026-08-01 03:12:05 UTC

      Last good: [\`ea283fd\`](https://github.com/acme/payments/commit/ea283fd214ab2c8b09f342cbb443bb15fae16512), seen Synced and Healthy · [what changed since](https://github.com/acme/payments/compare/ea283fd214ab2c8b09f342cbb443bb15fae16512...d2bf318c0e1a4f5b6c7d8e9f0a1b2c3d4e5f6a7b)

      \`payments-www.evil.example\` has been Degraded since 2026-08-01 03:12:05 UTC, on a commit on which it never was Healthy (\`status.health.status\`: \`Degraded\`): \`\`\`\`first \`\`\` </details> # heading https://[masked]@git.acme.example Bearer [masked]\`\`\`\`.

      \`\`\`\`text
      first
      \`\`\`
      </details>
      # heading
      https://[masked]@git.acme.example Bearer [masked]
      \`\`\`\`

      **Timeline**

      - 2026-08-01 03:14:05 UTC: noticed that it fails

      </details>

      <!-- stepback:v1 … -->"
    `);
  });
});

describe('a text that would be too long', () => {
  const monster = '| `` x'.repeat(300);
  const many = <Item>(number: number, item: (index: number) => Item): readonly Item[] =>
    Array.from({ length: number }, (_, index) => item(index));
  const names = (kind: string, number: number): readonly string[] =>
    many(number, (index) => `${kind}-${index}-${monster}`);

  const monstrous = (phase: Incident['phase']): Incident =>
    inPhase(phase, {
      suspects: many(40, () => suspect({ subject: monster, author: monster, files: names('file', 3) })),
      innocents: many(40, () => suspect({ subject: monster, pullRequest: null })),
      sets: many(11, (index) =>
        standing({
          key: `argocd/${index}-${monster}`,
          name: `${index}-${monster}`,
          isGuess: true,
          prunes: false,
          havingAtMost: 400,
          having: 500,
          stages: many(9, (number) =>
            stage(number + 1, monster, {
              selector: monster,
              pace: monster,
              having: names('having', 10),
              outOfOrder: names('early', 10),
              partly: names('partly', 10),
              failing: names('failing', 10),
              ahead: names('ahead', 10),
              health: monster,
              message: `${number} ${monster}`,
              verdict: 'stuck',
            }),
          ),
          evidence: many(30, (one) => reason({ application: `${one}`, message: `${one} ${monster}` })),
          left: many(30, (one) => ({
            application: `${one}-${monster}`,
            reasons: [
              reason({
                code: one % 2 === 0 ? 'operation-runs' : 'sync-window',
                message: `${one} ${monster}`,
              }),
            ],
          })),
        }),
      ),
    });

  it('is told with less, whole to its last line', () => {
    for (const phase of ['proposed', 'merged', 'recovered'] as const) {
      const one = monstrous(phase);
      expectOnlyOurs(revertBody(one, later(15)), one, 'revert');
      expectOnlyOurs(culpritComment(one, 412, later(15)), one, 'culprit');
    }
    const body = revertBody(monstrous('proposed'), context);
    for (const part of ['What this takes back', 'What it leaves', 'After the merge', 'Not this one?'])
      expect(body).toContain(part);
  });

  it('loses its evidence first', () => {
    const long = incident({
      sets: [standing({ evidence: many(400, (index) => reason({ message: `${index} ${monster}` })) })],
    });
    const short = incident({ sets: many(40, (index) => ({ ...standing(), key: `argocd/${index}` })) });
    expect(revertBody(long, context)).toContain('<details>');
    const ofMany = revertBody(
      { ...short, sets: short.sets.map((set) => ({ ...set, ...long.sets[0] })) },
      context,
    );
    expect(ofMany).toContain('<details>');
    expect(ofMany.length).toBeLessThanOrEqual(textLengthMax);
  });
});
