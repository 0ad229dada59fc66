/**
 * Which lines are missing when no Application is in any step. Steps match labels of the generated Application; a label
 * of the cluster counts only when the template copies it, which is the commonest mistake with RollingSync (AS01).
 */
import type { ApplicationSet } from './objects.ts';

/** The label keys that steps select by and the template does not set. */
export function missingLabels(applicationSet: ApplicationSet): readonly string[] {
  const keys = (applicationSet.steps ?? []).flatMap((step) =>
    step.expressions.map((expression) => expression.key),
  );
  return [...new Set(keys)].filter((key) => key !== '' && applicationSet.templateLabels[key] === undefined);
}

/** What to add to `spec.template.metadata.labels`, as YAML; "" when the template sets every label that steps select by. */
export function labelLines(applicationSet: ApplicationSet): string {
  return missingLabels(applicationSet)
    .map((key) => `${key}: '${labelTemplate(applicationSet, key)}'`)
    .join(', ');
}

/** How the template copies one label: from the cluster's labels with a cluster generator, else from the parameter of its name. */
function labelTemplate(applicationSet: ApplicationSet, key: string): string {
  const isOfCluster =
    applicationSet.generatorKinds.includes('clusters') || applicationSet.generatorKinds.includes('matrix');
  if (isOfCluster)
    return applicationSet.isGoTemplate ? `{{index .metadata.labels "${key}"}}` : `{{metadata.labels.${key}}}`;
  return applicationSet.isGoTemplate ? `{{.${key}}}` : `{{${key}}}`;
}
