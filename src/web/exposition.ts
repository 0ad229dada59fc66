/**
 * Prometheus' text format, version 0.0.4, as far as counters and gauges need it.
 * https://prometheus.io/docs/instrumenting/exposition_formats/#text-based-format
 */

export interface Metric {
  name: string;
  help: string;
  type: 'counter' | 'gauge';
  samples: readonly { labels: Readonly<Record<string, string>>; value: number }[];
}

export const expositionType = 'text/plain; version=0.0.4; charset=utf-8';

/** The metrics one after the other; one without samples keeps its head, so that it can be found. */
export function printMetrics(metrics: readonly Metric[]): string {
  return metrics
    .flatMap(({ name, help, type, samples }) => [
      `# HELP ${name} ${help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')}`,
      `# TYPE ${name} ${type}`,
      ...samples.map(({ labels, value }) => `${name}${printLabels(labels)} ${value}`),
    ])
    .map((line) => `${line}\n`)
    .join('');
}

function printLabels(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(
    ([name, value]) =>
      `${name}="${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`,
  );
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}
