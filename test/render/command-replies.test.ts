import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Command, type CommandFault, parseCommand, type Verb, verbs } from '../../src/domain/command.ts';
import {
  authorityOf,
  type Commander,
  type CommandRules,
  verbsFor,
} from '../../src/domain/command-authority.ts';
import { commandsIn } from '../../src/domain/command-comment.ts';
import { type CommandAnswer, commandReply } from '../../src/render/command-replies.ts';
import { dismissedResult, unknownResult } from '../../src/render/command-results.ts';
import { say } from '../../src/render/sentence.ts';
import { attacks, hostileText } from './hostile.ts';
import { read } from './markdown.ts';

const dana: Commander = {
  login: 'dana',
  isBot: false,
  isOurs: false,
  permission: 'write',
  teams: new Set(),
  isCodeOwner: false,
};

/** What stands for the answer that others give to a status and an explanation. */
const explanation = 'No revert for `argocd/payments`: nothing fails.';

function answersTo(body: string, change: Partial<Commander> = {}, rules: CommandRules = {}): CommandAnswer[] {
  return commandsIn(body).flatMap((parsed): CommandAnswer[] => {
    if (parsed.kind === 'fault') return [parsed];
    const { command } = parsed;
    const authority = authorityOf(command, { ...dana, ...change }, rules);
    if (authority.kind === 'ignored') return [];
    if (authority.kind === 'refused') return [authority];
    if (command.verb === 'help') return [{ kind: 'help' }];
    return command.verb === 'status' || command.verb === 'explain'
      ? [{ kind: 'told', command, markdown: explanation }]
      : [{ kind: 'done', command, words: say`It is done.` }];
  });
}

/** The reply to a comment of somebody with write access, where nothing is configured unless it is said. */
function replyTo(body: string, change: Partial<Commander> = {}, rules: CommandRules = {}): string | null {
  return commandReply(answersTo(body, change, rules), verbsFor({ ...dana, ...change }, rules));
}

describe('what was refused', () => {
  it('of what changes the cluster, says where somebody can be named', () => {
    expect(replyTo('/stepback sync')).toMatchInlineSnapshot(
      `"\`/stepback sync\` changes the cluster, and nobody is named for that in \`.github/stepback.yaml\` (\`commands.sync.teams\`). Whoever maintains that file can add a team. What you may use here: \`status\`, \`explain\`, \`revert\`, \`restore\`, \`hold\`, \`resume\`, \`snooze\`, \`dismiss\`, \`retry\`."`,
    );
  });

  it('for want of access, says how much it takes', () => {
    expect(replyTo('/stepback hold 2h', { permission: 'triage' })).toMatchInlineSnapshot(
      `"\`/stepback hold\` needs write access to this repository, and you have triage access. What you may use here: \`status\`, \`explain\`."`,
    );
  });

  it('because it is for others, says who they are and calls none of them', () => {
    const rules: CommandRules = {
      revert: { teams: ['acme/sre', 'acme/owners'], users: ['lee'], codeOwners: true },
    };
    const reply = replyTo('/stepback revert #412', {}, rules);
    expect(reply).toMatchInlineSnapshot(
      `"\`/stepback revert\` is for \`acme/sre\`, \`acme/owners\`, \`lee\` and the code owners of the path, as \`.github/stepback.yaml\` says (\`commands.revert\`). Ask one of them. What you may use here: \`status\`, \`explain\`, \`restore\`, \`hold\`, \`resume\`, \`snooze\`, \`dismiss\`, \`retry\`."`,
    );
    expect(read(reply ?? '').live).toEqual([]);
  });

  it('because nobody is named, says so', () => {
    expect(replyTo('/stepback revert', {}, { revert: { teams: [] } })).toMatchInlineSnapshot(
      `"\`/stepback revert\` is for those whom \`.github/stepback.yaml\` names (\`commands.revert\`), and it names nobody. Whoever maintains that file can add a team. What you may use here: \`status\`, \`explain\`, \`restore\`, \`hold\`, \`resume\`, \`snooze\`, \`dismiss\`, \`retry\`."`,
    );
  });

  it('to somebody who may nothing, promises nothing', () => {
    expect(replyTo('/stepback status', { permission: 'none' })).toMatchInlineSnapshot(
      `"\`/stepback status\` needs read access to this repository, and you have no access."`,
    );
  });

  it('ends after a few names', () => {
    const users = Array.from({ length: 100 }, (_, index) => `user-${index}`);
    expect(replyTo('/stepback retry', {}, { retry: { users } })).toMatchInlineSnapshot(
      `"\`/stepback retry\` is for \`user-0\`, \`user-1\`, \`user-2\`, \`user-3\`, \`user-4\` and 95 more, as \`.github/stepback.yaml\` says (\`commands.retry\`). Ask one of them. What you may use here: \`status\`, \`explain\`, \`revert\`, \`restore\`, \`hold\`, \`resume\`, \`snooze\`, \`dismiss\`."`,
    );
  });

  it('of a bot is not answered', () => {
    expect(replyTo('/stepback revert', { isBot: true })).toBeNull();
    expect(replyTo('just a comment')).toBeNull();
  });
});

describe('what was not understood', () => {
  it('is answered with what is expected', () => {
    expect(
      [
        'revret',
        'rollback now',
        'make it so',
        'snooze',
        'snooze staging',
        'snooze staging a while',
        'snooze <application> 2h',
        'snooze staging 30d',
        'hold 0m',
        'hold 90',
        'dismiss',
        'dismiss <why>',
        'revert HEAD~1',
        'revert #412 #413',
        'status of prod',
      ]
        .map((text) => replyTo(`/stepback ${text}`))
        .join('\n'),
    ).toMatchInlineSnapshot(`
      "There is no command \`revret\`. Did you mean \`/stepback revert\`?
      There is no command \`rollback\`. Did you mean \`/stepback revert\`?
      There is no command \`make\`. \`/stepback help\` shows what there is.
      \`/stepback snooze\` needs a stage or an Application. Type \`/stepback snooze <Application or stage> <duration>\`, for example \`/stepback snooze staging 2h\`.
      \`/stepback snooze\` needs to know for how long. Type \`/stepback snooze <Application or stage> <duration>\`, for example \`/stepback snooze staging 2h\`.
      \`a while\` is no duration: minutes, hours and days are written \`30m\`, \`2h\` and \`1d\`. Type \`/stepback snooze <Application or stage> <duration>\`, for example \`/stepback snooze staging 2h\`.
      \`<application>\` cannot be the name of a stage or of an Application. Type \`/stepback snooze <Application or stage> <duration>\`, for example \`/stepback snooze staging 2h\`.
      \`30d\` is too long: 7 d at the most, and you can type it again when that is over. Type \`/stepback snooze <Application or stage> <duration>\`, for example \`/stepback snooze staging 2h\`.
      \`0m\` is too short: 1 min at the least. Type \`/stepback hold [duration]\`, for example \`/stepback hold 2h\`.
      \`90\` is no duration: minutes, hours and days are written \`30m\`, \`2h\` and \`1d\`. Type \`/stepback hold [duration]\`, for example \`/stepback hold 2h\`.
      \`/stepback dismiss\` needs a reason, which is remembered with the figures of this incident. Type \`/stepback dismiss <reason>\`, for example \`/stepback dismiss the alert was a test\`.
      \`<why>\` stands for a reason of yours. Type \`/stepback dismiss <reason>\`, for example \`/stepback dismiss the alert was a test\`.
      \`HEAD~1\` is no commit, no pull request and no name of an ApplicationSet. Type \`/stepback revert [commit, pull request or ApplicationSet]\`, for example \`/stepback revert #412\`.
      \`#413\` is more than \`/stepback revert\` takes. Type \`/stepback revert [commit, pull request or ApplicationSet]\`, for example \`/stepback revert #412\`.
      \`of\` is more than \`/stepback status\` takes. Type \`/stepback status\` and nothing else on that line."
    `);
  });

  it('is cut when it is long', () => {
    expect(replyTo(`/stepback ${'x'.repeat(60_000)}`)).toMatchInlineSnapshot(
      `"There is no command \`xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…\`. \`/stepback help\` shows what there is."`,
    );
  });
});

describe('one comment with several commands', () => {
  it('gets one reply, in its order', () => {
    expect(
      replyTo('/stepback explain\n/stepback hold 2h\n/stepback sync\n/stepback freeze\n/stepback revret'),
    ).toMatchInlineSnapshot(`
      "\`/stepback explain\`

      No revert for \`argocd/payments\`: nothing fails.

      \`/stepback hold 2h\`: It is done.

      \`/stepback sync\` changes the cluster, and nobody is named for that in \`.github/stepback.yaml\` (\`commands.sync.teams\`). Whoever maintains that file can add a team.

      \`/stepback freeze\` changes the cluster, and nobody is named for that in \`.github/stepback.yaml\` (\`commands.freeze.teams\`). Whoever maintains that file can add a team.

      There is no command \`revret\`. Did you mean \`/stepback revert\`?

      What you may use here: \`status\`, \`explain\`, \`revert\`, \`restore\`, \`hold\`, \`resume\`, \`snooze\`, \`dismiss\`, \`retry\`."
    `);
  });

  it('with more commands than are read is told so', () => {
    const body = Array.from({ length: 11 }, (_, index) => `/stepback hold ${index + 1}m`).join('\n');
    expect(replyTo(body)?.split('\n\n').at(-1)).toMatchInlineSnapshot(
      `"I read the first 10 commands of a comment. Put what comes after them into another comment."`,
    );
  });

  it('leaves out an answer that does not fit beside the others', () => {
    const command: Command = { verb: 'explain' };
    const long: CommandAnswer = { kind: 'told', command, markdown: 'x'.repeat(60_000) };
    const others = answersTo('/stepback hold 2h');
    expect(commandReply([long], verbs)).toHaveLength(60_000);
    expect(commandReply([long, ...others], verbs)).toMatchInlineSnapshot(`
      "The answer to \`/stepback explain\` is too long to stand here. Ask for it in a comment of its own.

      \`/stepback hold 2h\`: It is done."
    `);
  });
});

describe('the help', () => {
  it('shows every command and whether the reader may use it', () => {
    expect(replyTo('/stepback help')).toMatchInlineSnapshot(`
      "Begin a line of a comment on a pull request with one of these. A line in a quote or in code is none; several lines are several commands.

      | Command | What it does | You may |
      | --- | --- | --- |
      | \`/stepback help\` | Shows this. | yes |
      | \`/stepback status\` | Where the rollout stands, stage by stage. | yes |
      | \`/stepback explain\` | The verdict with every reason, also why nothing is done. | yes |
      | \`/stepback revert [commit, pull request or ApplicationSet]\` | Opens the pull request that takes back what is to blame, or what you name. | yes |
      | \`/stepback restore\` | Opens a pull request that puts the whole path back to last good. | yes |
      | \`/stepback sync [stage or Application]\` | Asks Argo CD to sync a stage, an Application or all of them. | no |
      | \`/stepback hold [duration]\` | Opens no revert for this ApplicationSet, for a day or as long as you say. | yes |
      | \`/stepback resume\` | Ends a hold. | yes |
      | \`/stepback snooze <Application or stage> <duration>\` | Leaves an Application or a stage out of the verdict for a while. | yes |
      | \`/stepback dismiss <reason>\` | A false alarm: closes the revert and remembers why. | yes |
      | \`/stepback retry\` | Looks again and tries again what did not work. | yes |
      | \`/stepback freeze\` | Keeps the bad commit from going further, with \`maxUpdate: 0\`. | no |
      | \`/stepback thaw\` | Puts back what a freeze changed. | no |

      Where it says no, \`.github/stepback.yaml\` or your access to this repository is in the way; type the command and I say which."
    `);
  });

  it('forgets no command, and none of its rows breaks', () => {
    const help = replyTo('/stepback');
    for (const verb of verbs) expect(help).toMatch(new RegExp(`^\\| \`/stepback ${verb}[ \`]`, 'm'));
    expect(read(help ?? '').tables).toEqual([Array.from({ length: verbs.length + 1 }, () => 3)]);
  });

  it('does not speak of a no where there is none', () => {
    expect(commandReply([{ kind: 'help' }], verbs)).not.toContain('no,');
  });
});

describe('hostile text', () => {
  const faultsOf = (text: string): readonly CommandFault[] => [
    { kind: 'unknown-verb', word: text, suggestion: null },
    { kind: 'wrong-arguments', verb: 'hold', problem: { kind: 'not-one', expected: 'duration', word: text } },
    { kind: 'wrong-arguments', verb: 'sync', problem: { kind: 'unexpected', word: text } },
  ];

  const repliesWith = (text: string): readonly CommandAnswer[] => [
    ...faultsOf(text).map((fault): CommandAnswer => ({ kind: 'fault', fault })),
    { kind: 'done', command: { verb: 'dismiss', reason: text }, words: dismissedResult(text, [7], null) },
    {
      kind: 'done',
      command: { verb: 'snooze', place: { kind: 'either', name: text }, forMs: 60_000 },
      words: unknownResult('snooze', {
        kind: 'place',
        place: { kind: 'either', name: text },
        suggestion: text,
        known: [text],
      }),
    },
    {
      kind: 'done',
      command: { verb: 'revert', target: { kind: 'application-set', name: text } },
      words: unknownResult('revert', { kind: 'several-sets', name: text, candidates: [text, text] }),
    },
    ...answersTo('/stepback retry', {}, { retry: { teams: [text], users: [text, text] } }),
  ];

  const expectHarmless = (markdown: string): void => {
    const { links, html, live, strange, tables, blocks } = read(markdown);
    expect({ links, html, live, strange, tables, blocks }).toEqual({
      links: [],
      html: [],
      live: [],
      strange: [],
      tables: [],
      blocks: [],
    });
    expect(commandsIn(markdown)).toEqual([]);
  };

  it('is shown and obeyed nowhere', () => {
    for (const attack of attacks)
      for (const answer of repliesWith(attack)) expectHarmless(commandReply([answer], ['status']) ?? '');
  });

  it('is harmless in any mixture, all in one reply that fits', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const reply = commandReply(repliesWith(text), ['status']) ?? '';
        expectHarmless(reply);
        expect(reply.length).toBeLessThan(8_000);
      }),
      { numRuns: 300 },
    );
  });

  it('that is as long as it can be leaves room for the rest', () => {
    const wide = '`😀'.repeat(30_000);
    const refused = answersTo(
      '/stepback retry',
      {},
      { retry: { users: Array.from({ length: 50 }, () => wide) } },
    );
    const many: CommandAnswer[] = Array.from({ length: 11 }, () => refused[0]!);
    const told: CommandAnswer = { kind: 'told', command: { verb: 'status' }, markdown: 'x'.repeat(50_000) };
    expect(commandReply([told, ...many], verbs)?.length).toBeLessThan(65_536);
  });

  it('typed as a command is a fault or a command, and its reply is harmless', () => {
    fc.assert(
      fc.property(fc.constantFrom<Verb>(...verbs), hostileText, (verb, text) => {
        const parsed = parseCommand(`/stepback ${verb} ${text}`);
        if (parsed?.kind !== 'fault') return;
        expectHarmless(commandReply([parsed], []) ?? '');
      }),
      { numRuns: 500 },
    );
  });
});
