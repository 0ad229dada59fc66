import { describe, expect, it } from 'vitest';
import { supportComment } from '../../src/render/culprit-comment.ts';
import { noticeTitle, revertBody } from '../../src/render/revert-pull-request.ts';
import { context, incident, innocent, later, suspect } from './sample-incident.ts';

const base = incident();
const theirs = {
  ...base,
  phase: 'noticed' as const,
  pullRequest: null,
  obstacle: { kind: 'human-revert-open' as const, number: 416, author: 'sam' },
};
const withoutMarker = (text: string): string => text.replace(/\n\n<!-- stepback:v1 \S+ -->$/, '');

describe('on the revert of a person', () => {
  it('supports it while it is open', () => {
    expect(withoutMarker(supportComment(theirs, context))).toMatchInlineSnapshot(`
      "[\`d2bf318\`](https://github.com/acme/payments/commit/d2bf318c0e1a4f5b6c7d8e9f0a1b2c3d4e5f6a7b), which this takes back, runs on **3 of 7** Applications of \`argocd/payments\` (dev-1, staging-1 and prod-2), **prod-2 out of order**, and made staging-1 Degraded.

      Merging this is the way back, so **I open no revert of my own**. After the merge I follow until every Application is back. If this is closed unmerged, I open mine."
    `);
  });

  it('says how it went on', () => {
    const phases = ['merged', 'recovered', 'healed', 'dismissed', 'proposed'] as const;
    const said = phases.map((phase) => {
      const text = supportComment({ ...theirs, phase }, later(5));
      return `${phase}: ${withoutMarker(text).split('\n\n').at(-1)}`;
    });
    expect(`\n${said.join('\n')}\n`).toMatchInlineSnapshot(`
      "
      merged: It is merged, and no Application runs the change any more.
      recovered: **Recovered.** Every Application is back.
      healed: It has been well again since, so I wait for nothing.
      dismissed: A person dismissed it, so I do not follow it any further.
      proposed: The revert is another one now; this one is not waited for any more.
      "
    `);
  });
});

it('titles the issue of a change without a pull request by what fails and what did it', () => {
  expect(noticeTitle(base)).toMatchInlineSnapshot(
    `"argocd/payments is Degraded in stage 2 (staging), and there is no revert of "payments: new ledger endpoint""`,
  );
  const long = { ...base, suspects: [suspect({ subject: 'x'.repeat(400) })] };
  expect(noticeTitle(long).length).toBe(256);
});

describe('a fix that landed', () => {
  const fixed = { ...base, sets: base.sets.map((set) => ({ ...set, newer: innocent })) };

  it('is named while it is on its way', () => {
    expect(revertBody(fixed, context).split('\n')[0]).toContain(
      `[\`5db8d21\`](https://github.com/acme/payments/commit/${innocent}) landed since and is what it is to run now: if it is well on that, I close this.`,
    );
  });

  it('is named when the revert is closed for it', () => {
    expect(revertBody({ ...fixed, phase: 'healed' }, later(9)).split('\n')[0]).toMatchInlineSnapshot(
      `"**Not needed any more.** \`payments\` has been well again on [\`5db8d21\`](https://github.com/acme/payments/commit/5db8d21f00112233445566778899aabbccddeeff), which landed since, without this revert. If the same change fails again, I open this one again."`,
    );
  });
});
