/**
 * What a refresh of an Application is and what it writes: whether one is needed and how thorough, and the status that
 * comes out. Ported from `needRefreshAppStatus`, `processAppRefreshQueueItem` and `persistAppStatus` in
 * https://github.com/argoproj/argo-cd/blob/v3.5.1/controller/appcontroller.go.
 */
import type { Comparison } from './comparison.ts';
import { saysTheSame } from './json.ts';
import {
  type ApplicationCondition,
  type ApplicationObject,
  type ApplicationStatus,
  type ArgoVersion,
  REFRESH_ANNOTATION,
  timestamp,
} from './objects.ts';

/** How thorough a refresh is. Only Latest and Forced move `reconciledAt`. */
export const Level = { Recent: 1, Latest: 2, Forced: 3 } as const;

export type Level = (typeof Level)[keyof typeof Level];

/** The level of the refresh that the Application needs now, or undefined when it needs none. */
export function neededRefresh(
  application: ApplicationObject,
  requested: Level | undefined,
  now: number,
  pollMs: number,
): Level | undefined {
  if (application.metadata.annotations?.[REFRESH_ANNOTATION] !== undefined) return Level.Forced;
  const { spec, status } = application;
  const compared = status?.sync?.comparedTo;
  const isSameSource = spec.sources?.length
    ? saysTheSame(spec.sources, compared?.sources)
    : saysTheSame(spec.source, compared?.source);
  if (!isSameSource) return Level.Forced;
  const reconciledAt = status?.reconciledAt;
  if (reconciledAt === undefined || Date.parse(reconciledAt) + pollMs < now) return Level.Latest;
  if (!saysTheSame(spec.destination, compared?.destination)) return Level.Latest;
  return requested;
}

export interface RefreshContext {
  level: Level;
  /** When the refresh began: that, not its end, becomes `reconciledAt`. */
  began: number;
  version: ArgoVersion;
  clock: { now(): number };
}

/** The status after a comparison. */
export function refreshedStatus(
  application: ApplicationObject,
  comparison: Comparison,
  context: RefreshContext,
): ApplicationStatus {
  const before = application.status as ApplicationStatus;
  const isReconciled = before.reconciledAt === undefined || context.level >= Level.Latest;
  const isMultiSource = (application.spec.sources?.length ?? 0) > 0;
  const types = comparison.isRendered ? 'Directory' : undefined;
  return {
    ...before,
    conditions: withConditions(before.conditions ?? [], comparison.conditions, timestamp(context.began)),
    controllerNamespace: application.metadata.namespace,
    health: nextHealth(before, comparison.health, context),
    reconciledAt: isReconciled ? timestamp(context.began) : before.reconciledAt,
    resourceHealthSource: 'appTree',
    resources: comparison.resources.length > 0 ? comparison.resources : undefined,
    sourceType: isMultiSource ? undefined : types,
    sourceTypes:
      isMultiSource && types !== undefined ? application.spec.sources?.map(() => types) : undefined,
    sync: comparison.sync,
  };
}

/** 3.6 names the objects that make it unhealthy (frozen-but-one-was-pending). */
function nextHealth(before: ApplicationStatus, health: Comparison['health'], context: RefreshContext) {
  const isSame = before.health?.status === health.status;
  return {
    ...(context.version === '3.6' && health.message !== undefined ? { message: health.message } : {}),
    status: health.status,
    lastTransitionTime: isSame ? before.health.lastTransitionTime : timestamp(context.clock.now()),
  };
}

const COMPARISON_CONDITIONS = ['ComparisonError', 'UnknownError', 'InvalidSpecError'];

/**
 * The conditions of a comparison take the place of those of the one before. Only the first of a type keeps its time
 * while its message stays the same (`SetConditions`).
 */
function withConditions(
  before: readonly ApplicationCondition[],
  found: readonly ApplicationCondition[],
  now: string,
): ApplicationCondition[] | undefined {
  const kept = before.filter(({ type }) => !COMPARISON_CONDITIONS.includes(type));
  const next = found.map((condition) => {
    const old = before.find(({ type }) => type === condition.type);
    const lastTransitionTime = old?.message === condition.message ? old.lastTransitionTime : now;
    return { ...condition, lastTransitionTime };
  });
  return kept.length + next.length > 0 ? [...kept, ...next] : undefined;
}

/** The status of an Application whose destination nobody knows (`refreshAppConditions`). */
export function unreadableSpec(application: ApplicationObject, now: string): ApplicationStatus {
  const before = application.status as ApplicationStatus;
  const { name, server } = application.spec.destination;
  const message = `application destination spec for ${application.metadata.name} is invalid: there are no clusters with this ${name ? `name: ${name}` : `server: ${server}`}`;
  const isSame = before.health?.status === 'Unknown';
  return {
    ...before,
    conditions: withConditions(before.conditions ?? [], [{ type: 'InvalidSpecError', message }], now),
    health: { status: 'Unknown', lastTransitionTime: isSame ? before.health.lastTransitionTime : now },
    sync: { ...before.sync, status: 'Unknown' },
  };
}

/** The annotations once the refresh that they asked for is done; undefined when no other is left. */
export function withoutRefreshAnnotation(application: ApplicationObject): Record<string, string> | undefined {
  const { [REFRESH_ANNOTATION]: _asked, ...kept } = application.metadata.annotations ?? {};
  return Object.keys(kept).length > 0 ? kept : undefined;
}
