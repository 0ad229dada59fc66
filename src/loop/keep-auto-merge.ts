/**
 * GitHub's own auto-merge, after required checks and never without any: a branch that requires nothing would take the
 * revert at once, whatever it is. It is asked for once for each head of the revert, taken back when less is allowed or
 * somebody else pushed to the branch, and not asked for again when a person turned it off.
 */
import type { Settings } from '../config/configuration.ts';
import type { Incident } from '../domain/incident.ts';
import { type AutoMerge, type AutoMergeResult, mayAutoMerge } from '../domain/opening.ts';
import type { AutoMergeOutcome, MergeMethod } from '../ports/pull-requests.ts';
import { type Forge, type PullRequest, type Repository, WorldProblem } from '../ports.ts';
import { withPullRequest } from './prepare-revert.ts';

/** Most repositories allow all three; a merge commit keeps the revert's own commit, which GitHub has signed. */
const methods: readonly MergeMethod[] = ['merge', 'squash', 'rebase'];

/** What GitHub refused may be allowed by now; a revert waits for people that long at the least. */
const askAgainMs = 30 * 60_000;
/** GitHub may answer for a moment as if it had not been turned on. */
const settledMs = 60_000;

type AutoMergeForge = Pick<Forge, 'enableAutoMerge' | 'disableAutoMerge' | 'requiredChecks'>;

export interface AutoMergeLook {
  repository: Repository;
  settings: Settings;
  /** The revert as GitHub told it at this look. */
  revert: Pick<PullRequest, 'nodeId' | 'isDraft' | 'isAutoMergeOn'>;
  /** All that are known: how many were merged by themselves of late. */
  incidents: readonly Incident[];
  now: number;
}

/** The incident after auto-merge is as it should be for its open revert. Throws WorldProblem. */
export async function keepAutoMerge(
  forge: AutoMergeForge,
  look: AutoMergeLook,
  incident: Incident,
): Promise<Incident> {
  const { pullRequest } = incident;
  const before = pullRequest?.autoMerge ?? null;
  if (pullRequest === null) return incident;
  if (incident.obstacle?.kind === 'human-changed-branch')
    return before?.outcome === 'enabled' ? turnOff(forge, look, incident, 'not-ours') : incident;
  const isTurnedOff =
    before?.outcome === 'enabled' && !look.revert.isAutoMergeOn && look.now - before.at > settledMs;
  if (isTurnedOff) return withResult(incident, look, 'turned-off');
  // One that a person made a draft waits for that person.
  const isDueNow = before === null || isDue(before, pullRequest.headSha, look);
  return isDueNow && !look.revert.isDraft ? ask(forge, look, incident) : incident;
}

/** Takes back what was asked for; nothing where nothing was, or a person did. Throws WorldProblem. */
export async function withoutAutoMerge(
  forge: Pick<Forge, 'disableAutoMerge'>,
  repository: Repository,
  incident: Incident,
  revert: Pick<PullRequest, 'nodeId'> | null,
  now: number,
): Promise<Incident> {
  const before = incident.pullRequest?.autoMerge ?? null;
  // What a person turned off is not forgotten: it would be asked for again afterwards.
  if (before === null || revert === null || before.outcome === 'turned-off') return incident;
  if (before.outcome === 'enabled') await forge.disableAutoMerge(repository, revert);
  return { ...withPullRequest(incident, { autoMerge: null }), changedAt: now };
}

/** Never for a head that it was asked for; refusals of another are asked again, and so is what may have changed since. */
function isDue(before: AutoMerge, headSha: string, { now }: AutoMergeLook): boolean {
  switch (before.outcome) {
    case 'turned-off':
      return false;
    case 'enabled':
    case 'not-ours':
      return before.headSha !== headSha;
    default:
      return before.headSha !== headSha || now - before.at >= askAgainMs;
  }
}

async function ask(forge: AutoMergeForge, look: AutoMergeLook, incident: Incident): Promise<Incident> {
  const { repository, settings, incidents, now } = look;
  if (!mayAutoMerge(incidents, incident, settings.autoMergesMax, now))
    return withResult(incident, look, 'over-limit', String(settings.autoMergesMax));
  const checks = await forge.requiredChecks(repository, incident.branch);
  if (checks.length === 0) return withResult(incident, look, 'nothing-required');
  let refusal = '';
  for (const method of methods) {
    const answer = await askFor(forge, look, incident, method);
    if (answer === 'moved' || answer === 'closed' || answer === 'draft') return incident;
    if (typeof answer === 'string' && answer !== 'method-not-allowed')
      return withResult(incident, look, answer);
    if (typeof answer !== 'string') refusal = refusal || answer.message;
  }
  return withResult(incident, look, 'refused', refusal);
}

/** What GitHub says in words that are not known can be about the method: a linear history takes no merge commit. */
async function askFor(
  forge: AutoMergeForge,
  { repository, revert }: AutoMergeLook,
  incident: Incident,
  method: MergeMethod,
): Promise<AutoMergeOutcome | WorldProblem> {
  try {
    const headSha = incident.pullRequest?.headSha ?? '';
    return await forge.enableAutoMerge(repository, { nodeId: revert.nodeId, headSha }, method);
  } catch (problem) {
    if (problem instanceof WorldProblem && problem.kind === 'permanent') return problem;
    throw problem;
  }
}

async function turnOff(
  forge: AutoMergeForge,
  look: AutoMergeLook,
  incident: Incident,
  why: AutoMergeResult,
): Promise<Incident> {
  await forge.disableAutoMerge(look.repository, look.revert);
  return withResult(incident, look, why);
}

/** Words change only with the outcome, so that asking again in vain changes nothing that is said. */
function withResult(
  incident: Incident,
  { now }: AutoMergeLook,
  outcome: AutoMergeResult,
  message = '',
): Incident {
  const before = incident.pullRequest?.autoMerge ?? null;
  const headSha = incident.pullRequest?.headSha ?? '';
  const isSame = before?.outcome === outcome && before.message === message;
  return {
    ...withPullRequest(incident, { autoMerge: { headSha, at: now, outcome, message } }),
    changedAt: isSame ? incident.changedAt : now,
  };
}
