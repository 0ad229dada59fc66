/** Many seeds on several threads. */
import { Worker } from 'node:worker_threads';
import type { SeedOutcome } from './run-seed.ts';
import type { Share } from './worker.ts';

export interface Simulation {
  from: number;
  seeds: number;
  workers: number;
  /** Name of a mistake, "" for none. */
  mistake: string;
  /** Told of each seed as it ends, in no order. */
  onOutcome?(outcome: SeedOutcome): void;
}

/** Plays the seeds; gives their outcomes by seed. Rejects when the simulation itself is wrong. */
export async function simulate(wish: Simulation): Promise<readonly SeedOutcome[]> {
  const outcomes: SeedOutcome[] = [];
  const threads = Array.from({ length: Math.min(wish.workers, wish.seeds) }, (_, index) => {
    const share: Share = {
      from: wish.from + index,
      until: wish.from + wish.seeds,
      step: wish.workers,
      mistake: wish.mistake,
    };
    const worker = new Worker(new URL('./worker.ts', import.meta.url), { workerData: share });
    worker.on('message', (outcome: SeedOutcome) => {
      outcomes.push(outcome);
      wish.onOutcome?.(outcome);
    });
    return new Promise<void>((resolve, reject) => {
      worker.on('error', reject);
      worker.on('exit', () => resolve());
    });
  });
  await Promise.all(threads);
  return outcomes.sort((one, other) => one.seed - other.seed);
}
