import { expect, it } from 'vitest';
import { openStops } from '../../src/loop/stops.ts';

const repository = { host: 'github.com', owner: 'acme', name: 'payments' };
const other = { ...repository, name: 'payments-two' };

it('asks again as soon as something happened to the issues of the repository, and for no other', async () => {
  const asked: string[] = [];
  const issues: { number: number; labelledBy: string }[] = [];
  const forge = {
    openIssuesWithLabel: async ({ name }: typeof repository) => {
      asked.push(name);
      return issues as never;
    },
    permissionOf: async () => 'write' as const,
  };
  const stops = openStops(forge, { now: () => 0 }, false);
  expect(await stops.of(repository, [], 30_000)).toBeNull();
  expect(await stops.of(other, [], 30_000)).toBeNull();
  issues.push({ number: 5, labelledBy: 'dana' });
  stops.changed(repository);
  expect(await stops.of(repository, [], 30_000)).toEqual({ issue: 5, by: 'dana' });
  expect(await stops.of(other, [], 30_000)).toBeNull();
  expect(asked).toEqual(['payments', 'payments-two', 'payments']);
});
