/**
 * The `operation` that makes Argo CD sync an Application, written as Argo CD's own tools do. It names no revision, so that each
 * attempt resolves the branch again. That a sync written so works on an Application of a RollingSync was recorded
 * (late-hook-brought-back-by-a-sync, neighbours-of-an-unreachable-cluster-synced).
 */
import { type Json, record, recordOrNull } from '../../domain/read.ts';

/** What automated sync and RollingSync use where the Application says nothing. */
const retryByDefault = { limit: 5 };

/**
 * The options are those that the Application's automated sync has. `applicationSet` is its owner, whole, or null: RollingSync
 * keeps the policy in the Application with `enabled: false` since Argo CD 3.4 and takes it out before, so then the
 * template is asked.
 */
export function syncOperation(application: Json, applicationSet: Json | null, reason: string): Json {
  const policy = record(record(application.spec).syncPolicy);
  const automated = recordOrNull(policy.automated) ?? automatedOf(applicationSet);
  const { syncOptions, retry } = policy;
  return {
    info: [{ name: 'Reason', value: reason }],
    initiatedBy: { username: 'stepback' },
    retry: recordOrNull(retry) ?? retryByDefault,
    sync: {
      ...(automated.prune === true ? { prune: true } : {}),
      ...(Array.isArray(syncOptions) && syncOptions.length > 0 ? { syncOptions } : {}),
    },
  };
}

function automatedOf(applicationSet: Json | null): Json {
  const template = record(record(record(applicationSet?.spec).template).spec);
  return record(record(template.syncPolicy).automated);
}
