/**
 * The incidents that are told in full: each is the sample with what makes it another story.
 */
import type { Incident, SetStanding, StageStanding } from '../../src/domain/incident.ts';
import {
  began,
  entry,
  incident,
  innocent,
  inPhase,
  lastGood,
  minute,
  reason,
  stage,
  standing,
  suspect,
} from './sample-incident.ts';

/** A change that was Healthy everywhere and broke prod as well: Argo CD did not stop for it. */
export function lateAndGrown(): Incident {
  const names = (env: string, number: number): readonly string[] =>
    Array.from({ length: number }, (_, index) => `inventory-${env}-${index + 1}`);
  const broken = (number: number, name: string, applications: number): StageStanding =>
    stage(number, name, {
      applications,
      having: names(name, applications),
      failing: names(name, applications),
      health: 'Degraded',
      message: 'Deployment inventory: OOMKilled',
      verdict: 'failed',
    });
  const late = { code: 'degraded-after-healthy', message: 'Deployment inventory: OOMKilled' } as const;
  return incident({
    sets: [
      standing({
        key: 'argocd/inventory',
        name: 'inventory',
        having: 7,
        havingAtMost: 7,
        stages: [
          broken(1, 'dev', 1),
          stage(2, 'staging', { having: names('staging', 3) }),
          broken(3, 'prod', 3),
        ],
        evidence: [
          reason({ ...late, application: 'inventory-dev-1' }),
          ...names('prod', 3).map((application) =>
            reason({ ...late, application, since: began + 5 * minute }),
          ),
        ],
      }),
    ],
    timeline: [
      entry('noticed', 0),
      entry('proposed', 0, '#415'),
      entry('grew', 3, 'argocd/inventory: 5 of 7'),
      entry('grew', 6, 'argocd/inventory: 7 of 7'),
    ],
  });
}

/** A hook refuses in dev; nothing of the change runs anywhere. */
export function syncFailed(): Incident {
  return incident({
    suspects: [
      suspect({ subject: 'invoices: check the ledger before a sync', files: ['apps/invoices/hook.yaml'] }),
    ],
    sets: [
      standing({
        key: 'argocd/invoices',
        name: 'invoices',
        failureKind: 'sync',
        having: 0,
        havingAtMost: 0,
        stages: [
          stage(1, 'dev', {
            applications: 1,
            failing: ['invoices-dev-1'],
            ahead: ['invoices-dev-1'],
            verdict: 'failed',
          }),
          stage(2, 'staging', { ahead: ['invoices-staging-1', 'invoices-staging-2', 'invoices-staging-3'] }),
          stage(3, 'prod', { ahead: ['invoices-prod-1', 'invoices-prod-2', 'invoices-prod-3'] }),
        ],
        evidence: [
          reason({
            code: 'sync-failed',
            application: 'invoices-dev-1',
            field: 'status.operationState',
            value: '2 failed attempts',
            message: 'Job invoices-check: cannot reach the ledger',
          }),
        ],
      }),
    ],
  });
}

const noManifests =
  'Failed to load target state: failed to generate manifest for source 1 of 1: rpc error: code = FailedPrecondition desc = Failed to unmarshal "config.json": unexpected EOF';

/** No Application can be updated, and nothing that runs is touched. */
export function renderError(): Incident {
  const everyone = ['search-dev-1', 'search-staging-1', 'search-prod-1'];
  return incident({
    suspects: [suspect({ subject: 'search: tidy the config', files: ['apps/search/config.json'] })],
    sets: [
      standing({
        key: 'argocd/search',
        name: 'search',
        failureKind: 'render',
        having: 0,
        havingAtMost: 0,
        total: 3,
        stages: ['dev', 'staging', 'prod'].map((name, index) =>
          stage(index + 1, name, {
            applications: 1,
            failing: [`search-${name}-1`],
            message: noManifests,
            verdict: 'failed',
          }),
        ),
        evidence: everyone.map((application) =>
          reason({
            code: 'render-error',
            application,
            field: 'status.conditions[ComparisonError]',
            value: noManifests,
            message: noManifests,
          }),
        ),
      }),
    ],
  });
}

/** One shared base feeds two ApplicationSets, and breaks both. */
export function twoSets(): Incident {
  const set = (name: string, change: Partial<SetStanding>): SetStanding =>
    standing({
      key: `argocd/${name}`,
      name,
      stages: [
        stage(1, 'dev', {
          applications: 1,
          having: [`${name}-dev-1`],
          failing: [`${name}-dev-1`],
          health: 'Degraded',
          message: 'Service base: no endpoints',
          verdict: 'failed',
        }),
        stage(2, 'staging', { ahead: [`${name}-staging-1`], verdict: 'waiting' }),
        stage(3, 'prod', { verdict: 'waiting' }),
      ],
      having: 1,
      havingAtMost: 1,
      evidence: [reason({ application: `${name}-dev-1`, message: 'Service base: no endpoints' })],
      ...change,
    });
  return incident({
    suspects: [
      suspect({
        subject: 'base: one port for everything',
        files: ['base/service.yaml', 'base/kustomization.yaml'],
      }),
    ],
    sets: [set('orders', {}), set('returns', { prunes: false })],
  });
}

/** Three changes since last good, two of which may have done it, one of them pushed straight to the branch. */
export function severalSuspects(): Incident {
  return incident({
    suspects: [
      suspect(),
      suspect({
        sha: 'aaaaaaa0112233445566778899aabbccddeeff00',
        subject: 'payments: raise the memory limit',
        author: 'Hubert Example',
        pullRequest: null,
        files: null,
      }),
    ],
    innocents: [
      suspect({
        sha: innocent,
        subject: 'docs: how to add a cluster (#413)',
        pullRequest: null,
        files: null,
      }),
    ],
    isWholeRange: false,
  });
}

const hook = 'waiting for completion of hook batch/Job/payments-migrate';

const unreachable = 'failed to get cluster info for "https://prod-2.k8s.acme.example:6443"';

/** Things that keep a merge from being enough: a hook without an end, an unreachable cluster, a gate, no pruning. */
export function muchInTheWay(): Incident {
  const before = standing();
  return incident({
    sets: [
      standing({
        isGuess: true,
        prunes: false,
        having: 4,
        havingAtMost: 4,
        stages: [
          ...before.stages.slice(0, 2),
          stage(3, 'prod', {
            pace: 'only by hand',
            having: ['payments-prod-2'],
            partly: ['payments-prod-2'],
          }),
        ],
        left: [
          {
            application: 'payments-dev-1',
            reasons: [
              reason({
                code: 'operation-runs-too-long',
                application: 'payments-dev-1',
                field: 'status.operationState.phase',
                value: 'Running',
                message: hook,
              }),
            ],
          },
          { application: 'payments-staging-1', reasons: [reason()] },
          {
            application: 'payments-prod-2',
            reasons: [
              reason({
                code: 'destination-unreachable',
                application: 'payments-prod-2',
                field: 'status.conditions[ComparisonError]',
                value: unreachable,
                message: unreachable,
              }),
            ],
          },
        ],
      }),
    ],
  });
}

/** Merged; dev and staging are back, prod-2 waits for a sync that does not come. */
export function mergedWithOneLeft(): Incident {
  const back = (number: number, name: string, applications: number): StageStanding =>
    stage(number, name, { applications });
  return inPhase('merged', {
    sets: [
      standing({
        verdict: 'unnoticed',
        having: 1,
        stages: [
          back(1, 'dev', 1),
          back(2, 'staging', 3),
          stage(3, 'prod', { having: ['payments-prod-2'], verdict: 'unnoticed' }),
        ],
        left: [
          {
            application: 'payments-prod-2',
            reasons: [
              reason({
                code: 'no-sync-is-coming',
                application: 'payments-prod-2',
                field: 'status.sync.status',
                value: 'OutOfSync, Healthy in the ApplicationSet',
                since: began + 14 * minute,
                message: '',
              }),
            ],
          },
        ],
      }),
    ],
  });
}

export function recovered(): Incident {
  return inPhase('recovered', {
    sets: [
      standing({
        verdict: 'ok',
        having: 0,
        isRecovered: true,
        stages: [stage(1, 'dev', { applications: 1 }), stage(2, 'staging'), stage(3, 'prod')],
      }),
    ],
  });
}

/** What landed later builds on the change; there is no pull request. */
export function conflict(): Incident {
  return incident({
    phase: 'noticed',
    pullRequest: null,
    obstacle: {
      kind: 'conflict',
      paths: [
        { path: 'apps/payments/values.yaml', why: 'same-lines', laterCommits: [innocent, lastGood] },
        { path: 'apps/payments/old.yaml', why: 'changed-and-deleted', laterCommits: [innocent] },
      ],
    },
    timeline: [entry('noticed', 0), entry('obstacle', 0, 'conflict')],
  });
}

/** 5,000 Applications in one stage, half of them with the change and failing. */
export function hugeFleet(): Incident {
  const names = Array.from({ length: 5_000 }, (_, index) => `payments-shop-${index + 1}`);
  const half = names.slice(0, 2_500);
  return incident({
    sets: [
      standing({
        total: 5_001,
        having: 2_501,
        havingAtMost: 2_501,
        stages: [
          stage(1, 'dev', { applications: 1, having: ['payments-dev-1'] }),
          stage(2, 'shops', {
            applications: 5_000,
            pace: '50 % at a time',
            having: half,
            failing: half,
            ahead: names.slice(2_500),
            health: 'Degraded',
            message: 'Deployment payments: back-off 20s restarting failed container',
            verdict: 'failed',
          }),
        ],
        evidence: half.map((application) => reason({ application })),
        left: half.map((application) => ({
          application,
          reasons: [
            reason({
              code: 'operation-runs',
              application,
              field: 'status.operationState.phase',
              value: 'Running',
              message: hook,
            }),
          ],
        })),
      }),
    ],
  });
}
