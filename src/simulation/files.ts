/**
 * What the people of the simulation write into the repository, and how bad a file is. The convention is the sandbox's:
 * a manifest says itself on which cluster it is bad and how, so what is true can be read from the files alone.
 */
import type { Badness } from './happenings.ts';

export interface Written {
  version: number;
  badness: Badness | null;
  /** Empty: on all clusters. */
  where: readonly string[];
}

/** The files of a folder (`apps/orders`, `base`) with a version of it; null takes a file away. */
export function filesOf(folder: string, written: Written): Record<string, string | null> {
  const { badness } = written;
  const isHook = badness === 'hook-hangs' || badness === 'hook-fails';
  const config = configOf(folder, written);
  return {
    [`${folder}/config.json`]: badness === 'unreadable' ? `${config.slice(0, -12)}\n` : config,
    [`${folder}/migrate.json`]: isHook ? hookOf(folder, written) : null,
  };
}

function configOf(folder: string, { version, badness, where }: Written): string {
  const data: Record<string, string> = { version: String(version) };
  const script = badness === null ? undefined : scripts[badness];
  const key = badness === 'refused' ? 'refuse' : 'health';
  if (script !== undefined)
    for (const name of where.length === 0 ? [key] : where.map((one) => `${key}.${one}`)) data[name] = script;
  if (script !== undefined && key === 'health') data.message = 'back-off restarting failed container';
  return manifest('ConfigMap', folder.replace('/', '-'), { data });
}

const scripts: Partial<Record<Badness, string>> = {
  degraded: 'Degraded',
  'degraded-slowly': 'Progressing for 20s then Degraded',
  'slow-start': 'Degraded for 12s then Healthy',
  'degraded-late': 'Healthy for 90s then Degraded',
  refused: 'admission webhook denied the request: no limits are set',
};

function hookOf(folder: string, { badness, where }: Written): string {
  const script = badness === 'hook-hangs' ? 'Progressing' : 'Degraded after 10s';
  const prefix = 'sandbox.stepback.dev/health';
  const health =
    where.length === 0
      ? { [prefix]: script }
      : Object.fromEntries([
          [prefix, 'Healthy after 5s'],
          ...where.map((one) => [`${prefix}.${one}`, script]),
        ]);
  const annotations = { 'argocd.argoproj.io/hook': 'PreSync', ...health };
  return manifest('Job', `${folder.replace('/', '-')}-migrate`, {}, annotations, 'batch/v1');
}

function manifest(
  kind: string,
  name: string,
  more: object,
  annotations?: Record<string, string>,
  apiVersion = 'v1',
): string {
  return `${JSON.stringify({ apiVersion, kind, metadata: { name, ...(annotations ? { annotations } : {}) }, ...more }, null, 2)}\n`;
}

export type Fault = 'degraded' | 'refused' | 'unreadable' | 'hook';

/** How a file fails on a cluster, read from its own text; null when it does not. */
export function faultOf(text: string, cluster: string): Fault | null {
  let object: {
    kind?: string;
    data?: Record<string, string>;
    metadata?: { annotations?: Record<string, string> };
  };
  try {
    object = JSON.parse(text);
  } catch {
    return 'unreadable';
  }
  const data = object.data ?? {};
  if ((data[`refuse.${cluster}`] ?? data.refuse) !== undefined) return 'refused';
  if (/Degraded$/.test(data[`health.${cluster}`] ?? data.health ?? '')) return 'degraded';
  const annotations = object.metadata?.annotations ?? {};
  const hook =
    annotations[`sandbox.stepback.dev/health.${cluster}`] ?? annotations['sandbox.stepback.dev/health'];
  return object.kind === 'Job' && hook !== undefined && !hook.startsWith('Healthy') ? 'hook' : null;
}
