/**
 * Who asks for something gets it, and once: a delivery that comes twice, a crash, an old view or a second replica makes no second
 * effect and no second answer, and takes back nothing that was asked for later.
 */
import { parseMarker } from '../../domain/marker.ts';
import type { Letter, LetterOutcome } from '../../ports/mailbox.ts';
import { botLogin } from '../hub-objects.ts';
import type { Law } from '../law.ts';
import { hadEffect } from '../through-trouble.ts';
import type { World } from '../world.ts';

export const commandsOnce: Law = {
  name: 'commands-once',
  words: 'Every command that is typed is heard, answered once, and takes effect once.',
  onWrite(world, written) {
    if (world.seenNow !== null) return world.seenNow;
    if (written.method !== 'settle' || !hadEffect(written)) return null;
    const [{ value: letter }, outcomes] = written.args as [{ value: Letter }, readonly LetterOutcome[]];
    const lost = outcomes.find(({ why }) => why === 'gone');
    if (lost !== undefined) return `"${lost.line}" is told that its ApplicationSet is gone, and none ever is`;
    const isFrozen = outcomes.some(
      (one) => verbOf(one) === 'freeze' && one.kind === 'accepted' && one.why === '',
    );
    if (!isFrozen || world.truth.heldSince(letter.saidAt ?? 0)) return null;
    return `"${letter.lines.join('; ')}" is answered as done, and no step was held`;
  },
  atEnd(world) {
    const letters = world.mailbox.all();
    const waiting = letters.find(({ answer }) => answer === null);
    if (waiting !== undefined) return `"${waiting.letter.lines.join('; ')}" is not settled`;
    const unheard = world.webhooks.unheard();
    if (unheard !== null) return `"${unheard}" was typed, and GitHub was never asked for it again`;
    for (const { letter, answer } of letters) {
      const outcomes = answer?.outcomes ?? [];
      const broken =
        answeredOnce(world, letter, outcomes) ??
        outcomes
          .map((one) => (one.kind === 'accepted' && one.why === '' ? tookEffect(world, letter, one) : null))
          .find(Boolean);
      if (broken != null) return broken;
    }
    return syncedOnce(world);
  },
};

function verbOf({ line }: LetterOutcome): string {
  return line.split(' ')[1] ?? '';
}

/** What was only ignored needs no answer. */
function answeredOnce(
  { repository }: World,
  letter: Letter,
  outcomes: readonly LetterOutcome[],
): string | null {
  const isGivenUp = outcomes.every(
    ({ kind, why }) => kind === 'ignored' || why === 'gave-up' || why === 'world',
  );
  const replies = repository.comments.all().filter(({ user, body }) => {
    const marker = user === botLogin ? parseMarker(body) : null;
    return marker?.kind === 'reply' && marker.incident === letter.id;
  });
  if (replies.length === 1 || (replies.length === 0 && isGivenUp)) return null;
  return `"${letter.lines.join('; ')}" has ${replies.length} answers`;
}

/** A sentence when what was accepted is nowhere to be seen. */
function tookEffect(world: World, letter: Letter, outcome: LetterOutcome): string | null {
  const { seen } = world;
  const { receivedAt: at, number } = letter;
  const all = [...seen.orders.values()];
  const incidents = [...seen.incidents.values()].filter(
    ({ pullRequest, suspects }) =>
      pullRequest?.number === number || suspects.some((one) => one.pullRequest?.number === number),
  );
  const keys = incidents.flatMap(({ sets }) => sets.map(({ key }) => key));
  const missing = (isThere: boolean, what: string): string | null =>
    isThere || seen.isLedgerLost ? null : `"${outcome.line}" is answered as done, and ${what}`;
  switch (verbOf(outcome)) {
    case 'hold': {
      const holds = all.flatMap((one) => one.holds).filter((one) => one.at === at);
      const isRight = holds.every(({ until }) => until <= at + 10 * 60_000);
      return missing(holds.length > 0 && isRight, 'nothing is held, or for another time');
    }
    case 'resume': {
      const last = keys.map((key) => seen.orders.get(key)?.holds.at(-1));
      const isHeld = last.some((one) => one !== undefined && one.at < at && one.until > at);
      return missing(!isHeld, 'the hold before it goes on');
    }
    case 'snooze':
      return missing(
        all.some((one) => one.snoozes.some((snooze) => snooze.at === at)),
        'nothing is snoozed',
      );
    case 'freeze':
    case 'thaw': {
      const isThere = all.some((one) => one.freezes.some((order) => order.at === at));
      return missing(isThere, 'the order stands nowhere');
    }
    case 'dismiss':
      return missing(seen.dismissals.has(at), 'nothing is dismissed');
    case 'retry':
      return missing(incidents.length === 0 || seen.ordered.has(at), 'no incident was taken up again');
    case 'revert': {
      // Of what fails by now in the same ApplicationSets, which can be another change.
      const beside = [...seen.incidents.values()].filter(({ sets }) =>
        sets.some(({ key }) => keys.includes(key)),
      );
      return missing(
        beside.some(({ pullRequest }) => pullRequest !== null),
        'there is no revert',
      );
    }
    default:
      return null;
  }
}

/** Each `/stepback sync` asks for one sync of an Application. */
function syncedOnce({ seen, mailbox }: World): string | null {
  const asked = mailbox
    .all()
    .filter(({ letter }) => letter.lines.some((line) => / sync\b/.test(line))).length;
  const [twice] = [...seen.syncs].filter(([, times]) => times > asked);
  return twice === undefined ? null : `${twice[0]} was synced ${twice[1]} times for ${asked} commands`;
}
