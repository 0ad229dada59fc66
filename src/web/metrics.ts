/** The figures for `/metrics`: what was counted, and how things stand at this moment. */
import type { Incident, Phase } from '../domain/incident.ts';
import { verdicts } from '../domain/verdict.ts';
import type { Clock } from '../ports.ts';
import type { Metric } from './exposition.ts';
import { recoveryMetrics } from './recovery-metrics.ts';
import type { CountName, Tally } from './tally.ts';
import type { Watched } from './watched.ts';

export interface MetricsOptions {
  watched: readonly Watched[];
  tally: Tally;
  clock: Pick<Clock, 'now'>;
  version: string;
}

const phases: readonly Phase[] = ['noticed', 'proposed', 'merged', 'recovered', 'healed', 'dismissed'];

/** Never throws: incidents that cannot be read are left out, and `stepback_ledger_readable` says so. */
export async function collectMetrics(options: MetricsOptions): Promise<readonly Metric[]> {
  const { watched, tally, clock, version } = options;
  const incidents = await Promise.all(watched.map(readIncidents));
  const perInstance = (measure: (one: Watched, index: number) => number): Metric['samples'] =>
    watched.map((one, index) => ({
      labels: { instance: one.cluster.instance },
      value: measure(one, index),
    }));
  return [
    gauge('stepback_build_info', 'The version that runs.', [{ labels: { version }, value: 1 }]),
    gauge(
      'stepback_sight_age_seconds',
      'Seconds since the cluster was last heard of.',
      perInstance(({ cluster }) =>
        seconds(clock.now() - Math.max(tally.startedAt, cluster.sight().lastHeardAt)),
      ),
    ),
    gauge(
      'stepback_blind',
      '1 while something keeps Stepback from seeing the cluster; verdicts are suspended.',
      perInstance(({ cluster }) => (cluster.sight().blindness === null ? 0 : 1)),
    ),
    gauge(
      'stepback_ledger_readable',
      '1 while what must be remembered can be read.',
      perInstance((_, index) => (incidents[index] === null ? 0 : 1)),
    ),
    gauge(
      'stepback_queue_length',
      'ApplicationSets that are being looked at, are to be, or are to be tried again.',
      perInstance(({ loop }) => loop.queueLength()),
    ),
    gauge('stepback_application_sets', 'ApplicationSets by their verdict.', watched.flatMap(byVerdict)),
    gauge('stepback_incidents', 'Incidents that are remembered, by phase.', byPhase(watched, incidents)),
    counter(
      'stepback_reverts_total',
      'Revert pull requests that were opened, as far as incidents are remembered.',
      watched.flatMap(({ cluster }, index) => revertsOf(cluster.instance, incidents[index] ?? null)),
    ),
    counter(
      'stepback_dismissed_total',
      'Incidents that people called a false alarm, as far as they are remembered.',
      watched.flatMap(({ cluster }, index) => dismissedOf(cluster.instance, incidents[index] ?? null)),
    ),
    ...recoveryMetrics(watched.map(({ cluster }, index) => [cluster.instance, incidents[index] ?? null])),
    counted(tally, 'ticks', 'stepback_ticks_total', 'Looks at an ApplicationSet, by what came of them.'),
    counted(tally, 'decisions', 'stepback_decisions_total', 'Decisions of those looks.'),
    counted(
      tally,
      'not-reverted',
      'stepback_not_reverted_total',
      'Why there was no revert, counted when it becomes so.',
    ),
    counted(tally, 'webhooks', 'stepback_webhooks_total', 'Webhooks, by what became of them.'),
    counted(tally, 'requests', 'stepback_github_requests_total', 'Requests to GitHub, every try of them.'),
    gauge('process_resident_memory_bytes', 'Memory of the process.', [
      { labels: {}, value: process.memoryUsage.rss() },
    ]),
    gauge('process_start_time_seconds', 'When the process began.', [
      { labels: {}, value: seconds(tally.startedAt) },
    ]),
  ];
}

async function readIncidents({ loop }: Watched): Promise<readonly Incident[] | null> {
  try {
    return await loop.incidents();
  } catch {
    return null;
  }
}

/** Every verdict, also those of none, so that a graph falls to zero; those not judged yet are `quiet`. */
function byVerdict({ cluster, loop }: Watched): Metric['samples'] {
  const results = [...loop.results().values()].map((result) => result.answer.rollout.verdict);
  const quiet = Math.max(0, cluster.applicationSets().size - results.length);
  const { instance } = cluster;
  return [
    ...verdicts.map((verdict) => ({
      labels: { instance, verdict },
      value: results.filter((one) => one === verdict).length,
    })),
    { labels: { instance, verdict: 'quiet' }, value: quiet },
  ];
}

function byPhase(
  watched: readonly Watched[],
  incidents: readonly (readonly Incident[] | null)[],
): Metric['samples'] {
  return watched.flatMap(({ cluster }, index) => {
    const known = incidents[index] ?? null;
    if (known === null) return [];
    return phases.map((phase) => ({
      labels: { instance: cluster.instance, phase },
      value: known.filter((incident) => incident.phase === phase).length,
    }));
  });
}

function revertsOf(instance: string, incidents: readonly Incident[] | null): Metric['samples'] {
  if (incidents === null) return [];
  const opened = incidents.flatMap((incident) => incident.timeline).filter(({ what }) => what === 'proposed');
  return [{ labels: { instance }, value: opened.length }];
}

/** By a command; who closes a revert by hand need not think that it was false. */
function dismissedOf(instance: string, incidents: readonly Incident[] | null): Metric['samples'] {
  if (incidents === null) return [];
  return [{ labels: { instance }, value: incidents.filter((incident) => incident.dismissal != null).length }];
}

function counted(tally: Tally, counts: CountName, name: string, help: string): Metric {
  return counter(name, help, tally.counts(counts));
}

function counter(name: string, help: string, samples: Metric['samples']): Metric {
  return { name, help, type: 'counter', samples };
}

function gauge(name: string, help: string, samples: Metric['samples']): Metric {
  return { name, help, type: 'gauge', samples };
}

function seconds(ms: number): number {
  return Math.round(ms) / 1000;
}
