/** What must be so after a round, whoever died in it: the laws of the simulation, judged by what stands on GitHub and in the cluster. */
import {
  commentsOf,
  isWellOnVersionOne,
  lettersOf,
  maxUpdates,
  phasesOf,
  repositoryOf,
  revertsOf,
  stepsOf,
} from './apps.ts';
import type { Plan } from './plan.ts';
import type { ReplicaWorld } from './replicas.ts';

/** What is known of a round besides what can be looked up. */
export interface Played {
  plan: Plan;
  /** The pull request that did it. */
  culprit: number;
  /** Steps were seen to stand at 0. */
  wasFrozen: boolean;
}

/** Each law that is broken, in a sentence. `isRemoved`: only what stands on GitHub is left of it. */
export function brokenLaws(
  world: ReplicaWorld,
  played: Played,
  { isRemoved = false }: { isRemoved?: boolean } = {},
): readonly string[] {
  const { plan } = played;
  return (isRemoved ? lawsOfGitHub : [...lawsOfGitHub, ...lawsOfTheCluster])
    .map((law) => law(world, played))
    .filter((words): words is string => words !== null)
    .map((words) => `${plan.name}: ${words}`);
}

type Law = (world: ReplicaWorld, played: Played) => string | null;

const oneRevert: Law = (world, { plan }) => {
  const reverts = revertsOf(world, plan);
  if (reverts.length !== 1) return `${reverts.length} reverts were opened`;
  const files = world.github
    .filesOfPullRequest(repositoryOf(plan), reverts[0]?.number ?? 0)
    .map(({ path }) => path);
  return files.join() === `apps/${plan.name}/config.json` ? null : `the revert changes ${files.join(', ')}`;
};

const oneCommentEach: Law = (world, { plan, culprit }) => {
  const ours = commentsOf(world, plan, culprit);
  const told = ours.filter(({ marker }) => marker?.kind === 'culprit');
  if (told.length !== 1) return `${told.length} comments say what the change did`;
  const about = new Set(ours.map(({ marker }) => JSON.stringify(marker)));
  return about.size === ours.length ? null : `${ours.length} comments say ${about.size} things`;
};

/** One that was made twice because its answer was lost is told to be over. */
const noDoubledCheck: Law = ({ github }, { plan }) => {
  const seen = new Set<string>();
  for (const commit of github.commits(repositoryOf(plan), 'main')) {
    for (const run of github.checkRuns(repositoryOf(plan), commit.sha)) {
      if (run.conclusion === 'neutral') continue;
      const key = `${run.name} on ${commit.sha.slice(0, 7)}`;
      if (seen.has(key)) return `the check run ${key} stands there twice`;
      seen.add(key);
    }
  }
  return null;
};

const everythingIsBack: Law = (world, { plan }) =>
  isWellOnVersionOne(world, plan) ? null : 'not every Application is Synced and Healthy on version 1';

const recoveryIsTold: Law = (world, { plan }) => {
  const phases = phasesOf(world, plan);
  if (phases.join() !== 'recovered') return `its incidents are ${phases.join(', ') || 'none'}`;
  return isTold(world, plan) ? null : 'the revert does not say that everything is back';
};

const thawed: Law = (world, { plan, wasFrozen }) => {
  // What is Pending already cannot be held: by bad luck that is all that is still ahead.
  if (wasFrozen && !plan.isFrozen) return 'its steps were frozen';
  const steps = stepsOf(world, plan);
  return JSON.stringify(steps) === JSON.stringify(maxUpdates)
    ? null
    : `maxUpdate of its steps is ${JSON.stringify(steps)}`;
};

const answeredOnce: Law = (world, { plan, culprit }) => {
  const letters = lettersOf(world, plan);
  const asked = plan.asks === null ? 0 : 1;
  if (letters.length !== asked) return `${letters.length} letters were kept of ${asked} commands`;
  const replies = commentsOf(world, plan, culprit).filter(({ marker }) => marker?.kind === 'reply');
  if (replies.length !== asked) return `${replies.length} answers to ${asked} commands`;
  return letters.every(({ isSettled, replyId }) => isSettled && replies.some(({ id }) => id === replyId))
    ? null
    : 'a letter is not settled by its answer';
};

const lawsOfGitHub: readonly Law[] = [
  oneRevert,
  oneCommentEach,
  noDoubledCheck,
  recoveryIsTold,
  answeredOnce,
];
const lawsOfTheCluster: readonly Law[] = [everythingIsBack, thawed];

/** The pull request says that everything is back. */
export function isTold(world: ReplicaWorld, plan: Plan): boolean {
  return revertsOf(world, plan).every((one) => one.body.includes('**Recovered.**'));
}
