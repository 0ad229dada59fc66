/**
 * What an Application is made of besides commits: which folders, with which parameters, following which branch.
 * It comes from the template of the ApplicationSet. When it changes, the same commit becomes other content, and no
 * commit is to blame for what happens then (recording template-change-not-noticed).
 */
import { type ContentFacts, type Revisions, sameContent } from './content.ts';
import { trackingOf } from './culprit.ts';
import { digestOf } from './digest.ts';
import type { Source } from './objects.ts';

/** Sources are read once and compared often. */
const known = new WeakMap<readonly Source[], string>();

/** Equal exactly when the sources are, but for the revision itself; null when there are no sources to tell. */
export function configurationOf(sources: readonly Source[]): string | null {
  if (sources.length === 0) return null;
  const before = known.get(sources);
  if (before !== undefined) return before;
  const configuration = digestOf(JSON.stringify(sources.map(describeSource)));
  known.set(sources, configuration);
  return configuration;
}

/** True when both are the same, or one of them is not known. */
export function sameConfiguration(one: string | null, other: string | null): boolean {
  return one === null || other === null || one === other;
}

/** What an Application is made of at one moment. */
export interface Making {
  revisions: Revisions;
  configuration: string | null;
}

/** True when both put the same content in the same way: then an Application is the same with either. */
export function isMadeAlike(
  sources: readonly Source[],
  one: Making,
  other: Making,
  facts: ContentFacts,
): boolean {
  return (
    sameConfiguration(one.configuration, other.configuration) &&
    sameContent(sources, one.revisions, other.revisions, facts)
  );
}

/** A pin, a tag and the version of a chart are revisions and not configuration. */
function describeSource(source: Source): readonly unknown[] {
  const { repoURL, path, chart, ref, valueFiles, alsoPaths, parameters } = source;
  const follows = trackingOf(source) === 'branch' ? branchOf(source.targetRevision) : null;
  return [repoURL, path, chart, ref, valueFiles, alsoPaths, parameters, follows];
}

/** The branch that a target follows; `HEAD` stands for the default branch, as an empty target does. */
export function branchOf(targetRevision: string): string {
  const target = targetRevision.trim().replace(/^refs\/heads\//, '');
  return target === '' ? 'HEAD' : target;
}
