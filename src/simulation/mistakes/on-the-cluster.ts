/** Mistakes about the cluster: what is read is old, is not all, or is believed where it says nothing. */
import type { Application, ObjectKey } from '../../domain/objects.ts';
import type { CloseLook, Cluster } from '../../ports.ts';
import type { Mistake } from '../mistake.ts';

/** For so long a look is told again and again, as if it were of now. */
const staleMs = 3 * 60_000;

/** A look is kept for minutes and told as if it were of now. */
export const actOnAStaleView: Mistake = {
  name: 'act-on-a-stale-view',
  about: 'A look at the cluster is minutes old and is told as of now.',
  law: 'only-what-fails',
  seed: 31,
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

/** Who is in a later step than the first one that is not through is taken for one that cannot have the commit. */
export const trustStepOrder: Mistake = {
  name: 'trust-step-order',
  about: 'What stands behind the first stage that is not Healthy is taken to be untouched.',
  law: 'recovered-is-true',
  seed: null,
  made: ({ cluster }) => ({
    cluster: looking(cluster, (look) => {
      const stepOf = new Map(
        look.applicationSet.applicationStatus.map((entry) => [entry.application, Number(entry.step)]),
      );
      const steps = look.applications
        .filter((one) => one.health.status !== 'Healthy')
        .map((one) => stepOf.get(one.name) ?? 0);
      const first = Math.min(Number.POSITIVE_INFINITY, ...steps);
      return {
        ...look,
        applications: look.applications.filter((one) => (stepOf.get(one.name) ?? 0) <= first),
      };
    }),
  }),
};

/** The ApplicationSet never says failed; who believes it sees nothing fail. */
export const believeTheApplicationSet: Mistake = {
  name: 'believe-the-applicationset',
  about: 'Health is taken from the status of the ApplicationSet, which never says that anything failed.',
  law: 'answered',
  seed: 3,
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
