/**
 * The commands in a comment, and those that an edit added. What a reader does not see as a line of text is none
 * (`command-lines.ts`), the same command twice is one, and a comment that was edited runs nothing a second time.
 */
import { type Parsed, parseCommand, printCommand } from './command.ts';
import { slashLines } from './command-lines.ts';

/** More than a person types into one comment. */
const commandsMax = 10;

/** Commands and faults of a new comment, in order. `body` as GitHub sends it, or null. Never throws. */
export function commandsIn(body: string | null | undefined): readonly Parsed[] {
  return addedCommands(null, body);
}

/**
 * Commands and faults that a comment has and did not have before: of an edit `before` is what the webhook calls
 * `changes.body.from`, of a comment that was deleted there is nothing after. Who is asked for is the one who edited.
 * Source: test/incidents/GH19-comment-edited-by-someone-else.
 */
export function addedCommands(
  before: string | null | undefined,
  after: string | null | undefined,
): readonly Parsed[] {
  const { typed, hasMore } = added(before, after);
  const commands = typed.map(({ parsed }) => parsed);
  return hasMore
    ? [...commands, { kind: 'fault', fault: { kind: 'too-many', read: commandsMax } }]
    : commands;
}

/** The lines that these were typed as, each of which `parseCommand` reads; `hasMore` when there were too many. */
export function addedLines(
  before: string | null | undefined,
  after: string | null | undefined,
): { lines: readonly string[]; hasMore: boolean } {
  const { typed, hasMore } = added(before, after);
  return { lines: typed.map(({ line }) => line), hasMore };
}

interface Typed {
  line: string;
  parsed: Parsed;
}

function added(
  before: string | null | undefined,
  after: string | null | undefined,
): { typed: readonly Typed[]; hasMore: boolean } {
  const known = new Set(typedIn(before).map(({ parsed }) => keyOf(parsed)));
  const typed: Typed[] = [];
  for (const one of typedIn(after)) {
    const key = keyOf(one.parsed);
    if (known.has(key)) continue;
    known.add(key);
    if (typed.length === commandsMax) return { typed, hasMore: true };
    typed.push(one);
  }
  return { typed, hasMore: false };
}

function typedIn(body: string | null | undefined): readonly Typed[] {
  if (typeof body !== 'string') return [];
  return slashLines(body).flatMap((line) => {
    const parsed = parseCommand(line);
    return parsed === null ? [] : [{ line, parsed }];
  });
}

/** Equal for what is the same command: another reason for a dismissal is no other dismissal. */
function keyOf(parsed: Parsed): string {
  if (parsed.kind === 'fault') return `fault ${JSON.stringify(parsed.fault)}`;
  return parsed.command.verb === 'dismiss' ? 'dismiss' : printCommand(parsed.command);
}
