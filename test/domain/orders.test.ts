import { describe, expect, it } from 'vitest';
import { holdAt, longestHold, noOrders, readOrders, withHold, withoutHold } from '../../src/domain/orders.ts';

const hold = (repository: string, until: number) => ({ until, by: 'dana', at: 1, repository });

describe('a hold', () => {
  const both = withHold(withHold(noOrders, hold('acme/payments', 100)), hold('acme/values', 50));

  it('counts in the repository in which it was ordered, in any case of its letters', () => {
    expect(holdAt(both, 'Acme/Payments', 10)?.until).toBe(100);
    expect(holdAt(both, 'acme/values', 10)?.until).toBe(50);
    expect(holdAt(both, 'acme/other', 10)).toBeNull();
    expect(longestHold([both, noOrders], 'acme/values', 60)).toBeNull();
  });

  it('replaces the one before it in the same repository, and ends there alone', () => {
    const later = withHold(both, hold('acme/payments', 200));
    expect(later.holds).toHaveLength(2);
    const ended = withoutHold(later, 'acme/payments', 10);
    expect(holdAt(ended, 'acme/payments', 11)).toBeNull();
    expect(holdAt(ended, 'acme/values', 11)?.until).toBe(50);
  });

  it('of an earlier version counts everywhere, and any repository replaces or ends it', () => {
    const old = readOrders({ hold: { until: 100, by: 'dana', at: 1 }, snoozes: [], freeze: null });
    expect(holdAt(old, 'acme/payments', 10)?.until).toBe(100);
    expect(withHold(old, hold('acme/values', 50)).holds).toEqual([hold('acme/values', 50)]);
    expect(holdAt(withoutHold(old, 'acme/values', 10), 'acme/payments', 11)).toBeNull();
  });
});
