/**
 * What Stepback answers to commands: one comment for all that somebody typed into one. Whoever is refused learns who may
 * and what they may do instead, whoever mistyped learns what was expected. The help is made of the list of commands, so
 * it cannot forget one.
 */
import {
  type Command,
  type CommandFault,
  printCommand,
  usageOf,
  type Verb,
  verbs,
} from '../domain/command.ts';
import type { ArgumentProblem, Expected } from '../domain/command-arguments.ts';
import type { Permission, Refusal } from '../domain/command-authority.ts';
import { never } from '../domain/never.ts';
import { textLengthMax } from './fit.ts';
import { commitLink, type Links } from './links.ts';
import { count, listOf } from './lists.ts';
import { codeSpan, tableRow } from './safe.ts';
import { asMarkdown, inOneGo, nothing, ownWords, type Sentence, say } from './sentence.ts';
import { duration } from './times.ts';

/** The answer itself, as Markdown of ours that fits a comment: a status, an explanation, what came of a command. */
interface Told {
  kind: 'told';
  command: Command;
  markdown: string;
}

export type CommandAnswer =
  | { kind: 'help' }
  /** It was accepted, and this came of it; also why nothing did. */
  | { kind: 'done'; command: Command; words: Sentence }
  | Told
  | { kind: 'refused'; refusal: Refusal }
  | { kind: 'fault'; fault: CommandFault };

/** Where teams and people are named for commands. */
const configurationFile = '.github/stepback.yaml';

/** Of a word that somebody typed, in code points. */
const wordMax = 60;

/** All that is no answer of its own, in UTF-16 units: ten refusals with long names. */
const shortAnswersMax = 12_000;

/** Teams and people of one list. */
const namesMax = 5;

/** What each command does, for the help. */
const purposes: { readonly [Kind in Verb]: string } = {
  help: 'Shows this.',
  status: 'Where the rollout stands, stage by stage.',
  explain: 'The verdict with every reason, also why nothing is done.',
  revert: 'Opens the pull request that takes back what is to blame, or what you name.',
  restore: 'Opens a pull request that puts the whole path back to last good.',
  sync: 'Asks Argo CD to sync a stage, an Application or all of them.',
  hold: 'Opens no revert for this ApplicationSet, for a day or as long as you say.',
  resume: 'Ends a hold.',
  snooze: 'Leaves an Application or a stage out of the verdict for a while.',
  dismiss: 'A false alarm: closes the revert and remembers why.',
  retry: 'Looks again and tries again what did not work.',
  freeze: 'Keeps the bad commit from going further, with `maxUpdate: 0`.',
  thaw: 'Puts back what a freeze changed.',
};

/**
 * Markdown of one comment; null when there is nothing to answer. With the marker that is put below it, it is at most 65,536
 * characters long. `mayUse`, for the help, are the commands that the reader may use.
 */
export function commandReply(answers: readonly CommandAnswer[], mayUse: readonly Verb[]): string | null {
  const isOnly = answers.length === 1;
  let room = isOnly ? textLengthMax : textLengthMax - shortAnswersMax;
  const sections = answers.map((answer) => {
    if (answer.kind !== 'told') return sectionOf(answer, mayUse);
    const section = isOnly ? answer.markdown : toldAmongOthers(answer);
    if (section.length > room) return tooLong(answer);
    room -= section.length;
    return section;
  });
  const refused = answers.flatMap((answer) => (answer.kind === 'refused' ? [answer.refusal] : []));
  const alternatives = asMarkdown(whatElse(refused));
  if (alternatives === '') return sections.join('\n\n') || null;
  return isOnly ? `${sections.join('')} ${alternatives}` : [...sections, alternatives].join('\n\n');
}

function toldAmongOthers({ command, markdown }: Told): string {
  return `${asMarkdown(typed(command.verb))}\n\n${markdown}`;
}

function tooLong({ command }: Told): string {
  return asMarkdown(
    say`The answer to ${typed(command.verb)} is too long to stand here. Ask for it in a comment of its own.`,
  );
}

function sectionOf(answer: Exclude<CommandAnswer, Told>, mayUse: readonly Verb[]): string {
  switch (answer.kind) {
    case 'help':
      return help(mayUse);
    case 'done':
      return asMarkdown(inOneGo(say`${typed(nameOf(answer.command))}:`, answer.words));
    case 'refused':
      return asMarkdown(refusedBecause(answer.refusal));
    case 'fault':
      return asMarkdown(faultIn(answer.fault));
    default:
      return never(answer);
  }
}

/** Reasons are said in the words that follow. */
function nameOf(command: Command): string {
  return command.verb === 'dismiss' ? 'dismiss' : printCommand(command);
}

/** A command as it is typed. `text` may be somebody else's: their comment shows it already. */
function typed(text: string): Sentence {
  return [{ kind: 'value', text: `/stepback ${text}`, options: { max: 120, isPublic: true } }];
}

function word(text: string): Sentence {
  return [{ kind: 'value', text, options: { max: wordMax, isPublic: true } }];
}

function refusedBecause(refusal: Refusal): Sentence {
  const { verb, why, changesCluster } = refusal;
  const file = word(configurationFile);
  switch (why) {
    case 'nobody-named':
      return changesCluster
        ? say`${typed(verb)} changes the cluster, and nobody is named for that in ${file} (${word(`commands.${verb}.teams`)}). Whoever maintains that file can add a team.`
        : say`${typed(verb)} is for those whom ${file} names (${word(`commands.${verb}`)}), and it names nobody. Whoever maintains that file can add a team.`;
    case 'permission':
      return say`${typed(verb)} needs ${access(refusal.needs)} to this repository, and you have ${access(refusal.has)}.`;
    case 'not-named':
      return say`${typed(verb)} is for ${those(refusal)}, as ${file} says (${word(`commands.${verb}`)}). Ask one of them.`;
    case 'teams-unknown':
      return say`${typed(verb)} is for ${those(refusal)}, as ${file} says, and I cannot see who is in that team. Whoever owns the organisation can let the App read its members (${word('Members: read')}), or name people (${word(`commands.${verb}.users`)}).`;
    default:
      return never(why);
  }
}

function access(permission: Permission): Sentence {
  return ownWords(permission === 'none' ? 'no access' : `${permission} access`);
}

/** Names are never live: nobody is called because somebody else was refused. */
function those({ teams, users, codeOwners }: Refusal): Sentence {
  const names = [...teams, ...users];
  const shown = names.slice(0, namesMax).map((name) => codeSpan(name, { max: wordMax, isPublic: true }));
  const more = names.length > namesMax ? [`${count(names.length - namesMax)} more`] : [];
  const owners = codeOwners ? ['the code owners of the path'] : [];
  const all = [...shown, ...more, ...owners];
  return ownWords(listOf(all, all.length, (one) => one));
}

/** Once for all that was refused. */
function whatElse(refused: readonly Refusal[]): Sentence {
  const mayUse = refused[0]?.mayUse ?? [];
  const others = mayUse.filter((verb) => verb !== 'help' && refused.every((one) => one.verb !== verb));
  if (others.length === 0) return nothing;
  return say`What you may use here: ${ownWords(others.map((verb) => codeSpan(verb)).join(', '))}.`;
}

function faultIn(fault: CommandFault): Sentence {
  switch (fault.kind) {
    case 'unknown-verb':
      return fault.suggestion === null
        ? say`There is no command ${word(fault.word)}. ${typed('help')} shows what there is.`
        : say`There is no command ${word(fault.word)}. Did you mean ${typed(fault.suggestion)}?`;
    case 'wrong-arguments':
      return inOneGo(problemWith(fault.verb, fault.problem), howTo(fault.verb));
    case 'too-many':
      return say`I read the first ${fault.read} commands of a comment. Put what comes after them into another comment.`;
    default:
      return never(fault);
  }
}

function problemWith(verb: Verb, problem: ArgumentProblem): Sentence {
  switch (problem.kind) {
    case 'missing':
      return say`${typed(verb)} needs ${ownWords(needed[problem.expected])}.`;
    case 'not-one':
      return say`${word(problem.word)} ${ownWords(notOne[problem.expected])}.`;
    case 'unexpected':
      return say`${word(problem.word)} is more than ${typed(verb)} takes.`;
    case 'too-short':
      return say`${word(problem.word)} is too short: ${ownWords(duration(problem.limitMs))} at the least.`;
    case 'too-long':
      return say`${word(problem.word)} is too long: ${ownWords(duration(problem.limitMs))} at the most, and you can type it again when that is over.`;
    default:
      return never(problem);
  }
}

const needed: { readonly [Kind in Expected]: string } = {
  place: 'a stage or an Application',
  duration: 'to know for how long',
  reason: 'a reason, which is remembered with the figures of this incident',
  'revert-target': 'a commit, a pull request or an ApplicationSet',
};

const notOne: { readonly [Kind in Expected]: string } = {
  place: 'cannot be the name of a stage or of an Application',
  duration: 'is no duration: minutes, hours and days are written `30m`, `2h` and `1d`',
  reason: 'stands for a reason of yours',
  'revert-target': 'is no commit, no pull request and no name of an ApplicationSet',
};

function howTo(verb: Verb): Sentence {
  const { usage, example } = usageOf(verb);
  return usage === verb
    ? say`Type ${typed(verb)} and nothing else on that line.`
    : say`Type ${typed(usage)}, for example ${typed(example)}.`;
}

function help(mayUse: readonly Verb[]): string {
  const rows = verbs.map((verb) =>
    tableRow([asMarkdown(typed(usageOf(verb).usage)), purposes[verb], mayUse.includes(verb) ? 'yes' : 'no']),
  );
  const others = mayUse.length < verbs.length;
  return [
    'Begin a line of a comment on a pull request with one of these. A line in a quote or in code is none; several lines are several commands.',
    ['| Command | What it does | You may |', '| --- | --- | --- |', ...rows].join('\n'),
    ...(others
      ? [
          `Where it says no, \`${configurationFile}\` or your access to this repository is in the way; type the command and I say which.`,
        ]
      : []),
  ].join('\n\n');
}

/** Title and Markdown of the issue that takes the answers to presses beside a commit without a pull request. */
export function buttonIssue(sha: string, links: Links): { title: string; body: string } {
  return {
    title: `Answers to buttons beside ${sha.slice(0, 7)}`,
    body: `Somebody pressed a button of a check run on ${commitLink(sha, links)}. No pull request brought that commit in, so I answer here. Close this when you have read it.`,
  };
}
