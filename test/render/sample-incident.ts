/**
 * One incident from which every test of words begins: payments, seven Applications in three stages; a change broke
 * staging-1, prod-2 got it ahead of its turn, the revert is open. A test changes only what it is about.
 */
import type {
  Incident,
  Phase,
  SetStanding,
  StageStanding,
  Suspect,
  TimelineEntry,
} from '../../src/domain/incident.ts';
import type { Reason } from '../../src/domain/verdict.ts';
import type { RenderContext } from '../../src/render/facts.ts';
import { linksBelow } from '../../src/render/links.ts';

export const bad = 'd2bf318c0e1a4f5b6c7d8e9f0a1b2c3d4e5f6a7b';
export const lastGood = 'ea283fd214ab2c8b09f342cbb443bb15fae16512';
export const innocent = '5db8d21f00112233445566778899aabbccddeeff';

/** 03:12:05 on the first of August 2026, when it began. */
export const began = Date.UTC(2026, 7, 1, 3, 12, 5);
const second = 1_000;
export const minute = 60 * second;

/** Two minutes later, when the grace time was over. */
export const noticed = began + 2 * minute;

export const context: RenderContext = {
  now: noticed,
  links: linksBelow('https://github.com/acme/payments'),
};

export function later(minutes: number): RenderContext {
  return { ...context, now: noticed + minutes * minute };
}

export function suspect(change: Partial<Suspect> = {}): Suspect {
  return {
    sha: bad,
    subject: 'payments: new ledger endpoint',
    author: 'mona',
    pullRequest: {
      number: 412,
      title: 'payments: new ledger endpoint',
      url: 'https://github.com/acme/payments/pull/412',
      author: 'mona',
    },
    files: ['apps/payments/deployment.yaml', 'apps/payments/values.yaml', 'apps/payments/env/prod.yaml'],
    tree: '1111111111111111111111111111111111111111',
    firstParentTree: '2222222222222222222222222222222222222222',
    ...change,
  };
}

/** A stage in which nothing has happened. */
export function stage(number: number, name: string, change: Partial<StageStanding> = {}): StageStanding {
  return {
    number,
    name,
    selector: `env in ${name}`,
    pace: 'all at once',
    applications: 3,
    having: [],
    partly: [],
    outOfOrder: [],
    failing: [],
    ahead: [],
    health: 'Healthy',
    message: '',
    verdict: 'ok',
    ...change,
  };
}

export function reason(change: Partial<Reason> = {}): Reason {
  return {
    code: 'degraded',
    application: 'payments-staging-1',
    field: 'status.health.status',
    value: 'Degraded',
    since: began,
    message: 'Deployment payments: back-off 20s restarting failed container',
    ...change,
  };
}

export function standing(change: Partial<SetStanding> = {}): SetStanding {
  return {
    key: 'argocd/payments',
    name: 'payments',
    verdict: 'failed',
    failureKind: 'degraded',
    bad: [bad],
    lastGood: [lastGood],
    isGuess: false,
    since: began,
    lookedAt: noticed,
    total: 7,
    having: 3,
    havingAtMost: 3,
    stages: [
      stage(1, 'dev', { applications: 1, having: ['payments-dev-1'] }),
      stage(2, 'staging', {
        pace: '50 % at a time',
        having: ['payments-staging-1'],
        failing: ['payments-staging-1'],
        health: 'Degraded',
        message: 'Deployment payments: back-off 20s restarting failed container',
        verdict: 'failed',
      }),
      stage(3, 'prod', {
        pace: 'one at a time',
        having: ['payments-prod-2'],
        outOfOrder: ['payments-prod-2'],
        ahead: ['payments-prod-1', 'payments-prod-3'],
        verdict: 'waiting',
      }),
    ],
    evidence: [reason()],
    prunes: true,
    isRecovered: false,
    isHealed: false,
    left: [],
    ...change,
  };
}

export function incident(change: Partial<Incident> = {}): Incident {
  return {
    id: 'argocd-d2bf318c0e1a',
    instance: 'argocd',
    host: 'github.com',
    repository: 'acme/payments',
    branch: 'main',
    revertBranch: 'stepback/argocd/revert-d2bf318c0e1a',
    phase: 'proposed',
    obstacle: null,
    suspects: [suspect()],
    innocents: [],
    isWholeRange: true,
    lastGoodTree: '2222222222222222222222222222222222222222',
    sets: [standing()],
    pullRequest: {
      number: 415,
      url: 'https://github.com/acme/payments/pull/415',
      branch: 'stepback/argocd/revert-d2bf318c0e1a',
      headSha: '3333333333333333333333333333333333333333',
      baseSha: bad,
      isVerified: true,
      suspects: [bad],
      closedAt: null,
    },
    openedAt: noticed,
    changedAt: noticed,
    timeline: [entry('noticed', 0, bad), entry('proposed', 0, '#415')],
    written: { pullRequest: '', comments: {}, at: 0, state: '' },
    ...change,
  };
}

/** `minutes` after it was noticed. */
export function entry(what: TimelineEntry['what'], minutes: number, detail = ''): TimelineEntry {
  return { at: noticed + minutes * minute, what, detail };
}

/** The usual way to a phase: merged after 11 minutes, everything back after 15. */
export function inPhase(phase: Phase, change: Partial<Incident> = {}): Incident {
  const steps: readonly TimelineEntry[] =
    phase === 'merged'
      ? [entry('merged', 11, '#415')]
      : phase === 'recovered'
        ? [entry('merged', 11, '#415'), entry('recovered', 15)]
        : phase === 'healed' || phase === 'dismissed'
          ? [entry(phase, 6)]
          : [];
  const before = incident();
  return { ...before, phase, timeline: [...before.timeline, ...steps], ...change };
}
