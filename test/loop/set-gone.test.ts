/** An ApplicationSet that fails and is then deleted: nobody waits for it any more. */
import { expect, test } from 'vitest';
import { openFleet } from './fleet.ts';

test('a revert that was for a deleted ApplicationSet alone is closed with a word', async () => {
  const fleet = await openFleet({ cart: [1, 1] }, ['dev', 'prod']);
  fleet.push(['cart']);
  fleet.sync('cart-dev-1', 'Degraded');
  await fleet.pass(4 * 60_000);
  expect((await fleet.loop.incidents()).map(({ phase }) => phase)).toEqual(['proposed']);
  fleet.remove('cart');
  await fleet.pass(60_000);
  const [incident] = await fleet.loop.incidents();
  expect([incident?.phase, incident?.sets[0]?.isGone]).toEqual(['healed', true]);
  expect(incident?.pullRequest?.closedAt).not.toBeNull();
  const calls = fleet.made.length;
  fleet.loop.nudge('argocd/cart');
  await fleet.pass(10 * 60_000);
  expect(fleet.made.length).toBe(calls);
});
