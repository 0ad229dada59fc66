/**
 * How many reverts there may be in 24 hours: for a repository, an ApplicationSet, the whole installation. What was opened is counted from the incidents that are remembered, of every Argo CD that this
 * process watches; nothing else is kept.
 */
import type { Brake } from './brakes.ts';
import type { Incident } from './incident.ts';

export interface RevertLimits {
  revertsPerRepositoryMax: number;
  revertsPerApplicationSetMax: number;
  revertsPerInstallationMax: number;
}

const dayMs = 24 * 3_600_000;

/** When the reverts of the last 24 hours that fit were opened, oldest first. */
function openedOf(
  all: readonly Incident[],
  fits: (incident: Incident) => boolean,
  now: number,
): readonly number[] {
  return all
    .filter((incident) => incident.pullRequest !== null && fits(incident))
    .map((incident) => incident.timeline.find(({ what }) => what === 'proposed')?.at ?? incident.openedAt)
    .filter((at) => now - at < dayMs)
    .sort((one, other) => one - other);
}

function isSamePlace(one: Incident, other: Incident): boolean {
  return one.host === other.host && one.repository.toLowerCase() === other.repository.toLowerCase();
}

/**
 * The limit that one more revert would go over, or null. `all` are the incidents of every instance; the incident itself,
 * which may be among them, does not count. Pure.
 */
export function limitReached(
  all: readonly Incident[],
  incident: Incident,
  limits: RevertLimits,
  now: number,
): Extract<Brake, { kind: 'limit-reached' }> | null {
  const others = all.filter((one) => one.id !== incident.id);
  const over = (
    scope: Extract<Brake, { kind: 'limit-reached' }>['scope'],
    name: string,
    max: number,
    fits: (one: Incident) => boolean,
  ): Extract<Brake, { kind: 'limit-reached' }> | null => {
    const opened = openedOf(others, fits, now);
    // Those before it may be over the limit already, when it was made smaller.
    const first = opened[Math.max(0, opened.length - max)];
    return opened.length < max
      ? null
      : { kind: 'limit-reached', scope, name, max, until: first === undefined ? null : first + dayMs };
  };
  const ofSets = incident.sets.map((set) =>
    over(
      'application-set',
      set.key,
      limits.revertsPerApplicationSetMax,
      (one) => one.instance === incident.instance && one.sets.some(({ key }) => key === set.key),
    ),
  );
  return (
    over('repository', incident.repository, limits.revertsPerRepositoryMax, (one) =>
      isSamePlace(one, incident),
    ) ??
    ofSets.find((one) => one !== null) ??
    over('installation', '', limits.revertsPerInstallationMax, () => true)
  );
}
