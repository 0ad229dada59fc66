import { describe, expect, it } from 'vitest';
import type { RevertPullRequest } from '../../src/domain/incident.ts';
import type { AutoMergeResult } from '../../src/domain/opening.ts';
import { handingOver } from '../../src/render/handing-over.ts';
import { revertBody } from '../../src/render/revert-pull-request.ts';
import * as story from './incidents.ts';
import { context, incident } from './sample-incident.ts';

const pullRequest: RevertPullRequest = {
  number: 415,
  url: 'https://github.com/acme/payments/pull/415',
  branch: 'stepback/argocd/revert-d2bf318c0e1a',
  headSha: 'a'.repeat(40),
  baseSha: 'b'.repeat(40),
  isVerified: true,
  suspects: [],
  closedAt: null,
};

const wordsOf = (change: Partial<RevertPullRequest>): string =>
  handingOver(incident({ pullRequest: { ...pullRequest, ...change } }));

describe('auto-merge', () => {
  const saidOf = (outcome: AutoMergeResult, message = ''): string =>
    wordsOf({ autoMerge: { headSha: pullRequest.headSha, at: 0, outcome, message } });

  it('is told with its way out, whatever came of it', () => {
    const all: readonly (readonly [AutoMergeResult, string?])[] = [
      ['enabled'],
      ['not-allowed'],
      ['nothing-required'],
      ['already-mergeable'],
      ['over-limit', '3'],
      ['over-limit', '0'],
      ['turned-off'],
      ['not-ours'],
      ['refused'],
      ['refused', 'The base branch has @everybody <b>queue</b>'],
    ];
    expect(`\n${all.map((one) => saidOf(...one)).join('\n')}\n`).toMatchInlineSnapshot(`
      "
      **This merges by itself** · GitHub merges it as soon as every required check has passed. To keep it from that, turn auto-merge off below, or close it.
      **This waits for you** · Auto-merge is configured, and this repository does not allow it. Merge it by hand; for the next time allow auto-merge in the settings of the repository.
      **This waits for you** · Auto-merge is configured, and \`main\` requires no check, so nothing would be waited for. Merge it by hand; for the next time require a check in the rules of \`main\`.
      **This waits for you** · Auto-merge is configured, and everything that is required is there already, so GitHub has nothing to wait for. Merge it.
      **This waits for you** · Auto-merge is configured, and 3 reverts of this repository merged by themselves within 24 hours, which is all that \`limits.autoMerge\` allows. Look at this one and merge it by hand.
      **This waits for you** · Auto-merge is configured, and \`limits.autoMerge\` allows none. Merge it by hand.
      **This waits for you** · Auto-merge was turned off here, so I leave it off. Merge it when you want it.
      **This waits for you** · Somebody else pushed to this branch, so I turned auto-merge off: what would be merged is not what I computed. Merge it, or turn auto-merge on again, when it is what you want.
      **This waits for you** · Auto-merge is configured, and \`main\` takes neither a merge, nor a squash, nor a rebase of it. Merge it by hand, or allow one of them.
      **This waits for you** · Auto-merge is configured, and GitHub does not turn it on: \`The base branch has @everybody <b>queue</b>\`. Merge it by hand.
      "
    `);
  });

  it('stands in the open revert and nowhere else', () => {
    const autoMerge = { headSha: '', at: 0, outcome: 'enabled', message: '' } as const;
    const open = incident({ phase: 'proposed', pullRequest: { ...pullRequest, autoMerge } });
    expect(revertBody(open, context)).toContain('**This merges by itself**');
    const over = { ...story.recovered(), pullRequest: { ...pullRequest, autoMerge } };
    expect(revertBody(over, context)).not.toContain('merges by itself');
  });
});

describe('labels and reviewers', () => {
  it('are told when they could not be put on, and not when they could', () => {
    const none = { people: [], teams: [], labels: [] };
    expect(wordsOf({ preparation: none })).toBe('');
    expect(wordsOf({ preparation: null })).toBe('');
    expect(wordsOf({}), 'an earlier version').toBe('');
    const said = [
      wordsOf({ preparation: { ...none, people: ['sam'] } }),
      wordsOf({ preparation: { people: ['sam', 'kim'], teams: ['platform'], labels: ['a`b'] } }),
      wordsOf({ preparation: { ...none, labels: ['rollback', 'incident'] } }),
    ];
    expect(`\n${said.join('\n---\n')}\n`).toMatchInlineSnapshot(`
      "
      **Not asked for a review** · \`sam\`: GitHub does not let me ask this one. Give access to this repository, or change \`reviewers\` in \`.github/stepback.yaml\`.
      ---
      **Not asked for a review** · \`sam\`, \`kim\` and the team \`platform\`: GitHub does not let me ask these. Give access to this repository, or change \`reviewers\` in \`.github/stepback.yaml\`.

      **Not labelled** · \`\`a\`b\`\`: GitHub does not let me put it on. Put on what you need by hand, or change \`labels\` in \`.github/stepback.yaml\`.
      ---
      **Not labelled** · \`rollback\` and \`incident\`: GitHub does not let me put them on. Put on what you need by hand, or change \`labels\` in \`.github/stepback.yaml\`.
      "
    `);
  });
});
