/**
 * Commands that change what is remembered: hold, resume, snooze, dismiss, retry, freeze, thaw. Each keeps the time of its
 * letter, so that carrying it out twice changes nothing the second time.
 */

import { settingsFor } from '../config/resolve.ts';
import { placeName } from '../content/place-name.ts';
import type { Command } from '../domain/command.ts';
import { dismissed, takenUpAgain } from '../domain/decision.ts';
import type { Incident } from '../domain/incident.ts';
import type { ObjectKey } from '../domain/objects.ts';
import { holdsIn, withHold, withoutHold, withSnooze } from '../domain/orders.ts';
import {
  dismissedResult,
  frozenResult,
  heldResult,
  nothingToDismiss,
  nothingToFreeze,
  resumedResult,
  retriedResult,
  snoozeBeyond,
  snoozedResult,
  thawedResult,
  unknownResult,
} from '../render/command-results.ts';
import {
  type Desk,
  done,
  fresh,
  lookAt,
  looksMax,
  openIncidents,
  order,
  type Result,
  withOrder,
} from './command-desk.ts';
import { findPlace, placeWords } from './command-place.ts';
import { isIn } from './command-subject.ts';
import { keepTexts } from './keep-texts.ts';
import { withForgottenRevert } from './make-revert.ts';
import { placeOf } from './move-on.ts';
import { mayWrite, type Stop } from './stops.ts';
import { termsOf } from './terms.ts';

type Of<Verb extends Command['verb']> = Extract<Command, { verb: Verb }>;

export async function hold(desk: Desk, command: Of<'hold'>): Promise<Result> {
  const { receivedAt, sender } = desk.letter;
  const until = receivedAt + command.forMs;
  const one = { until, by: sender.login, at: receivedAt, repository: nameHere(desk) };
  await order(desk, command, (orders) => withHold(orders, one));
  return done(heldResult(desk.keys, until));
}

/** Ends holds; where nothing is held, what a person had closed or dismissed is taken up again. */
export async function resume(desk: Desk, command: Of<'resume'>): Promise<Result> {
  const { world, letter, keys } = desk;
  const { receivedAt, sender } = letter;
  const memories = await Promise.all(keys.map((key) => world.memories.memory(key)));
  // Also one that this letter ended, when it is carried out again after a crash.
  const here = nameHere(desk);
  const isHeld = memories.some(({ orders }) =>
    holdsIn(orders, here).some(({ until }) => until >= receivedAt),
  );
  await order(desk, command, (orders) => withoutHold(orders, here, receivedAt));
  if (!isHeld)
    for (const incident of desk.incidents.filter((one) => one.phase === 'dismissed'))
      await world.memories.saveIncident(takenUpAgain(incident, sender.login, receivedAt));
  const now = await Promise.all(desk.incidents.map((one) => fresh(desk, one)));
  const isDismissed = now.some((one) => one.phase === 'dismissed');
  return done(resumedResult(keys, { configuredUntil: await configuredUntil(desk), isDismissed }));
}

/** Who may write here may nothing in another repository that feeds the same ApplicationSet. */
function nameHere({ letter: { repository } }: Desk): string {
  return `${repository.owner}/${repository.name}`;
}

/** The hold that the configuration has for any of them; null without one. */
async function configuredUntil({ world, letter, keys }: Desk): Promise<number | null> {
  const configuration = await world.configurations.of(letter.repository);
  const known = world.cluster.applicationSets();
  const ends = keys.map(
    (key) =>
      settingsFor(configuration, { key, annotations: known.get(key)?.annotations ?? {} }).settings.heldUntil,
  );
  const last = Math.max(0, ...ends);
  return last > world.clock.now() ? last : null;
}

export async function snooze(desk: Desk, command: Of<'snooze'>): Promise<Result> {
  const { receivedAt, sender } = desk.letter;
  const found = await findPlace(desk, command.place);
  if (found.kind === 'unknown')
    return { words: unknownResult('snooze', found.unknown), why: found.unknown.kind };
  const beyond = await outOfReach(desk, found.keys);
  if (beyond.length > 0) return { words: snoozeBeyond(beyond), why: 'other-repository' };
  const until = receivedAt + command.forMs;
  const those = { ...desk, keys: found.keys };
  await order(those, command, (orders) =>
    withSnooze(
      orders,
      { kind: found.kind, name: found.name, until, by: sender.login, at: receivedAt },
      receivedAt,
    ),
  );
  return done(snoozedResult(placeWords(found), until));
}

/** Repositories that feed the ApplicationSets as well and that the sender may not write in: a snooze would reach there. */
async function outOfReach(desk: Desk, keys: readonly ObjectKey[]): Promise<readonly string[]> {
  const { world, letter } = desk;
  const looks = await Promise.all(keys.map((key) => world.cluster.closeLook(key)));
  const urls = looks.flatMap((look) => look?.applications.flatMap(({ sources }) => sources) ?? []);
  const places = new Map(
    urls.flatMap(({ repoURL }) => {
      const place = world.forge.repositoryOf(repoURL);
      return place === null ? [] : [[placeName(place), place] as const];
    }),
  );
  places.delete(placeName(letter.repository));
  const beyond: string[] = [];
  for (const place of places.values()) {
    // Where the App is not installed nothing is ever taken back.
    if ((await world.forge.repository(place)) === null) continue;
    const permission = await world.forge.permissionOf(place, letter.sender.login);
    if (!mayWrite.has(permission)) beyond.push(`${place.owner}/${place.name}`);
  }
  return beyond;
}

/** A false alarm: no revert for this change, whatever fails. */
export async function dismiss(desk: Desk, command: Of<'dismiss'>): Promise<Result> {
  const { world, letter } = desk;
  const by = { by: letter.sender.login, at: letter.receivedAt, reason: command.reason };
  const isOurs = (one: Incident): boolean =>
    one.phase === 'noticed' || one.phase === 'proposed' || one.dismissal?.at === letter.receivedAt;
  const concerned = desk.incidents.filter(isOurs);
  if (concerned.length === 0) return { words: nothingToDismiss, why: 'nothing-to-dismiss' };
  const reverts: number[] = [];
  let stopped: Stop | null = null;
  for (const incident of concerned) {
    const repository = placeOf(incident);
    const { settings } = await termsOf(world, repository, incident, world.clock.now());
    const stop = await world.stops.of(repository, settings.stopLabels, 0);
    stopped ??= stop;
    // One that was opened a moment before a crash is closed as well.
    const found =
      incident.pullRequest === null ? await withForgottenRevert(world.forge, repository, incident) : incident;
    const next = found.phase === 'dismissed' ? found : dismissed(found, by, { mayClose: stop === null });
    const { pullRequest } = next;
    await world.memories.saveIncident(next);
    const links = world.linksFor(repository);
    const written = await keepTexts(world, repository, next, links, world.clock.now());
    if (pullRequest !== null && stop === null)
      await world.forge.updatePullRequest(repository, pullRequest.number, { state: 'closed' });
    if (pullRequest !== null) reverts.push(pullRequest.number);
    await world.memories.saveIncident(written);
  }
  return done(dismissedResult(command.reason, reverts, stopped));
}

/** What was in the way is forgotten, and everything is read and tried again at once. */
export async function retry(desk: Desk, command: Of<'retry'>): Promise<Result> {
  const { world, letter, keys } = desk;
  world.configurations.changed(letter.repository);
  world.culprits.clear();
  for (const incident of [...desk.incidents, ...(await openIncidents(desk))]) {
    if (!isIn(incident, letter.repository)) continue;
    const now = await fresh(desk, incident);
    const isDone = now.timeline.some((entry) => entry.what === 'ordered' && entry.at === letter.receivedAt);
    if (!isDone)
      await world.memories.saveIncident(
        withOrder(takenUpAgain(now, letter.sender.login, letter.receivedAt), desk, command),
      );
  }
  for (const key of keys.slice(0, looksMax)) await lookAt(desk, key);
  return done(retriedResult(keys));
}

export async function freeze(desk: Desk, command: Of<'freeze'>): Promise<Result> {
  if ((await openIncidents(desk)).length === 0) return { words: nothingToFreeze, why: 'nothing-fails' };
  const { receivedAt, sender } = desk.letter;
  await order(desk, command, (orders) => ({
    ...orders,
    freeze: { kind: 'freeze', by: sender.login, at: receivedAt },
  }));
  for (const key of desk.keys.slice(0, looksMax)) await lookAt(desk, key);
  const steps = (await openIncidents(desk))
    .flatMap((one) => one.containments ?? [])
    .flatMap((one) => one.steps);
  const held = steps.filter(({ state }) => state === 'held').map(({ name }) => name);
  return { words: frozenResult(desk.keys, held), why: held.length > 0 ? '' : 'nothing-held' };
}

export async function thaw(desk: Desk, command: Of<'thaw'>): Promise<Result> {
  const { receivedAt, sender } = desk.letter;
  await order(desk, command, (orders) => ({
    ...orders,
    freeze: { kind: 'thaw', by: sender.login, at: receivedAt },
  }));
  for (const key of desk.keys.slice(0, looksMax)) await lookAt(desk, key);
  return done(thawedResult(desk.keys));
}
