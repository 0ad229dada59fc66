/** Whoever is woken up by a stopped rollout finds a pull request, or why there is none. */

import { botLogin } from '../hub-objects.ts';
import { type Law, takenBackBy } from '../law.ts';
import type { World } from '../world.ts';

/** So long it may take until something is said. */
const patienceMs = 10 * 60_000;

export const answered: Law = {
  name: 'answered',
  words: 'Every rollout that fails ends in a pull request, or in a reason that is said.',
  atEnd(world) {
    const { truth, time } = world;
    const silent = truth.failures().find((one) => {
      if (one.fault === 'ill') return false;
      const isThere = truth.blobNow(one.path) === one.blob && time.now() - one.firstAt > patienceMs;
      return isThere && isFailingNow(world, one.application) && !isAnswered(world, one);
    });
    return silent === undefined
      ? null
      : `${silent.application} fails on ${silent.path} (${silent.fault}), and there is neither a revert nor a reason`;
  },
};

function isFailingNow({ store }: World, application: string): boolean {
  const status = store.get<
    { status?: { sync?: { status?: string }; health?: { status?: string } } } & object
  >('applications', 'argocd', application)?.status;
  return status?.sync?.status !== 'Synced' || status.health?.status !== 'Healthy';
}

function isAnswered(
  world: World,
  { applicationSet, path, blob }: { applicationSet: string; path: string; blob: string },
): boolean {
  const commits = world.truth.introducers(path, blob);
  const reverts = world.repository.pulls.all().filter((pull) => pull.user === botLogin);
  if (reverts.some((pull) => takenBackBy(world, pull.number).some((sha) => commits.includes(sha))))
    return true;
  return world.hosts.some(({ loop }) => {
    const answer = loop.results().get(`argocd/${applicationSet}`)?.answer;
    return answer !== undefined && answer.rollout.verdict !== 'ok' && answer.rollout.reasons.length > 0;
  });
}
