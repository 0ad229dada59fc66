/**
 * GitHub as the Forge port. Each method is one conversation of this folder; what goes wrong in it comes out as a
 * WorldProblem that says what Stepback was about to do.
 */

import type { Checks } from '../../ports/checks.ts';
import type { Deliveries } from '../../ports/deliveries.ts';
import type { Files } from '../../ports/files.ts';
import type { Issues } from '../../ports/issues.ts';
import type { People } from '../../ports/people.ts';
import type { PullRequests } from '../../ports/pull-requests.ts';
import type { Forge, Repository } from '../../ports.ts';
import { disableAutoMerge, enableAutoMerge, markReadyForReview, readRequiredChecks } from './auto-merge.ts';
import { createBranch, deleteBranch, moveBranch } from './branches.ts';
import { createCheckRun, readCheckRuns, updateCheckRun } from './checks.ts';
import { createComment, deleteComment, react, readComments, updateComment } from './comments.ts';
import { readCommit, readCommitBeginning, readFilesOf } from './commits.ts';
import { readFailedDeliveries, redeliver } from './deliveries.ts';
import { readCodeOwners, readCommitsOfFile, readFileAt } from './files.ts';
import type { GitHub } from './github.ts';
import { createIssue, readOpenIssuesWithLabel, readOwnIssues, updateIssue } from './issues.ts';
import { addLabels, removeLabel } from './labels.ts';
import { readFilesOfPullRequest, readOpenPullRequests, readOwnPullRequests } from './open-pulls.ts';
import { readOwnSignature } from './own-signature.ts';
import { readMembership, readPermission } from './permissions.ts';
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
import { requestReviewers } from './reviewers.ts';
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
    commitBeginning: (of, digits) =>
      inWords(`find commit ${digits} of ${nameOf(of)}`, () => readCommitBeginning(github, of, digits)),
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
    deleteComment: (of, commentId) =>
      inWords(`take away a comment in ${nameOf(of)}`, () => deleteComment(github, of, commentId)),

    ...checks(github),
    ...people(github),
    ...files(github),
    ...pullRequests(github),
    ...issues(github),
    ...deliveries(github),
  };
}

function checks(github: GitHub): Checks {
  return {
    checkRuns: (of, sha, name) =>
      inWords(`read the check runs of commit ${sha} of ${nameOf(of)}`, () =>
        readCheckRuns(github, of, sha, name),
      ),
    createCheckRun: (of, run) =>
      inWords(`make a check run on commit ${run.sha} of ${nameOf(of)}`, () =>
        createCheckRun(github, of, run),
      ),
    updateCheckRun: (of, id, content) =>
      inWords(`edit a check run in ${nameOf(of)}`, () => updateCheckRun(github, of, id, content)),
  };
}

function people(github: GitHub): People {
  return {
    permissionOf: (of, login) =>
      inWords(`read what ${login} may do in ${nameOf(of)}`, () => readPermission(github, of, login)),
    ownSignature: (of) =>
      inWords(`read how ${nameOf(of)} names the App in commits`, () => readOwnSignature(github, of)),
    isMemberOf: (of, teamSlug, login) =>
      inWords(`read whether ${login} is in the team ${of.owner}/${teamSlug}`, () =>
        readMembership(github, of, teamSlug, login),
      ),
    codeOwnersText: (of, ref) =>
      inWords(`read the code owners of ${nameOf(of)}`, () => readCodeOwners(github, of, ref)),
  };
}

function files(github: GitHub): Files {
  return {
    fileAt: (of, path, ref) =>
      inWords(`read ${path} of ${nameOf(of)}`, () => readFileAt(github, of, path, ref)),
    commitsOfFile: (of, path) =>
      inWords(`find who changed ${path} of ${nameOf(of)}`, () => readCommitsOfFile(github, of, path)),
  };
}

function pullRequests(github: GitHub): PullRequests {
  return {
    openPullRequests: (of, baseBranch) =>
      inWords(`read the open pull requests of ${nameOf(of)}`, () =>
        readOpenPullRequests(github, of, baseBranch),
      ),
    ownPullRequests: (of, since) =>
      inWords(`find what it opened in ${nameOf(of)}`, () => readOwnPullRequests(github, of, since)),
    filesOfPullRequest: (of, number) =>
      inWords(`read the files of pull request #${number} of ${nameOf(of)}`, () =>
        readFilesOfPullRequest(github, of, number),
      ),
    requestReviewers: (of, number, reviewers) =>
      inWords(`ask for reviews of #${number} in ${nameOf(of)}`, () =>
        requestReviewers(github, of, number, reviewers),
      ),
    enableAutoMerge: (of, pullRequest, method) =>
      inWords(`turn on auto-merge in ${nameOf(of)}`, () => enableAutoMerge(github, of, pullRequest, method)),
    disableAutoMerge: (of, pullRequest) =>
      inWords(`turn off auto-merge in ${nameOf(of)}`, () => disableAutoMerge(github, of, pullRequest)),
    requiredChecks: (of, branch) =>
      inWords(`read what the branch ${branch} of ${nameOf(of)} requires`, () =>
        readRequiredChecks(github, of, branch),
      ),
    markReadyForReview: (of, pullRequest) =>
      inWords(`take a pull request of ${nameOf(of)} out of draft`, () =>
        markReadyForReview(github, of, pullRequest),
      ),
  };
}

function issues(github: GitHub): Issues {
  return {
    openIssuesWithLabel: (of, label) =>
      inWords(`read the issues of ${nameOf(of)} with the label "${label}"`, () =>
        readOpenIssuesWithLabel(github, of, label),
      ),
    ownIssues: (of, label) =>
      inWords(`find the issues that it opened in ${nameOf(of)}`, () => readOwnIssues(github, of, label)),
    createIssue: (of, issue) =>
      inWords(`open an issue in ${nameOf(of)}`, () => createIssue(github, of, issue)),
    updateIssue: (of, number, change) =>
      inWords(`change issue #${number} in ${nameOf(of)}`, () => updateIssue(github, of, number, change)),
    addLabels: (of, number, labels) =>
      inWords(`label #${number} in ${nameOf(of)}`, () => addLabels(github, of, number, labels)),
    removeLabel: (of, number, label) =>
      inWords(`take the label "${label}" off #${number} in ${nameOf(of)}`, () =>
        removeLabel(github, of, number, label),
      ),
    react: (of, commentId, reaction) =>
      inWords(`react to a comment in ${nameOf(of)}`, () => react(github, of, commentId, reaction)),
  };
}

function deliveries(github: GitHub): Deliveries {
  return {
    failedDeliveries: (since) =>
      inWords('find the webhooks that failed', () => readFailedDeliveries(github, since)),
    redeliver: (deliveryId) => inWords('ask for a webhook again', () => redeliver(github, deliveryId)),
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
