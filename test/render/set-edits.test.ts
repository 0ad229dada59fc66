/** What is told of a pull request that changes the manifest of an ApplicationSet. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { BlastRadius, SetEdit } from '../../src/domain/blast-radius.ts';
import { blastRadiusWords } from '../../src/render/blast-radius.ts';
import { hostileText } from './hostile.ts';
import { read } from './markdown.ts';
import { context } from './sample-incident.ts';

const edit: SetEdit = {
  key: 'argocd/payments',
  name: 'payments',
  file: 'sets/payments.yaml',
  change: 'changed',
};

function wordsOf(...edited: readonly SetEdit[]): ReturnType<typeof blastRadiusWords> {
  const nothing: BlastRadius = {
    branch: 'main',
    reaches: [],
    generated: [],
    edited,
    troubles: [],
    landings: [],
    takesBack: null,
    doubts: [],
  };
  return blastRadiusWords(nothing, context.links);
}

it('says that it reaches every Application at once', () => {
  expect(wordsOf(edit)).toMatchInlineSnapshot(`
    {
      "conclusion": "neutral",
      "summary": "**This changes the ApplicationSet \`argocd/payments\` itself** (\`sets/payments.yaml\`). That reaches every Application that it generates at once, and I take no such change back. See first what becomes of them: \`argocd appset generate\` shows it.",
      "text": "",
      "title": "Changes the ApplicationSet argocd/payments itself",
    }
  `);
});

it('says what comes, what goes, and what a template makes', () => {
  const others: readonly SetEdit[] = [
    { ...edit, change: 'removed' },
    { ...edit, key: null, name: 'orders', change: 'added' },
    { ...edit, key: null, name: null },
  ];
  expect(others.map((one) => wordsOf(one).title)).toMatchInlineSnapshot(`
    [
      "Removes the ApplicationSet argocd/payments itself",
      "Adds the ApplicationSet orders",
      "Changes an ApplicationSet itself",
    ]
  `);
  expect(wordsOf(...others).summary).toMatchInlineSnapshot(`
    "**This removes the ApplicationSet \`argocd/payments\` itself** (\`sets/payments.yaml\`). Argo CD deletes its Applications with it, and what they deployed, unless it is told to keep them (\`syncPolicy.preserveResourcesOnDeletion\`).

    **This adds the ApplicationSet \`orders\`** (\`sets/payments.yaml\`). Which Applications it generates, and where, shows when Argo CD has read it: \`argocd appset generate\` lists them before.

    **This changes an ApplicationSet itself** (\`sets/payments.yaml\`). That reaches every Application that it generates at once, and I take no such change back. See first what becomes of them: \`argocd appset generate\` shows it."
  `);
});

it('calls nobody and links nowhere, whatever the names are', () => {
  fc.assert(
    fc.property(hostileText, hostileText, (name, file) => {
      const { title, summary } = wordsOf({ ...edit, key: null, name, file });
      expect(title).not.toMatch(/\n/);
      const { links, html, live, strange } = read(summary);
      expect({ links, html, live, strange }).toEqual({ links: [], html: [], live: [], strange: [] });
    }),
  );
});
