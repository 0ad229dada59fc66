/**
 * Which stage or Application somebody means who types `staging`, `stage 2` or `prod-2`: the names are those of the
 * rollouts that the command is about. What fits two is asked back, and never guessed.
 */
import type { Place } from './command-arguments.ts';
import type { ObjectKey } from './objects.ts';
import { everyApplication, type Rollout, type Stage } from './rollout.ts';

export type FoundPlace =
  /** `name` as it is typed: of each rollout that has such a stage. */
  | { kind: 'stage'; name: string; keys: readonly ObjectKey[] }
  | { kind: 'application'; name: string; keys: readonly ObjectKey[] }
  | { kind: 'none'; known: readonly string[] }
  | { kind: 'several'; candidates: readonly string[] };

/** Pure. Names are compared in any case; an Application also answers to what comes after the name of its set. */
export function placeIn(rollouts: readonly Rollout[], place: Place): FoundPlace {
  switch (place.kind) {
    case 'stage':
      return stageOf(rollouts, place.stage);
    case 'application':
      return applicationOf(rollouts, place.name);
    case 'either': {
      const stage = stageOf(rollouts, place.name);
      const application = applicationOf(rollouts, place.name);
      if (stage.kind === 'stage' && application.kind === 'application')
        return { kind: 'several', candidates: [`stage ${stage.name}`, `application ${application.name}`] };
      if (stage.kind !== 'none') return stage;
      if (application.kind !== 'none') return application;
      return { kind: 'none', known: [...stage.known, ...application.known] };
    }
  }
}

function stageOf(rollouts: readonly Rollout[], wanted: number | string): FoundPlace {
  const fits = (stage: Stage): boolean =>
    typeof wanted === 'number' ? stage.number === wanted : isSame(stage.name, wanted);
  const having = rollouts.filter((rollout) => rollout.stages.some(fits));
  const [first] = having.flatMap((rollout) => rollout.stages.filter(fits));
  if (first === undefined)
    return {
      kind: 'none',
      known: [...new Set(rollouts.flatMap(({ stages }) => stages.map(({ name }) => name)))],
    };
  const name = typeof wanted === 'number' ? String(wanted) : first.name;
  return { kind: 'stage', name, keys: having.map((rollout) => rollout.applicationSet.key) };
}

function applicationOf(rollouts: readonly Rollout[], wanted: string): FoundPlace {
  const all = rollouts.flatMap((rollout) =>
    everyApplication(rollout).map(({ application }) => ({ rollout, application })),
  );
  const exact = all.filter(
    ({ application }) => isSame(application.name, wanted) || application.key === wanted,
  );
  const found =
    exact.length > 0
      ? exact
      : all.filter(({ rollout, application }) =>
          isSame(application.name, `${rollout.applicationSet.name}-${wanted}`),
        );
  const [first] = found;
  if (first === undefined) return { kind: 'none', known: all.map(({ application }) => application.name) };
  const names = [...new Set(found.map(({ application }) => application.name))];
  if (found.length > 1)
    return {
      kind: 'several',
      candidates: names.length === found.length ? names : found.map(({ application }) => application.key),
    };
  return {
    kind: 'application',
    name: first.application.name,
    keys: [first.rollout.applicationSet.key],
  };
}

function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
