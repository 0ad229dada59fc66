/**
 * The change that most stories begin with: Dana merges a new ledger endpoint, whose container does not start in dev-1.
 */
import { merge, type StageDirector, workload } from '../story.ts';
import { repository } from './staging.ts';

export const config = 'apps/payments/config.json';

/** What every cluster runs well. */
export const goodConfig: Record<string, string> = { [config]: workload('payments', { version: '1' }) };

/** What dev-1 does not bear, in version `version`. */
export function badConfig(version = '2'): Record<string, string> {
  return {
    [config]: workload('payments', {
      version,
      'health.dev-1': 'Degraded',
      message: 'back-off restarting failed container',
    }),
  };
}

/** The bad change by pull request, with labels on it; gives its number. */
export function landBad({ world }: StageDirector, labels: readonly string[] = [], version = '2'): number {
  const number = world.github.propose(repository, {
    by: 'dana',
    branch: `ledger-${version}`,
    title: 'payments: new ledger endpoint',
    files: badConfig(version),
  });
  for (const label of labels) world.github.label(repository, number, label, 'dana');
  merge(world, repository, number, 'dana', 'squash');
  return number;
}

/** Sam takes the change of pull request `bad` back by hand, and says so; gives the number of his. */
export function proposeRevert({ world }: StageDirector, bad: number): number {
  return world.github.propose(repository, {
    by: 'sam',
    branch: 'revert-ledger',
    title: 'Revert "payments: new ledger endpoint"',
    body: `Reverts ${repository}#${bad}`,
    files: goodConfig,
  });
}

/** What Stepback wrote below a pull request or an issue. */
export function saidOn({ world }: StageDirector, number: number): string {
  const { github } = world;
  const ours = github.comments(repository, number).filter((one) => one.user === github.app.botLogin);
  return ours.map(({ body }) => body).join('\n');
}
