/** What came of `/stepback revert` and `/stepback restore`: the pull request, or the reason why there is none. */

import type { NoChange } from '../domain/asked.ts';
import type { NoCulpritReason } from '../domain/culprit.ts';
import type { Incident, Obstacle } from '../domain/incident.ts';
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

export function noRevertBecause(obstacle: Obstacle): Sentence {
  return say`There is no pull request. ${obstacleSentence(obstacle)}`;
}

/** A pull request that puts paths back. */
export function restoreResult(incident: Incident, links: Links): Sentence {
  const number = incident.pullRequest?.number ?? null;
  if (number === null) return revertResult(incident, links);
  const gone = listed(incident.suspects.map(changeName));
  return say`${linkTo(number, links)} puts ${listed((incident.asked?.paths ?? []).map(pathName))} back to last good. With it go the changes of ${gone}; read it before you merge it.`;
}

function pathName(path: string): string {
  return path === '' ? 'the whole repository' : path;
}

export function cannotRestore(key: ObjectKey, why: 'no-baseline' | 'no-range' | 'unclear'): Sentence {
  switch (why) {
    case 'no-baseline':
      return noCulprit(key, 'no-baseline', '');
    case 'no-range':
      return say`I cannot tell what landed since ${named(key)} was good in this repository: history was rewritten, it is too long, or the source does not follow a branch here. Put the path back by hand (${'git checkout <commit> -- <path>'}).`;
    case 'unclear':
      return say`I cannot tell which files feed ${named(key)}: a kustomization cannot be followed, or last good is not in the repository any more. Put them back by hand (${'git checkout <commit> -- <path>'}).`;
  }
}

/** Why a change that somebody named is not taken back. */
export function noChangeResult(why: NoChange): Sentence {
  switch (why) {
    case 'not-found':
      return say`There is no such commit or pull request in this repository. Copy its address, or type more of its digits.`;
    case 'not-merged':
      return say`That pull request is not merged, so there is nothing to take back. Close it, and it stays out.`;
    case 'not-on-the-branch':
      return say`That commit is not on the branch any more, or was merged into it by another one. Name the pull request that brought it in.`;
    case 'ours':
      return say`That is a revert of mine, and I never take a revert back. To bring the change in again, press ${'Revert'} on that pull request and add what was missing.`;
    case 'no-parent':
      return say`That is the first commit of the repository, and before it there is nothing to go back to.`;
    case 'octopus':
      return say`That commit merges more than two branches at once, which I do not take apart. By hand it is ${'git revert -m 1'}.`;
    case 'too-long':
      return say`That pull request put too many commits on the branch. Name one commit after the other, or revert it by hand.`;
    case 'other-repository':
      return say`That is in another repository. Type the command there, where it is known what you may.`;
    case 'feeds-nothing':
      return say`That change feeds no ApplicationSet which I watch, so I leave it alone. Revert it by hand if you want it gone.`;
  }
}
