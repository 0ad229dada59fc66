/**
 * The condition InvalidRolloutConfig of Argo CD 3.6: what is wrong with the steps, one message at a time, the gravest
 * first. Ported from
 * https://github.com/argoproj/argo-cd/blob/37ee0097cf851bc2dd7665fc081bbce61a7e836e/applicationset/progressivesync/validation_issues.go
 * (seen in frozen-but-one-was-pending, where the steps are right).
 */
import type { ApplicationStatusEntry, RolloutStep } from './objects.ts';
import { type Labelled, maxUpdateOf, type StepAssignment } from './steps.ts';

/**
 * The message about the steps, or undefined when nothing is wrong with them: first operators that are neither In nor
 * NotIn (only noticed on a label that exists), then Applications in several steps, then a maxUpdate that cannot be
 * read (only noticed in a step that has Applications), then steps without Applications.
 */
export function rolloutConfigIssue(
  steps: readonly RolloutStep[],
  applications: readonly Labelled[],
  assignment: StepAssignment,
  entries: readonly ApplicationStatusEntry[],
): string | undefined {
  return (
    invalidOperators(steps, applications) ??
    selectedTwice(assignment) ??
    invalidMaxUpdates(steps, assignment, entries) ??
    emptySteps(assignment)
  );
}

function invalidOperators(
  steps: readonly RolloutStep[],
  applications: readonly Labelled[],
): string | undefined {
  const found = new Map<string, { step: number; operator: string }>();
  for (const { metadata } of applications) {
    for (const [index, step] of steps.entries()) {
      const bad = firstBadOperator(step, metadata.labels ?? {});
      if (bad !== undefined) found.set(`${index}/${bad}`, { step: index + 1, operator: bad });
    }
  }
  if (found.size === 0) return undefined;
  const numbers = [...found.values()].map(({ step }) => step).join(', ');
  const operators = [...found.values()].map(({ operator }) => operator).join(', ');
  const [subject, verb] = found.size === 1 ? ['Step', 'has'] : ['Steps', 'have'];
  return `${subject} ${numbers} ${verb} invalid matchExpression operators: ${operators}. Supported Operators are 'In' and 'NotIn'`;
}

/** The evaluation of a step ends at the first expression that does not hold, so later operators are not looked at. */
function firstBadOperator(step: RolloutStep, labels: Record<string, string>): string | undefined {
  for (const { key, operator, values } of step.matchExpressions ?? []) {
    const value = labels[key];
    if (value === undefined) {
      if (operator === 'In') return undefined;
      continue;
    }
    if (operator !== 'In' && operator !== 'NotIn') return operator;
    if ((values ?? []).includes(value) !== (operator === 'In')) return undefined;
  }
  return undefined;
}

function selectedTwice(assignment: StepAssignment): string | undefined {
  const stepsOf = new Map<string, number[]>();
  for (const [index, members] of assignment.members.entries()) {
    for (const name of members) stepsOf.set(name, [...(stepsOf.get(name) ?? []), index + 1]);
  }
  const twice = [...stepsOf]
    .filter(([, steps]) => steps.length > 1)
    .sort(([one], [other]) => (one < other ? -1 : 1));
  if (twice.length === 0) return undefined;
  const names = twice.map(([name]) => name).join("', '");
  const groups = twice.map(([, steps]) => steps.join('-'));
  return twice.length === 1
    ? `Application '${names}' is selected by multiple steps: (${groups.join(', ')})`
    : `Applications '${names}' are selected by multiple steps: [(${groups.join('), (')})]`;
}

function invalidMaxUpdates(
  steps: readonly RolloutStep[],
  assignment: StepAssignment,
  entries: readonly ApplicationStatusEntry[],
): string | undefined {
  const occupied = new Set(entries.map((entry) => assignment.firstStep.get(entry.application) ?? 0));
  const bad = [...occupied].filter((index) => maxUpdateOf(steps[index], 0).isInvalid);
  if (bad.length === 0) return undefined;
  const numbers = bad.map((index) => index + 1).join(', ');
  const values = bad.map((index) => steps[index]?.maxUpdate).join(', ');
  return bad.length === 1
    ? `Step ${numbers} has an invalid maxUpdate value: ${values}`
    : `Steps ${numbers} have invalid maxUpdate values: [${values}]`;
}

function emptySteps(assignment: StepAssignment): string | undefined {
  const numbers = assignment.members.flatMap((members, index) => (members.length === 0 ? [index + 1] : []));
  return numbers.length > 0
    ? `Steps [${numbers.join(' ')}] have no applications matching their criteria`
    : undefined;
}
