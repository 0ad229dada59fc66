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
  const known = new Set(parsedIn(before).map(keyOf));
  const added: Parsed[] = [];
  for (const parsed of parsedIn(after)) {
    const key = keyOf(parsed);
    if (known.has(key)) continue;
    known.add(key);
    if (added.length === commandsMax)
      return [...added, { kind: 'fault', fault: { kind: 'too-many', read: commandsMax } }];
    added.push(parsed);
  }
  return added;
}

function parsedIn(body: string | null | undefined): readonly Parsed[] {
  return typeof body === 'string' ? slashLines(body).flatMap((line) => parseCommand(line) ?? []) : [];
}

/** Equal for what is the same command: another reason for a dismissal is no other dismissal. */
function keyOf(parsed: Parsed): string {
  if (parsed.kind === 'fault') return `fault ${JSON.stringify(parsed.fault)}`;
  return parsed.command.verb === 'dismiss' ? 'dismiss' : printCommand(parsed.command);
}
