/**
 * GitHub as the Forge port. Each method is one conversation of this folder; what goes wrong in it comes out as a
 * WorldProblem that says what Stepback was about to do.
 */
import type { Forge, Repository } from '../../ports.ts';
import { createBranch, deleteBranch, moveBranch } from './branches.ts';
import { createComment, readComments, updateComment } from './comments.ts';
import { readCommit, readFilesOf } from './commits.ts';
import type { GitHub } from './github.ts';
import { problemOf } from './problem-of.ts';
import {
  createPullRequest,
  readPullRequest,
  readPullRequestsFrom,
  readPullRequestsOf,
  updatePullRequest,
} from './pulls.ts';
import { readRange } from './ranges.ts';
import { readBranchHead, readRepository } from './repositories.ts';
import { repositoryOfUrl } from './repository-url.ts';
import { readBlob, readTree } from './trees.ts';
import { createCommit, createTree } from './writes.ts';

/** The Forge over one GitHub server. Its methods throw WorldProblem and nothing else of the world. */
export function createForge(github: GitHub): Forge {
  return {
    repositoryOf: (repoURL) => repositoryOfUrl(repoURL, github.names),
    commitUrl: (of, sha) => `${github.webUrl}/${of.owner}/${of.name}/commit/${sha}`,

    repository: (of) => inWords(`read ${nameOf(of)}`, () => readRepository(github, of)),
    branchHead: (of, branch) =>
      inWords(`read the branch ${branch} of ${nameOf(of)}`, () => readBranchHead(github, of, branch)),
    commit: (of, sha) => inWords(`read commit ${sha} of ${nameOf(of)}`, () => readCommit(github, of, sha)),
    range: (of, base, head) =>
      inWords(`compare ${base} with ${head} in ${nameOf(of)}`, () => readRange(github, of, base, head)),
    filesOf: (of, sha) =>
      inWords(`read the files of commit ${sha} of ${nameOf(of)}`, () => readFilesOf(github, of, sha)),
    pullRequestsOf: (of, sha) =>
      inWords(`find the pull requests of commit ${sha} of ${nameOf(of)}`, () =>
        readPullRequestsOf(github, of, sha),
      ),
    readTree: (of, id) => inWords(`read tree ${id} of ${nameOf(of)}`, () => readTree(github, of, id)),
    readBlob: (of, id) => inWords(`read file ${id} of ${nameOf(of)}`, () => readBlob(github, of, id)),

    createTree: (of, baseTree, changes) =>
      inWords(`write a tree in ${nameOf(of)}`, () => createTree(github, of, baseTree, changes)),
    createCommit: (of, commit) =>
      inWords(`write a commit in ${nameOf(of)}`, () => createCommit(github, of, commit)),
    createBranch: (of, branch, sha) =>
      inWords(`create the branch ${branch} of ${nameOf(of)}`, () => createBranch(github, of, branch, sha)),
    moveBranch: (of, branch, expected, sha) =>
      inWords(`move the branch ${branch} of ${nameOf(of)}`, () =>
        moveBranch(github, of, branch, expected, sha),
      ),
    deleteBranch: (of, branch) =>
      inWords(`delete the branch ${branch} of ${nameOf(of)}`, () => deleteBranch(github, of, branch)),

    pullRequestsFrom: (of, headBranch) =>
      inWords(`find the pull requests from ${headBranch} in ${nameOf(of)}`, () =>
        readPullRequestsFrom(github, of, headBranch),
      ),
    pullRequest: (of, number) =>
      inWords(`read pull request #${number} of ${nameOf(of)}`, () => readPullRequest(github, of, number)),
    createPullRequest: (of, pullRequest) =>
      inWords(`open a pull request in ${nameOf(of)}`, () => createPullRequest(github, of, pullRequest)),
    updatePullRequest: (of, number, change) =>
      inWords(`edit pull request #${number} of ${nameOf(of)}`, () =>
        updatePullRequest(github, of, number, change),
      ),

    comments: (of, number) =>
      inWords(`read the comments of #${number} in ${nameOf(of)}`, () => readComments(github, of, number)),
    createComment: (of, number, body) =>
      inWords(`comment on #${number} in ${nameOf(of)}`, () => createComment(github, of, number, body)),
    updateComment: (of, commentId, body) =>
      inWords(`edit a comment in ${nameOf(of)}`, () => updateComment(github, of, commentId, body)),
  };
}

/** Does the work; what is thrown says what was being done. */
async function inWords<Value>(doing: string, work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    throw problemOf(error, doing);
  }
}

function nameOf(repository: Repository): string {
  return `${repository.owner}/${repository.name}`;
}
