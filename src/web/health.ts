/** Readiness in words: ready is who sees every cluster that it watches. Alive is whoever answers at all. */
import type { Clock } from '../ports.ts';
import type { Watched } from './watched.ts';

/** A line a cluster, and whether all of them are seen. */
export function readiness(
  watched: readonly Watched[],
  clock: Pick<Clock, 'now'>,
): { isReady: boolean; text: string } {
  const sights = watched.map(({ cluster }) => ({ instance: cluster.instance, ...cluster.sight() }));
  const lines = sights.map(({ instance, lastHeardAt, blindness }) =>
    blindness === null
      ? `${instance}: seen, last heard of ${Math.round((clock.now() - lastHeardAt) / 1000)} s ago.`
      : `${instance}: blind. ${blindness}`,
  );
  return {
    isReady: sights.every((sight) => sight.blindness === null),
    text: lines.map((line) => `${line}\n`).join(''),
  };
}
