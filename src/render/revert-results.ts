/** What came of `/stepback revert` and `/stepback restore`: the pull request, or the reason why there is none. */

import type { NoCulpritReason } from '../domain/culprit.ts';
import type { Incident } from '../domain/incident.ts';
import type { ObjectKey } from '../domain/objects.ts';
import type { Verdict } from '../domain/verdict.ts';
import { listed, named } from './command-results.ts';
import { type Links, pullRequestLink } from './links.ts';
import { noCulpritSentence } from './no-culprit.ts';
import { obstacleSentence } from './obstacles.ts';
import { nothing, ownWords, type Sentence, say, words } from './sentence.ts';
import { verdictWords } from './status-reply.ts';

export function linkTo(number: number, links: Links): Sentence {
  return ownWords(`**${pullRequestLink(number, links)}**`);
}

/** The revert of an incident as it stands now. */
export function revertResult(incident: Incident, links: Links): Sentence {
  const number = incident.pullRequest?.number ?? null;
  if (number === null)
    return incident.obstacle === null
      ? say`There is no revert pull request yet; I open it as soon as the failure has lasted for the grace time.`
      : say`There is no revert pull request. ${obstacleSentence(incident.obstacle)}`;
  const revert = linkTo(number, links);
  switch (incident.phase) {
    case 'noticed':
    case 'proposed':
      return say`${revert} takes it back${whatElse(incident)}. Merge it, and I follow until every Application is back.`;
    case 'merged':
      return say`${revert} is merged; I follow until every Application is back.`;
    case 'recovered':
      return say`${revert} was merged, and every Application is back.`;
    case 'healed':
      return say`${revert} is closed: it is well again without it. Reopen it if you want it all the same.`;
    case 'dismissed':
      return say`${revert} is closed, and was not opened again.`;
  }
}

/** One change more or less than somebody named must not come as a surprise. */
function whatElse({ suspects }: Incident): Sentence {
  if (suspects.length < 2) return nothing;
  return say`, with all ${suspects.length} changes since last good: ${listed(suspects.map(changeName))}`;
}

function changeName({ pullRequest, sha }: Incident['suspects'][number]): string {
  return pullRequest === null ? sha.slice(0, 7) : `#${pullRequest.number}`;
}

/** Nothing fails, so nothing is blamed. */
export function nothingFails(key: ObjectKey, verdict: Verdict): Sentence {
  return say`In ${named(key)} nothing fails that a commit is to blame for: ${ownWords(verdictWords[verdict])}. ${'/stepback explain'} shows the reasons. To take a change back all the same, name it: ${'/stepback revert #412'}.`;
}

export function noCulprit(key: ObjectKey, reason: NoCulpritReason, detail: string): Sentence {
  return say`No revert for ${named(key)}. ${noCulpritSentence(reason, detail)}`;
}

export function onlyWatches(key: ObjectKey): Sentence {
  return say`Stepback only watches ${named(key)} (${'mode: observe'} in ${'.github/stepback.yaml'}), and no command changes that. Whoever maintains that file can; until then, revert by hand.`;
}

export function cannotSee(key: ObjectKey, problem: string): Sentence {
  return say`I cannot see enough of ${named(key)} to judge: ${words(problem, { max: 600 })} Type it again when that is over.`;
}
