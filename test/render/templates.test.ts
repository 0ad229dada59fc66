import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defaultMessageTemplate, defaultTitleTemplate, type Opening } from '../../src/domain/opening.ts';
import { revertCommitMessage } from '../../src/render/revert-commit.ts';
import { revertTitle } from '../../src/render/revert-pull-request.ts';
import { hostileText, madeHostile } from './hostile.ts';
import * as story from './incidents.ts';
import { incident, suspect } from './sample-incident.ts';

const opening = (change: Partial<Opening>): Opening => ({
  titleTemplate: defaultTitleTemplate,
  messageTemplate: defaultMessageTemplate,
  signedOffBy: null,
  ...change,
});

describe('a title of one’s own', () => {
  const title = (titleTemplate: string, one = incident()): string =>
    revertTitle({ ...one, opening: opening({ titleTemplate }) });

  it('has every placeholder', () => {
    const template = '{instance} {commit}: {subject} | {applicationSet} | {stage} | {failure} {{x}}';
    expect(
      `\n${[incident(), story.twoSets(), story.severalSuspects(), incident({ suspects: [], sets: [] })].map((one) => title(template, one)).join('\n')}\n`,
    ).toMatchInlineSnapshot(`
      "
      argocd d2bf318c0e1a: payments: new ledger endpoint | argocd/payments | staging | argocd/payments is Degraded in stage 2 (staging) {x}
      argocd d2bf318c0e1a: base: one port for everything | argocd/orders | dev | argocd/orders is Degraded in stage 1 (dev), and 1 more ApplicationSet fails {x}
      argocd aaaaaaa01122: payments: new ledger endpoint and 1 more | argocd/payments | staging | argocd/payments is Degraded in stage 2 (staging) {x}
      argocd : a change | an ApplicationSet | no stage | a change fails {x}
      "
    `);
  });

  it('is the product’s own where the template is', () => {
    expect(title(defaultTitleTemplate)).toBe(revertTitle(incident()));
    expect(title('{nothing}'), 'what would be empty').toBe(revertTitle(incident()));
  });

  it('lets the subject give way, and keeps the rest', () => {
    const long = incident({ suspects: [suspect({ subject: 'word '.repeat(100) })] });
    const written = title('[{subject}] {failure} [{subject}]', long);
    expect(written.length).toBeLessThanOrEqual(256);
    expect(written).toContain('argocd/payments is Degraded in stage 2 (staging)');
    expect(written.endsWith('…]')).toBe(true);
  });

  it('makes nothing live of what others wrote, and keeps to one line', () => {
    fc.assert(
      fc.property(fc.array(hostileText, { minLength: 1 }), (texts) => {
        let index = 0;
        const written = title(
          'revert: {subject} ({failure}, {stage})',
          madeHostile(incident(), () => texts[index++ % texts.length] ?? ''),
        );
        expect(written.length).toBeLessThanOrEqual(256);
        expect(written).toMatch(/^revert: ./);
        expect(written).not.toMatch(/#\d|\[skip ci\]|(?<![\p{L}\p{N}])@[\p{L}\p{N}]|\p{Cc}|\p{Cf}/u);
      }),
      { numRuns: 200 },
    );
  });
});

describe('a commit message of one’s own', () => {
  const message = (change: Partial<Opening>, one = incident()): string =>
    revertCommitMessage({ ...one, opening: opening(change) });

  it('ends in the trailers of Stepback, and in the sign-off', () => {
    const signedOffBy = 'stepback[bot] <41898282+stepback[bot]@users.noreply.github.com>';
    expect(
      message({ messageTemplate: 'revert: {subject}\n\n{failure}.\n', signedOffBy }),
    ).toMatchInlineSnapshot(`
      "revert: payments: new ledger endpoint

      argocd/payments is Degraded in stage 2 (staging).

      Stepback-Incident: argocd-d2bf318c0e1a
      Reverts: d2bf318c0e1a4f5b6c7d8e9f0a1b2c3d4e5f6a7b
      Signed-off-by: stepback[bot] <41898282+stepback[bot]@users.noreply.github.com>
      "
    `);
  });

  it('puts its trailers to those of a template, so that git reads all of them', () => {
    expect(
      message({ messageTemplate: 'revert: {subject}\n\nChange-Type: revert\nTicket: OPS-1\n' }),
    ).toMatchInlineSnapshot(`
      "revert: payments: new ledger endpoint

      Change-Type: revert
      Ticket: OPS-1
      Stepback-Incident: argocd-d2bf318c0e1a
      Reverts: d2bf318c0e1a4f5b6c7d8e9f0a1b2c3d4e5f6a7b
      "
    `);
    const made = message(
      { messageTemplate: 'revert\n\n{subject}' },
      incident({ suspects: [suspect({ subject: 'Signed-off-by: mallory' })] }),
    );
    expect(made, 'what is filled in is no trailer').toContain(
      'Signed-off-by: mallory\n\nStepback-Incident: ',
    );
  });

  it('has the body that Stepback writes, and a subject always', () => {
    const own = revertCommitMessage(incident());
    expect(message({ messageTemplate: '{subject}\n\n{body}' })).toBe(
      own.replace('Revert "payments: new ledger endpoint"', 'payments: new ledger endpoint'),
    );
    expect(message({ messageTemplate: '{nothing}\n\nText' }).split('\n')[0]).toBe(own.split('\n')[0]);
  });
});
