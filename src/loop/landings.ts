/**
 * Whether a pull request lands again what was just taken back, also when nobody says so: a branch that was never
 * deleted, an image updater that writes the same version, a revert of the revert. Its content answers; words of people
 * are heard where the content says nothing.
 */
import { contentIdOf } from '../content/feeds.ts';
import { follows } from '../content/touched.ts';
import { couldLandAgain, type Landing, saysItLandsAgain, stageOf } from '../domain/blast-radius.ts';
import type { Incident, SetStanding, Suspect } from '../domain/incident.ts';
import type { Layout } from '../domain/layout.ts';
import { isCommit, type ObjectKey, type Source } from '../domain/objects.ts';
import type { Forge, PullRequest, Repository } from '../ports.ts';
import { planRevert } from '../revert/plan-revert.ts';
import { objectsOf } from './make-revert.ts';

/** The newest incidents that are compared. */
const incidentsMax = 5;

export interface LandingQuestion {
  forge: Forge;
  repository: Repository;
  defaultBranch: string;
  pullRequest: PullRequest;
  /** Trees of where it left its base, of the base now, and of itself. */
  trees: { mergeBase: string; base: string; head: string };
  /** Messages of its commits. */
  messages: readonly string[];
  /** The ApplicationSets that it feeds. */
  layouts: readonly Layout[];
  incidents: readonly Incident[];
  now: number;
}

/** The changes that it brings back, the one that was taken back last first. Throws WorldProblem. */
export async function landingsOf(question: LandingQuestion): Promise<readonly Landing[]> {
  const { repository, pullRequest, layouts, messages } = question;
  const fed: ReadonlySet<ObjectKey> = new Set(layouts.map((layout) => layout.key));
  const place = {
    host: repository.host,
    repository: `${repository.owner}/${repository.name}`,
    branch: pullRequest.baseBranch,
  };
  const possible = couldLandAgain(question.incidents, place, fed, question.now)
    .filter((incident) => incident.pullRequest?.number !== pullRequest.number)
    .sort((one, other) => other.openedAt - one.openedAt)
    .slice(0, incidentsMax);
  const landings: Landing[] = [];
  for (const incident of possible) {
    const brought = await broughtBack(question, incident);
    const standing = incident.sets.find((set) => fed.has(set.key));
    if (standing === undefined) continue;
    const [suspect = null] = brought.length > 0 ? brought : incident.suspects;
    const texts = [pullRequest.title, pullRequest.body, ...messages];
    if (suspect === null || (brought.length === 0 && !saysItLandsAgain(texts, incident))) continue;
    const layout = layouts.find((one) => one.key === standing.key) ?? null;
    const { sha, subject, pullRequest: by } = suspect;
    landings.push({
      incident: incident.id,
      revert: incident.pullRequest?.number ?? null,
      suspect: { sha, subject, pullRequest: by },
      key: standing.key,
      name: standing.name,
      stage: stageOf(standing, layout),
      failureKind: standing.failureKind,
      by:
        brought.length === 0
          ? 'words'
          : layout !== null && (await isSameContent(question, layout, standing))
            ? 'same-content'
            : 'content',
    });
  }
  return landings;
}

/** Suspects that can be taken out of the pull request, and of neither its base nor where it left it. */
async function broughtBack(
  { forge, repository, trees }: LandingQuestion,
  incident: Incident,
): Promise<readonly Suspect[]> {
  const objects = objectsOf(forge, repository);
  const holds = async (headTree: string, suspect: Suspect): Promise<boolean> => {
    if (suspect.firstParentTree === null) return false;
    const suspects = [{ commit: suspect.sha, tree: suspect.tree, firstParentTree: suspect.firstParentTree }];
    const { kind } = await planRevert(objects, { headTree, suspects });
    return kind === 'tree' || kind === 'changes';
  };
  const brought: Suspect[] = [];
  for (const suspect of incident.suspects) {
    if (!(await holds(trees.head, suspect))) continue;
    if (await holds(trees.base, suspect)) continue;
    if (trees.mergeBase !== trees.base && (await holds(trees.mergeBase, suspect))) continue;
    brought.push(suspect);
  }
  return brought;
}

/** What feeds the ApplicationSet would be, to the letter, what it failed on. */
async function isSameContent(
  { forge, repository, pullRequest, defaultBranch }: LandingQuestion,
  layout: Layout,
  { bad }: SetStanding,
): Promise<boolean> {
  for (const { sources } of layout.applications) {
    const index = sources.findIndex((source) =>
      follows(forge, source, repository, pullRequest.baseBranch, defaultBranch),
    );
    const source: Source | undefined = sources[index];
    const revision = bad?.[index];
    if (source === undefined || revision === undefined || !isCommit(revision)) continue;
    const [failed, next] = await Promise.all([
      contentIdOf(forge, repository, source, revision),
      contentIdOf(forge, repository, source, pullRequest.headSha),
    ]);
    return failed !== null && failed === next;
  }
  return false;
}
