/**
 * The words of a verdict. Of several the gravest in this order counts; only `failed` ever leads to a revert.
 * Each verdict carries its reasons, also the reasons for not calling something failed, because comment, check
 * run, page, command line and log print the same ones.
 */
import type { Revisions } from './content.ts';

/** Gravest first: the order in which one verdict stands for several. */
export const verdicts = [
  'unknown',
  'misconfigured',
  'failed',
  'blocked',
  'stuck',
  'sick',
  'stalled',
  'paused',
  'unnoticed',
  'manual-gate',
  'in-progress',
  'ok',
] as const;

export type Verdict = (typeof verdicts)[number];

/** A stage can also wait for the one before it. */
export type StageVerdict = Verdict | 'waiting';

/** Why a verdict is what it is. One code, one sentence in `render/reasons.ts`. */
export const reasonCodes = [
  'blind',
  'no-steps',
  'no-application-in-a-step',
  'policy-prevents-sync',
  'flag-off',
  'status-write-rejected',
  'degraded',
  'degraded-after-healthy',
  'sync-failed',
  'render-error',
  'grace-time',
  'unhealthy-before-the-change',
  'healthy-beyond-the-bake-time',
  'nothing-new-came',
  'same-failure-on-last-good',
  'degraded-on-last-good',
  'commit-does-not-explain-render-error',
  'template-edited',
  'began-before-we-looked',
  'health-script-error',
  'health-unknown',
  'destination-unreachable',
  'transport-trouble',
  'sync-window',
  'needs-prune',
  'missing-kind',
  'slot-held-by-unselected',
  'operation-runs-too-long',
  'operation-never-starts',
  'still-out-of-sync',
  'pending-for-another-revision',
  'progressing-too-long',
  'suspended',
  'no-sync-is-coming',
  'gate',
  'waits-for-its-turn',
  'sync-is-coming',
  'operation-runs',
  'operation-on-other-commit',
  'waits-for-retry',
  'progressing',
  'never-deployed',
  'unselected',
  'orphan',
  'being-deleted',
  'ignored-application',
  'ignored-kind',
  'snoozed',
  'below-threshold',
  'healthy',
] as const;

export type ReasonCode = (typeof reasonCodes)[number];

export interface Reason {
  code: ReasonCode;
  /** Name of the Application it is about; null for the whole. */
  application: string | null;
  /** The field that shows it, as people find it with kubectl. */
  field: string;
  /** What the field holds; text of the cluster, hostile until rendered. */
  value: string;
  /** Since when, milliseconds since the epoch. */
  since: number | null;
  message: string;
}

/** A failure that a commit can be blamed for. */
export interface Failure {
  kind: 'degraded' | 'sync' | 'render';
  /** What it failed on; null for a render error whose commit is not known. */
  revisions: Revisions | null;
  since: number;
}

/** The gravest of several verdicts; `ok` for none. */
export function gravest(all: readonly Verdict[]): Verdict {
  return verdicts.find((candidate) => all.includes(candidate)) ?? 'ok';
}
