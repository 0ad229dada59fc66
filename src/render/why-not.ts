/** Why there is no revert, in one sentence or two, the same in every place: comment, check run, reply, page, log. */

import type { NoCulpritReason } from '../domain/culprit.ts';
import { noCulpritReasons } from '../domain/culprit.ts';
import type { Obstacle } from '../domain/incident.ts';
import type { WhyNot, WhyNotCode } from '../domain/why-not.ts';
import { noCulpritSentence } from './no-culprit.ts';
import { obstacleSentence } from './obstacles.ts';
import { asMarkdown, asText, type Sentence, say } from './sentence.ts';

/** Plain text on one line. */
export function describeWhyNot(why: WhyNot): string {
  return asText(whyNotSentence(why));
}

/** The same words in Markdown. */
export function whyNotInMarkdown(why: WhyNot): string {
  return asMarkdown(whyNotSentence(why));
}

/** The words for both. */
function whyNotSentence(why: WhyNot): Sentence {
  if (why.kind === 'obstacle') return obstacleSentence(why.obstacle);
  if (isNoCulprit(why.code)) return noCulpritSentence(why.code, why.detail);
  if (why.code === 'not-well-since') return notWellSince(why.detail);
  const sentence: Sentence | undefined = sentences[why.code as OwnCode];
  return sentence ?? say`${why.code}.`;
}

function isNoCulprit(code: WhyNotCode): code is NoCulpritReason {
  return (noCulpritReasons as readonly string[]).includes(code);
}

/** Those that no obstacle and no missing culprit brings its own words for. */
type OwnCode = Exclude<WhyNotCode, NoCulpritReason | Obstacle['kind'] | 'not-well-since'>;

function notWellSince(commit: string): Sentence {
  return say`It has not been well since a change that is taken back by now, and runs ${commit.slice(0, 7)} instead. Whether that one fails too nobody can tell, so I take nothing more back: look at it, and comment ${`/stepback revert ${commit.slice(0, 7)}`} if it should go.`;
}

const sentences: Readonly<Record<OwnCode, Sentence>> = {
  'still-moving': say`It may still become well, so a revert waits until the failure has lasted. I look again by then.`,
  'not-tried-yet': say`The rollout has not come to try the commit, so nothing can be said of it yet. I look again when it moves.`,
  'cannot-see': say`I cannot see enough of the cluster to judge, so I change nothing. As soon as I can see it, I judge again.`,
  'nothing-failed': say`Nothing fails, so there is nothing to take back.`,
  misconfigured: say`The ApplicationSet cannot roll anything out as it is written, whatever the commit: correct it first, as its reasons say.`,
  'outside-the-commit': say`Something outside of the commit is in the way, and a revert would wait for it as well: remove that first, as its reasons say.`,
  'cannot-end': say`An operation or a stage cannot end by itself, and a revert would wait for it as well: end it first, as its reasons say.`,
  'no-commit-explains-it': say`No commit explains what is seen, so a revert would not help: look at the clusters and at what the Applications depend on.`,
  'only-slow': say`It is slow and has not failed. Look at what it waits for, and revert by hand if it is the commit.`,
  'waits-for-a-person': say`It waits for a person, at a gate or a pause, and nothing has failed. Let it go on, or revert by hand.`,
  'no-sync-is-coming': say`It differs from Git and no sync is coming, so nothing was tried that could have failed. Sync it, and I judge what comes of it.`,
  'only-watches': say`Stepback only watches here (${'mode: observe'}), so I open no revert. To have one from now on, set ${'mode: revert'} in ${'.github/stepback.yaml'}; to take this change back now, revert it by hand.`,
  'taken-back': say`It fails on a change that is taken back already, so another revert changes nothing. Sync what still runs it to what the branch holds now.`,
  dismissed: say`A person dismissed this failure, so I leave the change alone. To take it back after all, comment ${'/stepback revert'}.`,
};
