/**
 * The check run about `.github/stepback.yaml`: on the commit that broke the file, and on a pull request before it does.
 * Each fault says where it is, what is wrong and how to mend it, with the line as it was written.
 */
import type { Fault } from '../domain/fault.ts';
import type { CheckRunContent } from '../ports/checks.ts';
import { checkRunLimits } from '../ports/checks.ts';
import { count, counted } from './lists.ts';
import { codeBlock, codeSpan, inlineText } from './safe.ts';

export interface ConfigurationWords {
  path: string;
  /** In the order of the text; none when it can be used as it is. */
  faults: readonly Fault[];
  /**
   * What counts now: this file in spite of its warnings, the last good one, or nothing so that Stepback only watches.
   * `not-merged`: it is a proposal, and nothing of it counts yet. `removed`: the proposal takes the file away.
   */
  obeyed: 'this-file' | 'last-good' | 'watching' | 'not-merged' | 'removed';
}

/** Title, summary, text and conclusion within what GitHub takes. */
export function configurationWords(
  words: ConfigurationWords,
): Pick<CheckRunContent, 'conclusion' | 'title' | 'summary' | 'text'> {
  const errors = words.faults.filter((fault) => fault.severity === 'error');
  const warnings = words.faults.length - errors.length;
  const conclusion = errors.length > 0 ? 'failure' : warnings > 0 ? 'neutral' : 'success';
  return {
    conclusion,
    title: titleOf(words, errors, warnings),
    summary: summaryOf(words, errors.length, warnings),
    text: textOf(words.faults),
  };
}

function titleOf({ obeyed }: ConfigurationWords, errors: readonly Fault[], warnings: number): string {
  const [first, ...others] = errors;
  if (first !== undefined) {
    const more = others.length === 0 ? '' : `, and ${counted(others.length, 'more fault')}`;
    return `Cannot be used: line ${first.line}, column ${first.column}${more}`;
  }
  if (obeyed === 'removed') return 'Takes the configuration away';
  return warnings === 0 ? 'Can be used' : `Can be used, with ${counted(warnings, 'warning')}`;
}

function summaryOf({ path, obeyed }: ConfigurationWords, errors: number, warnings: number): string {
  const file = codeSpan(path, { isPublic: true });
  if (errors === 0) {
    if (obeyed === 'removed')
      return `Without ${file} the defaults of the organisation and of Stepback count from the merge on.`;
    const when = obeyed === 'not-merged' ? 'counts as soon as it is merged' : 'counts';
    return warnings === 0
      ? `${file} has no fault and ${when}.`
      : `${file} ${when}. What is said below does nothing there, or not what it seems to.`;
  }
  const first = `${file} has ${counted(errors, 'fault')}, so nothing in it counts.`;
  switch (obeyed) {
    case 'last-good':
      return `${first} The last good version stays in force until this one is mended.`;
    case 'not-merged':
      return `${first} Merged like this, it would leave the last good version in force. Mend it here first.`;
    default:
      return `${first} There is no good version before it, so Stepback only watches and writes nothing until it is mended.`;
  }
}

function textOf(faults: readonly Fault[]): string {
  const parts = faults.map(faultInMarkdown);
  for (let shown = parts.length; shown > 0; shown -= 1) {
    const rest = parts.length - shown;
    const text = [...parts.slice(0, shown), ...(rest === 0 ? [] : [`… and ${count(rest)} more.`])].join(
      '\n\n',
    );
    if (new TextEncoder().encode(text).length <= checkRunLimits.textBytesMax) return text;
  }
  return '';
}

function faultInMarkdown({ severity, line, column, path, problem, mend, excerpt }: Fault): string {
  const key = path === '' ? '' : `, ${codeSpan(path, { isPublic: true })}`;
  const place = `**${severity === 'warning' ? 'Warning, line' : 'Line'} ${line}, column ${column}**${key}`;
  const what = inlineText(problem, { max: 600, isPublic: true });
  const how = mend === '' ? '' : ` ${inlineText(mend, { max: 600, isPublic: true })}`;
  const lines = excerpt === '' ? '' : `\n\n${codeBlock(excerpt.replace(/^ {4}/gm, ''), { isPublic: true })}`;
  return `${place}: ${what}${how}${lines}`;
}
