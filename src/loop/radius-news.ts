/**
 * What of a look is said on the open pull requests that reach its ApplicationSet. When it is something else than at the look
 * before, they are looked at again; so whoever starts again finds on them what it would say itself.
 */
import { stageOf, troublesOf } from '../domain/blast-radius.ts';
import type { Incident } from '../domain/incident.ts';
import type { ObjectKey } from '../domain/objects.ts';
import { everyApplication } from '../domain/rollout.ts';
import type { TickResult } from './tick.ts';

/** Texts that change when what is said does. */
export interface RadiusNews {
  trouble: string;
  /** A stage that is frozen, or is not any more, is said of each pull request that reaches it. */
  paces: string;
}

/** What a set that was never in trouble is like. */
export const calm = '[]';

/** `incidents`: all of them, as the look left them. */
export function newsOf(
  key: ObjectKey,
  { answer, incident }: TickResult,
  incidents: readonly Incident[],
): RadiusNews {
  const { applicationSet } = answer.rollout;
  const paces = JSON.stringify((applicationSet.steps ?? []).map(({ maxUpdate }) => maxUpdate));
  const isFailing = answer.rollout.verdict === 'failed';
  const concerned = incidents.filter(({ sets }) => sets.some((set) => set.key === key));
  if (!isFailing && incident === null && concerned.length === 0) return { trouble: calm, paces };
  const layout = {
    key,
    name: applicationSet.name,
    applications: everyApplication(answer.rollout).map((one) => ({
      name: one.application.name,
      step: one.step,
    })),
  };
  const failing = new Map(isFailing ? [[key, answer.failure?.kind ?? 'degraded'] as const] : []);
  const followed = concerned.map(({ id, phase, pullRequest, sets, suspects }) => {
    const standing = sets.find((set) => set.key === key);
    const stage = standing === undefined ? null : stageOf(standing, layout);
    const { number = null, closedAt = null } = pullRequest ?? {};
    return [id, phase, number, closedAt, stage, ...suspects.map(({ sha }) => sha)];
  });
  return { trouble: JSON.stringify([...troublesOf([layout], concerned, failing), ...followed]), paces };
}
