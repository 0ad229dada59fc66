/** The brakes in sentences that stand after "there is no revert pull request": which one holds, why, and the ways out. */
import type { Brake } from '../domain/brakes.ts';
import { never } from '../domain/never.ts';
import { inOneGo, nothing, ownWords, type Sentence, say } from './sentence.ts';
import { duration, exactTime } from './times.ts';

/** The words for text and Markdown. */
export function brakeSentence(brake: Brake): Sentence {
  switch (brake.kind) {
    case 'stopped':
      return stoppedSentence(brake);
    case 'limit-reached':
      return limitSentence(brake);
    case 'failure-too-old':
      return say`It has been failing since ${ownWords(exactTime(brake.since))}, for longer than the ${ownWords(duration(brake.maxMs))} after which I open no revert by myself (${'times.failureTooOld'}): people live with it by now, or work on it. Revert by hand, or comment ${'/stepback revert'}.`;
    case 'culprit-too-old':
      return say`${brake.sha.slice(0, 7)} landed at ${ownWords(exactTime(brake.landedAt))}, longer ago than the ${ownWords(duration(brake.maxMs))} after which I open no revert by myself (${'times.culpritTooOld'}): much may build on it. Revert by hand, or comment ${'/stepback revert'}.`;
    case 'human-revert-open':
      return say`${person(brake.author)} takes it back already with ${pull(brake.number)}, so I open none of my own. Merge that one; if it is closed unmerged, I open mine.`;
    case 'abandoned':
      return say`A person closed ${pull(brake.number)}, my revert of this change, so I leave it alone. To have it after all, reopen it, or comment ${'/stepback revert'}.`;
    case 'revert-of-revert':
      return say`${brake.sha.slice(0, 7)} (${brake.subject}) brings back what had been taken back before. Whoever did that meant it, so I do not take it back a second time by myself: revert by hand, or comment ${'/stepback revert'}.`;
    case 'opted-out':
      return brake.by === 'label'
        ? say`The change has the label ${brake.name}, with which changes are never reverted by me. Fix it with a new commit, or revert by hand; without the label I take it back.`
        : say`The commit ${brake.sha.slice(0, 7)} has the trailer ${brake.name}, with which changes are never reverted by me. Fix it with a new commit, or revert by hand.`;
    case 'storm':
      return stormSentence(brake);
    case 'newer-commit':
      return say`${brake.sha.slice(0, 7)} landed since and changes what fails, so I wait for how it fares. If it fails as well, I take both back; if it works, nothing has to be done.`;
    default:
      return never(brake);
  }
}

function stoppedSentence({ issue, by }: Extract<Brake, { kind: 'stopped' }>): Sentence {
  if (issue === null)
    return say`Stepback is stopped for the whole installation (${'STEPBACK_STOP'}), so it changes nothing. Whoever runs it can start it again; until then, revert by hand.`;
  return inOneGo(
    say`Stepback is stopped in this repository by ${pull(issue)}${by === null ? nothing : say`, which ${person(by)} labelled`}, so it changes nothing.`,
    say`Close that issue, or take the label off, and I go on; until then, revert by hand.`,
  );
}

function limitSentence(brake: Extract<Brake, { kind: 'limit-reached' }>): Sentence {
  const out = say`Revert by hand, or comment ${'/stepback revert'} to have this one all the same.`;
  return brake.until === null
    ? inOneGo(say`No revert is allowed by the limit of reverts in 24 hours, which is 0.`, out)
    : inOneGo(
        say`${limitWords(brake)} That is the limit, so I open none before ${ownWords(exactTime(brake.until))}.`,
        out,
      );
}

function limitWords({ scope, name, max }: Extract<Brake, { kind: 'limit-reached' }>): Sentence {
  const reverts = ownWords(`${max} ${max === 1 ? 'revert was' : 'reverts were'} opened`);
  switch (scope) {
    case 'repository':
      return say`${reverts} in ${name} in 24 hours.`;
    case 'application-set':
      return say`${reverts} for ${name} in 24 hours.`;
    case 'installation':
      return say`${reverts} in the whole installation in 24 hours.`;
    default:
      return never(scope);
  }
}

function stormSentence({ destinations, others }: Extract<Brake, { kind: 'storm' }>): Sentence {
  return inOneGo(
    say`It fails on ${listed(destinations)}, where ${listed(others)} began to fail at the same time without having got this change: it is the destination, not the commit.`,
    say`Look at that cluster first. When the others are well and this fails still, I open the revert; comment ${'/stepback revert'} to have it now.`,
  );
}

function listed(names: readonly string[]): Sentence {
  return names.flatMap((name, index) => [
    ...(index === 0 ? nothing : ownWords(index === names.length - 1 ? ' and ' : ', ')),
    ...say`${name}`,
  ]);
}

/** A number of ours or of GitHub, never text. */
function pull(number: number): Sentence {
  return ownWords(`#${Math.trunc(number)}`);
}

/** A login stands in the repository already; as a value it calls nobody. */
function person(login: string): Sentence {
  return [{ kind: 'value', text: login, options: { max: 60, isPublic: true } }];
}
