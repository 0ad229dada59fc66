import { expect, it } from 'vitest';
import { checkRunLimits } from '../../src/ports/checks.ts';
import { type SummaryLine, summaryName, summaryRunOf } from '../../src/render/check-summary.ts';
import { bytesOf } from '../../src/render/fit.ts';
import { bad, context } from './sample-incident.ts';

const line = (name: string, kind: SummaryLine['kind'], title: string): SummaryLine => ({
  key: `argocd/${name}`,
  kind,
  title,
});

it('tells those that fail first', () => {
  const lines = [
    line('cards', 'done', 'Every stage runs it and is Healthy'),
    line('orders', 'queued', 'Queued: Argo CD has not begun with it'),
    line('payments', 'failing', 'Stopped in staging; prod-2 has it out of order'),
    line('returns', 'waiting', 'prod moves only by hand'),
    line('shop', 'rolling', '3 of 7 Applications run it, now in staging'),
  ];
  const run = summaryRunOf({ sha: bad, instance: 'argocd', lines }, context.links);
  expect(run.actions).toEqual([]);
  expect(`${run.conclusion} · ${run.title}\n\n${run.summary}`).toMatchInlineSnapshot(`
    "failure · 1 of 5 ApplicationSets failed; 1 needs a person, 1 done, 2 on the way

    [\`d2bf318\`](https://github.com/acme/payments/commit/d2bf318c0e1a4f5b6c7d8e9f0a1b2c3d4e5f6a7b) feeds **5 ApplicationSets**, so they are told together; each that fails has a check run of its own.

    | ApplicationSet |  |  |
    | --- | --- | --- |
    | \`argocd/payments\` | **failed** | Stopped in staging; prod-2 has it out of order |
    | \`argocd/returns\` | **needs a person** | prod moves only by hand |
    | \`argocd/shop\` | rolling | 3 of 7 Applications run it, now in staging |
    | \`argocd/orders\` | queued | Queued: Argo CD has not begun with it |
    | \`argocd/cards\` | done | Every stage runs it and is Healthy |"
  `);
});

it.each<[string, readonly SummaryLine['kind'][]]>([
  ['queued', ['queued', 'queued']],
  ['in-progress', ['queued', 'done']],
  ['in-progress', ['rolling', 'queued', 'overtaken']],
  ['success', ['done', 'overtaken']],
  ['neutral', ['overtaken', 'overtaken']],
  ['action-required', ['waiting', 'rolling']],
  ['failure', ['failing', 'waiting', 'rolling']],
])('is %s', (word, kinds) => {
  const lines = kinds.map((kind, index) => line(`set-${index}`, kind, ''));
  const { status, conclusion } = summaryRunOf({ sha: bad, instance: 'argocd', lines }, context.links);
  expect(conclusion ?? status).toBe(word);
});

it('fits with thousands of ApplicationSets, and says how many it leaves out', () => {
  const lines = Array.from({ length: 5_000 }, (_, index) =>
    line(`${'ü'.repeat(200)}-${index}`, index < 3 ? 'failing' : 'rolling', `${'ß'.repeat(140)}`),
  );
  const run = summaryRunOf({ sha: bad, instance: 'argocd', lines }, context.links);
  expect(bytesOf(run.summary)).toBeLessThanOrEqual(checkRunLimits.textBytesMax);
  expect(run.title).toBe('3 of 5,000 ApplicationSets failed; 4,997 on the way');
  expect(run.summary).toMatch(/[0-9,]+ more ApplicationSets not shown\.$/);
});

it('names an Argo CD that is not the only one', () => {
  expect([summaryName('argocd'), summaryName('east')]).toEqual([
    'stepback / summary',
    'stepback / east: summary',
  ]);
});
