import { describe, expect, it } from 'vitest';
import { commandNeeds } from '../../src/config/command-needs.ts';
import { type Command, type Verb, verbs } from '../../src/domain/command.ts';
import {
  type Authority,
  authorityOf,
  authorityUnder,
  type Commander,
  type CommandRules,
  type Permission,
  verbsFor,
} from '../../src/domain/command-authority.ts';

const dana: Commander = {
  login: 'dana',
  isBot: false,
  isOurs: false,
  permission: 'write',
  teams: new Set(),
  isCodeOwner: false,
};

const commands: { readonly [Kind in Verb]: Command } = {
  help: { verb: 'help' },
  status: { verb: 'status' },
  explain: { verb: 'explain' },
  revert: { verb: 'revert', target: null },
  restore: { verb: 'restore' },
  sync: { verb: 'sync', place: null },
  hold: { verb: 'hold', forMs: 1 },
  resume: { verb: 'resume' },
  snooze: { verb: 'snooze', place: { kind: 'either', name: 'prod' }, forMs: 1 },
  dismiss: { verb: 'dismiss', reason: 'a test' },
  retry: { verb: 'retry' },
  freeze: { verb: 'freeze' },
  thaw: { verb: 'thaw' },
};

function asked(verb: Verb, change: Partial<Commander> = {}, rules: CommandRules = {}): Authority {
  return authorityOf(commands[verb], { ...dana, ...change }, rules);
}

/** `allowed`, `permission`, `nobody-named`, `not-named`, `ours` or `bot`. */
function inShort(verb: Verb, change: Partial<Commander> = {}, rules: CommandRules = {}): string {
  const authority = asked(verb, change, rules);
  if (authority.kind === 'allowed') return 'allowed';
  return authority.kind === 'refused' ? authority.refusal.why : authority.why;
}

describe('without configuration', () => {
  it.each<[Permission, string]>([
    ['none', ''],
    ['read', 'help status explain'],
    ['triage', 'help status explain'],
    ['write', 'help status explain revert restore hold resume snooze dismiss retry'],
    ['maintain', 'help status explain revert restore hold resume snooze dismiss retry'],
    ['admin', 'help status explain revert restore hold resume snooze dismiss retry'],
  ])('somebody with %s access may use: %s', (permission, expected) => {
    expect(verbsFor({ ...dana, permission }, {}).join(' ')).toBe(expected);
  });

  it('says what it takes and what may be used instead', () => {
    expect(asked('hold', { permission: 'triage' })).toEqual({
      kind: 'refused',
      refusal: {
        verb: 'hold',
        why: 'permission',
        has: 'triage',
        needs: 'write',
        teams: [],
        users: [],
        codeOwners: false,
        changesCluster: false,
        mayUse: ['help', 'status', 'explain'],
      },
    });
  });
});

describe('what changes the cluster', () => {
  it.each<Verb>(['sync', 'freeze', 'thaw'])('is for nobody: %s', (verb) => {
    expect(inShort(verb, { permission: 'admin', isCodeOwner: true })).toBe('nobody-named');
    expect(inShort(verb, { permission: 'admin' }, { [verb]: { permission: 'read' } })).toBe('nobody-named');
    expect(inShort(verb, { permission: 'admin' }, { [verb]: { teams: [], users: [] } })).toBe('nobody-named');
  });

  it('is not opened to code owners, who have a right in the repository and none in the cluster', () => {
    const owner = { permission: 'admin', isCodeOwner: true } as const;
    expect(inShort('sync', owner, { sync: { codeOwners: true } })).toBe('nobody-named');
    expect(inShort('sync', owner, { sync: { codeOwners: true, teams: ['acme/sre'] } })).toBe('not-named');
  });

  it('is for the teams and the people who are named, when they may write as well', () => {
    const rules = { sync: { teams: ['@Acme/SRE'], users: ['@Lee'] } };
    expect(inShort('sync', { teams: new Set(['acme/sre']) }, rules)).toBe('allowed');
    expect(inShort('sync', { login: 'lee' }, rules)).toBe('allowed');
    expect(inShort('sync', { permission: 'triage', login: 'lee' }, rules)).toBe('permission');
    expect(inShort('sync', { permission: 'admin' }, rules)).toBe('not-named');
    expect(inShort('sync', { permission: 'admin', teams: new Set(['other/sre', 'acme/sre-2']) }, rules)).toBe(
      'not-named',
    );
    expect(inShort('freeze', { teams: new Set(['acme/sre']) }, rules)).toBe('nobody-named');
  });

  it('is not for somebody whose name only looks like one', () => {
    expect(inShort('sync', { login: 'ken' }, { sync: { users: ['\u212aen', 'k\u0435n'] } })).toBe(
      'not-named',
    );
  });
});

describe('rules of several places', () => {
  const rules: readonly CommandRules[] = [
    { hold: { users: ['dana', 'lee'] } },
    { hold: { teams: ['acme/sre'] } },
  ];
  const under = (change: Partial<Commander>): Authority =>
    authorityUnder(commands.hold, { ...dana, ...change }, rules);

  it('must all let a person', () => {
    expect(under({ teams: new Set(['acme/sre']) })).toEqual({ kind: 'allowed' });
    expect(under({})).toMatchObject({ kind: 'refused', refusal: { why: 'not-named', teams: ['acme/sre'] } });
    expect(under({ login: 'sam', teams: new Set(['acme/sre']) })).toMatchObject({
      kind: 'refused',
      refusal: { why: 'not-named', users: ['dana', 'lee'] },
    });
  });

  it('leave to use what each of them lets', () => {
    const authority = under({ permission: 'read' });
    expect(authority.kind === 'refused' && authority.refusal.mayUse).toEqual(['help', 'status', 'explain']);
  });

  it('that name a team nobody would tell us of refuse with these words', () => {
    expect(under({ unknownTeams: new Set(['acme/sre']) })).toMatchObject({
      refusal: { why: 'teams-unknown' },
    });
  });
});

describe('what the configuration says that a command needs', () => {
  it.each(verbs)('is what it needs: %s', (verb) => {
    const { permission, changesCluster } = commandNeeds[verb];
    const named: CommandRules = { [verb]: { users: ['dana'] } };
    const all: readonly Permission[] = ['none', 'read', 'triage', 'write', 'maintain', 'admin'];
    for (const has of all) {
      const isEnough = all.indexOf(has) >= all.indexOf(permission);
      expect(inShort(verb, { permission: has }, named)).toBe(isEnough ? 'allowed' : 'permission');
    }
    expect(inShort(verb, { permission: 'admin' })).toBe(changesCluster ? 'nobody-named' : 'allowed');
  });
});

describe('configuration', () => {
  it('asks for more access', () => {
    const rules: CommandRules = { revert: { permission: 'maintain' } };
    expect(inShort('revert', {}, rules)).toBe('permission');
    expect(inShort('revert', { permission: 'maintain' }, rules)).toBe('allowed');
  });

  it('never asks for less', () => {
    const rules: CommandRules = { revert: { permission: 'read', users: ['dana'] } };
    expect(inShort('revert', { permission: 'triage' }, rules)).toBe('permission');
    expect(inShort('revert', {}, rules)).toBe('allowed');
  });

  it('names teams, people and code owners, any of whom may', () => {
    const rules: CommandRules = { revert: { teams: ['acme/sre'], users: ['lee'], codeOwners: true } };
    expect(inShort('revert', {}, rules)).toBe('not-named');
    expect(inShort('revert', { isCodeOwner: true }, rules)).toBe('allowed');
    expect(inShort('revert', { login: 'LEE' }, rules)).toBe('allowed');
    expect(inShort('revert', { teams: new Set(['acme/sre']) }, rules)).toBe('allowed');
    expect(inShort('revert', { teams: new Set(['acme/sre']), permission: 'read' }, rules)).toBe('permission');
  });

  it('that names nobody opens a command to nobody', () => {
    expect(inShort('revert', { permission: 'admin' }, { revert: { teams: [] } })).toBe('nobody-named');
    expect(inShort('revert', { permission: 'admin', login: '' }, { revert: { users: ['', '@'] } })).toBe(
      'not-named',
    );
  });

  it('that says nothing of a command narrows nothing', () => {
    expect(inShort('revert', {}, { hold: { users: ['lee'] }, revert: { codeOwners: false } })).toBe(
      'allowed',
    );
  });

  it('is what is left to use instead', () => {
    const rules: CommandRules = { hold: { users: ['lee'] }, sync: { users: ['dana'] } };
    const authority = asked('hold', {}, rules);
    expect(authority.kind === 'refused' && authority.refusal.mayUse.join(' ')).toBe(
      'help status explain revert restore sync resume snooze dismiss retry',
    );
  });
});

describe('a bot', () => {
  const bot: Partial<Commander> = { login: 'renovate[bot]', isBot: true, permission: 'admin' };

  it('may nothing and is not even answered', () => {
    expect(inShort('status', bot)).toBe('bot');
    expect(inShort('revert', bot, { revert: { teams: ['acme/bots'] } })).toBe('bot');
    expect(verbsFor({ ...dana, ...bot }, {})).toEqual([]);
  });

  it('may what it is named for, though GitHub gives it no access to speak of', () => {
    const rules: CommandRules = { retry: { users: ['Renovate[bot]'] } };
    expect(inShort('retry', { ...bot, permission: 'none' }, rules)).toBe('allowed');
    expect(inShort('revert', bot, rules)).toBe('bot');
    expect(verbsFor({ ...dana, ...bot }, rules)).toEqual(['retry']);
  });
});

describe('our own account', () => {
  it('never commands itself, also when somebody names it', () => {
    const ours: Partial<Commander> = {
      login: 'stepback[bot]',
      isBot: true,
      isOurs: true,
      permission: 'admin',
    };
    const rules: CommandRules = { revert: { users: ['stepback[bot]'] } };
    expect(inShort('revert', ours, rules)).toBe('ours');
    expect(inShort('revert', { ...ours, isBot: false }, rules)).toBe('ours');
    expect(verbsFor({ ...dana, ...ours }, rules)).toEqual([]);
  });
});
