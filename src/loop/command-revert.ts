/**
 * `/stepback revert` without a commit or pull request: everything is looked at again now, and the revert of what fails is
 * made, also where a hold or the mode `comment` kept it back. What keeps a revert from being right stays in the way:
 * conflicts, a culprit that nobody can name, the mode `observe`.
 */
import type { Command } from '../domain/command.ts';
import { takenUpAgain } from '../domain/decision.ts';
import type { Incident } from '../domain/incident.ts';
import type { ObjectKey } from '../domain/objects.ts';
import { noSubjectResult } from '../render/command-results.ts';
import {
  cannotSee,
  noChangeResult,
  noCulprit,
  nothingFails,
  onlyWatches,
  revertResult,
} from '../render/revert-results.ts';
import { inOneGo } from '../render/sentence.ts';
import { type Desk, done, fresh, lookAt, looksMax, type Result, withOrder } from './command-desk.ts';
import { isIn } from './command-subject.ts';
import { placeOf } from './move-on.ts';
import type { TickResult } from './tick.ts';

type Revert = Extract<Command, { verb: 'revert' }>;

/** Makes the revert of whatever fails in the ApplicationSets. Throws WorldProblem. */
export async function revertFailing(desk: Desk, command: Revert): Promise<Result> {
  const results: { key: ObjectKey; result: TickResult }[] = [];
  for (const key of desk.keys.slice(0, looksMax)) {
    const result = await lookAt(desk, key);
    if (result !== null) results.push({ key, result });
  }
  const [first] = results;
  if (first === undefined) return { words: noSubjectResult({ kind: 'gone' }), why: 'gone' };
  const failing = results.filter(({ result }) => result.answer.failure !== null || isUnderWay(result));
  if (failing.length === 0) return whyNothing(first.key, first.result);
  const answers = new Map<string, Result>();
  for (const { key, result } of failing) {
    const { incident } = result;
    const known = incident === null ? key : incident.id;
    if (!answers.has(known)) answers.set(known, await answerFor(desk, command, key, result));
  }
  const all = [...answers.values()];
  return {
    words: inOneGo(...all.map(({ words }) => words)),
    why: all.some(({ why }) => why === '') ? '' : (all[0]?.why ?? ''),
  };
}

function isUnderWay({ incident }: TickResult): boolean {
  return incident !== null && (incident.phase === 'proposed' || incident.phase === 'merged');
}

function whyNothing(key: ObjectKey, { answer }: TickResult): Result {
  const { verdict, reasons } = answer.rollout;
  const blind = reasons.find((reason) => reason.code === 'blind');
  if (blind !== undefined) return { words: cannotSee(key, blind.value), why: 'blind' };
  return { words: nothingFails(key, verdict), why: 'nothing-fails' };
}

async function answerFor(desk: Desk, command: Revert, key: ObjectKey, result: TickResult): Promise<Result> {
  const { world } = desk;
  const { culprit, incident } = result;
  if (culprit?.kind === 'none')
    return { words: noCulprit(key, culprit.reason, culprit.detail), why: culprit.reason };
  if (result.whyNot?.code === 'only-watches') return { words: onlyWatches(key), why: 'observe-mode' };
  if (incident === null) return whyNothing(key, result);
  // It is fed from several repositories: who may write here may nothing there.
  if (!isIn(incident, desk.letter.repository))
    return { words: noChangeResult('other-repository'), why: 'other-repository' };
  const links = world.linksFor(placeOf(incident));
  const made = isMade(incident) ? incident : await want(desk, command, key, incident);
  return isMade(made) || made.phase === 'merged'
    ? done(revertResult(made, links))
    : { words: revertResult(made, links), why: made.obstacle?.kind ?? made.phase };
}

function isMade({ phase, pullRequest }: Incident): boolean {
  if (phase === 'merged' || phase === 'recovered') return true;
  return phase === 'proposed' && pullRequest !== null && pullRequest.closedAt === null;
}

/** A person wants it: what only holds back does not count any more, and it is looked at once more. */
async function want(desk: Desk, command: Revert, key: ObjectKey, incident: Incident): Promise<Incident> {
  const { world, letter } = desk;
  const wanted = { by: letter.sender.login, at: letter.receivedAt };
  const again = withOrder(takenUpAgain(incident, wanted.by, wanted.at), desk, command);
  await world.memories.saveIncident({ ...again, wanted });
  await lookAt(desk, key);
  return fresh(desk, incident);
}
