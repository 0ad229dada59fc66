/**
 * What is done with a revert besides opening it: labels and reviewers, once; out of draft when more is allowed than when
 * it was opened. What a person changes afterwards is not fought. Each step is kept before the next one, so that a crash
 * in between repeats at most what is safe to repeat.
 */
import type { Settings } from '../config/configuration.ts';
import type { Incident, RevertPullRequest } from '../domain/incident.ts';
import type { Opening, Preparation } from '../domain/opening.ts';
import { type Forge, type PullRequest, type Repository, WorldProblem } from '../ports.ts';

/** The incident with the words that are configured for it now; those of an open revert stay. Throws WorldProblem. */
export async function withOpening(
  forge: Pick<Forge, 'ownSignature'>,
  repository: Repository,
  incident: Incident,
  settings: Settings,
): Promise<Incident> {
  if (incident.pullRequest !== null) return incident;
  return { ...incident, opening: await openingOf(forge, repository, settings) };
}

/** The words that are configured now. Throws WorldProblem. */
export async function openingOf(
  forge: Pick<Forge, 'ownSignature'>,
  repository: Repository,
  settings: Settings,
): Promise<Opening> {
  return {
    titleTemplate: settings.titleTemplate,
    messageTemplate: settings.messageTemplate,
    signedOffBy: settings.signsOff ? await signature(forge, repository) : null,
  };
}

async function signature(forge: Pick<Forge, 'ownSignature'>, repository: Repository): Promise<string> {
  const { name, email } = await forge.ownSignature(repository);
  return `${name} <${email}>`;
}

/** The incident after labels and reviewers were put on its revert, if that was still to be done. Throws WorldProblem. */
export async function prepareRevert(
  forge: Pick<Forge, 'addLabels' | 'requestReviewers'>,
  repository: Repository,
  incident: Incident,
  settings: Settings,
): Promise<Incident> {
  const { pullRequest } = incident;
  if (pullRequest === null || pullRequest.preparation !== null) return incident;
  const labels = await allOf(settings.labels, async () => {
    await forge.addLabels(repository, pullRequest.number, settings.labels);
    return [];
  });
  const wanted = { people: settings.reviewerUsers, teams: settings.reviewerTeams };
  const isAnybody = wanted.people.length + wanted.teams.length > 0;
  const notAsked = isAnybody
    ? await refusedOf(wanted, () => forge.requestReviewers(repository, pullRequest.number, wanted))
    : wanted;
  return withPullRequest(incident, { preparation: { ...notAsked, labels } });
}

/** Takes a draft of ours out of draft, once, where more than proposing is allowed by now. Throws WorldProblem. */
export async function outOfDraft(
  forge: Pick<Forge, 'markReadyForReview'>,
  repository: Repository,
  incident: Incident,
  revert: Pick<PullRequest, 'nodeId' | 'isDraft'>,
): Promise<Incident> {
  if (incident.pullRequest?.isDraft !== true) return incident;
  if (revert.isDraft) await forge.markReadyForReview(repository, revert);
  return withPullRequest(incident, { isDraft: false });
}

/** The incident with something else said of its revert. */
export function withPullRequest(incident: Incident, change: Partial<RevertPullRequest>): Incident {
  const { pullRequest } = incident;
  return pullRequest === null ? incident : { ...incident, pullRequest: { ...pullRequest, ...change } };
}

/** What GitHub refuses for good concerns those who were named and not the revert, which people need now. */
async function refusedOf<Value>(wanted: Value, work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (problem) {
    if (problem instanceof WorldProblem && problem.kind === 'permanent') return wanted;
    throw problem;
  }
}

async function allOf(
  labels: Preparation['labels'],
  work: () => Promise<readonly string[]>,
): Promise<readonly string[]> {
  return labels.length === 0 ? [] : refusedOf(labels, work);
}
