/**
 * What came of each command, in sentences that stand behind its name. They speak of how things stand afterwards, so that
 * a command that is carried out again after a crash says the same.
 */
import { type Place, printPlace } from '../domain/command-arguments.ts';
import type { ObjectKey } from '../domain/objects.ts';
import { count } from './lists.ts';
import { inOneGo, nothing, ownWords, quote, type Sentence, say } from './sentence.ts';
import { exactTime } from './times.ts';

const namesMax = 5;

/** A name, a reference, a login: shown as it stands, and never live. */
export function named(text: string): Sentence {
  return [{ kind: 'value', text, options: { max: 120, isPublic: true } }];
}

/** "a, b and c" of names of somebody else. */
export function listed(names: readonly string[]): Sentence {
  const shown = names.slice(0, namesMax);
  const more = names.length - shown.length;
  return shown
    .flatMap((name, index): Sentence => {
      const isLast = index === shown.length - 1 && more === 0;
      return [...(index === 0 ? [] : ownWords(isLast ? ' and ' : ', ')), ...named(name)];
    })
    .concat(more > 0 ? ownWords(` and ${count(more)} more`) : []);
}

export function heldResult(keys: readonly ObjectKey[], until: number): Sentence {
  return say`I open no revert for ${listed(keys)} until ${ownWords(exactTime(until))}. One that is open stays open. ${'/stepback resume'} ends this earlier, and ${'/stepback revert'} opens one all the same.`;
}

/** `configuredUntil`: the configuration holds it as well. `isDismissed`: the change of this conversation stays dismissed. */
export function resumedResult(
  keys: readonly ObjectKey[],
  { configuredUntil, isDismissed }: { configuredUntil: number | null; isDismissed: boolean },
): Sentence {
  return inOneGo(
    say`I open reverts for ${listed(keys)} again, also for what fails already.`,
    isDismissed ? say`What was dismissed stays so; ${'/stepback revert'} takes that back.` : nothing,
    configuredUntil === null
      ? nothing
      : say`The configuration holds it still (${'hold'} in ${'.github/stepback.yaml'}), which no command ends.`,
  );
}

export function snoozedResult(place: Sentence, until: number): Sentence {
  return say`I leave ${place} out of the verdict until ${ownWords(exactTime(until))}. What fails there until then opens no revert.`;
}

/** `stopped`: what keeps me from closing the reverts now. */
export function dismissedResult(
  reason: string,
  reverts: readonly number[],
  stopped: { issue: number | null } | null,
): Sentence {
  return inOneGo(
    say`This counts as a false alarm: ${quote(reason, { max: 200, isPublic: true })}.`,
    reverts.length === 0
      ? say`The same change opens no revert.`
      : stopped === null
        ? say`${numbers(reverts)} ${ownWords(reverts.length === 1 ? 'is' : 'are')} closed, and the same change opens no other.`
        : say`${numbers(reverts)} ${ownWords(reverts.length === 1 ? 'stays' : 'stay')} open for now, because Stepback is stopped ${ownWords(stopped.issue === null ? 'for the whole installation' : `by #${Math.trunc(stopped.issue)}`)}. I close what is open still when I go on, or you do now; the same change opens no other.`,
    say`${'/stepback revert'} takes that back.`,
  );
}

export const nothingToDismiss: Sentence = say`Nothing fails here that I would revert, so there is nothing to dismiss. ${'/stepback hold'} keeps me from opening reverts beforehand.`;

/** `repositories`: where the person may not write. */
export function snoozeBeyond(repositories: readonly string[]): Sentence {
  return say`A snooze also hides what fails because of ${listed(repositories)}, and you may not write there. Somebody who may write there too can snooze it; ${'/stepback hold'} keeps reverts of this repository back, and no others.`;
}

export function retriedResult(keys: readonly ObjectKey[]): Sentence {
  return say`I have read everything about ${listed(keys)} again.`;
}

/** `held`: names of the steps that are held now. */
export function frozenResult(keys: readonly ObjectKey[], held: readonly string[]): Sentence {
  return held.length === 0
    ? say`Nothing is held in ${listed(keys)}: nobody is left to lose, or the revert says what keeps me from it.`
    : say`I hold ${listed(held)} of ${listed(keys)} (${'maxUpdate: 0'}) until the revert or a fix is what the branch holds. ${'/stepback thaw'} puts the former values back before that.`;
}

export const nothingToFreeze: Sentence = say`Nothing fails here that I would revert, so there is nothing to keep from going further. To stop a stage all the same, set ${'maxUpdate: 0'} on it.`;

export function thawedResult(keys: readonly ObjectKey[]): Sentence {
  return say`Where I hold steps of ${listed(keys)}, they get back the values that they had before, and I freeze none of them again for this change.`;
}

function numbers(all: readonly number[]): Sentence {
  return listed(all.map((number) => `#${number}`));
}

/** Why nobody knows whom a command is about. */
export type NoSubject =
  | { kind: 'issue' }
  | { kind: 'gone' }
  | { kind: 'feeds-nothing'; number: number }
  | { kind: 'cannot-see'; problem: string }
  | { kind: 'unknown'; unknown: Unknown }
  | { kind: 'told'; code: string; words: Sentence };

export function noSubjectResult(why: NoSubject): Sentence {
  switch (why.kind) {
    case 'issue':
      return say`I answer this under a pull request, because that tells me which change is meant. Type it under the one that made an ApplicationSet fail, or under its revert.`;
    case 'gone':
      return say`The ApplicationSet is not there any more, so there is nothing to do.`;
    case 'feeds-nothing':
      return say`${named(`#${why.number}`)} changes nothing that feeds an ApplicationSet which I watch. Type it under a pull request that does, or under a revert of mine.`;
    case 'told':
      return why.words;
    case 'unknown':
      return unknownResult('revert', why.unknown);
    case 'cannot-see':
      return say`I cannot see which ApplicationSets are meant: ${quote(why.problem)}. Type it again when that is over.`;
  }
}

/** What was named is not there. */
export type Unknown =
  | { kind: 'place'; place: Place; suggestion: string | null; known: readonly string[] }
  | { kind: 'several-places'; place: Place; candidates: readonly string[] }
  | { kind: 'set'; name: string; suggestion: string | null; known: readonly string[] }
  | { kind: 'several-sets'; name: string; candidates: readonly string[] };

/** `verb` is what the suggestion is typed with. */
export function unknownResult(verb: string, unknown: Unknown): Sentence {
  switch (unknown.kind) {
    case 'place':
      return inOneGo(
        say`There is no stage and no Application ${named(printPlace(unknown.place))} here.`,
        instead(verb, unknown.suggestion, unknown.known),
      );
    case 'set':
      return inOneGo(
        say`There is no ApplicationSet ${named(unknown.name)} that this repository feeds.`,
        instead(verb, unknown.suggestion, unknown.known),
      );
    case 'several-places':
      return say`${named(printPlace(unknown.place))} can be ${alternatives(unknown.candidates)}. Type the one that you mean in full.`;
    case 'several-sets':
      return say`${named(unknown.name)} can be ${alternatives(unknown.candidates)}. Type the one that you mean in full.`;
  }
}

function instead(verb: string, suggestion: string | null, known: readonly string[]): Sentence {
  if (suggestion !== null) return say`Did you mean ${named(`/stepback ${verb} ${suggestion}`)}?`;
  return known.length === 0 ? nothing : say`There is ${listed(known)}.`;
}

function alternatives(candidates: readonly string[]): Sentence {
  return candidates
    .slice(0, namesMax)
    .flatMap(
      (name, index, all): Sentence => [
        ...(index === 0 ? [] : ownWords(index === all.length - 1 ? ' or ' : ', ')),
        ...named(name),
      ],
    );
}

/** What the world refused for good, in its own words. */
export function worldRefused(problem: string): Sentence {
  return say`It could not be done: ${quote(problem, { max: 600 })}`;
}
