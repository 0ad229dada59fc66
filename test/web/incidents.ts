/** An incident in full health, as far as incidents can be: proposed, with its revert open. */
import type { Incident } from '../../src/domain/incident.ts';
import { noon } from './world.ts';

export function incident(change: Partial<Incident> = {}): Incident {
  const suspect = {
    sha: 'd2bf318'.padEnd(40, '0'),
    subject: 'payments: new ledger endpoint',
    author: 'dana',
    pullRequest: {
      number: 412,
      title: 'payments: new ledger endpoint',
      url: 'https://github.com/acme/gitops/pull/412',
      author: 'dana',
    },
    files: ['apps/payments/values.yaml'],
    tree: 'a'.repeat(40),
    firstParentTree: 'b'.repeat(40),
  };
  return {
    id: 'prod-d2bf31800000',
    instance: 'prod',
    host: 'github.com',
    repository: 'acme/gitops',
    branch: 'main',
    revertBranch: 'stepback/prod/revert-d2bf31800000',
    phase: 'proposed',
    obstacle: null,
    suspects: [suspect],
    innocents: [],
    isWholeRange: true,
    lastGoodTree: null,
    sets: [
      {
        key: 'argocd/payments',
        name: 'payments',
        verdict: 'failed',
        failureKind: 'degraded',
        bad: [suspect.sha],
        lastGood: ['e'.repeat(40)],
        isGuess: false,
        since: noon - 120_000,
        lookedAt: noon,
        total: 7,
        having: 3,
        havingAtMost: 3,
        stages: [],
        evidence: [],
        prunes: false,
        isRecovered: false,
        isHealed: false,
        left: [],
      },
    ],
    pullRequest: {
      number: 415,
      url: 'https://github.com/acme/gitops/pull/415',
      branch: 'stepback/prod/revert-d2bf31800000',
      headSha: 'c'.repeat(40),
      baseSha: 'd'.repeat(40),
      isVerified: true,
      suspects: [suspect.sha],
      closedAt: null,
    },
    openedAt: noon - 90_000,
    changedAt: noon - 60_000,
    timeline: [
      { at: noon - 90_000, what: 'noticed', detail: '' },
      { at: noon - 60_000, what: 'proposed', detail: '#415' },
    ],
    written: { pullRequest: '', comments: {}, at: 0, state: '' },
    ...change,
  };
}

/** A deep copy with a change at the top. */
export function clone<Value extends object>(value: Value, change: Partial<Value>): Value {
  return { ...structuredClone(value), ...change };
}
