/** What the stories about coming back share: a change that breaks staging-1, its revert, and the words that people read. */
import type { ApplicationObject } from '../argocd/objects.ts';
import { land, type SetWish, type StageDirector, StoryFault, workload } from '../story.ts';
import { everywhereOnVersionOne, isHealthyEverywhere, oneComment, oneRevert, repository } from './staging.ts';

export const config = 'apps/payments/config.json';

/** Nobody compares without being asked: what a push or a window does not tell, Argo CD does not see. */
export const asleep = { pollMs: 24 * 3_600_000 };

export interface BadChange {
  /** Words of the workload besides that staging-1 is Degraded. */
  data?: Record<string, string>;
  /** Files besides the workload. */
  files?: Record<string, string | null>;
  options?: Partial<SetWish>;
}

/** Version 1 everywhere, then a change that staging-1 does not bear; gives the numbers of its pull request and of the revert. */
export async function revertInStaging(
  stage: StageDirector,
  { data, files = {}, options }: BadChange = {},
): Promise<{ bad: number; revert: number; commit: string }> {
  await everywhereOnVersionOne(stage, options);
  const broken = { 'health.staging-1': 'Degraded', message: 'back-off restarting failed container' };
  const bad = land(stage.world, repository, 'payments: new ledger endpoint', {
    ...files,
    [config]: workload('payments', { version: '2', ...(data ?? broken) }),
  });
  const commit = stage.world.github.head(repository) ?? '';
  stage.say(`Dana merges #${bad}, and staging-1 breaks.`);
  const revert = await oneRevert(stage, repository);
  await oneComment(stage, repository, bad);
  return { bad, revert, commit };
}

/** Merges without a word to Argo CD: its webhook got lost. */
export function mergeUnnoticed({ world, say }: StageDirector, number: number): void {
  world.github.mergePullRequest(repository, number, { by: 'dana', method: 'merge' });
  say(`Dana merges the revert, #${number}, and GitHub's webhook does not reach Argo CD.`);
}

/** Waits until the pull request says it. */
export async function expectWords(
  stage: StageDirector,
  number: number,
  what: string,
  words: RegExp,
  minutesMax = 6,
): Promise<void> {
  const says = (): boolean => words.test(stage.world.github.pullRequest(repository, number)?.body ?? '');
  await stage.expect(`#${number} says ${what}`, says, minutesMax);
}

/** What runs in the clusters, by the sandbox's own truth. */
export function versionIn({ world }: StageDirector, application: string): string {
  const [object] = world.argocd
    .liveObjects(application)
    .filter(({ manifest }) => manifest.kind === 'ConfigMap' && manifest.metadata.name === 'payments');
  return object?.manifest.data?.version ?? '';
}

/** All twelve are Healthy, and the incident is closed with its figures. */
export async function everyApplicationIsBack(
  stage: StageDirector,
  number: number,
  minutesMax = 12,
): Promise<void> {
  await stage.expect('every Application is back', () => isHealthyEverywhere(stage, 'payments'), minutesMax);
  await expectWords(stage, number, 'that all are back, with figures', /\*\*Recovered\.\*\*[\s\S]*In all/, 4);
  const [incident] = await stage.world.loop.incidents();
  if (incident?.phase !== 'recovered')
    throw new StoryFault('The incident is not over although every Application is back.');
}

/** What Stepback has asked of Argo CD for Applications so far, as `refresh payments-dev-1`. */
export function aidsGiven({ world }: StageDirector): readonly string[] {
  return world.kubernetes.journal.entries
    .filter(({ verb, resource }) => verb === 'patch' && resource === 'applications')
    .map(({ name, body }) => `${aidIn(body)} ${name}`);
}

function aidIn(body: unknown): string {
  const text = JSON.stringify(body);
  if (text.includes('argocd.argoproj.io/refresh')) return 'refresh';
  return text.includes('"operation"') ? 'sync' : 'terminate';
}

/** Throws StoryFault unless Stepback asked Argo CD for exactly this, in any order. */
export function expectAids(stage: StageDirector, wanted: readonly string[]): void {
  const given = [...aidsGiven(stage)].sort().join(', ');
  const all = [...wanted].sort().join(', ');
  if (given !== all)
    throw new StoryFault(`Stepback should have asked for "${all}", and asked for "${given}".`);
}

/** How often an operation of the Application has failed and is to be tried again. */
export function triesIn({ world }: StageDirector, application: string): number {
  const found = world.store.get<ApplicationObject>('applications', 'argocd', application);
  return found?.status?.operationState?.retryCount ?? 0;
}

/** The credentials of a cluster stop working, and Argo CD finds out. */
export function awayWith({ world }: StageDirector, cluster: string): void {
  world.argocd.setReachable(cluster, false);
  world.argocd.refresh(`payments-${cluster}`);
}

export function backAgain({ world }: StageDirector, cluster: string): void {
  world.argocd.setReachable(cluster, true);
  world.argocd.refresh(`payments-${cluster}`);
}
