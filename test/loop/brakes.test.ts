import { expect, test } from 'vitest';
import { type Fleet, openFleet } from './fleet.ts';

/** One Application is ill where it stands, on what it runs. */
function fallIll(fleet: Fleet, name: string): void {
  const shape = fleet.apps.get(name);
  if (shape === undefined) throw new Error(`There is no ${name}.`);
  fleet.apps.set(name, { ...shape, health: 'Degraded', healthSince: fleet.clock.now() });
  fleet.loop.nudge(`argocd/${shape.set}`);
}

test('an ApplicationSet that is well again does not open the revert that a storm keeps from another one', async () => {
  const fleet = await openFleet({ cart: [1], shop: [1], queue: [2] }, ['dev']);
  fleet.push(['cart', 'shop']);
  await fleet.pass(2_000);
  for (const name of ['queue-dev-1', 'queue-dev-2']) fallIll(fleet, name);
  await fleet.pass(2_000);
  for (const name of ['cart-dev-1', 'shop-dev-1']) fleet.sync(name, 'Degraded');
  await fleet.pass(180_000);
  const [stormy] = await fleet.loop.incidents();
  expect(stormy?.obstacle?.kind).toBe('storm');
  expect(stormy?.sets.map(({ key }) => key).sort()).toEqual(['argocd/cart', 'argocd/shop']);
  fleet.sync('cart-dev-1');
  await fleet.pass(30_000);
  expect(fleet.made.filter((call) => call === 'createPullRequest')).toEqual([]);
});

test('a storm that explains one ApplicationSet does not keep back what another one fails on, whichever is looked at', async () => {
  const limits = { revertsPerRepositoryMax: 0 };
  const fleet = await openFleet({ cart: [1], shop: [0, 1], queue: [2] }, ['dev', 'prod'], { limits });
  fleet.push(['cart', 'shop']);
  await fleet.pass(2_000);
  for (const name of ['queue-dev-1', 'queue-dev-2']) fallIll(fleet, name);
  await fleet.pass(2_000);
  for (const name of ['cart-dev-1', 'shop-prod-1']) fleet.sync(name, 'Degraded');
  await fleet.pass(180_000);
  for (const set of ['cart', 'shop', 'cart', 'shop']) {
    fleet.loop.nudge(`argocd/${set}`);
    await fleet.pass(30_000);
    const [incident] = await fleet.loop.incidents();
    expect(incident?.obstacle?.kind, `after a look at ${set}`).toBe('limit-reached');
  }
});

test('one that is ill beside many that are well is no storm, although a process that has just begun looks at none of these', async () => {
  const fleet = await openFleet({ shop: [1], queue: [1], search: [3] }, ['dev'], { hasRadar: true });
  fleet.push(['shop']);
  await fleet.pass(2_000);
  await fleet.restart('shop');
  fallIll(fleet, 'queue-dev-1');
  await fleet.pass(2_000);
  fleet.sync('shop-dev-1', 'Degraded');
  await fleet.pass(180_000);
  const [incident] = await fleet.loop.incidents();
  expect([incident?.phase, incident?.obstacle]).toEqual(['proposed', null]);
});

test('a process that has just begun looks at those that are ill before it opens what a storm keeps closed', async () => {
  const fleet = await openFleet({ shop: [1], queue: [2] }, ['dev'], { hasRadar: true });
  fleet.push(['shop']);
  await fleet.pass(2_000);
  for (const name of ['queue-dev-1', 'queue-dev-2']) fallIll(fleet, name);
  await fleet.pass(2_000);
  fleet.sync('shop-dev-1', 'Degraded');
  await fleet.pass(180_000);
  await fleet.restart('shop');
  expect((await fleet.loop.incidents()).map(({ obstacle }) => obstacle?.kind)).toEqual(['storm']);
  expect(fleet.made).not.toContain('createPullRequest');
});

test('a failure on another change does not bring the revert of a healed one', async () => {
  const fleet = await openFleet({ cart: [1, 1] }, ['dev', 'prod']);
  fleet.push(['cart']);
  fleet.sync('cart-dev-1', 'Degraded');
  await fleet.pass(4 * 60_000);
  for (const name of ['cart-dev-1', 'cart-prod-1']) fleet.sync(name);
  for (let look = 0; look < 9; look += 1) {
    await fleet.pass(5 * 60_000);
    fleet.loop.nudge('argocd/cart');
  }
  expect((await fleet.loop.incidents()).map(({ phase }) => phase)).toEqual(['healed']);
  fleet.push(['cart']);
  fleet.sync('cart-dev-1', 'Degraded');
  await fleet.pass(4 * 60_000);
  expect((await fleet.loop.incidents()).map(({ phase }) => phase)).toEqual(['healed', 'proposed']);
});
