/**
 * What a manifest does once it runs, written in the manifest itself, so that a commit can be bad on chosen clusters. The
 * convention is that of the recorded repositories, where a health check reads a ConfigMap: `health.staging-1: Degraded`
 * in its data makes it so on staging-1, `health: Degraded` everywhere, `message` says why. Other kinds carry the same
 * words in annotations that begin with `sandbox.stepback.dev/`.
 *
 * Health may change with time: `Healthy for 30s then Degraded`, `Progressing for 20s then Healthy`,
 * `Degraded for 7s then Healthy`; `Healthy after 20s` is short for Progressing first, `Degraded after 30s` for Healthy
 * first. `refuse.staging-1: text` makes the API server of that cluster refuse the object with that text; a Service port
 * above 65535 is refused as by a real one. A Job runs for ever unless it says otherwise: like the recorded clusters,
 * these have nobody who runs Jobs.
 */
import { groupOf, type Manifest } from './manifests.ts';

export type HealthStatus = 'Healthy' | 'Progressing' | 'Degraded' | 'Suspended' | 'Missing' | 'Unknown';

export interface Health {
  status: HealthStatus;
  message: string;
}

interface HealthPhase {
  status: HealthStatus;
  /** How long it lasts; Infinity for the last one. */
  ms: number;
}

const UNITS: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** The value of a word of the convention for one cluster. */
function word(manifest: Manifest, name: string, cluster: string): string | undefined {
  const prefix = 'sandbox.stepback.dev/';
  const { annotations = {} } = manifest.metadata;
  const data = manifest.kind === 'ConfigMap' ? (manifest.data ?? {}) : {};
  return (
    data[`${name}.${cluster}`] ??
    data[name] ??
    annotations[`${prefix}${name}.${cluster}`] ??
    annotations[`${prefix}${name}`]
  );
}

/**
 * The health of an object that has run with this content for `ageMs` on a cluster; undefined for kinds that have none.
 * Throws an Error when the manifest words it in a way nobody understands.
 */
export function healthAt(manifest: Manifest, cluster: string, ageMs: number): Health | undefined {
  const phases = healthPhases(manifest, cluster);
  if (phases === undefined) return undefined;
  let left = ageMs;
  for (const { status, ms } of phases) {
    if (left < ms) return { status, message: messageOf(manifest, cluster, status) };
    left -= ms;
  }
  return undefined;
}

/** When the health of the object changes by itself, in milliseconds after its content was applied. */
export function healthChanges(manifest: Manifest, cluster: string): number[] {
  let at = 0;
  return (healthPhases(manifest, cluster) ?? []).slice(0, -1).map(({ ms }) => {
    at += ms;
    return at;
  });
}

function healthPhases(manifest: Manifest, cluster: string): HealthPhase[] | undefined {
  const script = word(manifest, 'health', cluster) ?? defaultHealth(manifest);
  return script === undefined ? undefined : parseHealth(script);
}

function defaultHealth(manifest: Manifest): string | undefined {
  if (manifest.kind === 'Job') return 'Progressing';
  const hasHealth = ['ConfigMap', 'Deployment', 'StatefulSet', 'DaemonSet', 'Service', 'Ingress'];
  return hasHealth.includes(manifest.kind) ? 'Healthy' : undefined;
}

/** Reads a health script. Throws an Error that shows how one looks. */
export function parseHealth(script: string): HealthPhase[] {
  const phases = script.split(/\s*(?:,|\bthen\b)\s*/).flatMap((part): HealthPhase[] => {
    const match =
      /^(Healthy|Progressing|Degraded|Suspended|Missing|Unknown)(?: (for|after) (\d+)(ms|s|m|h))?$/.exec(
        part,
      );
    if (match === null) {
      throw new Error(`Cannot read the health "${script}": write it like "Healthy for 30s then Degraded".`);
    }
    const status = match[1] as HealthStatus;
    const ms = Number(match[3]) * (UNITS[match[4] ?? ''] ?? 0);
    if (match[2] === undefined) return [{ status, ms: Number.POSITIVE_INFINITY }];
    if (match[2] === 'for') return [{ status, ms }];
    return [
      { status: status === 'Healthy' ? 'Progressing' : 'Healthy', ms },
      { status, ms: Number.POSITIVE_INFINITY },
    ];
  });
  const last = phases.at(-1);
  return last === undefined ? [] : [...phases.slice(0, -1), { ...last, ms: Number.POSITIVE_INFINITY }];
}

/** The words of the recorded health checks: a ConfigMap says its own, a Job what it is doing. */
function messageOf(manifest: Manifest, cluster: string, status: HealthStatus): string {
  const message = word(manifest, 'message', cluster);
  if (message !== undefined) return message;
  if (manifest.kind === 'Job') {
    if (status === 'Healthy') return 'job succeeded';
    return status === 'Degraded' ? 'job failed' : 'job is running';
  }
  return manifest.kind === 'ConfigMap' ? `configured as ${status}` : '';
}

/** Why the API server of the cluster refuses the object, or undefined when it takes it (sync-failed-exhausted). */
export function refusal(manifest: Manifest, cluster: string): string | undefined {
  const text = word(manifest, 'refuse', cluster);
  if (text !== undefined) return text;
  if (manifest.kind !== 'Service' || groupOf(manifest) !== '') return undefined;
  const ports = (manifest.spec?.ports ?? []) as { port: number }[];
  const faults = ports.flatMap(({ port }, index) =>
    ['port', 'targetPort']
      .map(
        (field) =>
          `spec.ports[${index}].${field}: Invalid value: ${port}: must be between 1 and 65535, inclusive`,
      )
      .filter(() => port < 1 || port > 65535),
  );
  return faults.length > 0
    ? `Service "${manifest.metadata.name}" is invalid: [${faults.join(', ')}]`
    : undefined;
}
