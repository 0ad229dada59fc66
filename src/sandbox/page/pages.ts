/** Which page an address means. The addresses are GitHub's, so that the links in what Stepback writes lead somewhere. */
import type { SmallGitHub } from '../github/small-github.ts';
import type { RepositoryView, View } from '../view.ts';
import { commitPage, comparePage } from './commit-page.ts';
import { conversationPage } from './conversation.ts';
import type { Page, Section } from './layout.ts';
import { clock, overview } from './overview.ts';

/** Null where there is none. */
export function pageAt(path: string, view: View, github: SmallGitHub): Page | null {
  if (path === '/') return overview(view);
  const [, owner, name, kind, rest = ''] =
    /^\/([^/]+)\/([^/]+)\/(pull|commit|compare)\/(.+)$/.exec(path) ?? [];
  const repository = view.repositories.find((one) => one.name === `${owner}/${name}`);
  if (repository === undefined || kind === undefined) return null;
  const found = contentOf(kind, decodeURIComponent(rest), repository, github);
  if (found === null) return null;
  const sections: readonly Section[] = [{ id: 'content', content: found.content }];
  return { title: found.title, clock: clock(view), sections };
}

function contentOf(
  kind: string,
  rest: string,
  repository: RepositoryView,
  github: SmallGitHub,
): { title: string; content: Section['content'] } | null {
  const { name } = repository;
  if (kind === 'pull') {
    const one = repository.conversations.find(({ number }) => String(number) === rest);
    return one === undefined
      ? null
      : { title: `${one.title} · #${one.number}`, content: conversationPage(repository, one) };
  }
  if (kind === 'commit') {
    const sha = github.resolve(name, rest);
    const [commit] = sha === undefined ? [] : github.commits(name, sha, 1);
    return commit === undefined
      ? null
      : {
          title: commit.subject,
          content: commitPage(
            name,
            commit,
            github.filesOfCommit(name, commit.sha),
            github.checkRuns(name, commit.sha),
          ),
        };
  }
  const [base = '', head = ''] = rest.split('...').map((end) => github.resolve(name, end));
  if (base === '' || head === '') return null;
  return {
    title: `${name}: changes`,
    content: comparePage(name, base, head, github.filesBetween(name, base, head)),
  };
}
