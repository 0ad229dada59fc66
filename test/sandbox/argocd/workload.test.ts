import { describe, expect, it } from 'vitest';
import type { Manifest } from '../../../src/sandbox/argocd/manifests.ts';
import { healthAt, healthChanges, parseHealth, refusal } from '../../../src/sandbox/argocd/workload.ts';

function configMap(data: Record<string, string>): Manifest {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'shop' }, data };
}

function job(annotations?: Record<string, string>): Manifest {
  return { apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'migrate', annotations } };
}

const at = (manifest: Manifest, seconds: number, cluster = 'staging-1') =>
  healthAt(manifest, cluster, seconds * 1000)?.status;

describe('what a manifest says about its own health', () => {
  it('is Healthy unless it says otherwise, and only where it says so', () => {
    const manifest = configMap({ 'health.staging-1': 'Degraded', message: 'out of memory' });
    expect(healthAt(manifest, 'staging-1', 0)).toEqual({ status: 'Degraded', message: 'out of memory' });
    expect(healthAt(configMap({}), 'staging-1', 0)).toEqual({
      status: 'Healthy',
      message: 'configured as Healthy',
    });
    expect(at(manifest, 0, 'dev-1')).toBe('Healthy');
    expect(at(configMap({ health: 'Degraded' }), 0, 'dev-1')).toBe('Degraded');
  });

  it.each([
    ['Degraded', ['Degraded', 'Degraded', 'Degraded']],
    ['Degraded after 30s', ['Healthy', 'Degraded', 'Degraded']],
    ['Healthy for 30s then Degraded', ['Healthy', 'Degraded', 'Degraded']],
    ['Healthy after 1m', ['Progressing', 'Progressing', 'Healthy']],
    ['Degraded for 7s then Healthy', ['Degraded', 'Healthy', 'Healthy']],
    ['Progressing for 10s, Degraded for 20s, Healthy', ['Progressing', 'Healthy', 'Healthy']],
  ])('"%s" at 0, 30 and 60 seconds', (script, expected) => {
    const manifest = configMap({ health: script });
    expect([0, 30, 60].map((seconds) => at(manifest, seconds))).toEqual(expected);
  });

  it('tells when it changes', () => {
    const manifest = configMap({ health: 'Progressing for 10s, Degraded for 20s, Healthy' });
    expect(healthChanges(manifest, 'dev-1')).toEqual([10_000, 30_000]);
    expect(healthChanges(configMap({}), 'dev-1')).toEqual([]);
  });

  it('a Job runs for ever, or as its annotations say; a Secret has no health', () => {
    expect(healthAt(job(), 'dev-1', 1e9)).toEqual({ status: 'Progressing', message: 'job is running' });
    const ends = job({ 'sandbox.stepback.dev/health.dev-1': 'Healthy after 20s' });
    expect([at(ends, 0, 'dev-1'), at(ends, 20, 'dev-1'), at(ends, 20, 'prod-1')]).toEqual([
      'Progressing',
      'Healthy',
      'Progressing',
    ]);
    expect(
      healthAt({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'key' } }, 'dev-1', 0),
    ).toBeUndefined();
  });

  it('says how to write what it cannot read', () => {
    expect(() => parseHealth('sick since Tuesday')).toThrow(
      'Cannot read the health "sick since Tuesday": write it like "Healthy for 30s then Degraded".',
    );
  });
});

describe('what the API server refuses', () => {
  it('a port above 65535, in the recorded words', () => {
    const service: Manifest = {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'billing-metrics' },
      spec: { ports: [{ port: 99999 }] },
    };
    expect(refusal(service, 'dev-1')).toBe(
      'Service "billing-metrics" is invalid: [spec.ports[0].port: Invalid value: 99999: must be between 1 and 65535, inclusive, spec.ports[0].targetPort: Invalid value: 99999: must be between 1 and 65535, inclusive]',
    );
    expect(refusal({ ...service, spec: { ports: [{ port: 8080 }] } }, 'dev-1')).toBeUndefined();
  });

  it('whatever the manifest asks for, on the clusters it names', () => {
    const manifest = configMap({ 'refuse.prod-1': 'exceeded quota' });
    expect([refusal(manifest, 'prod-1'), refusal(manifest, 'dev-1')]).toEqual(['exceeded quota', undefined]);
  });
});
