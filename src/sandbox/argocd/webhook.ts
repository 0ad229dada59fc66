/**
 * Which Applications notice a push, and when. With a webhook the real Argo CD puts the refresh annotation on every
 * Application that follows the branch, one patch after the other, in no particular order: that alone makes rollouts begin
 * in a later stage now and then.
 */
import type { ObjectStore } from '../kubernetes/store.ts';
import { sourcesOf } from './comparison.ts';
import type { Habits, Random } from './habits.ts';
import type { ApplicationObject } from './objects.ts';

export interface Notice {
  /** `namespace/name` of the Application. */
  application: string;
  /** From now until it is told. */
  afterMs: number;
}

/** Who is told of a push to a branch of a repository, whatever form its URL has, and when. */
export function noticesOf(
  store: ObjectStore,
  repoURL: string,
  branch: string,
  habits: Habits,
  random: Random,
): Notice[] {
  const { noticeFirst, noticeLeadMs, noticeSpreadMs, webhookDelayMs } = habits;
  const order = store
    .list<ApplicationObject>('applications')
    .filter((application) => isFollowing(application, repoURL, branch))
    .map(({ metadata }) => {
      const place = noticeFirst.indexOf(metadata.name);
      const rank = place < 0 ? random() : place - noticeFirst.length;
      return { application: `${metadata.namespace}/${metadata.name}`, rank };
    })
    .sort((one, other) => one.rank - other.rank);
  const ahead = order.filter(({ rank }) => rank < 0).length;
  return order.map(({ application }, index) => {
    const spreadMs = (noticeSpreadMs * (index - ahead)) / Math.max(1, order.length - ahead - 1);
    const ms = index < ahead ? index * noticeLeadMs : ahead * noticeLeadMs + Math.round(spreadMs);
    return { application, afterMs: webhookDelayMs + ms };
  });
}

function isFollowing({ spec }: ApplicationObject, repoURL: string, branch: string): boolean {
  const wanted = repositoryName(repoURL);
  return sourcesOf(spec).some(
    (source) =>
      repositoryName(source.repoURL) === wanted && ['', 'HEAD', branch].includes(source.targetRevision ?? ''),
  );
}

/** `git@github.com:acme/shop.git` and `https://github.com/acme/shop` are both `github.com/acme/shop`. */
function repositoryName(repoURL: string): string {
  return repoURL
    .toLowerCase()
    .replace(/^[a-z+]+:\/\//, '')
    .replace(/^[^@/]*@/, '')
    .replace(/^([^/:]+):(?!\d+\/)/, '$1/')
    .replace(/(\.git)?\/*$/, '');
}
