/** Waits for what processes make true: looked at when something changed, and never for longer than the round may take. */
import type { ReplicaWorld } from './replicas.ts';

/** Resolves when the condition holds; rejects with what is missing when the time of the round is over. */
export type Until = (what: string, condition: () => boolean) => Promise<void>;

/** One time for all that is waited for: `msMax` from now. */
export function openUntil(world: ReplicaWorld, msMax: number): Until {
  const isOver = AbortSignal.timeout(msMax);
  return (what, condition) =>
    new Promise((resolve, reject) => {
      let isDue = false;
      const look = (): void => {
        isDue = false;
        let holds: boolean;
        try {
          holds = condition();
        } catch (problem) {
          end();
          reject(problem);
          return;
        }
        if (holds) {
          end();
          resolve();
        }
      };
      const stop = world.onChange(() => {
        // A burst of changes is one look.
        if (!isDue) setImmediate(look);
        isDue = true;
      });
      const giveUp = (): void => {
        end();
        reject(new Error(`After ${Math.round(msMax / 1000)} s this is not so: ${what}.`));
      };
      function end(): void {
        stop();
        isOver.removeEventListener('abort', giveUp);
      }
      if (isOver.aborted) giveUp();
      else isOver.addEventListener('abort', giveUp);
      look();
    });
}
