import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CommandFault, parseCommand, printCommand, usageOf, verbs } from '../../src/domain/command.ts';
import { attacks } from '../render/hostile.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const sha = 'd2bf318c0e1a4f5b6c7d8e9f0a1b2c3d4e5f6a7b';

function commandOf(text: string): unknown {
  const parsed = parseCommand(`/stepback ${text}`);
  return parsed?.kind === 'command' ? parsed.command : parsed;
}

function faultOf(text: string): CommandFault | undefined {
  const parsed = parseCommand(`/stepback ${text}`);
  return parsed?.kind === 'fault' ? parsed.fault : undefined;
}

describe('a command', () => {
  it.each([
    ['', { verb: 'help' }],
    ['help me please', { verb: 'help' }],
    ['status', { verb: 'status' }],
    ['EXPLAIN', { verb: 'explain' }],
    ['restore please', { verb: 'restore' }],
    ['resume', { verb: 'resume' }],
    ['retry now!', { verb: 'retry' }],
    ['freeze', { verb: 'freeze' }],
    ['thaw', { verb: 'thaw' }],
    ['hold', { verb: 'hold', forMs: day }],
    ['hold 30m', { verb: 'hold', forMs: 30 * minute }],
    ['hold for 2 hours please', { verb: 'hold', forMs: 2 * hour }],
    ['hold 1D12H', { verb: 'hold', forMs: 36 * hour }],
    ['hold 2w', { verb: 'hold', forMs: 14 * day }],
    ['sync', { verb: 'sync', place: null }],
    ['sync 2', { verb: 'sync', place: { kind: 'stage', stage: 2 } }],
    ['sync stage 2', { verb: 'sync', place: { kind: 'stage', stage: 2 } }],
    ['sync step staging', { verb: 'sync', place: { kind: 'stage', stage: 'staging' } }],
    ['sync app 2', { verb: 'sync', place: { kind: 'application', name: '2' } }],
    [
      'sync argocd/payments-prod-2',
      { verb: 'sync', place: { kind: 'either', name: 'argocd/payments-prod-2' } },
    ],
    ['snooze `prod-2` 2h', { verb: 'snooze', place: { kind: 'either', name: 'prod-2' }, forMs: 2 * hour }],
    ['snooze stage prod for 1d', { verb: 'snooze', place: { kind: 'stage', stage: 'prod' }, forMs: day }],
    ['dismiss  the alert   was a test ', { verb: 'dismiss', reason: 'the alert was a test' }],
    ['dismiss now', { verb: 'dismiss', reason: 'now' }],
  ])('%j is understood', (text, command) => {
    expect(commandOf(text)).toEqual(command);
  });

  it.each([
    ['revert', null],
    ['revert now please.', null],
    ['revert this', null],
    ['revert #412', { kind: 'pull-request', number: 412, repository: null }],
    ['revert 412', { kind: 'pull-request', number: 412, repository: null }],
    ['revert pull request #412', { kind: 'pull-request', number: 412, repository: null }],
    ['revert D2BF318', { kind: 'commit', sha: 'd2bf318', repository: null }],
    ['revert 1234567', { kind: 'commit', sha: '1234567', repository: null }],
    [`revert commit ${sha}`, { kind: 'commit', sha, repository: null }],
    ['revert payments', { kind: 'application-set', name: 'payments' }],
    ['revert argocd/payments', { kind: 'application-set', name: 'argocd/payments' }],
    [
      'revert https://GitHub.com/Acme/GitOps/pull/412/files#diff-1',
      { kind: 'pull-request', number: 412, repository: 'github.com/acme/gitops' },
    ],
    [
      `revert https://git.acme.example:8443/acme/gitops/commit/${sha}`,
      { kind: 'commit', sha, repository: 'git.acme.example:8443/acme/gitops' },
    ],
  ])('%j names what is taken back', (text, target) => {
    expect(commandOf(text)).toEqual({ verb: 'revert', target });
  });

  it('has a reason of at most 500 characters, none of them cut in half', () => {
    const command = commandOf(`dismiss x${'😀'.repeat(600)}`);
    expect(command).toEqual({ verb: 'dismiss', reason: `x${'😀'.repeat(499)}` });
  });

  it('is read again as it is printed', () => {
    const words = [
      ...[
        'revert',
        'sync',
        'hold',
        'snooze',
        'dismiss',
        'status',
        'stage',
        'application',
        'app',
        'prod-2',
        'a/b',
        '7',
      ],
      ...[
        '#412',
        sha,
        '1d',
        '90m',
        '2h30m',
        '10000h',
        'for',
        'please',
        'pull',
        'request',
        'retry',
        'https://h/a/b/pull/7',
      ],
    ];
    let commands = 0;
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...words), { maxLength: 5 }), (typed) => {
        const parsed = parseCommand(`/stepback ${typed.join(' ')}`);
        if (parsed?.kind !== 'command') return;
        commands += 1;
        expect(commandOf(printCommand(parsed.command))).toEqual(parsed.command);
      }),
      { numRuns: 3_000 },
    );
    expect(commands).toBeGreaterThan(500);
  });
});

describe('a line that is no command', () => {
  it.each([
    ['snooze', { kind: 'missing', expected: 'place' }],
    ['snooze stage', { kind: 'missing', expected: 'place' }],
    ['snooze prod', { kind: 'missing', expected: 'duration' }],
    ['snooze prod two hours', { kind: 'not-one', expected: 'duration', word: 'two hours' }],
    ['snooze 2h prod', { kind: 'not-one', expected: 'duration', word: 'prod' }],
    ['snooze <application> 2h', { kind: 'not-one', expected: 'place', word: '<application>' }],
    ['snooze prod 8d', { kind: 'too-long', word: '8d', limitMs: 7 * day }],
    ['hold 90', { kind: 'not-one', expected: 'duration', word: '90' }],
    ['hold 30s', { kind: 'not-one', expected: 'duration', word: '30s' }],
    ['hold 1h1h', { kind: 'not-one', expected: 'duration', word: '1h1h' }],
    ['hold -2h', { kind: 'not-one', expected: 'duration', word: '-2h' }],
    ['hold 0m', { kind: 'too-short', word: '0m', limitMs: minute }],
    ['hold 999999d', { kind: 'too-long', word: '999999d', limitMs: 30 * day }],
    ['hold payments 2h', { kind: 'not-one', expected: 'duration', word: 'payments 2h' }],
    ['dismiss', { kind: 'missing', expected: 'reason' }],
    ['dismiss ...', { kind: 'missing', expected: 'reason' }],
    ['dismiss <why>', { kind: 'not-one', expected: 'reason', word: '<why>' }],
    ['revert #0', { kind: 'not-one', expected: 'revert-target', word: '#0' }],
    ['revert HEAD~1', { kind: 'not-one', expected: 'revert-target', word: 'HEAD~1' }],
    ['revert $(reboot)', { kind: 'not-one', expected: 'revert-target', word: '$(reboot)' }],
    ['revert p\u0430yments', { kind: 'not-one', expected: 'revert-target', word: 'p\u0430yments' }],
    ['revert #412 #413', { kind: 'unexpected', word: '#413' }],
    ['sync prod dev', { kind: 'unexpected', word: 'dev' }],
    ['sync ../../etc', { kind: 'not-one', expected: 'place', word: '../../etc' }],
    ['status of prod', { kind: 'unexpected', word: 'of' }],
  ])('%j says what is expected', (text, problem) => {
    expect(faultOf(text)).toMatchObject({ kind: 'wrong-arguments', problem });
  });

  it.each([
    ['revret', 'revert'],
    ['revertx', 'revert'],
    ['REVER', 'revert'],
    ['revert!', 'revert'],
    ['revert\u200b', 'revert'],
    ['rollback', 'revert'],
    ['Undo', 'revert'],
    ['statsu', 'status'],
    ['pause', 'hold'],
    ['unhold', 'resume'],
    ['why', 'explain'],
    ['unfreeze', 'thaw'],
    ['snoze', 'snooze'],
    ['hlod', 'hold'],
    ['deploy', 'sync'],
    ['', undefined],
    ['constructor', null],
    ['__proto__', null],
    ['is', null],
    ['зависло', null],
    ['x'.repeat(60_000), null],
  ])('%j is near to %s', (typed, suggestion) => {
    expect((faultOf(typed) as { suggestion?: string } | undefined)?.suggestion).toBe(suggestion);
  });

  it('suggests nothing that is as near to something else', () => {
    expect(faultOf('held')).toMatchObject({ suggestion: null });
  });

  it('never throws', () => {
    const word = fc.oneof(
      fc.constantFrom(...verbs, ...attacks, '2h', '#1', 'stage'),
      fc.string({ unit: 'binary' }),
    );
    fc.assert(
      fc.property(fc.array(word, { maxLength: 6 }), (words) => {
        const parsed = parseCommand(`/stepback ${words.join(' ')}`);
        expect(['command', 'fault']).toContain(parsed?.kind);
      }),
    );
  });
});

describe('the list of commands', () => {
  it('is in the order of the help', () => {
    expect(verbs.map((verb) => usageOf(verb).usage)).toMatchInlineSnapshot(`
      [
        "help",
        "status",
        "explain",
        "revert [commit, pull request or ApplicationSet]",
        "restore",
        "sync [stage or Application]",
        "hold [duration]",
        "resume",
        "snooze <Application or stage> <duration>",
        "dismiss <reason>",
        "retry",
        "freeze",
        "thaw",
      ]
    `);
  });

  it('has an example of each that is understood', () => {
    for (const verb of verbs) expect(commandOf(usageOf(verb).example)).toMatchObject({ verb });
  });
});
