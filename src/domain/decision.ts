/**
 * What should be true on GitHub about an incident. It says what, never how: the plan compares with what is there
 * and finds the calls. A revert of ours is never reverted; one that a person closed is not opened again.
 */
import { bystandersLeft } from './bystanders.ts';
import { type Dismissal, type Incident, noted, type SetStanding } from './incident.ts';
import type { Policy } from './policy.ts';
import { everyApplication, staying } from './rollout.ts';
import type { Answer } from './watcher.ts';

/** What GitHub says of the revert, as far as it was asked. */
export interface RevertView {
  state: 'open' | 'closed';
  isMerged: boolean;
  mergedAt: number | null;
  headSha: string;
}

export type Decision =
  /** There should be one revert pull request of this incident, saying what the incident says. */
  | { kind: 'have-revert' }
  /** What is there should say what the incident says. */
  | { kind: 'keep-texts' }
  /** The revert is not needed any more: close it with a word. */
  | { kind: 'close-revert' };

/** The incident with a newer standing of one ApplicationSet. `changedAt` moves only when something that is said changed. */
export function withStanding(incident: Incident, standing: SetStanding, now: number): Incident {
  const before = incident.sets.find((set) => set.key === standing.key) ?? null;
  const sets =
    before === null
      ? [...incident.sets, standing]
      : incident.sets.map((set) => (set === before ? standing : set));
  const isSame = before !== null && saying(before) === saying(standing);
  const next = { ...incident, sets, changedAt: isSame ? incident.changedAt : now };
  const hasGrown = before !== null && standing.havingAtMost > before.havingAtMost;
  return hasGrown
    ? noted(next, now, 'grew', `${standing.key}: ${standing.having} of ${standing.total}`)
    : next;
}

/** All of a standing but the moment of the look. */
function saying(standing: SetStanding): string {
  return JSON.stringify({ ...standing, lookedAt: 0 });
}

/**
 * True when what failed is Healthy again by itself, on whatever it runs, for the grace time: the revert is not
 * needed. A repeated failure opens the matter again.
 */
export function hasHealed(answer: Answer, standing: SetStanding, policy: Policy, now: number): boolean {
  if (standing.isRecovered) return true;
  if (answer.failure !== null) return false;
  // A gate is no failure; and one of our own, which keeps the change from going further, must not keep itself.
  if (!(['ok', 'in-progress', 'manual-gate'] as readonly string[]).includes(answer.rollout.verdict))
    return false;
  const failed = new Set(standing.evidence.map((reason) => reason.application));
  // Of one that was put together again nobody knows any more who failed: then all count.
  const concerned = staying(everyApplication(answer.rollout)).filter(
    (one) => failed.size === 0 || failed.has(one.application.name),
  );
  return concerned.every((one) => {
    const record = one.memory.contents.at(-1);
    return (
      one.application.health.status === 'Healthy' &&
      one.application.sync.status === 'Synced' &&
      record?.healthySince != null &&
      now - record.healthySince >= policy.graceMs
    );
  });
}

export interface DecisionInput {
  incident: Incident;
  /** Null when there is none, or it was not asked for. */
  revert: RevertView | null;
  now: number;
}

/** Moves the incident on by what GitHub and the cluster say, and decides what should be true. Pure. */
export function decide({ incident, revert, now }: DecisionInput): {
  incident: Incident;
  decision: Decision;
} {
  switch (incident.phase) {
    case 'noticed':
      return revert === null ? decideNoticed(incident, now) : decideClosed(incident, revert, now);
    case 'proposed':
      return decideProposed(incident, revert, now);
    case 'merged':
      return decideMerged(incident, now);
    case 'healed':
      return decideHealed(incident, revert, now);
    case 'dismissed':
      return {
        incident,
        decision: { kind: isLeftOpen(incident) && revert?.state === 'open' ? 'close-revert' : 'keep-texts' },
      };
    case 'recovered':
      return { incident, decision: { kind: 'keep-texts' } };
  }
}

function decideNoticed(incident: Incident, now: number): { incident: Incident; decision: Decision } {
  if (isAsked(incident)) return { incident, decision: { kind: 'have-revert' } };
  if (areAllHealed(incident)) return { incident: healed(incident, now), decision: { kind: 'keep-texts' } };
  if (!isAnyFailing(incident)) return { incident, decision: { kind: 'keep-texts' } };
  return { incident, decision: { kind: 'have-revert' } };
}

/** Its revert was closed by us and may not be opened again for now; what a person does with it counts all the same. */
function decideClosed(
  incident: Incident,
  revert: RevertView,
  now: number,
): { incident: Incident; decision: Decision } {
  return revert.isMerged || revert.state === 'open'
    ? decideProposed({ ...moved(incident, 'proposed', now, 'open again'), obstacle: null }, revert, now)
    : decideNoticed(incident, now);
}

function decideProposed(
  found: Incident,
  revert: RevertView | null,
  now: number,
): { incident: Incident; decision: Decision } {
  if (revert === null) return { incident: found, decision: { kind: 'keep-texts' } };
  if (revert.isMerged) return decideJustMerged(found, revert, now);
  const incident = revert.state === 'open' ? withClosedAt(found, null) : found;
  // One that we closed ourselves and that is wanted again is opened again.
  const isToBeReopened = incident.pullRequest !== null && incident.pullRequest.closedAt !== null;
  if (revert.state === 'closed' && !isToBeReopened)
    return {
      incident: moved(incident, 'dismissed', now, 'closed by a person'),
      decision: { kind: 'keep-texts' },
    };
  if (areAllHealed(incident) && !isAsked(incident))
    return { incident: healed(incident, now), decision: { kind: 'close-revert' } };
  return { incident, decision: { kind: 'have-revert' } };
}

/** Who is back is for the next look to say, which knows what was taken back. */
function decideJustMerged(
  incident: Incident,
  { mergedAt }: RevertView,
  now: number,
): { incident: Incident; decision: Decision } {
  const detail = `#${incident.pullRequest?.number ?? 0}`;
  return {
    incident: moved(incident, 'merged', mergedAt ?? now, detail),
    decision: { kind: 'keep-texts' },
  };
}

function decideMerged(incident: Incident, now: number): { incident: Incident; decision: Decision } {
  const isBack = incident.sets.every((set) => set.isRecovered) && bystandersLeft(incident).length === 0;
  return {
    incident: isBack ? moved(incident, 'recovered', now, '') : incident,
    decision: { kind: 'keep-texts' },
  };
}

/**
 * It healed. When it fails again on the same change the same revert is opened again; one that we have not closed yet is
 * closed, and one that a person opened again is theirs.
 */
function decideHealed(
  found: Incident,
  revert: RevertView | null,
  now: number,
): { incident: Incident; decision: Decision } {
  if (revert?.isMerged === true) return decideJustMerged(found, revert, now);
  // Closed at the moment it healed, by us before a crash or by somebody who saw the same: that is no dismissal.
  const incident =
    revert?.state === 'closed' && found.pullRequest?.closedAt === null ? withClosedAt(found, now) : found;
  if (!isAnyFailing(incident) || areAllHealed(incident)) {
    const isOpenStill = revert?.state === 'open' && incident.pullRequest?.closedAt === null;
    return { incident, decision: { kind: isOpenStill ? 'close-revert' : 'keep-texts' } };
  }
  const phase = incident.pullRequest === null ? 'noticed' : 'proposed';
  return {
    incident: { ...moved(incident, phase, now, 'fails again'), phase },
    decision: { kind: 'have-revert' },
  };
}

/** Whoever wanted the revert has what they wanted it for. */
function healed(incident: Incident, now: number): Incident {
  return { ...moved(incident, 'healed', now, ''), wanted: null };
}

/** When we closed its revert; null when it is open. */
function withClosedAt(incident: Incident, closedAt: number | null): Incident {
  const { pullRequest } = incident;
  return pullRequest === null || pullRequest.closedAt === closedAt
    ? incident
    : { ...incident, pullRequest: { ...pullRequest, closedAt } };
}

/** A person named it: whether anything fails does not matter. */
function isAsked(incident: Incident): boolean {
  return incident.asked != null;
}

function isAnyFailing(incident: Incident): boolean {
  // Another change can fail it as well, which is another incident.
  return incident.sets.some((set) => set.isFailing ?? set.verdict === 'failed');
}

function areAllHealed(incident: Incident): boolean {
  return incident.sets.length > 0 && incident.sets.every((set) => set.isHealed);
}

/** The incident after a person called it a false alarm; a revert of ours is to be closed, at once or when it may be. Pure. */
export function dismissed(
  incident: Incident,
  dismissal: Dismissal,
  { mayClose = true }: { mayClose?: boolean } = {},
): Incident {
  const { pullRequest } = incident;
  const next = {
    ...moved(incident, 'dismissed', dismissal.at, `by ${dismissal.by}`),
    dismissal,
    wanted: null,
  };
  return mayClose ? withClosedAt(next, pullRequest?.closedAt ?? dismissal.at) : next;
}

/** It healed, or a person dismissed it, while Stepback was stopped, and its revert is open still: that is closed when Stepback goes on. */
export function isLeftOpen({ phase, dismissal, pullRequest }: Incident): boolean {
  const isOver = phase === 'healed' || (phase === 'dismissed' && dismissal != null);
  return isOver && pullRequest !== null && pullRequest.closedAt === null;
}

/**
 * The incident after a person ordered that it be looked at as if nothing had been decided: a dismissal is taken back and
 * what was in the way is tried again. Pure.
 */
export function takenUpAgain(incident: Incident, by: string, at: number): Incident {
  const { pullRequest, phase } = incident;
  const isDismissed = phase === 'dismissed';
  if (!isDismissed && incident.obstacle === null) return incident;
  const ordered = { ...incident, obstacle: null, changedAt: Math.max(incident.changedAt, at) };
  if (!isDismissed) return ordered;
  return {
    ...moved(ordered, pullRequest === null ? 'noticed' : 'proposed', at, `by ${by}`),
    dismissal: null,
    pullRequest: pullRequest === null ? null : { ...pullRequest, closedAt: pullRequest.closedAt ?? at },
  };
}

function moved(incident: Incident, phase: Incident['phase'], at: number, detail: string): Incident {
  const what = phase === 'noticed' || phase === 'proposed' ? 'reopened' : phase;
  return { ...noted(incident, at, what, detail), phase, changedAt: Math.max(incident.changedAt, at) };
}
