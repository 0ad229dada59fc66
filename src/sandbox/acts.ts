/** The verbs, done: what people do on GitHub, and what happens to clusters. Each answers with a sentence. */
import type { ApplicationObject, ApplicationSetObject } from './argocd/objects.ts';
import { didYouMean } from './spelling.ts';
import { merge, push, workload } from './story.ts';
import { faultOfWords, type VerbName, verbNamed } from './verbs.ts';
import type { SandboxWorld } from './world.ts';

/** A verb could not be done; the message says why and what can. */
export class ActFault extends Error {}

/** Who does what is done from outside. */
const you = 'you';

type Act = (world: SandboxWorld, words: readonly string[]) => string;

/** `status` and `stop` are answered by whoever runs the sandbox. */
const acts: Readonly<Record<Exclude<VerbName, 'status' | 'stop'>, Act>> = {
  merge: mergeIt,
  close: closeIt,
  comment: commentOn,
  push: (world, words) => change(world, words, true),
  propose: (world, words) => change(world, words, false),
  break: breakIt,
  heal(world, [name = '']) {
    const application = applicationOf(world, name);
    world.argocd.setHealth(application, undefined);
    return `You heal ${application}.`;
  },
  unreachable: (world, [name = '']) => reach(world, name, false),
  reachable: (world, [name = '']) => reach(world, name, true),
  sync(world, [name = '']) {
    const application = applicationOf(world, name);
    world.argocd.syncByHand(application, { username: you });
    return `You sync ${application} by hand.`;
  },
};

/** Does one verb; answers with a sentence. Throws ActFault when it cannot be done. */
export function act(world: SandboxWorld, name: keyof typeof acts, words: readonly string[]): string {
  const verb = verbNamed(name);
  const fault = verb === undefined ? null : faultOfWords(verb, words);
  if (fault !== null) throw new ActFault(fault);
  return acts[name](world, words);
}

function mergeIt(world: SandboxWorld, [written]: readonly string[]): string {
  const { repository, number } = pullRequestOf(world, written);
  try {
    merge(world, repository, number, you);
  } catch (problem) {
    throw new ActFault(
      `#${number} cannot be merged: ${problem instanceof Error ? problem.message : problem}`,
    );
  }
  return `You merge #${number}.`;
}

function closeIt(world: SandboxWorld, [written]: readonly string[]): string {
  const { repository, number } = pullRequestOf(world, written);
  world.github.closePullRequest(repository, number, you);
  return `You close #${number}.`;
}

function commentOn(world: SandboxWorld, [written = '', ...text]: readonly string[]): string {
  const { repository, number } = pullRequestOf(world, written, true);
  // Who plays is let in, so that commands can be tried.
  world.github.addCollaborator(repository, you, 'write');
  world.github.comment(repository, number, { by: you, body: text.join(' ') });
  return `You comment on #${number}.`;
}

/** The pull request of this number (`3`, `#3`, `acme/payments#3`); the open revert when nothing is written. */
function pullRequestOf(
  world: SandboxWorld,
  written: string | undefined,
  mayBeClosed = false,
): { repository: string; number: number } {
  const { github } = world;
  const all = github
    .repositories()
    .flatMap((repository) => github.pullRequests(repository).map((pull) => ({ repository, ...pull })));
  if (written === undefined) {
    const revert = all.findLast((pull) => pull.user === github.app.botLogin && pull.state === 'open');
    if (revert === undefined) throw new ActFault('No revert is open. Name the pull request by its number.');
    return revert;
  }
  const [, repository = '', number = ''] = /^(.*?)#?(\d+)$/.exec(written) ?? [];
  const found = all.filter(
    (pull) => pull.number === Number(number) && (repository === '' || pull.repository === repository),
  );
  const chosen = found.findLast((pull) => pull.state === 'open') ?? found.at(-1);
  if (chosen === undefined) throw new ActFault(`There is no pull request ${written}.`);
  if (chosen.state !== 'open' && !mayBeClosed)
    throw new ActFault(`#${chosen.number} is ${chosen.state} already.`);
  return chosen;
}

/** A change of the first ApplicationSet, or of the one that is named, good or bad on some clusters or on all. */
function change(world: SandboxWorld, [kind = '', ...names]: readonly string[], isPush: boolean): string {
  if (kind !== 'good' && kind !== 'bad')
    throw new ActFault(`A change is good or bad, and not "${kind}".${didYouMean(kind, ['good', 'bad'])}`);
  const sets = world.store.list<ApplicationSetObject>('applicationsets');
  const named = sets.find((set) => set.metadata.name === names[0]);
  const set = named ?? sets[0];
  const { repoURL, path = '' } = set?.spec.template.spec.source ?? {};
  if (set === undefined || repoURL === undefined)
    throw new ActFault('This story has no ApplicationSet with one source; play another one.');
  const repository = new URL(repoURL).pathname.replace(/^\/|\.git$/g, '');
  const clusters = (named === undefined ? names : names.slice(1)).map((name) => clusterOf(world, name));
  if (kind === 'good' && clusters.length > 0)
    throw new ActFault('A good change is good everywhere; leave out the clusters.');
  const file = `${path}/config.json`;
  const version = versionIn(world.github.file(repository, file)) + 1;
  const health = (clusters.length === 0 ? ['health'] : clusters.map((name) => `health.${name}`)).map(
    (key) => [key, 'Degraded'],
  );
  const bad =
    kind === 'bad' ? { ...Object.fromEntries(health), message: 'back-off restarting failed container' } : {};
  const files = { [file]: workload(set.metadata.name, { version: String(version), ...bad }) };
  const title = `${set.metadata.name}: version ${version}`;
  const where =
    kind === 'good' ? '' : ` on ${clusters.length === 0 ? 'every cluster' : clusters.join(' and ')}`;
  if (isPush) {
    push(world, repository, title, files, you);
    return `You push "${title}" to main, ${kind}${where}.`;
  }
  const branch = `version-${version}-${world.github.pullRequests(repository).length + 1}`;
  const number = world.github.propose(repository, { by: you, branch, title, files });
  return `You open #${number} "${title}", ${kind}${where}. Merge it with: npm run sandbox -- merge ${number}`;
}

function versionIn(text: string | undefined): number {
  return Number(/"version": "(\d+)"/.exec(text ?? '')?.[1] ?? 0);
}

function breakIt(world: SandboxWorld, [name = '', ...words]: readonly string[]): string {
  const application = applicationOf(world, name);
  const message = words.length === 0 ? 'OOMKilled' : words.join(' ');
  world.argocd.setHealth(application, { status: 'Degraded', message });
  return `You break ${application}: ${message}.`;
}

function reach(world: SandboxWorld, name: string, isReachable: boolean): string {
  const cluster = clusterOf(world, name);
  world.argocd.setReachable(cluster, isReachable);
  for (const application of world.store.list<ApplicationObject>('applications')) {
    if (application.metadata.name.endsWith(`-${cluster}`)) world.argocd.refresh(application.metadata.name);
  }
  return isReachable ? `${cluster} can be reached again.` : `${cluster} cannot be reached any more.`;
}

/** `staging-1` is enough where one Application ends so. */
function applicationOf(world: SandboxWorld, written: string): string {
  const names = world.store.list('applications').map(({ metadata }) => metadata.name);
  const found = names.includes(written) ? [written] : names.filter((name) => name.endsWith(`-${written}`));
  if (found.length === 1) return found[0] as string;
  const what = found.length === 0 ? 'There is no Application' : 'Several Applications end with';
  throw new ActFault(`${what} "${written}".${didYouMean(written, names)} There are: ${names.join(', ')}.`);
}

function clusterOf(world: SandboxWorld, written: string): string {
  const names = world.clusters.map(({ name }) => name);
  if (names.includes(written)) return written;
  throw new ActFault(
    `There is no cluster "${written}".${didYouMean(written, names)} There are: ${names.join(', ')}.`,
  );
}
