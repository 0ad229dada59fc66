import { expect, test } from 'vitest';
import { openFleet } from './fleet.ts';

test('a quiet ApplicationSet is looked at when what healed has been well for the bake time', async () => {
  const fleet = await openFleet({ cart: [1] }, ['dev'], { hasRadar: true });
  fleet.push(['cart']);
  fleet.sync('cart-dev-1', 'Degraded');
  await fleet.pass(4 * 60_000);
  const shape = fleet.apps.get('cart-dev-1');
  if (shape === undefined) throw new Error('There is no cart-dev-1.');
  fleet.apps.set('cart-dev-1', { ...shape, health: 'Healthy', healthSince: fleet.clock.now() });
  fleet.loop.nudge('argocd/cart');
  await fleet.pass(6 * 60_000);
  // Something else comes and is taken back by hand, so that what had failed is not followed any more.
  fleet.push(['cart']);
  fleet.sync('cart-dev-1');
  await fleet.pass(60_000);
  fleet.undo();
  fleet.sync('cart-dev-1');
  await fleet.pass(60_000);
  const record = () =>
    fleet.loop
      .results()
      .get('argocd/cart')
      ?.answer.rollout.stages[0]?.applications[0]?.memory.contents.at(-1);
  const spellMs = () => (record()?.healthyUntil ?? 0) - (record()?.healthySince ?? 0);
  expect(record()?.degraded).not.toBeNull();
  expect(spellMs()).toBeLessThan(30 * 60_000);
  await fleet.pass(40 * 60_000);
  expect(spellMs()).toBeGreaterThan(30 * 60_000);
  const looks = fleet.asked.length;
  await fleet.pass(40 * 60_000);
  expect(fleet.asked.length).toBe(looks);
});
