import { describe, expect, it } from 'vitest';
import type { Rollout } from '../../src/domain/rollout.ts';
import { stormOf } from '../../src/domain/storm.ts';
import { A, B, beginning, type Moment, repoURL, type Shape, tell } from './world.ts';

const onB: Shape = { target: B, history: [[A, 0] as const, [B, 1_000] as const] };
const moments: readonly Moment[] = [
  { at: 0 },
  { at: 1_000, push: B, apps: { dev: { ...onB, health: 'Progressing', healthSince: 1_000 } } },
  {
    at: 1_002,
    apps: { dev: { ...onB, health: 'Degraded', healthSince: 1_002 } },
    entries: { dev: ['Progressing', B] },
  },
  { at: 1_030 },
];
const answer = tell(moments).at(-1);
const facts = { ids: new Map<string, string>(), gone: new Set<string>() };

/** Another ApplicationSet on the same destinations; its Application of dev is as `shape` says since second `at`. */
function other(uid: string, shape: Shape, at = 1_005): Rollout {
  const rollout = tell([
    { at: 0, apps: { dev: { uid }, staging: { uid: `${uid}s` }, prod: { uid: `${uid}p` } } },
    { at, apps: { dev: { uid, healthSince: at, ...shape } } },
  ]).at(-1)?.rollout;
  if (rollout === undefined) throw new Error('There is no answer.');
  return rollout;
}

const sick: Shape = { health: 'Degraded' };

function storm(others: readonly Rollout[], change: { isSame?: boolean; landedAt?: number | null } = {}) {
  if (answer?.failure == null) throw new Error('Nothing fails.');
  const { isSame = false, landedAt = beginning + 1_000_000 } = change;
  return stormOf(
    answer.failure,
    [answer.rollout, ...others],
    { bad: [B], lastGood: [A], landedAt, isOfRepository: (url) => isSame && url === repoURL },
    facts,
  );
}

describe('a storm', () => {
  it('is when two others fail at the same time on the same destination, which the commit does not feed', () => {
    expect(storm([other('x', sick), other('y', sick)])).toEqual({
      kind: 'storm',
      destinations: ['dev'],
      others: ['argocd/shop-dev', 'argocd/shop-dev'],
    });
  });

  it('is one other when there is no other to ask', () => {
    expect(storm([other('x', sick)])).not.toBeNull();
    expect(storm([other('x', sick), other('y', {})])).toBeNull();
  });

  it('is also when their content did not change since the commit landed, which feeds them', () => {
    expect(storm([other('x', sick), other('y', sick)], { isSame: true })).not.toBeNull();
  });

  it('is none when the commit feeds them and they have it: a bad shared base', () => {
    const has: Shape = { ...sick, ...onB };
    expect(storm([other('x', has), other('y', has)], { isSame: true })).toBeNull();
    expect(storm([other('x', sick), other('y', sick)], { isSame: true, landedAt: null })).toBeNull();
  });

  it('is none when nobody else fails, or on another destination, or at another time', () => {
    expect(storm([])).toBeNull();
    expect(storm([other('x', {}), other('y', {})])).toBeNull();
    expect(storm([other('x', sick, 2_000), other('y', sick, 2_000)])).toBeNull();
    const elsewhere = tell([
      { at: 0, apps: { dev: { uid: 'd' }, staging: { uid: 's' }, prod: { uid: 'p' } } },
      { at: 1_005, apps: { staging: { uid: 's', ...sick, healthSince: 1_005 } } },
    ]).at(-1)?.rollout;
    expect(storm(elsewhere === undefined ? [] : [elsewhere])).toBeNull();
  });
});
