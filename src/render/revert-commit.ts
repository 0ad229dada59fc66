/**
 * The message of the revert's commit. It is read in `git log` long after the pull request is forgotten, by people and by
 * tools that look for git's own words, so it stands alone and ends in trailers.
 */
import type { Incident, Suspect } from '../domain/incident.ts';
import { isCommit } from '../domain/objects.ts';
import { defaultMessageTemplate } from '../domain/opening.ts';
import { fillTemplate } from '../domain/template.ts';
import { askedMessage } from './asked.ts';
import { cleanText, onOneLine } from './clean.ts';
import { failureInPlainWords, lastGoodCommit, plainSubject } from './facts.ts';
import { counted } from './lists.ts';
import { placeholderValues } from './placeholders.ts';
import { plainLine } from './safe.ts';
import { exactTime } from './times.ts';

const commitsMax = 50;
const setsMax = 10;
/** Git hosts show a subject of up to 72 characters without folding it; people may have written longer ones. */
const subjectMax = 120;

/**
 * Plain text with git's trailers at its end, written by the incident's own template. The same incident gives the same
 * message.
 */
export function revertCommitMessage(incident: Incident): string {
  if (incident.asked != null) return askedMessage(incident, incident.asked);
  const { messageTemplate = defaultMessageTemplate, signedOffBy = null } = incident.opening ?? {};
  const message =
    messageTemplate === defaultMessageTemplate
      ? `${subjectLine(incident)}\n\n${bodyOf(incident)}`
      : byTemplate(messageTemplate, incident);
  const trailers = [
    `Stepback-Incident: ${plainLine(incident.id, { max: 100 })}`,
    ...incident.suspects.slice(0, commitsMax).map(({ sha }) => `Reverts: ${sha}`),
    // It must name the author exactly, and an address calls nobody.
    ...(signedOffBy === null ? [] : [`Signed-off-by: ${onOneLine(cleanText(signedOffBy))}`]),
  ];
  // Git reads trailers in the last paragraph alone, so ours join those of a template.
  const between = endsInTrailers(messageTemplate) ? '\n' : '\n\n';
  return `${message}${between}${trailers.join('\n')}\n`;
}

/** What Stepback says of every revert: what failed, what is taken back, last good. */
function bodyOf(incident: Incident): string {
  const shown = incident.suspects.slice(0, commitsMax);
  const rest = incident.suspects.length - shown.length;
  return [
    ...incident.sets
      .slice(0, setsMax)
      .map((set) => `${failureInPlainWords(set, false)}, since ${exactTime(set.since)}.`),
    ...shown.map(takenBack),
    ...(rest === 0 ? [] : [`And ${counted(rest, 'older commit')} of the same range.`]),
    lastGoodLines(incident),
    'To bring the change back, revert this commit.',
  ]
    .filter((paragraph) => paragraph !== '')
    .join('\n\n');
}

/** A first line that became empty would leave the commit without a subject. */
function byTemplate(template: string, incident: Incident): string {
  const values = placeholderValues(incident, { subjectMax, isOver: false });
  const filled = fillTemplate(template, { ...values, body: bodyOf(incident) }).replace(/\s+$/, '');
  const [first = ''] = filled.split('\n');
  return first.trim() === '' ? `${subjectLine(incident)}\n\n${filled.trim()}`.trim() : filled;
}

/** Asked of the template alone: what is filled in must not become a trailer. */
function endsInTrailers(template: string): boolean {
  const paragraphs = template.trimEnd().split(/\n[ \t]*\n/);
  const last = paragraphs.at(-1)?.split('\n') ?? [];
  return paragraphs.length > 1 && last.every((line) => /^[A-Za-z][A-Za-z-]*: \S/.test(line));
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
