import { describe, expect, it } from 'vitest';
import { count, counted, listOf, shortName } from '../../src/render/lists.ts';

const same = (text: string): string => text;

describe('lists', () => {
  it('end after a few', () => {
    expect(listOf([], 3, same)).toBe('');
    expect(listOf(['a'], 3, same)).toBe('a');
    expect(listOf(['a', 'b', 'c'], 3, same)).toBe('a, b and c');
    expect(listOf(['a', 'b', 'c', 'd'], 2, same)).toBe('a, b and 2 more');
  });

  it('count as people do', () => {
    expect([1, 999, 1_000, 1_234_567].map(count)).toEqual(['1', '999', '1,000', '1,234,567']);
    expect([counted(1, 'Application'), counted(0, 'Application')]).toEqual([
      '1 Application',
      '0 Applications',
    ]);
  });

  it('name Applications shortly under their ApplicationSet, and never by nothing', () => {
    expect(shortName('payments-prod-2', 'payments')).toBe('prod-2');
    expect(shortName('payments-', 'payments')).toBe('payments-');
    expect(shortName('prod-payments', 'payments')).toBe('prod-payments');
  });
});
