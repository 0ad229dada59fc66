/**
 * Two replicas as real processes that die between any two of their calls while they answer bad commits: the laws of the
 * simulation hold. `npm run test:kill` plays fifty rounds; without it none is played. `STEPBACK_KILL_SEED` draws others.
 */
import { expect, test } from 'vitest';
import { seededRandom } from '../../src/sandbox/argocd/habits.ts';
import { removeApp } from './apps.ts';
import { brokenLaws } from './laws.ts';
import { drawPlans } from './plan.ts';
import { startReplicas } from './replicas.ts';
import { playRounds, type RoundsOutcome } from './rounds.ts';

const asked = process.env.STEPBACK_KILL_ROUNDS;
const rounds = Number(asked ?? 3);
const seed = Number(process.env.STEPBACK_KILL_SEED ?? 1);
/** So many incidents go on at once. */
const atOnce = 5;

// It lives in real time, as the processes do, so a busy machine may not decide what the other tests are worth.
test.skipIf(asked === undefined)(
  `in ${rounds} rounds of kill -9 each bad commit gets one revert, one comment, and comes back`,
  { timeout: 1_000_000 + rounds * 120_000 },
  async () => {
    const world = await startReplicas({ lanes: atOnce });
    const random = seededRandom(seed);
    const outcomes: RoundsOutcome[] = [];
    let later: readonly string[] = [];
    try {
      for (let first = 1; first <= rounds; first += atOnce) {
        const count = Math.min(atOnce, rounds - first + 1);
        const numbers = Array.from({ length: count }, (_, index) => first + index);
        const outcome = await playRounds(world, drawPlans(numbers, random));
        outcomes.push(outcome);
        report(outcome);
        // What went wrong is found where it is.
        if (outcome.wrong.length > 0) break;
        for (const { plan } of outcome.played) removeApp(world, plan);
      }
      // What was over stays as it was, whoever died later.
      const removed = outcomes.filter(({ wrong }) => wrong.length === 0).flatMap(({ played }) => played);
      later = removed.flatMap((one) => brokenLaws(world, one, { isRemoved: true }));
    } finally {
      await world.close();
    }
    const faults = world.replicas.flatMap((replica) => replica.faults);
    const told = outcomes.at(-1)?.told.join('\n');
    const logs = world.replicas.map(({ log }) => log.slice(-120).join('\n')).join('\n\n');
    const wrong = [...outcomes.flatMap((outcome) => outcome.wrong), ...later, ...faults];
    expect(wrong, `seed ${seed}\n${told}\n${logs}\n${outcomes.at(-1)?.evidence}`).toEqual([]);
    const kills = outcomes.reduce((sum, outcome) => sum + outcome.kills, 0);
    expect(kills).toBeGreaterThanOrEqual(rounds);
    const frozen = outcomes.flatMap(({ played }) => played).filter(({ wasFrozen }) => wasFrozen).length;
    process.stdout.write(
      `${rounds} rounds, ${kills} kills, ${frozen} with frozen steps, one revert each (seed ${seed}).\n`,
    );
  },
);

function report({ played, kills, told, wrong, tookMs }: RoundsOutcome): void {
  const names = played.map(({ plan }) => plan.name);
  const seconds = (tookMs / 1000).toFixed(1);
  const drains = told.filter((one) => one.startsWith('SIGTERM')).length;
  const state = wrong.length === 0 ? 'well' : 'WRONG';
  process.stdout.write(
    `${names[0] ?? 'none'} to ${names.at(-1) ?? 'none'}: ${state}, ${kills} kills, ${drains + 1} drained, ${seconds} s\n${told.map((one) => `  ${one}\n`).join('')}`,
  );
}
