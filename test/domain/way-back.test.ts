/** What keeps Applications from coming back, as the recordings show it: who, what, for whom, and when. */
import { expect, onTestFinished, test } from 'vitest';
import { walk } from '../../src/commands/replay/replay.ts';
import { branchOf } from '../../src/domain/configuration.ts';
import { type Remedy, wayBackOf } from '../../src/domain/way-back.ts';
import { openRecording } from './recorded.ts';

/** Each change of what is in the way of an Application after the revert or the fix has landed, with the second. */
async function wayBackIn(name: string): Promise<readonly string[]> {
  const recording = await openRecording(name);
  onTestFinished(() => recording.repositories.close());
  const told: string[] = [];
  const last = new Map<string, string>();
  const start = recording.events[0]?.t ?? 0;
  const looks = walk(recording.events, recording.repositories, recording.policy, (answer, sighting) => {
    const { followed } = answer.memory;
    if (followed === null) return;
    const left = new Set(answer.left.map((one) => one.application.name));
    for (const gone of [...last.keys()].filter((key) => !left.has(key))) {
      told.push(`${seconds(sighting.now)} ${gone} is back`);
      last.delete(gone);
    }
    for (const one of answer.left) {
      const { hindrance, remedy, by } = wayBackOf(
        { rollout: answer.rollout, change: followed, ...sighting },
        one,
      );
      if (hindrance === 'not-reverted') continue;
      const says = `${hindrance} → ${remedy}${by.length === 0 ? '' : ` (${by.join(', ')})`}`;
      if (last.get(one.application.name) === says) continue;
      last.set(one.application.name, says);
      told.push(`${seconds(sighting.now)} ${one.application.name}: ${says}`);
    }
  });
  let first = Number.NaN;
  function seconds(now: number): number {
    if (Number.isNaN(first)) first = now - start;
    return Math.round((now - first) / 1000);
  }
  for await (const _ of looks);
  return told;
}

test.each([
  'hook-finishes-after-the-revert',
  'late-hook-brought-back-by-a-sync',
  'hook-never-ends',
  'unreachable-cluster-blocks-recovery',
  'neighbours-of-an-unreachable-cluster-synced',
  'revert-needs-prune',
  'sync-failed-revert-while-retrying',
  'sync-window',
  'fixed-forward',
  'frozen-by-hand',
  'degraded-in-staging',
  'max-update-zero',
])('%s', async (name) => {
  expect(await wayBackIn(name)).toMatchSnapshot();
});

test('nothing is synced or ended while the branch is not known to hold what was good', async () => {
  let helped = 0;
  for (const name of [
    'hook-finishes-after-the-revert',
    'hook-never-ends',
    'unreachable-cluster-blocks-recovery',
  ]) {
    const recording = await openRecording(name);
    onTestFinished(() => recording.repositories.close());
    const looks = walk(recording.events, recording.repositories, recording.policy, (answer, sighting) => {
      const { followed } = answer.memory;
      if (followed === null) return;
      for (const one of answer.left) {
        const input = { rollout: answer.rollout, change: followed, ...sighting };
        const remedyAt = (sha: string): Remedy => {
          const heads = one.application.sources.map(({ repoURL, targetRevision: branch }) => {
            return { repoURL, branch: branchOf(branch), sha, at: sighting.now };
          });
          return wayBackOf({ ...input, heads }, one).remedy;
        };
        const bad = followed.bad[0] ?? '';
        expect(['wait', 'person']).toContain(remedyAt(bad));
        expect(['wait', 'person', 'refresh']).toContain(remedyAt('f'.repeat(40)));
        expect(['wait', 'person']).toContain(remedyAt(''));
        if (/sync/.test(remedyAt(followed.lastGood?.[0] ?? bad))) helped += 1;
      }
    });
    for await (const _ of looks);
  }
  expect(helped).toBeGreaterThan(0);
});
