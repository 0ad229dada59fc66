import { describe, expect, it } from 'vitest';
import {
  type BrakeFacts,
  claimedSuspects,
  endsOfBrake,
  firstBrake,
  landedBy,
  trailersOf,
} from '../../src/domain/brakes.ts';
import { type Incident, noted } from '../../src/domain/incident.ts';
import { limitReached } from '../../src/domain/revert-limits.ts';
import { bad, began, incident, innocent, minute, suspect } from '../render/sample-incident.ts';

const now = began + 3 * minute;
const hour = 60 * minute;
const day = 24 * hour;
const limits = { revertsPerRepositoryMax: 10, revertsPerApplicationSetMax: 2, revertsPerInstallationMax: 20 };

const free: BrakeFacts = {
  now,
  stop: null,
  abandoned: null,
  humanRevert: null,
  labels: new Map(),
  optOutLabels: ['stepback: skip'],
  optOutTrailers: ['Stepback-Skip'],
  failureAgeMsMax: 6 * hour,
  culpritAgeMsMax: 24 * hour,
  limit: null,
  storm: null,
  newerCommit: null,
};

function noticed(change: Partial<Incident> = {}): Incident {
  const base = incident();
  return {
    ...base,
    phase: 'noticed',
    pullRequest: null,
    sets: base.sets.map((set) => ({ ...set, verdict: 'failed' as const, since: began })),
    suspects: [suspect({ landedAt: began - minute })],
    ...change,
  };
}

/** Each brake alone, by its kind. */
const each: Readonly<Record<string, readonly [Partial<BrakeFacts>, Partial<Incident>?]>> = {
  stopped: [{ stop: { issue: 7, by: 'dana' } }],
  abandoned: [{ abandoned: 415 }],
  'opted-out': [{ labels: new Map([[bad, ['STEPBACK: skip']]]) }],
  'human-revert-open': [{ humanRevert: { number: 416, author: 'sam' } }],
  'revert-of-revert': [{}, { suspects: [suspect({ subject: 'Revert "Revert "a""' })] }],
  'failure-too-old': [{ failureAgeMsMax: 2 * minute }],
  'culprit-too-old': [{ culpritAgeMsMax: 3 * minute }],
  storm: [{ storm: { kind: 'storm', destinations: ['dev-1'], others: ['argocd/orders-dev-1'] } }],
  'newer-commit': [{ newerCommit: innocent }],
  'limit-reached': [
    { limit: { kind: 'limit-reached', scope: 'repository', name: 'acme/payments', max: 1, until: now } },
  ],
};

const aPerson = { by: 'dana', at: now };

describe('a brake', () => {
  it('holds nothing when there is none', () => {
    expect(firstBrake(noticed(), free)).toBeNull();
  });

  it.each(Object.entries(each))('%s holds alone', (kind, [facts, change]) => {
    expect(firstBrake(noticed(change), { ...free, ...facts })?.kind).toBe(kind);
  });

  it('is overruled by a person who wants this revert, where it only holds back', () => {
    const lasting = Object.entries(each)
      .filter(
        ([, [facts, change]]) =>
          firstBrake(noticed({ ...change, wanted: aPerson }), { ...free, ...facts }) !== null,
      )
      .map(([kind]) => kind);
    expect(lasting).toEqual(['stopped', 'opted-out', 'human-revert-open']);
  });

  it('is not overruled a day later, but by the wish for a revert that is open', () => {
    const longAgo = { by: 'dana', at: now - 24 * 60 * minute };
    const { pullRequest } = incident();
    const limit = { ...free, ...each['limit-reached']?.[0] };
    const kindOf = (change: Partial<Incident>) =>
      firstBrake(noticed({ wanted: longAgo, ...change }), limit)?.kind;
    expect(kindOf({ pullRequest: null })).toBe('limit-reached');
    expect(kindOf({ pullRequest: pullRequest && { ...pullRequest, closedAt: now } })).toBe('limit-reached');
    expect(kindOf({ pullRequest })).toBeUndefined();
  });

  it('is told first when people stopped everything', () => {
    const all = Object.assign({}, free, ...Object.values(each).map(([facts]) => facts)) as BrakeFacts;
    expect(firstBrake(noticed(), all)?.kind).toBe('stopped');
  });

  it('holds at more than the age, not at it', () => {
    expect(firstBrake(noticed(), { ...free, failureAgeMsMax: 3 * minute })).toBeNull();
    expect(firstBrake(noticed(), { ...free, culpritAgeMsMax: 4 * minute })).toBeNull();
  });

  it('knows no age of a suspect of an earlier version', () => {
    expect(firstBrake(noticed({ suspects: [suspect()] }), { ...free, culpritAgeMsMax: 1 })).toBeNull();
  });

  it('counts the trailer of a commit', () => {
    const one = noticed({ suspects: [suspect({ trailers: ['stepback-skip'] })] });
    expect(firstBrake(one, free)).toEqual({
      kind: 'opted-out',
      sha: bad,
      by: 'trailer',
      name: 'stepback-skip',
    });
  });

  it('is looked at again when it may be over without an event', () => {
    const limit = each['limit-reached']?.[0].limit ?? null;
    expect(endsOfBrake(limit, now - 5)).toEqual([5]);
    expect(endsOfBrake({ kind: 'stopped', issue: 7, by: null }, now)).toEqual([minute]);
    expect(endsOfBrake({ kind: 'abandoned', number: 1 }, now)).toEqual([]);
    expect(endsOfBrake(null, now)).toEqual([]);
  });
});

describe('what a pull request says that it takes back', () => {
  const two = noticed({
    suspects: [
      suspect({ subject: 'payments: new ledger endpoint (#412)' }),
      suspect({ sha: innocent, subject: 'payments: cache', pullRequest: null }),
    ],
  });
  const claimed = (title: string, body = ''): readonly string[] =>
    claimedSuspects(two, { title, body }).map(({ sha }) => sha);

  it.each([
    ['Revert "payments: new ledger endpoint"', '', [bad]],
    ['Revert "payments: new ledger endpoint" (#420)', '', [bad]],
    ['Revert "payments: cache"', '', [innocent]],
    ['Undo it', `This reverts commit ${bad}.`, [bad]],
    ['Undo it', `This reverts commit ${bad.slice(0, 7)} and reverts ${innocent}.`, [bad, innocent]],
    ['Undo it', 'Reverts acme/payments#412', [bad]],
    ['Undo it', 'Reverts #412', [bad]],
    ['Undo it', 'Reverts acme/other#412', []],
    ['Undo it', 'Reverts #41', []],
    ['Undo it', 'This follows up on #412', []],
    ['Bump the ledger', 'Release notes:\n\n- chore: revert #412\n- Reverts #412', []],
    ['A question', 'Who wants to revert #412?\n> Reverts #412', []],
    ['Revert "payments: new ledger endpoint"', `This reverts commit ${'9'.repeat(40)}.`, []],
    ['Undo it', `why\n\nThis reverts commit ${bad}, reversing\nchanges made to something.`, [bad]],
    ['Revert "Revert "payments: new ledger endpoint""', `This reverts commit ${bad}.`, []],
    ['Revert ""', '', []],
  ])('%s: %s', (title, body, shas) => {
    expect(claimed(title, body)).toEqual(shas);
  });
});

describe('trailers', () => {
  it.each([
    ['a subject alone', []],
    ['Stepback-Skip: yes', []],
    ['subject\n\nStepback-Skip: yes', ['Stepback-Skip']],
    ['subject\r\n\r\nbody\r\n\r\nA: 1\r\nSigned-off-by: Mona <m@x>\r\n', ['A', 'Signed-off-by']],
    ['subject\n\nStepback-Skip: yes\n\nthe end', []],
  ])('of %j', (message, keys) => {
    expect(trailersOf(message)).toEqual(keys);
  });
});

it('dates a commit by the branch that did not show it yet, when its own time is older', () => {
  const head = { repoURL: 'x', branch: 'main', sha: bad, at: now, unseenSince: now - minute };
  expect(landedBy(noticed(), [head]).suspects[0]?.landedAt).toBe(now - minute);
  expect(landedBy(noticed(), [{ ...head, unseenSince: began - hour }]).suspects[0]?.landedAt).toBe(
    began - minute,
  );
  const same = noticed();
  expect(landedBy(same, [])).toBe(same);
});

describe('the limits', () => {
  const opened = (id: string, at: number, change: Partial<Incident> = {}): Incident =>
    noted({ ...incident(), id, timeline: [], ...change }, at, 'proposed', '#1');
  const elsewhere = { repository: 'acme/shop', sets: [] };

  it('count what was opened in the last 24 hours, and not what is older', () => {
    const all = [opened('a', now - hour), opened('b', now - day)];
    expect(limitReached(all, noticed({ id: 'c' }), limits, now)).toBeNull();
    expect(
      limitReached([...all, opened('d', now - 2 * hour)], noticed({ id: 'c' }), limits, now),
    ).toMatchObject({
      kind: 'limit-reached',
      scope: 'application-set',
      max: 2,
      until: now - 2 * hour + day,
    });
  });

  it('do not count the incident itself, nor one without a revert', () => {
    const all = [opened('a', now), opened('c', now), opened('e', now, { pullRequest: null })];
    expect(limitReached(all, noticed({ id: 'c' }), limits, now)).toBeNull();
  });

  it('count a repository in any case of its letters, and the whole installation', () => {
    const one = { ...limits, revertsPerRepositoryMax: 1 };
    const same = opened('a', now, { repository: 'ACME/payments', sets: [] });
    expect(limitReached([same], noticed({ id: 'c' }), one, now)?.scope).toBe('repository');
    const other = opened('a', now, { ...elsewhere, instance: 'other' });
    expect(limitReached([other], noticed({ id: 'c' }), one, now)).toBeNull();
    const two = { ...limits, revertsPerInstallationMax: 1 };
    expect(limitReached([other], noticed({ id: 'c' }), two, now)?.scope).toBe('installation');
  });

  it('of 0 allow none, and end by no moment', () => {
    const none = { ...limits, revertsPerRepositoryMax: 0 };
    expect(limitReached([], noticed(), none, now)).toMatchObject({ max: 0, until: null });
  });
});
