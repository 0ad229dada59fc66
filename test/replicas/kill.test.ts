/**
 * Two replicas as real processes, killed at random while they answer bad commits: one revert each. `npm run test:kill` plays
 * fifty rounds; without it none is played.
 */
import { expect, test } from 'vitest';
import { seededRandom } from '../../src/sandbox/argocd/habits.ts';
import { startReplicas } from './replicas.ts';
import { playRound, type RoundOutcome } from './rounds.ts';

const asked = process.env.STEPBACK_KILL_ROUNDS;
const rounds = Number(asked ?? 3);
/** So many incidents go on at once. */
const atOnce = 3;

// It lives in real time, as the processes do, so a busy machine may not decide what the other tests are worth.
test.skipIf(asked === undefined)(
  `in ${rounds} rounds of kill -9 each bad commit gets one revert, one comment, and comes back`,
  {
    timeout: 60_000 + rounds * 40_000,
  },
  async () => {
    const world = await startReplicas();
    const random = seededRandom(Number(process.env.STEPBACK_KILL_SEED ?? 1));
    const outcomes: RoundOutcome[] = [];
    try {
      for (let first = 0; first < rounds; first += atOnce) {
        const names = Array.from(
          { length: Math.min(atOnce, rounds - first) },
          (_, index) => `app-${first + index}`,
        );
        outcomes.push(...(await playRound(world, names, random)));
      }
    } finally {
      await world.close();
    }
    const wrong = outcomes.filter(
      ({ reverts, comments, doubledChecks, isBack }) =>
        reverts !== 1 || comments !== 1 || doubledChecks.length > 0 || !isBack,
    );
    const logs = world.replicas.flatMap(({ log }) => log.slice(-30)).join('\n');
    expect(wrong, logs).toEqual([]);
    const kills = outcomes
      .filter((_, index) => index % atOnce === 0)
      .reduce((sum, one) => sum + one.kills, 0);
    expect(kills).toBeGreaterThan(0);
    const seconds = Math.round(
      outcomes.reduce((sum, { tookMs }) => sum + tookMs, 0) / outcomes.length / 1000,
    );
    process.stdout.write(
      `${rounds} rounds, ${kills} kills, one revert each; ${seconds} s a round on average.\n`,
    );
  },
);
