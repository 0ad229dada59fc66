/**
 * Why nobody can be named, in sentences that stand after "No revert:". A revert of the wrong commit is worse than
 * none, so each says what a person can do instead.
 */
import type { NoCulpritReason } from '../domain/culprit.ts';
import { asMarkdown, asText, type Sentence, say, words } from './sentence.ts';

/** Plain text on one line. `detail` is what `findCulprit` gives with the reason. */
export function describeNoCulprit(reason: NoCulpritReason, detail: string): string {
  return asText(noCulpritSentence(reason, detail));
}

/** The same words in Markdown. */
export function noCulpritInMarkdown(reason: NoCulpritReason, detail: string): string {
  return asMarkdown(noCulpritSentence(reason, detail));
}

/** The words for both. A reason of another version, out of a stored incident, is told as it stands. */
export function noCulpritSentence(reason: NoCulpritReason, detail: string): Sentence {
  return Object.hasOwn(sentences, reason) ? sentences[reason](detail) : say`${reason} ${words(detail)}.`;
}

const sentences: Readonly<Record<NoCulpritReason, (detail: string) => Sentence>> = {
  'no-baseline': () =>
    say`There is nothing to go back to: no failing Application was seen Healthy on another commit. Fix it with a new commit.`,
  'bad-is-not-a-commit': () =>
    say`Argo CD names no commit for what failed, so it cannot be told from the ones around it. Revert it by hand if you know which it is.`,
  'baseline-is-gone': (detail) =>
    say`The last good commit ${detail.slice(0, 7)} is not in the repository any more, which a force push does. Bring it back, or revert by hand to a commit that you trust.`,
  'nothing-new': () =>
    say`What fails now is what was good before: no commit explains it. Look at the clusters and at what the Applications depend on.`,
  'template-edited': () =>
    say`The ApplicationSet's template or parameters were edited since last good, and the edit may have done it: a revert of commits does not take that back. Undo the edit first; if it still fails, revert the commit by hand.`,
  'not-ahead': (detail) =>
    say`The failing commit does not follow on the last good one (${detail}): history was rewritten, or another branch is tracked. Compare the two, and revert by hand what should go.`,
  'range-is-cut': (detail) =>
    say`More commits lie between last good and failing in ${detail} than I can look at one by one, and the culprit may be among the others. Revert by hand, or bring the branch back to last good.`,
  'follows-a-tag': (detail) =>
    say`The source follows ${detail}, a tag or a range of versions: a revert on a branch changes nothing there. Set ${'targetRevision'} to the version before, or release a fixed one.`,
  pinned: (detail) =>
    say`The source is pinned to ${detail}: a revert on a branch changes nothing there. Set the pin back where it is written, in the ApplicationSet or in what its generator reads.`,
  'chart-changed': (detail) =>
    say`Only the version of a chart changed (${words(detail)}). Set it back where it is written, in the ApplicationSet or in what its generator reads.`,
  'no-commit-touches-it': () =>
    say`No commit since last good changes what the failing Applications are made of. Look at the template of the ApplicationSet and at the clusters.`,
  'several-repositories': (detail) =>
    say`Commits in several repositories may have done it (${words(detail)}), and a revert goes to one. Revert by hand in the one that you find guilty.`,
  'revert-of-ours': (detail) =>
    say`What fails came with a revert of mine (${detail.slice(0, 7)}), and I never take a revert back. Fix it with a new commit, or revert the revert by hand.`,
  'octopus-merge': (detail) =>
    say`${detail.slice(0, 7)} merges more than two branches at once, which I do not take apart. By hand it is ${`git revert -m 1 ${detail.slice(0, 12)}`}.`,
  'not-on-a-forge': (detail) =>
    say`The Applications take their manifests from ${words(detail)}, where I am not installed. Install the App on that repository, or revert by hand.`,
};
