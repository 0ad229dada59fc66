import { describe, expect, it } from 'vitest';
import { revertTitle } from '../../src/render/revert-pull-request.ts';
import * as story from './incidents.ts';
import { incident, suspect } from './sample-incident.ts';

describe('the title', () => {
  it('says what is taken back, what fails and where', () => {
    const titles = [
      incident(),
      story.syncFailed(),
      story.renderError(),
      story.twoSets(),
      story.severalSuspects(),
      story.recovered(),
      incident({ suspects: [suspect({ subject: 'Fixes #12 for @mona (#411)' })] }),
      incident({ suspects: [], sets: [] }),
    ].map(revertTitle);
    expect(`\n${titles.join('\n')}\n`).toMatchInlineSnapshot(`
      "
      Revert "payments: new ledger endpoint": argocd/payments is Degraded in stage 2 (staging)
      Revert "invoices: check the ledger before a sync": argocd/invoices cannot be synced in stage 1 (dev)
      Revert "search: tidy the config": argocd/search cannot be rendered
      Revert "base: one port for everything": argocd/orders is Degraded in stage 1 (dev), and 1 more ApplicationSet fails
      Revert "payments: new ledger endpoint" and 1 more: argocd/payments is Degraded in stage 2 (staging)
      Revert "payments: new ledger endpoint": argocd/payments was Degraded
      Revert "Fixes # 12 for @ mona": argocd/payments is Degraded in stage 2 (staging)
      Revert "a change": a change fails
      "
    `);
  });

  it('fits what GitHub takes, and keeps where it fails', () => {
    const long = incident({
      suspects: [suspect({ subject: `payments: ${'a very long story '.repeat(30)}` })],
    });
    expect(revertTitle(long)).toMatchInlineSnapshot(
      `"Revert "payments: a very long story a very long story a very long story a very long story a very long story a very long story a very long story a very long story a very long story a very long story a very…": argocd/payments is Degraded in stage 2 (staging)"`,
    );
    expect(revertTitle(long).length).toBeLessThanOrEqual(256);
  });
});
