/**
 * What a revert takes back and what it leaves: the commits with their pull requests, authors and files. Authors are
 * named and not called: their pull request has its own comment.
 */
import type { Incident, Suspect } from '../domain/incident.ts';
import type { Detail } from './fit.ts';
import { commitLink, type Links, pullRequestLink } from './links.ts';
import { count, counted, listOf } from './lists.ts';
import { codeSpan } from './safe.ts';

const subjectMax = 100;

/** Markdown: one line, or a line and a list. */
export function takenBack(
  incident: Incident,
  links: Links,
  detail: Detail,
  verb: 'takes' | 'took' | 'would take',
): string {
  const { suspects } = incident;
  const title = `**What this ${verb} back** ·`;
  const [first, ...others] = suspects;
  if (first === undefined) return `${title} nothing: no commit is named.`;
  if (others.length === 0) return `${title} ${suspectWords(first, links)}.`;
  return [
    `${title} ${count(suspects.length)} changes, newest first. Which of them did it I cannot tell; all landed since last good.`,
    '',
    ...suspectLines(suspects, links, detail),
  ].join('\n');
}

/** A bullet for each, as many as there is room for, and one for the others. */
export function suspectLines(suspects: readonly Suspect[], links: Links, detail: Detail): readonly string[] {
  const shown = suspects.slice(0, detail.commits);
  const rest = suspects.length - shown.length;
  return [
    ...shown.map((suspect) => `- ${suspectWords(suspect, links)}`),
    ...(rest === 0
      ? []
      : [`- and ${count(rest)} more, down to ${commitLink(suspects.at(-1)?.sha ?? '', links)}`]),
  ];
}

/** "#412 `payments: new ledger endpoint` by `mona`, 3 files under `apps/payments`" */
export function suspectWords(suspect: Suspect, links: Links): string {
  const { pullRequest, sha, subject, author } = suspect;
  const which = pullRequest === null ? commitLink(sha, links) : pullRequestLink(pullRequest.number, links);
  const origin = pullRequest === null ? ', pushed without a pull request' : '';
  const files = filesWords(suspect.files);
  return `${which} ${codeSpan(subject, { max: subjectMax, isPublic: true })} by ${codeSpan(author, { max: 40, isPublic: true })}${origin}${files === '' ? '' : `, ${files}`}`;
}

/** "3 files under `apps/payments`"; nothing when the list is not known. */
function filesWords(files: readonly string[] | null): string {
  if (files === null || files.length === 0) return '';
  const [only] = files;
  if (files.length === 1 && only !== undefined) return `1 file, ${path(only)}`;
  const folder = commonFolder(files);
  return `${counted(files.length, 'file')}${folder === '' ? ' in several folders' : ` under ${path(folder)}`}`;
}

function path(name: string): string {
  return codeSpan(name, { max: 80, isPublic: true });
}

/** The deepest folder that holds all of them; "" for the root of the repository. */
function commonFolder(files: readonly string[]): string {
  const [first = [], ...others] = files.map((file) => file.split('/').slice(0, -1));
  const length = others.reduce((shared, folders) => {
    const differs = first.findIndex((name, index) => folders[index] !== name);
    return Math.min(shared, differs === -1 ? first.length : differs);
  }, first.length);
  return first.slice(0, length).join('/');
}

/** Commits of the range that stay; "" when there are none. */
export function whatStays(incident: Incident, links: Links, detail: Detail, isMerged: boolean): string {
  const { innocents, settled = [] } = incident;
  const title = `**What it ${isMerged ? 'left' : 'leaves'}** ·`;
  const decided = settled.length === 0 ? '' : settledWords(settled, links, detail);
  if (innocents.length === 0) return decided === '' ? '' : `${title} ${decided}`;
  const all = listOf(innocents, Math.min(3, detail.commits), (commit) => innocentWords(commit, links));
  const what =
    innocents.length === 1 ? 'landed in between and changes nothing' : 'landed in between and change nothing';
  return `${title} ${all} ${what} that fails here.${decided === '' ? '' : ` ${decided}`}`;
}

/** Suspects all the same, and what becomes of them is decided. */
function settledWords(settled: readonly Suspect[], links: Links, detail: Detail): string {
  const all = listOf(settled, Math.min(3, detail.commits), (commit) => innocentWords(commit, links));
  const words =
    settled.length === 1
      ? 'landed since last good too and changes what fails here. What becomes of it is decided (a person dismissed its failure, or it is taken back already), so it stays as it is.'
      : 'landed since last good too and change what fails here. What becomes of them is decided (a person dismissed their failure, or they are taken back already), so they stay as they are.';
  return `${all} ${words}`;
}

function innocentWords({ pullRequest, sha, subject }: Suspect, links: Links): string {
  const which = pullRequest === null ? commitLink(sha, links) : pullRequestLink(pullRequest.number, links);
  return `${which} ${codeSpan(subject, { max: 60, isPublic: true })}`;
}
