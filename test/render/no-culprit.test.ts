import { describe, expect, it } from 'vitest';
import { noCulpritReasons } from '../../src/domain/culprit.ts';
import { describeNoCulprit, noCulpritInMarkdown } from '../../src/render/no-culprit.ts';
import { read } from './markdown.ts';
import { bad, lastGood } from './sample-incident.ts';

/** As `findCulprit` gives them. */
const details: Readonly<Record<string, string>> = {
  'baseline-is-gone': lastGood,
  'not-ahead': `${lastGood}...${bad}`,
  'range-is-cut': 'acme/payments',
  'follows-a-tag': 'v1.4.*',
  pinned: bad,
  'chart-changed': 'payments 1.4.2 → 1.5.0',
  'several-repositories': 'acme/payments, acme/base',
  'revert-of-ours': bad,
  'octopus-merge': bad,
  'not-on-a-forge': 'https://bot:secret@git.acme.example/payments.git',
};

describe('why nobody is named', () => {
  it('is one sentence for every reason, with what can be done', () => {
    const sentences = noCulpritReasons.map(
      (code) => `${code}\n  ${describeNoCulprit(code, details[code] ?? '')}`,
    );
    expect(`\n${sentences.join('\n')}\n`).toMatchInlineSnapshot(`
      "
      no-baseline
        There is nothing to go back to: no failing Application was seen Healthy on another commit. Fix it with a new commit.
      bad-is-not-a-commit
        Argo CD names no commit for what failed, so it cannot be told from the ones around it. Revert it by hand if you know which it is.
      baseline-is-gone
        The last good commit ea283fd is not in the repository any more, which a force push does. Bring it back, or revert by hand to a commit that you trust.
      nothing-new
        What fails now is what was good before: no commit explains it. Look at the clusters and at what the Applications depend on.
      template-edited
        The ApplicationSet's template or parameters were edited since last good, and the edit may have done it: a revert of commits does not take that back. Undo the edit first; if it still fails, revert the commit by hand.
      not-ahead
        The failing commit does not follow on the last good one (ea283fd214ab2c8b09f342cbb443bb15fae16512...d2bf318c0e1a4f5b6c7d8e9f0a1b2c3d4e5f6a7b): history was rewritten, or another branch is tracked. Compare the two, and revert by hand what should go.
      range-is-cut
        More commits lie between last good and failing in acme/payments than I can look at one by one, and the culprit may be among the others. Revert by hand, or bring the branch back to last good.
      follows-a-tag
        The source follows v1.4.*, a tag or a range of versions: a revert on a branch changes nothing there. Set targetRevision to the version before, or release a fixed one.
      pinned
        The source is pinned to d2bf318c0e1a4f5b6c7d8e9f0a1b2c3d4e5f6a7b: a revert on a branch changes nothing there. Set the pin back where it is written, in the ApplicationSet or in what its generator reads.
      chart-changed
        Only the version of a chart changed (payments 1.4.2 → 1.5.0). Set it back where it is written, in the ApplicationSet or in what its generator reads.
      no-commit-touches-it
        No commit since last good changes what the failing Applications are made of. Look at the template of the ApplicationSet and at the clusters.
      several-repositories
        Commits in several repositories may have done it (acme/payments, acme/base), and a revert goes to one. Revert by hand in the one that you find guilty.
      revert-of-ours
        What fails came with a revert of mine (d2bf318), and I never take a revert back. Fix it with a new commit, or revert the revert by hand.
      octopus-merge
        d2bf318 merges more than two branches at once, which I do not take apart. By hand it is git revert -m 1 d2bf318c0e1a.
      not-on-a-forge
        The Applications take their manifests from https://[masked]@git.acme.example/payments.git, where I am not installed. Install the App on that repository, or revert by hand.
      "
    `);
  });

  it('is the same words in Markdown, and nothing in it is live', () => {
    for (const code of noCulpritReasons) {
      const hostile = noCulpritInMarkdown(code, '@everyone #1 <b>');
      const { live, html, links } = read(hostile);
      expect({ live, html, links }).toEqual({ live: [], html: [], links: [] });
      expect(noCulpritInMarkdown(code, 'x').replaceAll('`', '')).toBe(describeNoCulprit(code, 'x'));
    }
  });

  it('of a version to come is told as it stands', () => {
    expect(describeNoCulprit('from-the-future' as 'pinned', 'x')).toBe('from-the-future x.');
  });
});
