/** The recorded incidents about commands: GH16, GH17 and GH19. The cases write `/revert` for `/stepback revert`. */
import { describe, expect, it } from 'vitest';
import { authorityOf, type Commander, type Permission } from '../../src/domain/command-authority.ts';
import { addedCommands, commandsIn } from '../../src/domain/command-comment.ts';
import botAnswersItself from '../incidents/GH16-bot-answers-itself/case.json' with { type: 'json' };
import matrix from '../incidents/GH17-command-text-matrix/case.json' with { type: 'json' };
import editedByOthers from '../incidents/GH19-comment-edited-by-someone-else/case.json' with { type: 'json' };

/** `/revert` and `/hold` as Stepback has them. */
function inOurWords(body: string): string {
  return body.replace(/\/(?=revert|hold)/gi, '/stepback ');
}

function commander(change: Partial<Commander>): Commander {
  return {
    login: 'dev',
    isBot: false,
    isOurs: false,
    permission: 'write',
    teams: new Set(),
    isCodeOwner: false,
    ...change,
  };
}

describe('GH16: the bot answers itself', () => {
  it.each(
    botAnswersItself.events.map((event, index) => ({ event, expected: botAnswersItself.expect[index] })),
  )('an event of $event.sender.login is: $expected', ({ event: { sender, body }, expected }) => {
    const who = commander({
      login: sender.login,
      isBot: sender.type === 'Bot',
      isOurs: sender.login === 'our-app[bot]',
    });
    const answers = commandsIn(inOurWords(body)).map((parsed) =>
      parsed.kind === 'command' ? authorityOf(parsed.command, who, {}).kind : parsed.kind,
    );
    expect(answers).toEqual([expected === 'run' ? 'allowed' : 'ignored']);
  });
});

describe('GH17: what is a command', () => {
  const commandsWhere: Readonly<Record<string, number>> = {
    ignore: 0,
    run: 1,
    'run-once': 1,
    'two-commands': 2,
  };

  it.each(matrix.bodies)('$body: $expect', ({ body, expect: expected }) => {
    const found = commandsIn(body === null ? null : inOurWords(body));
    const commands = found.flatMap((parsed) => (parsed.kind === 'command' ? [parsed.command.verb] : []));
    expect(commands).toEqual(['revert', 'hold'].slice(0, commandsWhere[expected]));
  });
});

describe('GH19: a comment is edited by somebody else', () => {
  const bodyBefore = ({ changes, comment, action }: (typeof editedByOthers.events)[number]): string | null =>
    action === 'edited' ? (changes?.body.from ?? null) : comment.body;

  const outcomeOf = (event: (typeof editedByOthers.events)[number]): string => {
    const after = event.action === 'deleted' ? null : inOurWords(event.comment.body);
    const [added] = addedCommands(inOurWords(bodyBefore(event) ?? ''), after);
    if (added?.kind !== 'command') return event.action === 'deleted' ? 'ignore' : 'ignore-already-run';
    const who = commander({ login: event.sender, permission: event.permission as Permission });
    return authorityOf(added.command, who, {}).kind === 'allowed' ? 'run' : 'deny';
  };

  it('the one who edited must be allowed, only what was added runs, a deletion does nothing', () => {
    expect(editedByOthers.events.map(outcomeOf)).toEqual(editedByOthers.expect);
  });
});
