/** What stands on GitHub at this moment, in short, for tests of stories. */
import { repository } from '../../src/sandbox/stories/staging.ts';
import type { SandboxWorld } from '../../src/sandbox/world.ts';

/** Titles of the open pull requests. */
export function openPulls({ github }: SandboxWorld): readonly string[] {
  return github
    .pullRequests(repository)
    .filter((pull) => pull.state === 'open')
    .map((pull) => pull.title);
}

/** Branches of Stepback. */
export function branchesOf({ github }: SandboxWorld): readonly string[] {
  return Object.keys(github.branches(repository)).filter((name) => name.startsWith('stepback/'));
}

/** What Stepback wrote under a pull request. */
export function ourComments({ github }: SandboxWorld, number: number): readonly string[] {
  return github
    .comments(repository, number)
    .filter((one) => one.user === github.app.botLogin)
    .map((one) => one.body);
}
