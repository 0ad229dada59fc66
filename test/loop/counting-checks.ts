/** A forge that holds check runs in memory and counts the calls, for tests of what is written when. */
import type { CheckRun, CheckRunContent } from '../../src/ports/checks.ts';
import type { Repository } from '../../src/ports.ts';

export const repository: Repository = { host: 'github.com', owner: 'acme', name: 'payments' };

/** What one check run says, from a healthy default. */
export function saying(title: string, more: Partial<CheckRunContent> = {}): CheckRunContent {
  return {
    externalId: 'stepback:v1 application-set argocd argocd/payments',
    status: 'in-progress',
    conclusion: null,
    title,
    summary: `${title}.`,
    text: '',
    detailsUrl: null,
    actions: [],
    startedAt: null,
    completedAt: null,
    ...more,
  };
}

export function countingChecks(clock: { now(): number }) {
  const runs: CheckRun[] = [];
  const calls: string[] = [];
  const put = (content: CheckRunContent, sha: string, name: string): CheckRun => {
    const { actions: _, ...rest } = content;
    const id = runs.length + 1;
    const run = { ...rest, startedAt: clock.now(), id, sha, name, url: `https://github.com/runs/${id}` };
    runs.push(run);
    return run;
  };
  return {
    runs,
    calls,
    /** As another replica makes one: no call of ours. */
    put,
    checkRuns: async (_: Repository, sha: string) => {
      calls.push(`list ${sha}`);
      return runs.filter((run) => run.sha === sha).reverse();
    },
    createCheckRun: async (_: Repository, run: CheckRunContent & { sha: string; name: string }) => {
      calls.push(`create ${run.name}: ${run.title}`);
      return run.sha === 'gone' ? null : put(run, run.sha, run.name).id;
    },
    updateCheckRun: async (_: Repository, id: number, content: CheckRunContent) => {
      calls.push(`update ${id}: ${content.title}`);
      const { actions: _actions, startedAt: _startedAt, ...rest } = content;
      Object.assign(runs[id - 1] ?? {}, rest);
    },
  };
}
