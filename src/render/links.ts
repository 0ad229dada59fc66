/**
 * Links of one repository, for people. The words do not care on which GitHub it lies.
 */
import { isCommit } from '../domain/objects.ts';
import { codeSpan, link } from './safe.ts';

export interface Links {
  commit(sha: string): string;
  compare(base: string, head: string): string;
  pullRequest(number: number): string;
}

/** Links below the address of a repository, such as `https://github.com/acme/payments`. */
export function linksBelow(repositoryUrl: string): Links {
  return {
    commit: (sha) => `${repositoryUrl}/commit/${encodeURIComponent(sha)}`,
    compare: (base, head) =>
      `${repositoryUrl}/compare/${encodeURIComponent(base)}...${encodeURIComponent(head)}`,
    pullRequest: (number) => `${repositoryUrl}/pull/${number}`,
  };
}

/** Seven digits, linked. What is no commit (the version of a chart) is shown as it is; null links: another repository. */
export function commitLink(revision: string, links: Links | null): string {
  if (!isCommit(revision)) return codeSpan(revision, { max: 60, isPublic: true });
  const short = codeSpan(revision.slice(0, 7));
  return links === null ? short : link(short, links.commit(revision));
}

/** `#412`, linked. */
export function pullRequestLink(number: number, links: Links): string {
  return link(`#${number}`, links.pullRequest(number));
}
