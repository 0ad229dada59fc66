import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { revertCommitMessage } from '../../src/render/revert-commit.ts';
import { hostileText, madeHostile } from './hostile.ts';
import * as story from './incidents.ts';
import { bad, incident, suspect } from './sample-incident.ts';

describe('the message of the commit', () => {
  it('stands alone, and ends in trailers', () => {
    expect(revertCommitMessage(incident())).toMatchInlineSnapshot(`
      "Revert "payments: new ledger endpoint"

      argocd/payments is Degraded in stage 2 (staging), since 2026-08-01 03:12:05 UTC.

      This reverts commit d2bf318c0e1a4f5b6c7d8e9f0a1b2c3d4e5f6a7b.
      "payments: new ledger endpoint" by mona, from pull request 412.

      Last good for argocd/payments: ea283fd214ab2c8b09f342cbb443bb15fae16512.

      To bring the change back, revert this commit.

      Stepback-Incident: argocd-d2bf318c0e1a
      Reverts: d2bf318c0e1a4f5b6c7d8e9f0a1b2c3d4e5f6a7b
      "
    `);
  });

  it('names every commit, newest first, and every ApplicationSet', () => {
    const { sets } = story.twoSets();
    expect(revertCommitMessage({ ...story.severalSuspects(), sets })).toMatchInlineSnapshot(`
      "Revert "payments: new ledger endpoint" and 1 more

      argocd/orders is Degraded in stage 1 (dev), since 2026-08-01 03:12:05 UTC.

      argocd/returns is Degraded in stage 1 (dev), since 2026-08-01 03:12:05 UTC.

      This reverts commit d2bf318c0e1a4f5b6c7d8e9f0a1b2c3d4e5f6a7b.
      "payments: new ledger endpoint" by mona, from pull request 412.

      This reverts commit aaaaaaa0112233445566778899aabbccddeeff00.
      "payments: raise the memory limit" by Hubert Example, pushed without a pull request.

      Last good for argocd/orders: ea283fd214ab2c8b09f342cbb443bb15fae16512.
      Last good for argocd/returns: ea283fd214ab2c8b09f342cbb443bb15fae16512.

      To bring the change back, revert this commit.

      Stepback-Incident: argocd-d2bf318c0e1a
      Reverts: d2bf318c0e1a4f5b6c7d8e9f0a1b2c3d4e5f6a7b
      Reverts: aaaaaaa0112233445566778899aabbccddeeff00
      "
    `);
  });

  it('says when last good is a guess', () => {
    expect(revertCommitMessage(story.muchInTheWay())).toContain('(a guess out of the history of Argo CD)');
  });

  it('does not stop the checks of the revert, close issues or call people', () => {
    const subject = '[skip ci] Closes #7, thanks @mona: https://github.com/acme/x/issues/1 (#412)';
    expect(
      revertCommitMessage(incident({ suspects: [suspect({ subject })] })).split('\n')[0],
    ).toMatchInlineSnapshot(
      `"Revert "(skip ci) Closes # 7, thanks @ mona: https: //github.com/acme/x/issues/1""`,
    );
  });

  it('keeps its form whatever others wrote', () => {
    fc.assert(
      fc.property(fc.array(hostileText, { minLength: 1 }), (texts) => {
        let index = 0;
        const message = revertCommitMessage(
          madeHostile(incident(), () => texts[index++ % texts.length] ?? ''),
        );
        const paragraphs = message.trimEnd().split('\n\n');
        // Where nothing is known of last good there is no paragraph about it.
        expect([5, 6]).toContain(paragraphs.length);
        expect(paragraphs[2]?.split('\n')[0]).toBe(`This reverts commit ${bad}.`);
        const trailers = paragraphs.at(-1)?.split('\n') ?? [];
        expect(trailers).toHaveLength(2);
        expect(trailers[0]).toMatch(/^Stepback-Incident: /);
        expect(trailers[1]).toBe(`Reverts: ${bad}`);
        expect(message).not.toMatch(/#\d|\[skip ci\]|(?<![\p{L}\p{N}])@[\p{L}\p{N}]|(?!\n)\p{Cc}|\p{Cf}/u);
      }),
      { numRuns: 200 },
    );
  });

  it('stays short for a range of thousands', () => {
    const suspects = Array.from({ length: 3_000 }, (_, index) =>
      suspect({ sha: index.toString(16).padStart(40, 'a'), subject: 'x'.repeat(5_000) }),
    );
    const message = revertCommitMessage(incident({ suspects }));
    expect(message).toContain('And 2,950 older commits of the same range.');
    expect(message.length).toBeLessThan(20_000);
  });
});
