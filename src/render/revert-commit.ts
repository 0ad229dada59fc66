/**
 * The message of the revert's commit. It is read in `git log` long after the pull request is forgotten, by people and by
 * tools that look for git's own words, so it stands alone and ends in trailers.
 */
import type { Incident, Suspect } from '../domain/incident.ts';
import { isCommit } from '../domain/objects.ts';
import { failureInPlainWords, lastGoodCommit, plainSubject } from './facts.ts';
import { counted } from './lists.ts';
import { plainLine } from './safe.ts';
import { exactTime } from './times.ts';

const commitsMax = 50;
const setsMax = 10;
/** Git hosts show a subject of up to 72 characters without folding it; people may have written longer ones. */
const subjectMax = 120;

/** Plain text with git's trailers at its end. The same incident gives the same message. */
export function revertCommitMessage(incident: Incident): string {
  const shown = incident.suspects.slice(0, commitsMax);
  const rest = incident.suspects.length - shown.length;
  return `${[
    subjectLine(incident),
    ...incident.sets
      .slice(0, setsMax)
      .map((set) => `${failureInPlainWords(set, false)}, since ${exactTime(set.since)}.`),
    ...shown.map(takenBack),
    ...(rest === 0 ? [] : [`And ${counted(rest, 'older commit')} of the same range.`]),
    lastGoodLines(incident),
    'To bring the change back, revert this commit.',
    [
      `Stepback-Incident: ${plainLine(incident.id, { max: 100 })}`,
      ...shown.map(({ sha }) => `Reverts: ${sha}`),
    ].join('\n'),
  ]
    .filter((paragraph) => paragraph !== '')
    .join('\n\n')}\n`;
}

/** `Revert "payments: new ledger endpoint" and 2 more` */
function subjectLine({ suspects }: Incident): string {
  const more = suspects.length > 1 ? ` and ${suspects.length - 1} more` : '';
  return `Revert "${plainSubject(suspects[0], subjectMax)}"${more}`;
}

/** Git's own sentence first, which tools look for. */
function takenBack(suspect: Suspect): string {
  const { sha, author, pullRequest } = suspect;
  const origin =
    pullRequest === null ? 'pushed without a pull request' : `from pull request ${pullRequest.number}`;
  return `This reverts commit ${sha}.\n"${plainSubject(suspect, subjectMax)}" by ${plainLine(author, { max: 60, isPublic: true })}, ${origin}.`;
}

function lastGoodLines(incident: Incident): string {
  const lines = incident.sets.slice(0, setsMax).flatMap((set) => {
    const found = lastGoodCommit(incident, set);
    if (found === null) return [];
    const revision = isCommit(found.revision) ? found.revision : plainLine(found.revision, { max: 60 });
    const name = plainLine(set.key, { max: 80 });
    return [
      `Last good for ${name}: ${revision}${set.isGuess ? ' (a guess out of the history of Argo CD)' : ''}.`,
    ];
  });
  return lines.join('\n');
}
