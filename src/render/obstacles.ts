/**
 * Why there is no revert pull request, or why it is not touched any more, with the ways out. Never a bare "cannot".
 */
import type { Obstacle } from '../domain/incident.ts';
import { brakeSentence } from './brakes.ts';
import {
  asMarkdown,
  asText,
  inOneGo,
  nothing,
  ownWords,
  quote,
  type Sentence,
  say,
  words,
} from './sentence.ts';
import { exactTime } from './times.ts';

const pathsMax = 5;
const commitsMax = 3;

/** Plain text on one line. */
export function describeObstacle(obstacle: Obstacle): string {
  return asText(obstacleSentence(obstacle));
}

/** The same words in Markdown. */
export function obstacleInMarkdown(obstacle: Obstacle): string {
  return asMarkdown(obstacleSentence(obstacle));
}

/** The words for both. */
export function obstacleSentence(obstacle: Obstacle): Sentence {
  switch (obstacle.kind) {
    case 'conflict':
      return conflictSentence(obstacle.paths);
    case 'already-undone':
      return obstacle.by === null
        ? say`The branch already is as the revert would leave it, so there is nothing to merge.`
        : say`${obstacle.by.slice(0, 7)} has taken the change back already, so there is nothing to merge.`;
    case 'branch-missing':
      return say`The branch ${obstacle.branch} is not there any more. Point the ApplicationSet to the branch that took its place, or bring it back.`;
    case 'archived':
      return say`The repository is archived, and nobody can push to it. Unarchive it, or point the ApplicationSet to the repository that took its place.`;
    case 'refused':
      return say`GitHub does not let me make the revert: ${quote(obstacle.message)}. I try again at the next look; what you can do now is to revert by hand.`;
    case 'mode':
      return say`Stepback is configured to ${words(obstacle.mode)} only, so I open no revert. To have one from now on, set ${'mode: revert'} wherever less is set: in ${'.github/stepback.yaml'} here or in the organisation, in an annotation, or for the installation. To take this change back now, comment ${'/stepback revert'}.`;
    case 'held':
      return say`${by(obstacle.by)} ordered no reverts until ${ownWords(exactTime(obstacle.until))}; I look again then. To end that earlier, comment ${'/stepback resume'}; to have the revert now all the same, ${'/stepback revert'}.`;
    case 'human-changed-branch':
      return say`Somebody else pushed to ${obstacle.branch}, so I leave that branch alone: it is yours. If the base branch moves on and conflicts, resolve it there.`;
    default:
      return brakeSentence(obstacle);
  }
}

/** A login: it stands in the repository already, and calls nobody. */
function by(login: string): Sentence {
  return [{ kind: 'value', text: login, options: { max: 60, isPublic: true } }];
}

type ConflictPath = (Obstacle & { kind: 'conflict' })['paths'][number];

function conflictSentence(paths: readonly ConflictPath[]): Sentence {
  const shown = paths.slice(0, pathsMax);
  const list = shown.flatMap((path, index) =>
    index === 0 ? pathWords(path) : [...ownWords('; '), ...pathWords(path)],
  );
  const rest = paths.length > shown.length ? ownWords(`; and ${paths.length - shown.length} more`) : nothing;
  const later = [...new Set(paths.flatMap((path) => path.laterCommits))].slice(0, commitsMax);
  return inOneGo(
    say`The change cannot be taken back by itself, because what landed later builds on it: ${list}${rest}.`,
    later.length === 0
      ? say`Two ways out: comment ${'/stepback restore'} to put the folder back to last good as a whole, or revert by hand and resolve the conflict.`
      : say`Three ways out: revert ${listed(later)} first, comment ${'/stepback restore'} to put the folder back to last good as a whole, or revert by hand and resolve the conflict.`,
  );
}

function pathWords({ path, why, laterCommits }: ConflictPath): Sentence {
  const by = laterCommits.slice(0, commitsMax);
  return say`${pathValue(path)} (${whyWords(why)}${by.length === 0 ? nothing : say`, by ${listed(by)}`})`;
}

function pathValue(path: string): Sentence {
  return [{ kind: 'value', text: path, options: { isPublic: true } }];
}

function listed(shas: readonly string[]): Sentence {
  return shas.flatMap((sha, index) => [
    ...(index === 0 ? [] : ownWords(index === shas.length - 1 ? ' and ' : ', ')),
    ...say`${sha.slice(0, 7)}`,
  ]);
}

/** Codes of the merge, in words; one that is not known here is told as it stands. */
const conflictWords: Readonly<Record<string, string>> = {
  'same-lines': 'the same lines were changed',
  binary: 'a binary file was changed',
  symlink: 'a symlink was changed',
  submodule: 'a submodule was moved on',
  mode: 'its executable bit was changed',
  type: 'it became another kind of entry',
  'changed-and-deleted': 'one side changed it, the other deletes it',
  'added-twice': 'it was added on both sides',
  'moved-twice': 'it was moved to two places',
  'moved-and-deleted': 'one side moved it, the other deletes it',
  'moved-onto-another': 'another file was moved to its place',
  'file-and-folder': 'a file and a folder have the same name',
  'folder-moved': 'its folder was moved',
  'folder-split': 'its folder was split up',
  unclear: 'it is not clear where it was moved',
  'too-large': 'it is too large to merge by lines',
  'conflict-markers': 'the result would hold conflict markers',
  'broken-yaml': 'the result would not be valid YAML',
};

function whyWords(why: string): Sentence {
  const known = Object.hasOwn(conflictWords, why) ? conflictWords[why] : undefined;
  return known === undefined ? words(why) : ownWords(known);
}
