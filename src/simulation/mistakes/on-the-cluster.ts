/** Mistakes about the cluster: what is read is old, is not all, or is believed where it says nothing. */
import type { Application, ObjectKey } from '../../domain/objects.ts';
import type { CloseLook, Cluster } from '../../ports.ts';
import type { HostPorts, Mistake } from '../mistake.ts';

/** For so long a look is told again and again, as if it were of now. */
const staleMs = 3 * 60_000;

/** A look is kept for minutes and told as if it were of now. */
export const actOnAStaleView: Mistake = {
  name: 'act-on-a-stale-view',
  about: 'A look at the cluster is minutes old and is told as of now.',
  law: 'only-what-feeds',
  seed: 13,
  made({ cluster, clock }) {
    const kept = new Map<ObjectKey, { at: number; look: CloseLook }>();
    return {
      cluster: looking(cluster, (look, key) => {
        const before = kept.get(key);
        if (before !== undefined && clock.now() - before.at < staleMs)
          return { ...before.look, observedAt: look.observedAt, sight: look.sight };
        kept.set(key, { at: clock.now(), look });
        return look;
      }),
    };
  },
};

/** The rows of the watch are not believed, so whole objects are read at every nudge. */
export const lookAtEverything: Mistake = {
  name: 'look-at-everything',
  about: 'The rows that the watch shows are not used, so every look reads all of it.',
  law: 'rests',
  seed: 2,
  made({ cluster }) {
    return { cluster: replaced(cluster, { rows: () => [] }) };
  },
};

/** RollingSync goes stage by stage: so when the last one has the revert, all have it. */
export const trustStepOrder: Mistake = {
  name: 'trust-step-order',
  about: 'After the merge only the last stage is looked at: whoever stands before it is taken to be through.',
  law: 'recovered-is-true',
  seed: 3,
  made({ cluster, ledger }) {
    const merged = new Set<ObjectKey>();
    const wrapped: HostPorts['ledger'] = {
      memory: (key) => ledger.memory(key),
      saveMemory: (key, value, version) => ledger.saveMemory(key, value, version),
      incidents: () => ledger.incidents(),
      forgetIncident: (id) => ledger.forgetIncident(id),
      saveIncident(id, value, version) {
        if (value.phase === 'merged') for (const { key } of value.sets) merged.add(key);
        return ledger.saveIncident(id, value, version);
      },
    };
    const seen = looking(cluster, (look, key) => {
      if (!merged.has(key)) return look;
      const last = look.applicationSet.steps?.length ?? 0;
      const stepOf = new Map(
        look.applicationSet.applicationStatus.map((entry) => [entry.application, Number(entry.step)]),
      );
      return { ...look, applications: look.applications.filter(({ name }) => stepOf.get(name) === last) };
    });
    return { cluster: seen, ledger: wrapped };
  },
};

/** The ApplicationSet never says failed; who believes it sees nothing fail. */
export const believeTheApplicationSet: Mistake = {
  name: 'believe-the-applicationset',
  about: 'Health is taken from the status of the ApplicationSet, which never says that anything failed.',
  law: 'answered',
  seed: 0,
  made: ({ cluster }) => ({
    cluster: looking(cluster, (look) => ({ ...look, applications: look.applications.map(asTheSetSays) })),
  }),
};

function asTheSetSays(application: Application): Application {
  return {
    ...application,
    conditions: [],
    operation:
      application.operation === null
        ? null
        : { ...application.operation, phase: 'Succeeded', finishedAt: application.operation.startedAt },
    sync: { ...application.sync, status: 'Synced' },
    health: { ...application.health, status: 'Healthy' },
  };
}

/** What changes at each look is said at each look. */
export const sayTheTime: Mistake = {
  name: 'say-the-time',
  about: 'Every look is told with its time, so no two looks say the same.',
  law: 'settles',
  seed: 8,
  made: ({ cluster }) => ({
    cluster: looking(cluster, (look) => ({
      ...look,
      applications: look.applications.map((one) => ({
        ...one,
        health: { ...one.health, message: `${one.health.message} at ${look.observedAt}` },
        resources: one.resources.map((resource) => ({
          ...resource,
          message: resource.message === '' ? '' : `${resource.message} at ${look.observedAt}`,
        })),
      })),
    })),
  }),
};

/** The steps that were frozen are left so. */
export const neverThaw: Mistake = {
  name: 'never-thaw',
  about: 'Steps that were frozen are not put back.',
  law: 'thawed',
  seed: 0,
  made: ({ cluster }) => ({
    cluster: replaced(cluster, {
      interventions: {
        refresh: (key) => cluster.interventions.refresh(key),
        sync: (key, order) => cluster.interventions.sync(key, order),
        terminate: (key, startedAt) => cluster.interventions.terminate(key, startedAt),
        async setMaxUpdates(set, changes, note) {
          const isFreezing = changes.every(({ value }) => value === 0 || value === '0%');
          return isFreezing ? cluster.interventions.setMaxUpdates(set, changes, note) : 'done';
        },
      },
    }),
  }),
};

function looking(cluster: Cluster, seen: (look: CloseLook, key: ObjectKey) => CloseLook): Cluster {
  return replaced(cluster, {
    async closeLook(key) {
      const look = await cluster.closeLook(key);
      return look === null ? null : seen(look, key);
    },
    // Rows would tell what the look hides.
    rows: () => [],
  });
}

function replaced(cluster: Cluster, parts: Partial<Cluster>): Cluster {
  return new Proxy(cluster, {
    get: (target, name) => Reflect.get(parts, name) ?? Reflect.get(target, name, target),
  });
}
