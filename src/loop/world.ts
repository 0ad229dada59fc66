/**
 * All that a tick needs: the ports, and what one process keeps between ticks.
 */
import type { KnownContent } from '../content/learn.ts';
import type { Culprit } from '../domain/culprit.ts';
import type { Incident } from '../domain/incident.ts';
import type { Policy } from '../domain/policy.ts';
import type { Rollout } from '../domain/rollout.ts';
import type { Clock, Cluster, FeatureFlag, Forge, Log, Repository } from '../ports.ts';
import type { Links } from '../render/links.ts';
import type { BesideBook } from './beside.ts';
import type { CheckBook } from './check-book.ts';
import type { CheckWriter } from './check-writer.ts';
import type { Configurations } from './configurations.ts';
import type { Heads } from './heads.ts';
import type { Memories } from './memories.ts';
import type { CommentBook } from './one-comment.ts';
import type { Stops } from './stops.ts';

export interface World {
  cluster: Cluster;
  forge: Forge;
  clock: Clock;
  memories: Memories;
  heads: Heads;
  content: KnownContent;
  log: Log;
  /** The times where no repository can say otherwise. */
  policy: Policy;
  /** How old a look at a branch may be before it is looked at again. */
  headMaxAgeMs: number;
  linksFor(repository: Repository): Links;
  featureFlag(): Promise<FeatureFlag>;
  configurations: Configurations;
  /** Every check run of Stepback goes through it. */
  checkWriter: CheckWriter;
  checkBook: CheckBook;
  /** Which comments of ours were looked for. */
  commentBook: CommentBook;
  /** Repositories in which our own pull requests were looked for, as `host/owner/name` in lower case. */
  recollected: Set<string>;
  /** The kill switch. */
  stops: Stops;
  /** Of every Argo CD of this installation, for its limits. */
  everyIncident(): Promise<readonly Incident[]>;
  /** The last one of each ApplicationSet that was looked at. */
  rollouts(): readonly Rollout[];
  /** How those stood that are well, for the sake of others. */
  besideBook: BesideBook;
  /** What was found out of late, by what failed and what was good. */
  culprits: Map<string, { at: number; culprit: Culprit }>;
}
