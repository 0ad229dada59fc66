/**
 * What a reader of the open revert must know of how it was handed over: whether it merges by itself, and who was to be
 * asked for a review and could not be. What went as it should is seen on the pull request and not said again.
 */
import type { Incident } from '../domain/incident.ts';
import { never } from '../domain/never.ts';
import type { AutoMerge, Preparation } from '../domain/opening.ts';
import { listOf } from './lists.ts';
import { codeSpan } from './safe.ts';
import { asMarkdown, quote, type Sentence, say } from './sentence.ts';

const namesMax = 15;

/** Markdown of a paragraph or two; "" when there is nothing to say. */
export function handingOver(incident: Incident): string {
  const { pullRequest, branch } = incident;
  const auto = pullRequest?.autoMerge ?? null;
  const preparation = pullRequest?.preparation ?? null;
  return [
    ...(auto === null ? [] : [autoMergeInMarkdown(auto, branch)]),
    ...(preparation === null ? [] : notPutOn(preparation)),
  ].join('\n\n');
}

function autoMergeInMarkdown(auto: AutoMerge, branch: string): string {
  const head = auto.outcome === 'enabled' ? 'This merges by itself' : 'This waits for you';
  return `**${head}** · ${asMarkdown(autoMergeSentence(auto, branch))}`;
}

function autoMergeSentence({ outcome, message }: AutoMerge, branch: string): Sentence {
  switch (outcome) {
    case 'enabled':
      return say`GitHub merges it as soon as every required check has passed. To keep it from that, turn auto-merge off below, or close it.`;
    case 'not-allowed':
      return say`Auto-merge is configured, and this repository does not allow it. Merge it by hand; for the next time allow auto-merge in the settings of the repository.`;
    case 'nothing-required':
      return say`Auto-merge is configured, and ${branch} requires no check, so nothing would be waited for. Merge it by hand; for the next time require a check in the rules of ${branch}.`;
    case 'already-mergeable':
      return say`Auto-merge is configured, and everything that is required is there already, so GitHub has nothing to wait for. Merge it.`;
    case 'over-limit':
      return message === '0'
        ? say`Auto-merge is configured, and ${'limits.autoMerge'} allows none. Merge it by hand.`
        : say`Auto-merge is configured, and ${Number(message)} reverts of this repository merged by themselves within 24 hours, which is all that ${'limits.autoMerge'} allows. Look at this one and merge it by hand.`;
    case 'turned-off':
      return say`Auto-merge was turned off here, so I leave it off. Merge it when you want it.`;
    case 'not-ours':
      return say`Somebody else pushed to this branch, so I turned auto-merge off: what would be merged is not what I computed. Merge it, or turn auto-merge on again, when it is what you want.`;
    case 'refused':
      return message === ''
        ? say`Auto-merge is configured, and ${branch} takes neither a merge, nor a squash, nor a rebase of it. Merge it by hand, or allow one of them.`
        : say`Auto-merge is configured, and GitHub does not turn it on: ${quote(message)}. Merge it by hand.`;
    default:
      return never(outcome);
  }
}

function notPutOn({ people, teams, labels }: Preparation): readonly string[] {
  const names = [
    ...people.map((login) => codeSpan(login)),
    ...teams.map((team) => `the team ${codeSpan(team)}`),
  ];
  const file = codeSpan('.github/stepback.yaml');
  return [
    ...(names.length === 0
      ? []
      : [
          `**Not asked for a review** · ${listOf(names, namesMax, (name) => name)}: GitHub does not let me ask ${names.length === 1 ? 'this one' : 'these'}. Give access to this repository, or change \`reviewers\` in ${file}.`,
        ]),
    ...(labels.length === 0
      ? []
      : [
          `**Not labelled** · ${listOf(labels, namesMax, (label) => codeSpan(label))}: GitHub does not let me put ${labels.length === 1 ? 'it' : 'them'} on. Put on what you need by hand, or change \`labels\` in ${file}.`,
        ]),
  ];
}
