/**
 * Carries out what people ask for in a letter and answers it with one comment. First everything takes effect, then the
 * answer is written, then the letter is settled; each can be done again after a crash: effects carry the time of the
 * letter, and the answer is found by its marker.
 */

import type { Settings } from '../config/configuration.ts';
import { repositorySettings, settingsFor, settingsForAll } from '../config/resolve.ts';
import type { NamedChange } from '../content/named-change.ts';
import { type Command, parseCommand, type Verb, verbs } from '../domain/command.ts';
import { authorityUnder, type Commander, type CommandRules } from '../domain/command-authority.ts';
import { never } from '../domain/never.ts';
import type { ObjectKey } from '../domain/objects.ts';
import type { Letter, LetterOutcome } from '../ports/mailbox.ts';
import { WorldProblem } from '../ports.ts';
import { type CommandAnswer, commandReply } from '../render/command-replies.ts';
import { noSubjectResult, worldRefused } from '../render/command-results.ts';
import { revertNamed } from './command-asked.ts';
import type { Desk, Result } from './command-desk.ts';
import { asOurs, type Line, readLine } from './command-instances.ts';
import { dismiss, freeze, hold, resume, retry, snooze, thaw } from './command-orders.ts';
import { commanderOf, rulesOf } from './command-people.ts';
import { restore } from './command-restore.ts';
import { revertFailing } from './command-revert.ts';
import { feedingSets, type Subject, subjectOf } from './command-subject.ts';
import { sync } from './command-sync.ts';
import { tell } from './command-tell.ts';
import { openThread } from './command-thread.ts';
import type { LetterExecutor } from './letters.ts';
import type { World } from './world.ts';

/** So long a command waits for a cluster that cannot be seen. */
const sightMs = 60_000;

interface Answered {
  outcome: LetterOutcome;
  answer: CommandAnswer | null;
}

/** Who may what for this letter. */
interface Rights {
  who: Commander;
  rules: readonly CommandRules[];
}

export const executeLetter: LetterExecutor = async (world, letter, context) => {
  const { sender } = letter;
  // Not even an answer: we must not command ourselves.
  if (sender.isOurs) return { outcomes: ignored(letter, 'ours'), replyId: null };
  const subject = await subjectOf(world, letter);
  /** Each command with its line as it is answered here; null where another Argo CD answers it. */
  const lines: { line: string; ours: Line | null }[] = [];
  for (const line of letter.lines) {
    const parsed = parseCommand(line);
    if (parsed === null) continue;
    const read = await readLine(world, letter, line, parsed, subject);
    lines.push({ line, ours: await asOurs(letter, read, context) });
  }
  waitForSight(lines, context.triedForMs);
  if (lines.length > 0 && lines.every(({ ours }) => ours === null))
    return { outcomes: ignored(letter, 'other-instance'), replyId: null };
  const thread = await openThread(world, letter, subject);
  const { repliesOfLate } = thread;
  if (repliesOfLate > thread.repliesMax) return { outcomes: ignored(letter, 'too-many'), replyId: null };
  const rightsFor = remembered((about: Subject) => rightsOf(world, letter, about));
  const isAnswered = thread.replyId !== null;
  const answered: Answered[] = [];
  for (const { line, ours } of lines) {
    const isTooMany = repliesOfLate === thread.repliesMax && !isAnswered;
    const why = ours === null ? 'other-instance' : isTooMany ? 'too-many' : null;
    answered.push(
      ours === null || why !== null
        ? { outcome: { line, kind: 'ignored', why: why ?? '' }, answer: null }
        : await answerTo(world, letter, ours, { rightsFor, isAnswered }),
    );
  }
  const outcomes = answered.map(({ outcome }) => outcome);
  for (const { line, kind, why } of outcomes)
    world.log.info('a command', { letter: letter.id, by: sender.login, line, kind, why });
  if (subject.kind === 'sets') for (const key of subject.keys) context.nudge(key);
  if (thread.replyId !== null) return { outcomes, replyId: thread.replyId };
  const answers = answered.flatMap(({ answer }) => (answer === null ? [] : [answer]));
  const body =
    answers.length === 0 ? null : commandReply(withMore(answers, letter), mayUse(await rightsFor(subject)));
  return { outcomes, replyId: await thread.reply(body) };
};

/** Several lines about the same ask once. */
function remembered(ask: (about: Subject) => Promise<Rights>): (about: Subject) => Promise<Rights> {
  const known = new Map<Subject, Promise<Rights>>();
  return (about) => {
    const rights = known.get(about) ?? ask(about);
    known.set(about, rights);
    return rights;
  };
}

function ignored(letter: Letter, why: string): readonly LetterOutcome[] {
  return letter.lines.map((line) => ({ line, kind: 'ignored' as const, why }));
}

function withMore(answers: readonly CommandAnswer[], letter: Letter): readonly CommandAnswer[] {
  if (!letter.hasMore) return answers;
  return [...answers, { kind: 'fault', fault: { kind: 'too-many', read: letter.lines.length } }];
}

/** What the ApplicationSets that it is about let this person do; without any, what the repository does. */
async function rightsOf(world: World, letter: Letter, subject: Subject): Promise<Rights> {
  const rules = rulesOf(await settingsOf(world, letter, subject), letter.repository.owner);
  const keys = subject.kind === 'sets' ? subject.keys : [];
  const who = await commanderOf(world, letter, rules, () => pathsOf(world, letter, keys));
  return { who, rules };
}

async function settingsOf(world: World, letter: Letter, subject: Subject): Promise<Settings> {
  const configuration = await world.configurations.of(letter.repository);
  const known = world.cluster.applicationSets();
  const keys = subject.kind === 'sets' ? subject.keys : [];
  const [first, ...others] = keys.map(
    (key) => settingsFor(configuration, { key, annotations: known.get(key)?.annotations ?? {} }).settings,
  );
  return first === undefined ? repositorySettings(configuration) : settingsForAll([first, ...others]);
}

/** Folders of the letter's repository that feed the ApplicationSets. */
async function pathsOf(world: World, letter: Letter, keys: readonly ObjectKey[]): Promise<readonly string[]> {
  const all = await feedingSets(world, letter.repository);
  const sources = all.filter(({ key }) => keys.includes(key)).flatMap((one) => one.sources);
  return [
    ...new Set(sources.flatMap(({ path, alsoPaths }) => [...(path === null ? [] : [path]), ...alsoPaths])),
  ];
}

function mayUse({ who, rules }: Rights): readonly Verb[] {
  return verbs.filter((verb) => authorityUnder(parseForRights(verb), who, rules).kind === 'allowed');
}

/** Authority looks at the verb alone. */
function parseForRights(verb: Verb): Command {
  return { verb } as Command;
}

interface Circumstances {
  rightsFor(about: Subject): Promise<Rights>;
  /** The answer stands there already, so everything has taken effect. */
  isAnswered: boolean;
}

async function answerTo(
  world: World,
  letter: Letter,
  { line, parsed, target, change }: Line,
  { rightsFor, isAnswered }: Circumstances,
): Promise<Answered> {
  const rights = await rightsFor(target);
  if (parsed.kind === 'fault') {
    // A bot that mistypes is not helped: two bots that answer each other never end.
    if (rights.who.isBot) return { outcome: { line, kind: 'ignored', why: 'bot' }, answer: null };
    return { outcome: { line, kind: 'fault', why: parsed.fault.kind }, answer: parsed };
  }
  const { command } = parsed;
  const authority = authorityUnder(command, rights.who, rights.rules);
  if (authority.kind === 'ignored')
    return { outcome: { line, kind: 'ignored', why: authority.why }, answer: null };
  if (authority.kind === 'refused')
    return { outcome: { line, kind: 'refused', why: authority.refusal.why }, answer: authority };
  if (isAnswered) return { outcome: { line, kind: 'accepted', why: 'answered-before' }, answer: null };
  if (command.verb === 'help')
    return { outcome: { line, kind: 'accepted', why: '' }, answer: { kind: 'help' } };
  if (target.kind === 'none') {
    const words = noSubjectResult(target.why);
    return {
      outcome: { line, kind: 'fault', why: target.why.kind === 'told' ? target.why.code : target.why.kind },
      answer: { kind: 'done', command, words },
    };
  }
  const desk: Desk = { world, letter, keys: target.keys, incidents: target.incidents };
  return carryOut(desk, line, command, change);
}

async function carryOut(
  desk: Desk,
  line: string,
  command: Command,
  change: NamedChange | null,
): Promise<Answered> {
  try {
    if (command.verb === 'status' || command.verb === 'explain') {
      const markdown = await tell(desk, command.verb);
      if (markdown !== null)
        return {
          outcome: { line, kind: 'accepted', why: '' },
          answer: { kind: 'told', command, markdown },
        };
    }
    const { words, why } = await effectOf(desk, command, change);
    return {
      outcome: { line, kind: why === '' ? 'accepted' : 'fault', why },
      answer: { kind: 'done', command, words },
    };
  } catch (problem) {
    if (!(problem instanceof WorldProblem) || problem.kind === 'transient') throw problem;
    return {
      outcome: { line, kind: 'fault', why: 'world' },
      answer: { kind: 'done', command, words: worldRefused(problem.message) },
    };
  }
}

/**
 * Just after a start nothing is seen yet, and a command is not refused for that. Throws a transient WorldProblem for a while, however
 * old the letter is; who cannot see for longer says so.
 */
function waitForSight(lines: readonly { ours: Line | null }[], triedForMs: number): void {
  if (triedForMs > sightMs) return;
  for (const target of lines.map(({ ours }) => ours?.target))
    if (target?.kind === 'none' && target.why.kind === 'cannot-see')
      throw new WorldProblem('transient', target.why.problem);
}

async function effectOf(desk: Desk, command: Command, change: NamedChange | null): Promise<Result> {
  switch (command.verb) {
    case 'help':
    case 'status':
    case 'explain':
      return { words: noSubjectResult({ kind: 'gone' }), why: 'gone' };
    case 'revert':
      return change?.kind === 'change' ? revertNamed(desk, command, change) : revertFailing(desk, command);
    case 'restore':
      return restore(desk, command);
    case 'sync':
      return sync(desk, command);
    case 'hold':
      return hold(desk, command);
    case 'resume':
      return resume(desk, command);
    case 'snooze':
      return snooze(desk, command);
    case 'dismiss':
      return dismiss(desk, command);
    case 'retry':
      return retry(desk, command);
    case 'freeze':
      return freeze(desk, command);
    case 'thaw':
      return thaw(desk, command);
    default:
      return never(command);
  }
}
