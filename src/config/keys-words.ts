/** What a revert is called, who is asked to look at it, and what is put on it. */
import { defaultBranchTemplate } from '../domain/incident-names.ts';
import { defaultMessageTemplate, defaultTitleTemplate } from '../domain/opening.ts';
import type { Settings } from './configuration.ts';
import type { Key, Setter } from './key.ts';
import { labelName, teamName, userName } from './names.ts';
import { names, template, yesOrNo } from './shapes.ts';
import { eitherSays, moreSpecific } from './strictness.ts';

const everySet: readonly Setter[] = ['file', 'applicationSet'];
/** One revert can be for several ApplicationSets: what there is once is said once. */
const onlyOnce: readonly Setter[] = ['file'];

type KeyOf<Name extends keyof Settings> = Key<Settings[Name]>;

export const wordKeys = {
  reviewerUsers: {
    path: 'reviewers.users',
    shape: names(userName, 15, 'as written'),
    fallback: [],
    strictness: moreSpecific<readonly string[]>(),
    setters: everySet,
    meaning: 'People who are asked to review the revert.',
    example: ['octocat'],
  } satisfies KeyOf<'reviewerUsers'>,
  reviewerTeams: {
    path: 'reviewers.teams',
    shape: names(teamName, 15, 'as written'),
    fallback: [],
    strictness: moreSpecific<readonly string[]>(),
    setters: everySet,
    meaning: 'Teams that are asked to review the revert: `team`, or `organisation/team`.',
    example: ['platform'],
  } satisfies KeyOf<'reviewerTeams'>,
  labels: {
    path: 'labels',
    shape: names(labelName, 20, 'as written'),
    fallback: [],
    strictness: moreSpecific<readonly string[]>(),
    setters: everySet,
    meaning: 'Labels that are put on the revert.',
    example: ['rollback'],
  } satisfies KeyOf<'labels'>,
  branchTemplate: {
    path: 'templates.branch',
    shape: template('branch'),
    fallback: defaultBranchTemplate,
    strictness: moreSpecific<string>(),
    setters: onlyOnce,
    meaning: 'The name of the branch of a revert. Both placeholders must be in it.',
    example: 'revert/{instance}-{commit}',
  } satisfies KeyOf<'branchTemplate'>,
  titleTemplate: {
    path: 'templates.title',
    shape: template('title'),
    fallback: defaultTitleTemplate,
    strictness: moreSpecific<string>(),
    setters: onlyOnce,
    meaning: 'The title of the pull request.',
    example: 'revert: {subject} ({failure})',
  } satisfies KeyOf<'titleTemplate'>,
  messageTemplate: {
    path: 'templates.commitMessage',
    shape: template('message'),
    fallback: defaultMessageTemplate,
    strictness: moreSpecific<string>(),
    setters: onlyOnce,
    meaning: 'The message of the commit. Stepback adds its own trailers below.',
    example: 'revert: {subject}\n\n{body}',
  } satisfies KeyOf<'messageTemplate'>,
  signsOff: {
    path: 'signOff',
    shape: yesOrNo(),
    fallback: false,
    strictness: eitherSays,
    setters: onlyOnce,
    meaning:
      'Adds a `Signed-off-by` line of the App to the commit, where the Developer Certificate of Origin is checked.',
    example: true,
  } satisfies KeyOf<'signsOff'>,
};
