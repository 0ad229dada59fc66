/**
 * Things that happen at a certain call of a round: a replica dies before it hears the answer, a person types something. Nothing
 * here waits for a time; the one clock is that a round must end some time.
 */
import type { Ending, Moment, Plan } from './plan.ts';
import type { Replica } from './replica.ts';
import type { ReplicaWorld } from './replicas.ts';
import type { Until } from './until.ts';

export interface Moments {
  /** Does it at its moment. */
  at(moment: Moment, act: () => void): void;
  end(ending: Ending): void;
  /** What has not happened yet happens now; resolves when everybody is there again. */
  rest(): Promise<void>;
  /** What was done, in words: `SIGKILL of two-3 at POST /repos/…`. */
  readonly told: readonly string[];
  /** How often a replica lost its machine. */
  readonly kills: number;
  close(): void;
}

interface Armed {
  moment: Moment;
  left: number;
  act(at: string): boolean;
}

/** Counts the calls of one round from now on. */
export function openMoments(world: ReplicaWorld, { name }: Pick<Plan, 'name'>, until: Until): Moments {
  const armed = new Set<Armed>();
  const coming: Promise<void>[] = [];
  const told: string[] = [];
  let kills = 0;

  const stop = world.onCall((call) => {
    if (!call.name.includes(name)) return;
    for (const one of [...armed]) {
      if (one.moment.isWrite && !call.isWriting) continue;
      one.left -= 1;
      if (one.left <= 0 && one.act(call.name)) armed.delete(one);
    }
  });

  /** False when nobody is there who could end: it happens at the next call. */
  function endNow(ending: Ending, at: string): boolean {
    const acting = world.acting();
    const there = world.replicas.filter(({ isThere }) => isThere);
    const chosen = ending.whom === 'all' ? there : [acting ?? there[0]].filter((one) => one !== undefined);
    if (chosen.length === 0) return false;
    for (const replica of chosen) {
      told.push(`${ending.signal} of ${replica.identity} at ${at}`);
      if (ending.signal === 'SIGKILL') kills += 1;
      // The signal is sent before this returns, so before the call is answered.
      const gone = ending.signal === 'SIGKILL' ? replica.kill() : replica.stop();
      coming.push(gone.then(() => comeBack(replica, ending)));
    }
    return true;
  }

  async function comeBack(replica: Replica, { isBackLater }: Ending): Promise<void> {
    const others = (): readonly Replica[] => world.replicas.filter((one) => one !== replica && one.isThere);
    if (isBackLater) await until('another one acts', () => others().length === 0 || world.acting() !== null);
    await replica.start();
  }

  function at(moment: Moment, act: (at: string) => boolean): void {
    armed.add({ moment, left: moment.nth, act });
  }

  return {
    told,
    get kills() {
      return kills;
    },
    at: (moment, act) =>
      at(moment, () => {
        act();
        return true;
      }),
    end: (ending) => at(ending, (call) => endNow(ending, call)),
    async rest() {
      for (const one of [...armed]) {
        armed.delete(one);
        await until('a replica is there', () => one.act('the end of it'));
      }
      await Promise.all(coming);
    },
    close: stop,
  };
}
