/**
 * `/stepback sync`: asks Argo CD for a sync of one Application after the other, and says what came of each. One that was asked for
 * by the same letter, before a crash or by another replica, or that has synced since it came, is not asked for again.
 */
import { repositorySettings, settingsFor, settingsForAll } from '../config/resolve.ts';
import type { Command } from '../domain/command.ts';
import { wouldGetBad } from '../domain/containment.ts';
import type { Obstacle } from '../domain/incident.ts';
import { everyApplication, type StageApplication } from '../domain/rollout.ts';
import { unknownResult } from '../render/command-results.ts';
import { obstacleSentence } from '../render/obstacles.ts';
import { type SyncOutcome, syncResult } from '../render/sync-result.ts';
import { type Desk, lookAt, looksMax, openIncidents, type Result, withOrder } from './command-desk.ts';
import { findPlace } from './command-place.ts';
import { stoppedNow } from './read-again.ts';

/** More in one go would be a rollout without stages. */
const applicationsMax = 50;

export async function sync(desk: Desk, command: Extract<Command, { verb: 'sync' }>): Promise<Result> {
  const { world, letter } = desk;
  const stopped = await stoppedFor(desk);
  if (stopped !== null) return { words: obstacleSentence(stopped), why: stopped.kind };
  const meant = await applicationsOf(desk, command);
  if ('words' in meant) return meant;
  const spreading = await wouldSpread(desk, meant);
  const wanted = meant.filter((one) => !spreading.includes(one));
  const outcomes: SyncOutcome[] = [];
  for (const { application } of wanted.slice(0, applicationsMax)) {
    const since = application.operation?.startedAt ?? 0;
    const reason = `asked for by ${letter.sender.login} on ${letter.repository.owner}/${letter.repository.name} (${letter.id})`;
    const isOurs = [application.operation, application.requestedOperation].some(
      (one) => one?.reason === reason,
    );
    const isDone = isOurs || since >= letter.receivedAt;
    const result = isDone ? 'done' : await world.cluster.interventions.sync(application.key, { reason });
    outcomes.push({ name: application.name, result });
  }
  const rest = Math.max(0, wanted.length - applicationsMax);
  const isAny = outcomes.some(({ result }) => result === 'done');
  if (isAny)
    for (const incident of await openIncidents(desk))
      await world.memories.saveIncident(withOrder(incident, desk, command));
  const ahead = spreading.map(({ application }) => application.name);
  const why = outcomes[0]?.result ?? (ahead.length > 0 ? 'would-spread' : 'nothing');
  return { words: syncResult(outcomes, { rest, ahead }), why: isAny ? '' : why };
}

/** Those that have not got what fails, and would get it: a sync takes what the branch holds, whatever holds their stage. */
async function wouldSpread(
  desk: Desk,
  meant: readonly StageApplication[],
): Promise<readonly StageApplication[]> {
  const { world, keys } = desk;
  const sets = (await openIncidents(desk)).flatMap((one) => one.sets.filter(({ key }) => keys.includes(key)));
  const changes = sets.flatMap(({ bad, lastGood }) => (bad === null ? [] : [{ bad, lastGood }]));
  if (changes.length === 0) return [];
  const heads = await world.heads.of(
    meant.map(({ application }) => application),
    world.headMaxAgeMs,
  );
  return meant.filter((one) => changes.some((change) => wouldGetBad(one, change, heads, world.content)));
}

/** A stop is for the cluster too: until it ends, a sync is for Argo CD's own tools. */
async function stoppedFor({ world, letter, keys }: Desk): Promise<Obstacle | null> {
  const configuration = await world.configurations.of(letter.repository);
  const known = world.cluster.applicationSets();
  const [first = repositorySettings(configuration), ...others] = keys.map(
    (key) => settingsFor(configuration, { key, annotations: known.get(key)?.annotations ?? {} }).settings,
  );
  return stoppedNow(world, letter.repository, settingsForAll([first, ...others]));
}

async function applicationsOf(
  desk: Desk,
  { place }: Extract<Command, { verb: 'sync' }>,
): Promise<readonly StageApplication[] | Result> {
  if (place === null) {
    const all: StageApplication[] = [];
    for (const key of desk.keys.slice(0, looksMax)) {
      const result = await lookAt(desk, key);
      if (result !== null) all.push(...everyApplication(result.answer.rollout));
    }
    return all;
  }
  const found = await findPlace(desk, place);
  if (found.kind === 'unknown')
    return { words: unknownResult('sync', found.unknown), why: found.unknown.kind };
  return found.rollouts.flatMap((rollout) =>
    found.kind === 'application'
      ? everyApplication(rollout).filter(({ application }) => application.name === found.name)
      : rollout.stages
          .filter((stage) => String(stage.number) === found.name || stage.name === found.name)
          .flatMap((stage) => stage.applications),
  );
}
