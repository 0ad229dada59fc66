import { expect, it } from 'vitest';
import { beforeTheMerge, brokenConfiguration, checkOf } from '../../src/sandbox/stories/pull-requests.ts';
import { everywhereOnVersionOne, repository } from '../../src/sandbox/stories/staging.ts';
import { createSet, push, type StageDirector, workload } from '../../src/sandbox/story.ts';
import { masked } from './masked.ts';
import { open, type Played, storyOf } from './playing.ts';

/** What stands in the newest check run of a name on a commit. */
function words({ world }: Played, sha: string | undefined, name = 'stepback / blast radius'): string {
  const run = world.github.checkRuns(repository, sha).findLast((one) => one.name === name);
  return masked(world, [`${run?.conclusion}: ${run?.title}`, run?.summary, run?.text].join('\n\n')).trim();
}

it('tells open pull requests what people should know before they merge', async () => {
  const play = await open(beforeTheMerge);
  const { github } = play.world;
  const said = (number: number) => words(play, github.pullRequest(repository, number)?.head.sha);
  await beforeTheMerge.play(play.director);
  expect(said(1)).toMatchInlineSnapshot(`
    "neutral: argocd/payments is failing right now in stage 1 (dev)

    **A rollout of \`argocd/payments\` is failing right now**: it is Degraded in stage 1 (dev). [#4](https://github.com/acme/payments/pull/4) takes back what did it. Unless this is what mends it, merge that first: merged now, this rolls out together with what fails.

    Merging this into \`main\` reaches **12 of 12** Applications of \`argocd/payments\` on **12 clusters**: dev, then staging, then prod.

    |  | Stage | Reaches | How |
    | --- | --- | --- | --- |
    | 1 | dev | 1 of 1 on 1 cluster: dev-1 | all at once |
    | 2 | staging | 3 of 3 on 3 clusters: staging-1, staging-2 and staging-3 | 50 % at a time |
    | 3 | prod | 8 of 8 on 8 clusters: prod-1, prod-2, prod-3, prod-4 and 4 more | one at a time |

    This is the order that is meant. Argo CD can sync a later stage early when its Applications notice the commit first."
  `);
  expect(said(2)).toMatchInlineSnapshot(`
    "neutral: Feeds no ApplicationSet

    Merging this into \`main\` rolls nothing out: no ApplicationSet takes from there what it changes. When it changes, I look again."
  `);
  expect(said(4)).toMatchInlineSnapshot(`
    "success: Takes back what fails in argocd/payments

    **This takes back [#3](https://github.com/acme/payments/pull/3) \`payments: new ledger endpoint\`.** Its description says what fails and how far it got.

    **A rollout of \`argocd/payments\` is failing right now**: it is Degraded in stage 1 (dev).

    Merging this into \`main\` reaches **12 of 12** Applications of \`argocd/payments\` on **12 clusters**: dev, then staging, then prod.

    |  | Stage | Reaches | How |
    | --- | --- | --- | --- |
    | 1 | dev | 1 of 1 on 1 cluster: dev-1 | all at once |
    | 2 | staging | 3 of 3 on 3 clusters: staging-1, staging-2 and staging-3 | 50 % at a time |
    | 3 | prod | 8 of 8 on 8 clusters: prod-1, prod-2, prod-3, prod-4 and 4 more | one at a time |

    This is the order that is meant. Argo CD can sync a later stage early when its Applications notice the commit first."
  `);
  await beforeTheMerge.after?.(play.director);
  expect(said(1)).toMatchInlineSnapshot(`
    "success: argocd/payments: dev, then staging, then prod; 12 clusters

    Merging this into \`main\` reaches **12 of 12** Applications of \`argocd/payments\` on **12 clusters**: dev, then staging, then prod.

    |  | Stage | Reaches | How |
    | --- | --- | --- | --- |
    | 1 | dev | 1 of 1 on 1 cluster: dev-1 | all at once |
    | 2 | staging | 3 of 3 on 3 clusters: staging-1, staging-2 and staging-3 | 50 % at a time |
    | 3 | prod | 8 of 8 on 8 clusters: prod-1, prod-2, prod-3, prod-4 and 4 more | one at a time |

    This is the order that is meant. Argo CD can sync a later stage early when its Applications notice the commit first."
  `);
  expect(said(5)).toMatchInlineSnapshot(`
    "neutral: Lands again what #4 took back in argocd/payments

    **This lands again what [#4](https://github.com/acme/payments/pull/4) took back**: [#3](https://github.com/acme/payments/pull/3) \`payments: new ledger endpoint\`. \`argocd/payments\` became Degraded on it in stage 1 (dev), and it would get exactly the same once more. Correct what failed before you merge.

    Merging this into \`main\` reaches **12 of 12** Applications of \`argocd/payments\` on **12 clusters**: dev, then staging, then prod.

    |  | Stage | Reaches | How |
    | --- | --- | --- | --- |
    | 1 | dev | 1 of 1 on 1 cluster: dev-1 | all at once |
    | 2 | staging | 3 of 3 on 3 clusters: staging-1, staging-2 and staging-3 | 50 % at a time |
    | 3 | prod | 8 of 8 on 8 clusters: prod-1, prod-2, prod-3, prod-4 and 4 more | one at a time |

    This is the order that is meant. Argo CD can sync a later stage early when its Applications notice the commit first."
  `);
  expect(said(6)).toBe(said(5));
});

it('says what is wrong with a configuration: before its merge, on the commit that broke it, and when it is mended', async () => {
  const play = await open(brokenConfiguration);
  const { github } = play.world;
  const name = 'stepback / configuration';
  await brokenConfiguration.play(play.director);
  expect(words(play, github.pullRequest(repository, 1)?.head.sha, name)).toMatchInlineSnapshot(`
    "failure: Cannot be used: line 3, column 10

    \`.github/stepback.yaml\` has 1 fault, so nothing in it counts. Merged like this, it would leave the last good version in force. Mend it here first.

    **Line 3, column 10**, \`times.grace\`: "3 parsecs" is no time. Write it like "90s", "2m", "1h30m" or "1d".

    \`\`\`text
    3 |   grace: 3 parsecs
      |          ^^^^^^^^^
    \`\`\`"
  `);
  expect(words(play, github.branches(repository).main, name)).toMatchInlineSnapshot(`
    "failure: Cannot be used: line 3, column 10

    \`.github/stepback.yaml\` has 1 fault, so nothing in it counts. The last good version stays in force until this one is mended.

    **Line 3, column 10**, \`times.grace\`: "3 parsecs" is no time. Write it like "90s", "2m", "1h30m" or "1d".

    \`\`\`text
    3 |   grace: 3 parsecs
      |          ^^^^^^^^^
    \`\`\`"
  `);
  await brokenConfiguration.after?.(play.director);
  expect(words(play, github.branches(repository).main, name)).toMatchInlineSnapshot(`
    "success: Can be used

    \`.github/stepback.yaml\` has no fault and counts."
  `);
});

const change = { 'apps/payments/timeouts.json': workload('timeouts', { seconds: '30' }) };

/** Version 1 everywhere, before anything that a test does. */
async function begin(): Promise<Played> {
  const play = await open(storyOf((stage) => everywhereOnVersionOne(stage)));
  await play.story.play(play.director);
  return play;
}

function proposeTo(
  { world }: StageDirector,
  wish: { files?: Record<string, string>; base?: string; repository?: string; branch?: string } = {},
): number {
  const { files = change, repository: where = repository, branch = 'timeouts', base } = wish;
  return world.github.propose(where, { by: 'robin', branch, title: 'Longer timeouts', files, base });
}

const minuteMs = 60_000;
const runsOf = ({ world }: Played, where = repository) =>
  world.github.checkRuns(where).filter((run) => run.name === 'stepback / blast radius');

it('finds a pull request that no webhook told of, after a restart and every hour, and makes the check run once', async () => {
  const play = await begin();
  play.world.github.faults.addDelivery({
    event: 'pull_request',
    times: Number.POSITIVE_INFINITY,
    fate: 'lose',
  });
  await play.conductor.pass(2 * minuteMs);
  const first = proposeTo(play.director);
  await play.conductor.pass(5 * minuteMs);
  expect(checkOf(play.director, first)).toBeUndefined();
  await play.world.restart();
  await play.conductor.pass(2 * minuteMs);
  expect(checkOf(play.director, first)).toMatch(/^success: /);
  const second = proposeTo(play.director, { branch: 'more-timeouts' });
  await play.conductor.pass(65 * minuteMs);
  expect(checkOf(play.director, second)).toMatch(/^success: /);
  await play.world.restart();
  await play.conductor.pass(2 * minuteMs);
  expect(runsOf(play)).toHaveLength(2);
});

it('is neutral where nothing follows the branch, and where nobody can see the cluster; and looks again', async () => {
  const play = await begin();
  const { github, kubernetes } = play.world;
  github.push(repository, { branch: 'release', sha: github.branches(repository).main ?? null, by: 'dana' });
  const other = proposeTo(play.director, { base: 'release' });
  await play.conductor.pass(minuteMs);
  expect(checkOf(play.director, other)).toBe('neutral: Feeds no ApplicationSet');
  kubernetes.faults.add({
    verb: 'get',
    resource: 'applicationsets',
    times: Number.POSITIVE_INFINITY,
    fault: { kind: 'status', code: 503 },
  });
  await play.world.restart();
  const unseen = proposeTo(play.director);
  await play.director.expect('it is told', () => checkOf(play.director, unseen) !== undefined);
  expect(checkOf(play.director, unseen)).toBe('neutral: Cannot tell what it feeds');
  kubernetes.faults.clear();
  await play.director.expect(
    'it is looked at again',
    () => checkOf(play.director, unseen)?.startsWith('success: argocd/payments') === true,
  );
});

it('keeps every commit of a pull request told, also when it is moved to another branch', async () => {
  const play = await begin();
  const { github } = play.world;
  const number = proposeTo(play.director, { files: { 'README.md': 'more' } });
  await play.conductor.pass(minuteMs);
  expect(checkOf(play.director, number)).toBe('neutral: Feeds no ApplicationSet');
  github.commit(repository, { author: 'robin', branch: 'timeouts', message: 'more', files: change });
  await play.conductor.pass(minuteMs);
  expect(checkOf(play.director, number)).toMatch(/^success: argocd\/payments/);
  expect(runsOf(play)).toHaveLength(2);
});

it('says nothing where it is only observed, nor in a repository that feeds nothing and wants nothing', async () => {
  const play = await begin();
  const { github } = play.world;
  github.createRepository({ owner: 'acme', name: 'shop', files: { 'src/index.ts': '' } });
  proposeTo(play.director, { repository: 'acme/shop', files: { 'src/index.ts': 'more' } });
  push(play.world, repository, 'Only watch', { '.github/stepback.yaml': 'mode: observe\n' });
  proposeTo(play.director);
  await play.conductor.pass(3 * minuteMs);
  expect([...runsOf(play), ...runsOf(play, 'acme/shop')]).toEqual([]);
});

it('tells one pull request of every ApplicationSet that it feeds', async () => {
  const play = await begin();
  const { world, director } = play;
  createSet(world, { name: 'orders', repository, path: 'apps/payments', maxUpdates: ['100%', 0, 1] });
  await play.conductor.pass(3 * minuteMs);
  const number = proposeTo(director);
  await play.conductor.pass(minuteMs);
  expect(checkOf(director, number)).toBe('success: 2 ApplicationSets, 24 Applications');
  const sha = world.github.pullRequest(repository, number)?.head.sha;
  expect(words(play, sha)).toContain('Stage 2 (staging) is a gate');
});
