/**
 * The words of a pull request that a person ordered by naming what to take back. Nothing need fail, so it says who asked,
 * what goes, and what does not.
 */
import type { Asked, Incident } from '../domain/incident.ts';
import { cleanText, onOneLine } from './clean.ts';
import { plainSubject } from './facts.ts';
import type { Detail } from './fit.ts';
import { person } from './held.ts';
import { type Links, pullRequestLink } from './links.ts';
import { count, listOf } from './lists.ts';
import { codeSpan, plainLine } from './safe.ts';
import { suspectLines } from './taken-back.ts';
import { exactTime } from './times.ts';

const pathsMax = 5;

/** Plain text. `max` is the longest title. */
export function askedTitle(incident: Incident, asked: Asked, max: number): string {
  const rest = `, as ${plainLine(asked.by, { max: 40, isPublic: true })} asked`;
  if (asked.kind === 'restore')
    return `Put ${plainPaths(asked.paths)} back to last good${rest}`.slice(0, max).toWellFormed();
  const others = incident.suspects.length - 1;
  const more = others <= 0 ? '' : ` and ${count(others)} more`;
  const room = max - `Revert ""${more}${rest}`.length;
  return `Revert "${plainSubject(incident.suspects[0], Math.max(1, room))}"${more}${rest}`
    .slice(0, max)
    .toWellFormed();
}

function plainPaths(paths: readonly string[]): string {
  return listOf(paths, 2, (path) =>
    path === '' ? 'everything' : plainLine(path, { max: 60, isPublic: true }),
  );
}

/** The first sentences of an open one. */
export function askedOpening(incident: Incident, asked: Asked): string {
  const sets = listOf(incident.sets, 5, (set) => codeSpan(set.key, { max: 80 }));
  const feeds = incident.sets.length === 0 ? '' : ` It feeds ${sets}.`;
  const who = `${person(asked.by)} asked for this at ${exactTime(asked.at)}`;
  if (asked.kind === 'revert')
    return `${who}. Merging it takes the change back and leaves everything else.${feeds}`;
  const paths = listOf(asked.paths, pathsMax, pathWords);
  return `${who}. Merging it puts ${paths} back to how last good has ${asked.paths.length === 1 ? 'it' : 'them'}, **with everything that landed there since**, and leaves everything else.${feeds}`;
}

function pathWords(path: string): string {
  return path === '' ? 'the whole repository' : codeSpan(path, { max: 120, isPublic: true });
}

/** Which commits' changes go away. */
export function goesAway(incident: Incident, links: Links, detail: Detail): string {
  return ['**What goes away** · newest first:', '', ...suspectLines(incident.suspects, links, detail)].join(
    '\n',
  );
}

export const askedWayOut =
  '**Not this one?** · Close it, or comment `/stepback dismiss <why>`. I do not close it by myself.';

/** The comment on the pull request that is taken back. */
export function askedComment(incident: Incident, asked: Asked, links: Links): string {
  const number = incident.pullRequest?.number ?? null;
  const revert = number === null ? 'a pull request' : `**${pullRequestLink(number, links)}**`;
  switch (incident.phase) {
    case 'noticed':
    case 'proposed':
      return `${person(asked.by)} asked for this change to be taken back: ${revert} does that.`;
    case 'merged':
      return `This change is taken back by ${revert}, as ${person(asked.by)} asked; I follow until every Application is back.`;
    case 'recovered':
      return `This change was taken back by ${revert}, as ${person(asked.by)} asked, and every Application is back.`;
    case 'healed':
    case 'dismissed':
      return `${person(asked.by)} asked for this change to be taken back; ${revert} is closed without a merge, and the change stays.`;
  }
}

/** Plain text with git's trailers at its end. */
export function askedMessage(incident: Incident, asked: Asked): string {
  const shown = incident.suspects.slice(0, 50);
  const by = plainLine(asked.by, { max: 60, isPublic: true });
  const lines =
    asked.kind === 'restore'
      ? [
          `Put ${plainPaths(asked.paths)} back to last good`,
          `Asked for by ${by}. What landed there since goes away:`,
          shown.map((one) => `${one.sha.slice(0, 12)} ${plainSubject(one, 100)}`).join('\n'),
        ]
      : [
          `Revert "${plainSubject(incident.suspects[0], 120)}"${shown.length > 1 ? ` and ${shown.length - 1} more` : ''}`,
          `Asked for by ${by}.`,
          ...shown.map((one) => `This reverts commit ${one.sha}.`),
        ];
  const { signedOffBy = null } = incident.opening ?? {};
  const signed = signedOffBy === null ? [] : [`Signed-off-by: ${onOneLine(cleanText(signedOffBy))}`];
  const reverts = asked.kind === 'restore' ? [] : shown.map(({ sha }) => `Reverts: ${sha}`);
  return `${[...lines, [`Stepback-Incident: ${plainLine(incident.id, { max: 100 })}`, ...reverts, ...signed].join('\n')].join('\n\n')}\n`;
}
