/** Pull requests with what was said on them and what they change, as people read them on GitHub. */
import type { SeenComment, SeenPullRequest } from './github/looks.ts';
import type { SmallGitHub } from './github/small-github.ts';

export interface ConversationView extends SeenPullRequest {
  /** Opened by Stepback. */
  isOurs: boolean;
  /** Opened by Stepback, or with a comment of it. */
  isConcerned: boolean;
  comments: readonly SeenComment[];
  files: readonly string[];
}

/** Every pull request of a repository, newest first. */
export function conversationsOf(github: SmallGitHub, repository: string): readonly ConversationView[] {
  return github
    .pullRequests(repository)
    .map((pull) => ({ pull, comments: github.comments(repository, pull.number) }))
    .map(({ pull, comments }) => ({
      ...pull,
      isOurs: pull.user === github.app.botLogin,
      isConcerned: [pull, ...comments].some((one) => one.user === github.app.botLogin),
      comments,
      files: github.filesOfPullRequest(repository, pull.number).map((file) => file.path),
    }))
    .reverse();
}
