/** How long incidents took, step by step, and what was done to bring Applications back, as far as incidents are remembered. */
import type { Incident } from '../domain/incident.ts';
import { recoverySteps, stepsOf } from '../domain/recovery-figures.ts';
import type { Metric } from './exposition.ts';

/** For each instance its incidents, null where they cannot be read. Seconds are sums: divide by the count for a mean. */
export function recoveryMetrics(
  known: readonly (readonly [instance: string, incidents: readonly Incident[] | null])[],
): readonly Metric[] {
  const steps = known.flatMap(([instance, incidents]) =>
    (incidents ?? []).length === 0
      ? []
      : recoverySteps.map((step) => {
          const all = (incidents ?? []).map((one) => stepsOf(one)[step]).filter((ms) => ms !== null);
          const ms = all.reduce((sum, one) => sum + one, 0);
          return { labels: { instance, step }, seconds: Math.round(ms) / 1000, count: all.length };
        }),
  );
  return [
    {
      name: 'stepback_recovery_seconds_sum',
      help: 'Seconds from trouble to notice, to the revert, to the merge, until all were back, over remembered incidents.',
      type: 'counter',
      samples: steps.map(({ labels, seconds }) => ({ labels, value: seconds })),
    },
    {
      name: 'stepback_recovery_seconds_count',
      help: 'Remembered incidents that have come through that step.',
      type: 'counter',
      samples: steps.map(({ labels, count }) => ({ labels, value: count })),
    },
    {
      name: 'stepback_recovery_aids_total',
      help: 'What was asked of Argo CD to bring Applications back, and what came of it.',
      type: 'counter',
      samples: known.flatMap(([instance, incidents]) => aidsOf(instance, incidents ?? [])),
    },
  ];
}

function aidsOf(instance: string, incidents: readonly Incident[]): Metric['samples'] {
  const all = new Map<string, Metric['samples'][number]>();
  for (const { aid, outcome, times } of incidents.flatMap((one) => one.aids ?? [])) {
    const id = `${aid} ${outcome}`;
    all.set(id, { labels: { instance, aid, outcome }, value: (all.get(id)?.value ?? 0) + times });
  }
  return [...all.values()];
}
