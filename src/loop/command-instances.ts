/**
 * Several Argo CDs get the same letter, because only they know what is theirs. Each line of it has one answer: from the one
 * that it concerns, and where it concerns none from the first.
 */
import type { NamedChange } from '../content/named-change.ts';
import { type Parsed, parseCommand } from '../domain/command.ts';
import type { Letter } from '../ports/mailbox.ts';
import { WorldProblem } from '../ports.ts';
import { subjectOfChange } from './command-asked.ts';
import { type Subject, subjectNamed, subjectOf } from './command-subject.ts';
import type { World } from './world.ts';

/** Another Argo CD of this installation. */
export interface Neighbour {
  /** Of several that could answer what concerns them alike, the first does. */
  isBefore: boolean;
  /** What the line is about there. Throws WorldProblem. */
  about(letter: Letter, line: string): Promise<Subject>;
}

/** A line of a letter, and what it is about in this Argo CD. */
export interface Line {
  line: string;
  parsed: Parsed;
  target: Subject;
  change: NamedChange | null;
}

/** Who names an ApplicationSet, a commit or a pull request means that one, wherever it is typed. Throws WorldProblem. */
export async function readLine(
  world: World,
  letter: Letter,
  line: string,
  parsed: Parsed,
  subject: Subject,
): Promise<Line> {
  const named = parsed.kind === 'command' && parsed.command.verb === 'revert' ? parsed.command.target : null;
  if (named === null) return { line, parsed, target: subject, change: null };
  if (named.kind === 'application-set')
    return { line, parsed, target: await subjectNamed(world, letter, named.name), change: null };
  const found = await subjectOfChange(world, letter, named);
  return { line, parsed, target: found.subject, change: found.change };
}

/** What a line is about in this Argo CD, for its neighbours. Throws WorldProblem. */
export async function aboutLine(world: World, letter: Letter, line: string): Promise<Subject> {
  const subject = await subjectOf(world, letter);
  const parsed = parseCommand(line);
  return parsed === null ? subject : (await readLine(world, letter, line, parsed, subject)).target;
}

/**
 * The line as this Argo CD is to answer it; null when another one does. What only a neighbour that cannot see would know is
 * told to be so.
 */
export async function asOurs(
  letter: Letter,
  one: Line,
  { isFirstInstance, neighbours }: { isFirstInstance: boolean; neighbours(): readonly Neighbour[] },
): Promise<Line | null> {
  const { line, parsed, target } = one;
  const isGeneral = parsed.kind === 'fault' || parsed.command.verb === 'help';
  if (target.kind === 'sets' && !isGeneral) return one;
  const others = await Promise.all(
    neighbours().map(async (neighbour) => ({ ...neighbour, about: await aboutIn(neighbour, letter, line) })),
  );
  const concerned = others.filter(({ about }) => about.kind === 'sets');
  if (target.kind === 'sets') return concerned.some(({ isBefore }) => isBefore) ? null : one;
  if (!isFirstInstance || concerned.length > 0) return null;
  const blind = others.find(({ about }) => about.kind === 'none' && about.why.kind === 'cannot-see');
  return blind === undefined || target.why.kind === 'issue' ? one : { ...one, target: blind.about };
}

async function aboutIn(neighbour: Neighbour, letter: Letter, line: string): Promise<Subject> {
  try {
    return await neighbour.about(letter, line);
  } catch (problem) {
    if (!(problem instanceof WorldProblem)) throw problem;
    return { kind: 'none', why: { kind: 'cannot-see', problem: problem.message } };
  }
}
