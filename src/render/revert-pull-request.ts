/**
 * The revert pull request, as people read it: written for somebody who was woken up and looks at a phone. Title and body
 * follow from the incident alone, so that what is on GitHub can be compared with what it should say, and edited in
 * place when it does not.
 */
import type { Incident } from '../domain/incident.ts';
import { printMarker } from '../domain/marker.ts';
import { memoOfRevert } from '../domain/memo.ts';
import { never } from '../domain/never.ts';
import { defaultTitleTemplate } from '../domain/opening.ts';
import { fillTemplate } from '../domain/template.ts';
import { type AfterMergeOptions, afterMerge } from './after-merge.ts';
import { askedOpening, askedTitle, askedWayOut, goesAway } from './asked.ts';
import { containmentSection, withoutOurGates } from './containment.ts';
import { evidenceOf } from './evidence.ts';
import { failureInPlainWords, plainSubject, type RenderContext } from './facts.ts';
import { type Detail, fitting } from './fit.ts';
import { handingOver } from './handing-over.ts';
import { heldWords } from './held.ts';
import { obstacleInMarkdown } from './obstacles.ts';
import { openingOf } from './opening.ts';
import {
  dismissedOpening,
  healedOpening,
  mergedOpening,
  notOpenAgain,
  recoveredOpening,
  takenBackOpening,
} from './outcome.ts';
import { andMore, failureOf, placeholderValues } from './placeholders.ts';
import { rebuiltWords } from './rebuilt.ts';
import { codeSpan } from './safe.ts';
import { stageTable } from './stage-table.ts';
import { takenBack, whatStays } from './taken-back.ts';
import { exactTime } from './times.ts';

export type RevertBodyOptions = RenderContext & AfterMergeOptions;

/** GitHub's limit of a title. */
const titleLengthMax = 256;

/** Plain text of at most 256 characters, by the incident's own template. The subject gives way: where it fails is read first. */
export function revertTitle(incident: Incident): string {
  if (incident.asked != null) return askedTitle(incident, incident.asked, titleLengthMax);
  const isOver = incident.phase !== 'noticed' && incident.phase !== 'proposed';
  const template = incident.opening?.titleTemplate ?? defaultTitleTemplate;
  const write =
    template === defaultTitleTemplate
      ? (subjectMax: number) => defaultTitle(incident, subjectMax, isOver)
      : (subjectMax: number) => titleByTemplate(template, incident, subjectMax, isOver);
  // Each letter of the subject stands in the title as often as the template has it.
  const times = Math.max(1, template.split('{subject}').length - 1);
  const over = write(titleLengthMax).length - titleLengthMax;
  const subject = plainSubject(incident.suspects[0], titleLengthMax);
  const title =
    over <= 0 ? write(titleLengthMax) : write(Math.max(1, subject.length - Math.ceil(over / times)));
  return title.slice(0, titleLengthMax).toWellFormed();
}

function defaultTitle(incident: Incident, subjectMax: number, isOver: boolean): string {
  const subject = plainSubject(incident.suspects[0], subjectMax);
  return `Revert "${subject}"${andMore(incident.suspects.length)}: ${failureOf(incident, isOver)}`;
}

function titleByTemplate(template: string, incident: Incident, subjectMax: number, isOver: boolean): string {
  const filled = fillTemplate(template, placeholderValues(incident, { subjectMax, isOver }));
  const line = filled.replace(/\s+/g, ' ').trim();
  return line === '' ? defaultTitle(incident, subjectMax, isOver) : line;
}

/** Title of an issue that says why there is no revert, in plain text of at most 256 characters. */
export function noticeTitle(incident: Incident): string {
  const [set] = incident.sets;
  const failure = set === undefined ? 'A change fails' : failureInPlainWords(set, false);
  const start = `${failure}, and there is no revert of "`;
  const subject = plainSubject(incident.suspects[0], Math.max(1, titleLengthMax - start.length - 1));
  return `${start}${subject}"`.slice(0, titleLengthMax).toWellFormed();
}

/** Markdown of at most 65,536 characters, with the marker on its last line. */
export function revertBody(written: Incident, options: RevertBodyOptions): string {
  const incident = withoutOurGates(written);
  const about = { kind: 'revert', instance: incident.instance, incident: incident.id } as const;
  const marker = printMarker(about, memoOfRevert(written));
  return fitting((detail) =>
    [
      ...sectionsOf(incident, options, detail),
      rebuiltWords(incident),
      asOf(options.now),
      evidenceOf(incident, options, detail),
      marker,
    ]
      .filter((section) => section !== '')
      .join('\n\n'),
  );
}

function sectionsOf(incident: Incident, options: RevertBodyOptions, detail: Detail): readonly string[] {
  if (incident.takenBackBy != null && incident.phase !== 'proposed')
    return [
      takenBackOpening(incident.takenBackBy, incident.phase, options),
      takenBack(incident, options.links, detail, 'would take'),
    ];
  switch (incident.phase) {
    case 'noticed':
    case 'proposed':
      if (incident.asked != null)
        return [
          askedOpening(incident, incident.asked),
          cautions(incident),
          goesAway(incident, options.links, detail),
          afterMerge(incident, options, detail),
          askedWayOut,
        ];
      return [
        closedAgain(incident),
        openingOf(incident, options, detail),
        cautions(incident),
        tables(incident, detail, false),
        containmentSection(incident, detail),
        takenBack(incident, options.links, detail, 'takes'),
        whatStays(incident, options.links, detail, false),
        afterMerge(incident, options, detail),
        handingOver(incident),
        wayOut,
      ];
    case 'merged':
      return [
        mergedOpening(incident, options, detail),
        containmentSection(incident, detail),
        tables(incident, detail, true),
        takenBack(incident, options.links, detail, 'took'),
        whatStays(incident, options.links, detail, true),
      ];
    case 'recovered':
      return [
        recoveredOpening(incident, options, detail),
        containmentSection(incident, detail),
        takenBack(incident, options.links, detail, 'took'),
        whatStays(incident, options.links, detail, true),
        'The change can come back with what made it fail corrected: revert this revert and add the correction.',
      ];
    case 'healed':
      return [
        healedOpening(incident, options),
        containmentSection(incident, detail),
        takenBack(incident, options.links, detail, 'would take'),
      ];
    case 'dismissed':
      return [
        dismissedOpening(incident),
        containmentSection(incident, detail),
        tables(incident, detail, false),
        takenBack(incident, options.links, detail, 'would take'),
      ];
    default:
      return never(incident.phase);
  }
}

/** It was closed when the matter healed or was dismissed, and something keeps us from opening it again. */
function closedAgain({ phase, pullRequest, obstacle }: Incident): string {
  return phase === 'noticed' && pullRequest !== null && obstacle !== null
    ? `${notOpenAgain} ${obstacleInMarkdown(obstacle)}`
    : '';
}

/** What keeps this from being merged, or from being kept fresh, before anything else is read. */
function cautions(incident: Incident): string {
  const { pullRequest, obstacle } = incident;
  const held = heldWords(incident);
  const lines = [
    ...(obstacle?.kind === 'human-changed-branch' ||
    (obstacle?.kind === 'stopped' && incident.phase === 'proposed')
      ? [obstacleInMarkdown(obstacle)]
      : []),
    ...(held === '' ? [] : [held]),
    ...(pullRequest !== null && !pullRequest.isVerified
      ? [
          'GitHub has not signed the commit of this branch. Where signed commits are required, merge it by squash, which GitHub signs.',
        ]
      : []),
  ];
  return lines.join('\n\n');
}

function tables(incident: Incident, detail: Detail, isMerged: boolean): string {
  const shown = incident.sets.slice(0, detail.sets);
  return shown
    .filter((set) => set.stages.length > 0)
    .map((set) => {
      const heading = incident.sets.length > 1 ? `**${codeSpan(set.name, { max: 80 })}**\n\n` : '';
      return `${heading}${stageTable(set, detail, isMerged)}`;
    })
    .join('\n\n');
}

const wayOut =
  '**Not this one?** · Close it, or comment `/stepback dismiss <why>`, and I leave this change alone. `/stepback explain` shows every step of the reasoning. If it heals by itself, or a fix lands first, I close it.';

function asOf(now: number): string {
  return `As of ${exactTime(now)}; I edit this text when something changes.`;
}
