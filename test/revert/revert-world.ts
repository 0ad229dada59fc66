/**
 * A small healthy repository in memory, a bad commit in it, and the words in which the tests speak of a revert: commits
 * are files before and after, a result is files, a conflict is a line.
 */
import { expect } from 'vitest';
import { planRevert, type RevertPlan } from '../../src/revert/plan-revert.ts';
import { type Files, MemoryRepository } from './memory-repository.ts';

export const healthy: Files = {
  'apps/shop/dev/values.yaml': 'image: v1\n\nreplicas: 2\n',
  'apps/shop/prod/values.yaml': 'image: v1\n\nreplicas: 8\n',
  'base/deploy.yaml': 'kind: Deployment\nmetadata:\n  name: shop\nspec:\n  paused: false\n',
  'docs/readme.md': 'Read me.\n',
};

/** After the bad commit, which changed the image of dev. */
export const bad: Files = { ...healthy, 'apps/shop/dev/values.yaml': 'image: v2\n\nreplicas: 2\n' };

export class RevertWorld {
  readonly repository = new MemoryRepository();

  /** Plans the revert of commits given as before and after, newest first, on a head. */
  plan(head: Files, ...suspects: { before: Files; after: Files }[]): Promise<RevertPlan> {
    return planRevert(this.repository, {
      headTree: this.repository.write(head),
      suspects: suspects.map(({ before, after }, index) => ({
        commit: `suspect ${index}`,
        tree: this.repository.write(after),
        firstParentTree: this.repository.write(before),
      })),
    });
  }

  /** The files that a plan leaves, or its kind when it has no result. Holds the changes to the promised tree. */
  filesAfter(revert: RevertPlan): Record<string, string> | string {
    if (revert.kind === 'tree') return this.repository.read(revert.tree);
    if (revert.kind !== 'changes') return revert.kind;
    expect(this.repository.apply(revert.baseTree, revert.changes)).toBe(revert.tree);
    return this.repository.read(revert.tree);
  }
}

/** Conflicts in short, or the kind of another plan. */
export function conflictsOf(revert: RevertPlan): string[] {
  if (revert.kind !== 'conflict') return [revert.kind];
  return revert.conflicts.map(({ path, why, later, revert: change, related }) => {
    const others = related.length > 0 ? ` with ${related.join(', ')}` : '';
    return `${path}: ${why} (later ${later}, revert ${change})${others}`;
  });
}
