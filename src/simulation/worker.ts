/** One of the threads that play seeds; it tells each outcome as soon as there is one. */
import { parentPort, workerData } from 'node:worker_threads';
import { mistakeNamed } from './mistakes/all.ts';
import { runSeed } from './run-seed.ts';

/** What a thread is to play: every `step`-th seed from `from` to before `until`. */
export interface Share {
  from: number;
  until: number;
  step: number;
  /** Name of the mistake that is switched on, "" for none. */
  mistake: string;
}

const { from, until, step, mistake } = workerData as Share;
for (let seed = from; seed < until; seed += step)
  parentPort?.postMessage(await runSeed(seed, { mistake: mistakeNamed(mistake) }));
