/** When what spans several ApplicationSets may be said after a start. */
import { expect, it } from 'vitest';
import { openAllLookedAt } from '../../src/loop/all-looked-at.ts';

it('is so when every ApplicationSet was looked at, or after a minute, and begins anew with a start', () => {
  const keys = ['argocd/payments', 'argocd/returns'];
  let nowMs = 0;
  const all = openAllLookedAt(
    () => keys,
    () => nowMs,
  );
  all.looked('argocd/payments');
  expect(all.isSo()).toBe(false);
  all.looked('argocd/returns');
  expect(all.isSo()).toBe(true);
  keys.push('argocd/orders');
  expect(all.isSo()).toBe(false);
  nowMs = 60_000;
  expect(all.isSo()).toBe(true);
  all.start();
  expect(all.isSo()).toBe(false);
  nowMs = 119_999;
  expect(all.isSo()).toBe(false);
  nowMs = 120_000;
  expect(all.isSo()).toBe(true);
});
