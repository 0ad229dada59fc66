/**
 * What the words about an incident are made of: which Application fails and since when, which commit, what was last
 * good. Everything comes from the standing; nothing is concluded here that it does not hold.
 */
import type { Incident, SetStanding, StageStanding, Suspect } from '../domain/incident.ts';
import { isCommit } from '../domain/objects.ts';
import type { Reason } from '../domain/verdict.ts';
import { cleanText, cutTo, onOneLine } from './clean.ts';
import { commitLink, type Links } from './links.ts';
import { count } from './lists.ts';
import { plainLine } from './safe.ts';

/** What the renderers of whole texts are given besides the incident. */
export interface RenderContext {
  /** The moment the text speaks as of, milliseconds since the epoch. */
  now: number;
  links: Links;
}

/** Stages in which something fails; by health where the failure has just been taken from the view. */
export function failingStages(set: SetStanding): readonly StageStanding[] {
  const failing = set.stages.filter((stage) => stage.failing.length > 0);
  if (failing.length > 0 || set.failureKind !== 'degraded' || set.verdict === 'ok') return failing;
  return set.stages.filter((stage) => stage.health === 'Degraded');
}

/** One reason an Application that failed, the one that fails for longest first. */
export function failures(set: SetStanding): readonly Reason[] {
  const byApplication = new Map<string | null, Reason>();
  for (const reason of set.evidence)
    if (!byApplication.has(reason.application)) byApplication.set(reason.application, reason);
  return [...byApplication.values()].sort(
    (one, other) => (one.since ?? set.since) - (other.since ?? set.since),
  );
}

/** Everything that fails was Healthy on the commit before; said of all or of none. */
export function brokeLate(set: SetStanding): boolean {
  const all = failures(set);
  return all.length > 0 && all.every(({ code }) => code === 'degraded-after-healthy');
}

/** Applications in stages that run the bad content, and those that do so outside of every stage. */
export function countHaving(set: SetStanding): { inStages: number; outside: number } {
  const inStages = set.stages.reduce((sum, stage) => sum + stage.having.length, 0);
  return { inStages, outside: Math.max(0, set.having - inStages) };
}

/** "3 of 7"; never more than there are. */
export function share(some: number, all: number): string {
  return `${count(some)} of ${count(Math.max(some, all))}`;
}

/** The commit that is named for the change: the newest suspect, or what the first ApplicationSet failed on. */
export function badCommit(incident: Incident): string | null {
  return incident.suspects[0]?.sha ?? incident.sets[0]?.bad?.find(isCommit) ?? null;
}

/** The commit of the change, linked; words when nobody knows it. */
export function badCommitLink(incident: Incident, links: Links): string {
  const sha = badCommit(incident);
  return sha === null ? 'its newest commit' : commitLink(sha, links);
}

/**
 * What an ApplicationSet goes back to; null when nothing is known. With several sources the one that changed counts,
 * and it is linked only when it is surely of the repository of the incident.
 */
export function lastGoodCommit(
  incident: Incident,
  set: SetStanding,
): { revision: string; isOfRepository: boolean } | null {
  const { bad, lastGood } = set;
  if (lastGood === null || lastGood.length === 0) return null;
  const changed = lastGood
    .map((_, index) => index)
    .filter((index) => bad === null || bad[index] !== lastGood[index]);
  const suspects = new Set(incident.suspects.map((suspect) => suspect.sha));
  const sure = changed.find((index) => suspects.has(bad?.[index] ?? ''));
  const commits = changed.filter((index) => isCommit(lastGood[index] ?? ''));
  const revision = lastGood[sure ?? commits[0] ?? changed[0] ?? 0];
  if (revision === undefined || revision === '') return null;
  return { revision, isOfRepository: sure !== undefined || (commits.length === 1 && changed.length === 1) };
}

/** `ea283fd`, linked where it can be; null when nothing is known. */
export function lastGoodLink(incident: Incident, set: SetStanding, links: Links): string | null {
  const found = lastGoodCommit(incident, set);
  return found === null ? null : commitLink(found.revision, found.isOfRepository ? links : null);
}

/** The same, where taking the suspects back leads there; null where a suspect that is settled stays in between. */
export function goalLink(incident: Incident, set: SetStanding, links: Links): string | null {
  return (incident.settled ?? []).length > 0 ? null : lastGoodLink(incident, set, links);
}

/**
 * The subject of a commit in plain text, without the number that a squash adds: it is named where it can be linked.
 * A commit without a subject is called by its id. `max` is at least 1.
 */
export function plainSubject(suspect: Suspect | undefined, max: number): string {
  const subject = suspect?.subject.replace(/\s{0,8}\(#\d{1,12}\)\s{0,8}$/, '') ?? '';
  if (onOneLine(cleanText(subject)) === '') return cutTo(suspect?.sha.slice(0, 7) ?? 'a change', max);
  return plainLine(subject, { max, isPublic: true });
}

/** "argocd/payments is Degraded in stage 2 (staging)", in plain text; for titles and commit messages. */
export function failureInPlainWords(set: SetStanding, isOver: boolean): string {
  const name = plainLine(set.key, { max: 80 });
  const what = {
    degraded: isOver ? 'was Degraded' : 'is Degraded',
    sync: isOver ? 'could not be synced' : 'cannot be synced',
    render: isOver ? 'could not be rendered' : 'cannot be rendered',
  }[set.failureKind];
  const [stage] = failingStages(set);
  const where =
    stage === undefined || set.failureKind === 'render' || isWithoutStages(set)
      ? ''
      : ` in stage ${stage.number} (${plainLine(stage.name, { max: 40 })})`;
  return `${name} ${what}${where}`;
}

/** No RollingSync, or it is switched off: what is called a stage is everything at once. */
export function isWithoutStages(set: SetStanding): boolean {
  return set.stages.length === 1 && set.stages[0]?.name === 'all at once';
}
