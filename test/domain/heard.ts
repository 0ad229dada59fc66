/** What is heard of a comment, in words that a table of a test can hold. */
import { type Parsed, printCommand } from '../../src/domain/command.ts';
import { commandsIn } from '../../src/domain/command-comment.ts';

/** `hold 1d` for a command, `? unknown-verb` for a fault. */
export function inWords(parsed: Parsed): string {
  return parsed.kind === 'command' ? printCommand(parsed.command) : `? ${parsed.fault.kind}`;
}

/** In the order of the comment. */
export function heard(body: string | null): readonly string[] {
  return commandsIn(body).map(inWords);
}
