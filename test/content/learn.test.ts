/** Which revisions are looked up: after a restart nothing is known of any. */
import { expect, it } from 'vitest';
import { emptyContent, learnContent } from '../../src/content/learn.ts';
import type { ContentSource } from '../../src/content/source.ts';
import { remember } from '../../src/domain/memory.ts';
import { A, applicationOf, B, beginning, C, rawApplication } from '../domain/world.ts';

const D = 'd'.repeat(40);

it('looks up what an Application runs in part, what its ApplicationSet wants and what it is ill of, which no history names', async () => {
  const application = applicationOf(rawApplication('dev'));
  const facts = { ids: new Map<string, string>(), gone: new Set<string>() };
  const memory = remember(null, application, facts, beginning);
  const trouble = {
    since: beginning,
    degradedSince: null,
    blamed: [C],
    isDated: true,
    causes: [],
    healthyFrom: null,
  };
  const running = { revisions: [B], configuration: null, at: beginning, isPartial: true };
  const entry = {
    application: application.name,
    status: 'Progressing',
    step: '1',
    message: '',
    targetRevisions: [D],
    lastTransitionAt: null,
  } as const;
  const asked = new Set<string>();
  const forge = {
    repositoryOf: () => ({ host: 'github.com', owner: 'acme', name: 'shop' }),
    commit: async (_: unknown, sha: string) => {
      asked.add(sha);
      return null;
    },
  } as unknown as ContentSource;
  const memories = new Map([[application.key, { ...memory, running, trouble }]]);
  await learnContent(
    forge,
    emptyContent(),
    { applicationSet: { applicationStatus: [entry] }, applications: [application], memories, heads: [] },
    beginning,
  );
  expect([...asked].sort()).toEqual([A, B, C, D]);
});
