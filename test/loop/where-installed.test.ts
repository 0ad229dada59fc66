import { describe, expect, test } from 'vitest';
import { openWhereInstalled } from '../../src/loop/where-installed.ts';
import { type Forge, type Repository, WorldProblem } from '../../src/ports.ts';

const charts: Repository = { host: 'github.com', owner: 'public', name: 'charts' };

function world() {
  let now = 0;
  const said: string[] = [];
  const known: Pick<Forge, 'repositoryOf'> = {
    repositoryOf: (url) => ({ ...charts, name: url.slice(url.lastIndexOf('/') + 1) }),
  };
  const log = { info() {}, warn: (message: string) => void said.push(message) };
  const where = openWhereInstalled(known as Forge, { now: () => now }, log);
  return { ...where, said, wait: (ms: number) => (now += ms) };
}

const refused = (notInstalledOn: Repository) =>
  new WorldProblem('permanent', 'The App is not installed there.', { notInstalledOn });

describe('a source that lies where the App is not installed', () => {
  test('is on no forge once it was refused, and others are', () => {
    const { forge, leaveOut } = world();
    expect(leaveOut(refused({ ...charts, owner: 'Public' }))).toBe(true);
    expect(forge.repositoryOf('https://github.com/public/charts')).toBeNull();
    expect(forge.repositoryOf('https://github.com/public/own')).toEqual({ ...charts, name: 'own' });
  });

  test('does not make a look begin anew for ever', () => {
    const { leaveOut } = world();
    expect([leaveOut(refused(charts)), leaveOut(refused(charts))]).toEqual([true, false]);
  });

  test('is asked again after a minute, and said once', () => {
    const { forge, leaveOut, said, wait } = world();
    leaveOut(refused(charts));
    wait(60_000);
    expect(forge.repositoryOf('https://github.com/public/charts')).toEqual(charts);
    expect(leaveOut(refused(charts))).toBe(true);
    expect(said).toHaveLength(1);
  });

  test.each([
    new WorldProblem('permanent', 'The installation is suspended.'),
    new WorldProblem('transient', 'GitHub is down.'),
    new Error('a bug'),
  ])('is told from other problems: $message', (problem) => {
    expect(world().leaveOut(problem)).toBe(false);
  });
});
