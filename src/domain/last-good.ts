/**
 * Last good of an Application: the newest content other than the failing one at which it was Synced and
 * Healthy with no other operation, and that it did not itself fail on. Our own record; history is only the
 * first guess, because it keeps ten entries and a commit that fails at once is already its last. Rule 7 of
 * docs/argocd.md.
 */
import { sameConfiguration } from './configuration.ts';
import { type ContentFacts, goneKey, type Revisions, sameContent } from './content.ts';
import type { ApplicationMemory, ContentRecord } from './memory.ts';
import type { Application } from './objects.ts';
import type { Policy } from './policy.ts';

export interface LastGood {
  revisions: Revisions;
  /** `configurationOf` the sources that it was made from; null when nothing tells. */
  configuration: string | null;
  /** When it was first good here; with several failing Applications the oldest counts. */
  healthyAt: number;
  /** Taken from history or a rebuilt record: not seen by us. */
  isGuess: boolean;
}

interface Remembered {
  application: Application;
  memory: ApplicationMemory;
  facts: ContentFacts;
  policy: Policy;
}

/** Null when there is nothing to go back to. Rule 7 of docs/argocd.md. */
export function lastGoodOf(
  { application, memory, facts, policy }: Remembered,
  failing: Revisions,
): LastGood | null {
  const good = memory.contents.findLast(
    (record) =>
      !sameContent(application.sources, record.revisions, failing, facts) &&
      isGood(record, policy) &&
      !isGone(application, record.revisions, facts),
  );
  if (good?.healthyAt == null) return null;
  const { revisions, configuration, healthyAt, isGuess } = good;
  return { revisions, configuration, healthyAt, isGuess };
}

/**
 * The same commit was good here when other sources or parameters made something else of it: the template of the
 * ApplicationSet was edited, and no commit is to blame.
 */
export function wasGoodOtherwise(
  { application, memory, facts, policy }: Remembered,
  revisions: Revisions,
  configuration: string | null,
): boolean {
  return memory.contents.some(
    (record) =>
      !sameConfiguration(record.configuration, configuration) &&
      sameContent(application.sources, record.revisions, revisions, facts) &&
      isGood(record, policy),
  );
}

/** It was Healthy on it, and did not fail on it within the bake time, or was Healthy for longer after that. */
export function isGood(record: ContentRecord, policy: Policy): boolean {
  if (record.healthyAt === null) return false;
  const { degraded } = record;
  if (degraded === null || degraded.lastedMs < policy.graceMs) return true;
  if (degraded.from - record.healthyAt > policy.bakeMs) return true;
  const spellMs = (record.healthyUntil ?? 0) - (record.healthySince ?? 0);
  return (record.healthySince ?? 0) > degraded.from && spellMs > policy.bakeMs;
}

/**
 * When content that failed within the bake time, and has been Healthy since, will have been so for long enough to be good;
 * null when it is good already, or not Healthy. Nothing happens at that moment, so somebody has to look.
 */
export function goodAgainAt(record: ContentRecord, policy: Policy): number | null {
  const { degraded, healthySince } = record;
  if (degraded === null || healthySince === null || healthySince <= degraded.from) return null;
  return isGood(record, policy) ? null : healthySince + policy.bakeMs + secondMs;
}

const secondMs = 1_000;

/** One of the commits is not in its repository any more (PS46). */
function isGone({ sources }: Application, revisions: Revisions, facts: ContentFacts): boolean {
  return revisions.some((revision, index) => {
    const source = sources[index];
    return source !== undefined && facts.gone.has(goneKey(source, revision));
  });
}
