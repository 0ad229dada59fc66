import { describe, expect, it } from 'vitest';
import { completeSettings } from '../../src/config/merge.ts';
import type { Incident } from '../../src/domain/incident.ts';
import type { AutoMerge, AutoMergeResult } from '../../src/domain/opening.ts';
import { type AutoMergeLook, keepAutoMerge, withoutAutoMerge } from '../../src/loop/keep-auto-merge.ts';
import type { AutoMergeOutcome, MergeMethod } from '../../src/ports/pull-requests.ts';
import { WorldProblem } from '../../src/ports.ts';
import { incident } from '../render/sample-incident.ts';

const now = Date.UTC(2026, 11, 1, 12);
const minute = 60_000;
const head = 'a'.repeat(40);
const place = { host: 'github.com', owner: 'acme', name: 'payments' };

type Answer = AutoMergeOutcome | WorldProblem;

/** A forge that answers by the method of merging; `asked` has every call. */
function forgeThat(answers: Partial<Record<MergeMethod, Answer>>, checks: readonly string[] = ['ci']) {
  const asked: string[] = [];
  return {
    asked,
    async enableAutoMerge(_: unknown, { headSha }: { headSha: string }, method: MergeMethod) {
      asked.push(`enable ${method} ${headSha[0]}`);
      const answer = answers[method] ?? 'method-not-allowed';
      if (answer instanceof WorldProblem) throw answer;
      return answer;
    },
    async disableAutoMerge() {
      asked.push('disable');
    },
    async requiredChecks(_: unknown, branch: string) {
      asked.push(`checks of ${branch}`);
      return checks;
    },
  };
}

function withRevert(autoMerge: AutoMerge | null, change: Partial<Incident> = {}): Incident {
  return incident({
    phase: 'proposed',
    pullRequest: {
      number: 415,
      url: '',
      branch: '',
      headSha: head,
      baseSha: 'b'.repeat(40),
      isVerified: true,
      suspects: [],
      closedAt: null,
      autoMerge,
    },
    ...change,
  });
}

const cameOf = (outcome: AutoMergeResult, change: Partial<AutoMerge> = {}): AutoMerge => ({
  headSha: head,
  at: now - 2 * minute,
  outcome,
  message: '',
  ...change,
});

const look = (change: Partial<AutoMergeLook> = {}): AutoMergeLook => ({
  repository: place,
  settings: completeSettings({ mode: 'auto-merge' }),
  revert: { nodeId: 'PR_1', isDraft: false, isAutoMergeOn: false },
  incidents: [],
  now,
  ...change,
});

const resultOf = (one: Incident): string | null => {
  const auto = one.pullRequest?.autoMerge ?? null;
  return auto && `${auto.outcome}${auto.message === '' ? '' : `: ${auto.message}`}`;
};

const queue = new WorldProblem('permanent', 'The merge strategy is set by the queue.');

describe('when it was not asked for yet', () => {
  it.each([
    ['takes a merge commit where that is allowed', { merge: 'enabled' }, 'enabled', 1],
    ['goes on to a squash', { squash: 'enabled' }, 'enabled', 2],
    ['goes on to a rebase', { rebase: 'enabled' }, 'enabled', 3],
    ['goes on where GitHub says no in words nobody knows', { merge: queue, squash: 'enabled' }, 'enabled', 2],
    ['tells those words when nothing else helps', { merge: queue }, `refused: ${queue.message}`, 3],
    ['says so when no way of merging is allowed', {}, 'refused', 3],
    ['does not go on where the repository does not allow it', { merge: 'not-allowed' }, 'not-allowed', 1],
    [
      'does not go on where nothing is to be waited for',
      { merge: 'already-mergeable' },
      'already-mergeable',
      1,
    ],
    ['tells nothing of a head that moved meanwhile', { merge: 'moved' }, null, 1],
  ] as const)('%s', async (_, answers, result, calls) => {
    const forge = forgeThat(answers);
    const next = await keepAutoMerge(forge, look(), withRevert(null));
    expect(resultOf(next)).toBe(result);
    expect(forge.asked.filter((call) => call.startsWith('enable'))).toHaveLength(calls);
  });

  it('asks for nothing where no check is required: GitHub would merge at once', async () => {
    const forge = forgeThat({ merge: 'enabled' }, []);
    const next = await keepAutoMerge(forge, look(), withRevert(null));
    expect(resultOf(next)).toBe('nothing-required');
    expect(forge.asked).toEqual(['checks of main']);
  });

  it('asks for nothing over the limit, and says how many there were', async () => {
    const forge = forgeThat({ merge: 'enabled' });
    const others = ['x', 'y'].map((id) => withRevert(cameOf('enabled'), { id }));
    const settings = completeSettings({ mode: 'auto-merge', autoMergesMax: 2 });
    const next = await keepAutoMerge(forge, look({ settings, incidents: others }), withRevert(null));
    expect(resultOf(next)).toBe('over-limit: 2');
    expect(forge.asked).toEqual([]);
  });

  it('waits while a person has it as a draft', async () => {
    const forge = forgeThat({ merge: 'enabled' });
    const revert = { nodeId: 'PR_1', isDraft: true, isAutoMergeOn: false };
    expect(resultOf(await keepAutoMerge(forge, look({ revert }), withRevert(null)))).toBeNull();
    expect(forge.asked).toEqual([]);
  });

  it('throws what passes by itself', async () => {
    const down = new WorldProblem('transient', 'GitHub is down.');
    await expect(keepAutoMerge(forgeThat({ merge: down }), look(), withRevert(null))).rejects.toBe(down);
  });
});

describe('when it is on', () => {
  const on = { nodeId: 'PR_1', isDraft: false, isAutoMergeOn: true };

  it('asks nobody again', async () => {
    const forge = forgeThat({});
    const before = withRevert(cameOf('enabled'));
    expect(await keepAutoMerge(forge, look({ revert: on }), before)).toBe(before);
    expect(forge.asked).toEqual([]);
  });

  it('is asked for again when the revert was computed anew', async () => {
    const forge = forgeThat({ merge: 'enabled' });
    const before = withRevert(cameOf('enabled', { headSha: 'c'.repeat(40) }));
    const next = await keepAutoMerge(forge, look({ revert: on }), before);
    expect(next.pullRequest?.autoMerge).toMatchObject({ headSha: head, outcome: 'enabled' });
    expect(next.changedAt, 'no word changes').toBe(before.changedAt);
    expect(forge.asked).toEqual(['checks of main', 'enable merge a']);
  });

  it('stays off when a person turned it off, also when the revert is computed anew', async () => {
    const forge = forgeThat({ merge: 'enabled' });
    const off = await keepAutoMerge(forge, look(), withRevert(cameOf('enabled')));
    expect(resultOf(off)).toBe('turned-off');
    const moved = { ...off, pullRequest: { ...off.pullRequest!, headSha: 'd'.repeat(40) } };
    expect(await keepAutoMerge(forge, look({ now: now + 60 * minute }), moved)).toBe(moved);
    expect(forge.asked).toEqual([]);
  });

  it('is not taken for turned off by an answer that is a moment old', async () => {
    const before = withRevert(cameOf('enabled', { at: now - 5_000 }));
    expect(await keepAutoMerge(forgeThat({}), look(), before)).toBe(before);
  });

  it('is turned off when somebody else pushed to the branch', async () => {
    const forge = forgeThat({});
    const obstacle = { kind: 'human-changed-branch', branch: 'stepback/x' } as const;
    const theirs = withRevert(cameOf('enabled'), { obstacle });
    const next = await keepAutoMerge(forge, look({ revert: on }), theirs);
    expect(resultOf(next)).toBe('not-ours');
    expect(await keepAutoMerge(forge, look(), next)).toBe(next);
    expect(forge.asked).toEqual(['disable']);
  });

  it('is not asked for again when a person turned it off and Stepback was stopped in between', async () => {
    const forge = forgeThat({ merge: 'enabled' });
    const off = withRevert(cameOf('turned-off'));
    const stopped = await withoutAutoMerge(forge, place, off, on, now);
    expect(resultOf(await keepAutoMerge(forge, look(), stopped))).toBe('turned-off');
    expect(forge.asked).toEqual([]);
  });

  it('is turned off when less is allowed by now, once', async () => {
    const forge = forgeThat({});
    const next = await withoutAutoMerge(forge, place, withRevert(cameOf('enabled')), on, now);
    expect(resultOf(next)).toBeNull();
    expect(next.changedAt).toBe(now);
    expect(await withoutAutoMerge(forge, place, next, on, now)).toBe(next);
    expect(forge.asked).toEqual(['disable']);
  });
});

describe('what GitHub refused', () => {
  it('is asked for again after half an hour, and no word changes when it is the same', async () => {
    const forge = forgeThat({ merge: 'not-allowed' });
    const before = withRevert(cameOf('not-allowed'));
    expect(await keepAutoMerge(forge, look(), before)).toBe(before);
    const later = await keepAutoMerge(forge, look({ now: now + 29 * minute }), before);
    expect(resultOf(later)).toBe('not-allowed');
    expect(later.changedAt).toBe(before.changedAt);
    expect(forge.asked).toEqual(['checks of main', 'enable merge a']);
  });

  it('is forgotten without a call when less is allowed', async () => {
    const forge = forgeThat({});
    const revert = { nodeId: 'PR_1' };
    expect(
      resultOf(await withoutAutoMerge(forge, place, withRevert(cameOf('not-allowed')), revert, now)),
    ).toBeNull();
    expect(forge.asked).toEqual([]);
  });
});
