/**
 * Steps of a RollingSync strategy, as the ApplicationSet controller reads them: which Application is in which
 * step, how many of a step may move at once, and how a step is called by people. The order of the steps is
 * where a rollout is meant to go; it proves nothing about where a commit is.
 */
import type { Application, ApplicationSet, ApplicationStatus, MatchExpression, Step } from './objects.ts';

/** Number of the step for Applications that no step selects; the rollout never syncs them. */
export const unselectedStep = -1;

/**
 * The step of an Application, from 1, or -1. What the controller wrote wins, because only it knows the labels
 * of the generated Application; before it has written, the live labels are the best guess. So they are where there is no
 * such step any more: some versions write the number again only when the Application changes its status.
 */
export function stepOf(
  applicationSet: ApplicationSet,
  entry: ApplicationStatus | null,
  application: Application,
): number {
  const written = entry === null || entry.step === '' ? Number.NaN : Number(entry.step);
  const steps = applicationSet.steps ?? [];
  if (!Number.isInteger(written) || written > steps.length) return matchingStep(steps, application.labels);
  return written > 0 ? written : unselectedStep;
}

/** The first step whose expressions all hold for the labels, from 1, or -1. */
export function matchingStep(steps: readonly Step[], labels: Readonly<Record<string, string>>): number {
  const index = steps.findIndex((step) => step.expressions.every((expression) => holds(expression, labels)));
  return index === -1 ? unselectedStep : index + 1;
}

/**
 * One expression, with the traps of the controller: `In` on a missing key does not match, `NotIn` does, and an
 * operator it does not know excludes those that have the label and selects those that lack it (AS08).
 */
function holds(expression: MatchExpression, labels: Readonly<Record<string, string>>): boolean {
  const value = labels[expression.key];
  switch (expression.operator) {
    case 'In':
      return value !== undefined && expression.values.includes(value);
    case 'NotIn':
      return value === undefined || !expression.values.includes(value);
    default:
      return value === undefined;
  }
}

/**
 * How many Applications of a step may be under way at once. Absent: all; a number: that many; a percentage
 * rounds down but gives at least one unless it is written "0%"; any other text cannot be parsed and counts as 1 (PS14).
 */
export function effectiveMaxUpdate(maxUpdate: Step['maxUpdate'], applications: number): number {
  if (maxUpdate === null) return applications;
  if (typeof maxUpdate === 'number') return Math.max(0, maxUpdate);
  if (maxUpdate === '0%') return 0;
  const percentage = percentageOf(maxUpdate);
  return percentage === null ? 1 : Math.max(1, Math.floor((applications * percentage) / 100));
}

/** As Kubernetes reads it: a whole number and a percent sign, nothing else. Null for any other text. */
function percentageOf(maxUpdate: string): number | null {
  const digits = /^([+-]?\d{1,9})%$/.exec(maxUpdate)?.[1];
  return digits === undefined ? null : Number(digits);
}

/** False for what the controller cannot parse: it says "ignoring" in its log, and then allows one at a time (PS14). */
export function isReadableMaxUpdate(maxUpdate: Step['maxUpdate']): boolean {
  if (maxUpdate === null) return true;
  if (typeof maxUpdate === 'number') return Number.isInteger(maxUpdate) && maxUpdate >= 0;
  return (percentageOf(maxUpdate) ?? -1) >= 0;
}

/** What people call a step: the value it selects, else its expressions in words, else its number. */
export function stageName(step: Step | undefined, number: number): string {
  const only = step?.expressions[0];
  if (step === undefined || only === undefined) return `step ${number}`;
  if (step.expressions.length === 1 && only.operator === 'In' && only.values.length > 0)
    return only.values.join(' and ');
  return (
    step.expressions
      .map((expression) => (expression.operator === 'In' ? expression.values.join(' or ') : ''))
      .find((words) => words !== '') ?? `step ${number}`
  );
}

/** A selector in words, for people: "env in staging, tier not in edge". */
export function selectorInWords(step: Step): string {
  if (step.expressions.length === 0) return 'every Application';
  return step.expressions
    .map(({ key, operator, values }) => {
      const words =
        operator === 'In' ? 'in' : operator === 'NotIn' ? 'not in' : `"${operator}" (unknown operator)`;
      return `${key} ${words} ${values.join(', ')}`.trim();
    })
    .join(' and ');
}

/** The speed of a step in words: "all at once", "50 % at a time", "one at a time", "only by hand". */
export function maxUpdateInWords(maxUpdate: Step['maxUpdate']): string {
  if (maxUpdate === null || maxUpdate === '100%') return 'all at once';
  if (typeof maxUpdate === 'string') {
    const percentage = percentageOf(maxUpdate);
    if (percentage === null || percentage < 0) return 'one at a time';
    return maxUpdate === '0%' ? 'only by hand' : `${percentage} % at a time`;
  }
  if (maxUpdate <= 0) return 'only by hand';
  return maxUpdate === 1 ? 'one at a time' : `${maxUpdate} at a time`;
}
