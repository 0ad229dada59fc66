/**
 * Which incident a failure belongs to. One change gets one revert, however many ApplicationSets it hits, and however many
 * ranges it is in.
 */
import type { Culprit, RangeCommit } from './culprit.ts';
import { type Incident, isOpen, noted, suspectOf } from './incident.ts';
import { incidentName, revertBranchName } from './incident-names.ts';

export interface JoinContext {
  instance: string;
  host: string;
  now: number;
  /** Since when the ApplicationSet has failed without a break, on whatever; null when it does not fail. */
  failingSince: number | null;
  branchTemplate?: string | undefined;
}

/**
 * Joins the failure of one ApplicationSet to an incident, or opens one. Null when nobody can be named. A range can name the
 * suspects of several open incidents: it joins one, the others keep theirs, and their reverts together take all back.
 */
export function joinIncident(
  incidents: readonly Incident[],
  culprit: Culprit,
  context: JoinContext,
): Incident | null {
  if (culprit.kind === 'none') return null;
  const all = named(incidents, culprit);
  const { newer, settled } = sinceSettled(all, culprit, context.failingSince);
  // What fails is what people, or a merged revert, have settled.
  if (newer.suspects.length === 0) return settled.at(-1) ?? null;
  const known = incidentFor(
    all.filter((one) => !isSettled(one)),
    newer,
  );
  if (known === null) return opened(newer, culprit, context);
  const elsewhere = takenElsewhere(all, known);
  const wanted = newer.suspects.map(suspectOf).filter(({ sha }) => !elsewhere.has(sha));
  const added = wanted.filter((suspect) => !known.suspects.some((other) => other.sha === suspect.sha));
  if (added.length === 0) return known;
  const innocents = known.innocents.filter((commit) => !added.some((suspect) => suspect.sha === commit.sha));
  // Two ranges of one branch: newest first by the longer one, what only the other has before it.
  const longer = wanted.length >= known.suspects.length ? wanted : known.suspects;
  const rest = [...wanted, ...known.suspects].filter(
    (suspect) => !longer.some((other) => other.sha === suspect.sha),
  );
  const suspects = [...rest, ...longer];
  const isWhole = wanted.length === newer.suspects.length && rest.length === 0;
  return {
    ...noted(known, context.now, 'grew', added.map((suspect) => suspect.sha).join(' ')),
    suspects,
    innocents,
    isWholeRange: newer.isWholeRange && isWhole,
    lastGoodTree: suspects.at(-1)?.firstParentTree ?? known.lastGoodTree,
    changedAt: context.now,
  };
}

type Suspects = Culprit & { kind: 'suspects' };

/** A person dismissed it, or the change is taken back: what lands after that is another matter. */
function isSettled({ phase }: Incident): boolean {
  return phase === 'dismissed' || phase === 'merged' || phase === 'recovered';
}

/**
 * The suspects that landed after what is settled already, and the incidents that settled the newest of the others. A
 * dismissed change stays, so the next bad commit is taken back alone; what is older than a settled one has no part in it. What
 * failed on the dismissed one and has not been well since still fails on that, whatever landed meanwhile.
 * What landed with a change that is taken back meanwhile may be well when that has come through, so it is left to it.
 */
function sinceSettled(
  incidents: readonly Incident[],
  culprit: Suspects,
  failingSince: number | null,
): { newer: Suspects; settled: readonly Incident[] } {
  const over = incidents.filter(isSettled);
  const settlers = (commit: RangeCommit): readonly Incident[] => over.filter((one) => settles(one, commit));
  const first = culprit.suspects.findIndex((commit) => settlers(commit).length > 0);
  const newest = culprit.suspects[first];
  if (newest === undefined) return { newer: culprit, settled: [] };
  const settled = settlers(newest);
  const isBehindIt = settled.every((one) => one.phase === 'dismissed' || tookBack(one, newest));
  const landedAt = culprit.suspects[first - 1]?.landedAt ?? null;
  const failsFromBefore = landedAt !== null && failingSince !== null && failingSince < landedAt;
  const suspects = isBehindIt && !failsFromBefore ? culprit.suspects.slice(0, first) : [];
  return { newer: { ...culprit, suspects, isWholeRange: false }, settled };
}

/** It names the commit, or the commit is the one that took its change back. */
function settles(incident: Incident, commit: RangeCommit): boolean {
  return tookBack(incident, commit) || incident.suspects.some(({ sha }) => sha === commit.sha);
}

function tookBack({ pullRequest, takenBackBy }: Incident, commit: RangeCommit): boolean {
  const number = commit.pullRequest?.number;
  return number !== undefined && number === (takenBackBy ?? pullRequest)?.number;
}

function opened(culprit: Suspects, whole: Suspects, context: JoinContext): Incident {
  const oldest = culprit.suspects.at(-1);
  const incident: Incident = {
    id: incidentName(context.instance, culprit),
    instance: context.instance,
    host: context.host,
    repository: culprit.repository,
    branch: culprit.branch,
    revertBranch: revertBranchName(context.instance, oldest?.sha ?? '', context.branchTemplate),
    phase: 'noticed',
    obstacle: null,
    suspects: culprit.suspects.map(suspectOf),
    innocents: culprit.innocents.map(suspectOf),
    settled: whole.suspects.slice(culprit.suspects.length).map(suspectOf),
    isWholeRange: culprit.isWholeRange,
    lastGoodTree: oldest?.firstParentTree ?? null,
    sets: [],
    pullRequest: null,
    openedAt: context.now,
    changedAt: context.now,
    timeline: [],
    written: { pullRequest: '', comments: {}, at: 0, state: '' },
  };
  return noted(incident, context.now, 'noticed', culprit.suspects.map((suspect) => suspect.sha).join(' '));
}

/** Incidents of the same place that name a suspect of the culprit; a path that was put back is no change that did it. */
function named(incidents: readonly Incident[], culprit: Suspects): readonly Incident[] {
  const shas = new Set(culprit.suspects.map((commit) => commit.sha));
  return incidents.filter(
    (incident) =>
      place(incident.repository, incident.branch) === place(culprit.repository, culprit.branch) &&
      incident.suspects.some((suspect) => shas.has(suspect.sha)) &&
      incident.asked?.kind !== 'restore',
  );
}

/**
 * The incident that a culprit belongs to: same place, and one suspect in common. Of several that are open the one that takes
 * the newest of its suspects back.
 */
function incidentFor(incidents: readonly Incident[], culprit: Suspects): Incident | null {
  const same = named(incidents, culprit);
  const open = same.filter(isOpen);
  for (const { sha } of culprit.suspects) {
    const taker = open.find((incident) => incident.suspects.some((suspect) => suspect.sha === sha));
    if (taker !== undefined) return taker;
  }
  // Another word on the same change is the same incident, also after it healed.
  return same.at(-1) ?? null;
}

/** Suspects that an open incident other than `incident` takes back: one change has one revert. */
function takenElsewhere(incidents: readonly Incident[], incident: Incident): ReadonlySet<string> {
  const others = incidents.filter((other) => other.id !== incident.id && isOpen(other));
  return new Set(others.flatMap(({ suspects }) => suspects.map(({ sha }) => sha)));
}

/** `owner/name` in lower case with the branch: where two incidents could be one. */
function place(repository: string, branch: string): string {
  return `${repository.toLowerCase()} ${branch}`;
}
