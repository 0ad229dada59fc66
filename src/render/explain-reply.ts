/**
 * The answer to `/stepback explain`: the verdict with every reason, whom the failure is blamed on and out of which range,
 * whether the change is to be taken back, and what is in the way. Also why nothing is done.
 */
import type { Culprit } from '../domain/culprit.ts';
import type { RolloutFailure } from '../domain/failure.ts';
import type { Incident } from '../domain/incident.ts';
import { isCommit } from '../domain/objects.ts';
import type { WhyNot } from '../domain/why-not.ts';
import { groupInMarkdown, groupReasons } from './groups.ts';
import { dismissalWords } from './held.ts';
import { commitLink, type Links, pullRequestLink } from './links.ts';
import { counted, listOf } from './lists.ts';
import { obstacleInMarkdown } from './obstacles.ts';
import { rebuiltWords } from './rebuilt.ts';
import { codeSpan, link } from './safe.ts';
import { asLargeAsFits, ordersOf, revisionsWords, type SetReport, verdictWords } from './status-reply.ts';
import { exactTime } from './times.ts';
import { whyNotInMarkdown } from './why-not.ts';

export interface Explained extends SetReport {
  failure: RolloutFailure | null;
  culprit: Culprit | null;
  /** Null when there is a revert, or nothing to take back. */
  whyNot: WhyNot | null;
}

const reasonsMax = 12;
const commitsMax = 5;

/** Markdown. `now` is the moment of the looks. */
export function explainReply(all: readonly Explained[], links: Links, now: number): string {
  return asLargeAsFits((setsMax) => explanationOf(all, setsMax, links, now));
}

function explanationOf(all: readonly Explained[], setsMax: number, links: Links, now: number): string {
  const shown = all.slice(0, setsMax);
  const rest = all.slice(setsMax);
  return [
    ...shown.flatMap((one) => explainOne(one, links)),
    ...(rest.length === 0
      ? []
      : [
          `And ${counted(rest.length, 'more ApplicationSet')}: ${listOf(rest, 10, ({ rollout }) => codeSpan(rollout.applicationSet.key, { max: 120 }))}.`,
        ]),
    `As of ${exactTime(now)}.`,
  ].join('\n\n');
}

function explainOne(one: Explained, links: Links): readonly string[] {
  const { rollout } = one;
  const groups = groupReasons(rollout.reasons);
  const rest = groups.length - reasonsMax;
  const reasons = [
    ...groups.slice(0, reasonsMax).map((group) => `- ${groupInMarkdown(group, 5)}`),
    ...(rest > 0 ? [`- and ${counted(rest, 'more reason')}`] : []),
  ];
  return [
    `**${codeSpan(rollout.applicationSet.key, { max: 120 })}**: ${verdictWords[rollout.verdict]}.`,
    ...(reasons.length === 0 ? [] : [reasons.join('\n')]),
    ...whoDidIt(one, links),
    ...ordersOf(one),
    whatIsDone(one, links),
    ...(one.incident?.rebuiltAt === undefined ? [] : [rebuiltWords(one.incident)]),
  ];
}

function whoDidIt({ failure, culprit }: Explained, links: Links): readonly string[] {
  if (failure === null || culprit === null || culprit.kind === 'none') return [];
  const suspects = listOf(culprit.suspects, commitsMax, (commit) =>
    commit.pullRequest === null
      ? commitLink(commit.sha, links)
      : pullRequestLink(commit.pullRequest.number, links),
  );
  const guess = failure.lastGood?.isGuess === true ? ' (a guess out of the history of Argo CD)' : '';
  return [
    `**To blame** · ${suspects}, which changed what the failing Applications are made of since last good, ${revisionsWords(culprit.lastGood, links)}${guess}${inBetween(culprit.suspects.length, culprit.innocents.length)}${compared(culprit.lastGood, culprit.bad, links)}.`,
  ];
}

/** What became of the other commits since last good; "" when there are none. */
function inBetween(suspects: number, innocents: number): string {
  if (innocents === 0) return suspects === 1 ? '' : '; every commit in between feeds it';
  const [feed, stay] = innocents === 1 ? ['feeds', 'stays'] : ['feed', 'stay'];
  return `; ${counted(innocents, 'other commit')} in between ${feed} nothing that fails and ${stay}`;
}

function compared(lastGood: readonly string[], bad: readonly string[], links: Links): string {
  const [base] = lastGood;
  const [head] = bad;
  if (lastGood.length !== 1 || base === undefined || head === undefined) return '';
  if (!isCommit(base) || !isCommit(head)) return '';
  return ` (${link('the whole range', links.compare(base, head))})`;
}

/** One paragraph that says what is done, or why nothing is. */
function whatIsDone({ failure, incident, whyNot }: Explained, links: Links): string {
  const said = incident === null ? null : doneInIncident(incident, links);
  if (said !== null && whyNot?.code === 'not-well-since') return `${said} ${whyNotInMarkdown(whyNot)}`;
  if (said !== null) return said;
  if (whyNot !== null) return `**No revert** · ${whyNotInMarkdown(whyNot)}`;
  return failure === null
    ? '**No revert** · Nothing fails, so there is nothing to take back.'
    : '**Revert** · I open it at the next look.';
}

function doneInIncident(incident: Incident, links: Links): string | null {
  const number = incident.pullRequest?.number ?? null;
  const revert = number === null ? 'a revert' : pullRequestLink(number, links);
  const obstacle = incident.obstacle === null ? '' : ` ${obstacleInMarkdown(incident.obstacle)}`;
  switch (incident.phase) {
    case 'noticed':
      return null;
    case 'proposed':
      return `**Revert** · ${revert} is open.${obstacle}`;
    case 'merged':
      return `**Revert** · ${revert} is merged; I follow until every Application is back.`;
    case 'dismissed':
      return `**No revert** · ${incident.dismissal == null ? `A person closed ${revert}, so I leave that change alone.` : dismissalWords(incident.dismissal)}`;
    case 'healed':
    case 'recovered':
      return null;
  }
}
