/**
 * Every method of the Forge against the examples that GitHub itself gives for its endpoints: each request is one that
 * GitHub describes, and each of its answers is understood.
 */
import nock from 'nock';
import { expect, test } from 'vitest';
import type { CheckRunContent } from '../../../src/ports/checks.ts';
import type { Forge } from '../../../src/ports.ts';
import { checkAgainstGitHub } from './described.ts';
import { eachTestHasItsOwnGitHub, gitops, installed, sha, world } from './world.ts';

eachTestHasItsOwnGitHub();

/** Answers every request with GitHub's example for its operation. */
function answersWithItsExamples(): void {
  const answer = async (request: Request) => {
    const text = await request.text();
    const sent = {
      method: request.method,
      path: request.url,
      body: text === '' ? undefined : JSON.parse(text),
    };
    const { example } = await checkAgainstGitHub(sent);
    return [request.method === 'POST' ? 201 : 200, example as nock.Body] as const;
  };
  const github = nock('https://api.github.com').persist();
  const ours = (uri: string) => !/installation/.test(uri);
  github.get(ours).reply(answer);
  github.post(ours).reply(answer);
  github.patch(ours).reply(answer);
  github.delete(ours).reply(204);
}

const checkRun: CheckRunContent = {
  externalId: 'e',
  status: 'completed',
  conclusion: 'action-required',
  title: 'Waits for a person',
  summary: 'Stage 2 is opened by hand.',
  text: '',
  detailsUrl: 'https://stepback.example/payments',
  actions: [{ label: 'Revert', description: 'Take this commit back', identifier: 'revert' }],
  startedAt: Date.UTC(2026, 7, 1),
  completedAt: Date.UTC(2026, 7, 1, 1),
};

const calls: { [Name in keyof Forge]?: (forge: Forge) => Promise<unknown> } = {
  repository: (forge) => forge.repository(gitops),
  branchHead: (forge) => forge.branchHead(gitops, 'main'),
  commitBeginning: (forge) => forge.commitBeginning(gitops, sha('c0')),
  commit: (forge) => forge.commit(gitops, sha('c0')),
  range: (forge) => forge.range(gitops, sha('a0'), sha('c0')),
  filesOf: (forge) => forge.filesOf(gitops, sha('c0')),
  pullRequestsOf: (forge) => forge.pullRequestsOf(gitops, sha('c0')),
  readTree: (forge) => forge.readTree(gitops, sha('7ee')),
  readBlob: (forge) => forge.readBlob(gitops, sha('b1')),
  createTree: (forge) =>
    forge.createTree(gitops, sha('7ee'), [
      { path: 'apps/values.yaml', mode: '100644', content: Buffer.from('replicas: 3\n') },
      { path: 'apps/logo.png', mode: '100644', content: Buffer.from([0xff, 0xd8, 0]) },
      { path: 'run.sh', mode: '100755', id: sha('b2') },
      { path: 'old.yaml', deleted: true },
    ]),
  createCommit: (forge) =>
    forge.createCommit(gitops, { tree: sha('7ee'), parents: [sha('c0')], message: 'Revert "x"' }),
  createBranch: (forge) => forge.createBranch(gitops, 'stepback/revert', sha('c0')),
  moveBranch: (forge) =>
    forge.moveBranch(gitops, 'featureA', 'aa218f56b14c9653891f9e74264a383fa43fefbd', sha('c0')),
  deleteBranch: (forge) => forge.deleteBranch(gitops, 'stepback/revert'),
  pullRequestsFrom: (forge) => forge.pullRequestsFrom(gitops, 'new-topic'),
  pullRequest: (forge) => forge.pullRequest(gitops, 1347),
  createPullRequest: (forge) =>
    forge.createPullRequest(gitops, { title: 'Revert', body: 'Why', head: 'b', base: 'main', isDraft: true }),
  updatePullRequest: (forge) => forge.updatePullRequest(gitops, 1347, { body: 'New', state: 'closed' }),
  comments: (forge) => forge.comments(gitops, 1347),
  createComment: (forge) => forge.createComment(gitops, 1347, 'Hello'),
  updateComment: (forge) => forge.updateComment(gitops, 1, 'Hello again'),
  deleteComment: (forge) => forge.deleteComment(gitops, 1),
  checkRuns: (forge) => forge.checkRuns(gitops, sha('c0'), null),
  createCheckRun: (forge) =>
    forge.createCheckRun(gitops, { ...checkRun, sha: sha('c0'), name: 'stepback / a/b' }),
  updateCheckRun: (forge) => forge.updateCheckRun(gitops, 4, checkRun),
  permissionOf: (forge) => forge.permissionOf(gitops, 'octocat'),
  isMemberOf: (forge) => forge.isMemberOf(gitops, 'platform', 'octocat'),
  // After its first line GitHub's example of a file is broken base64.
  codeOwnersText: async (forge) => (await forge.codeOwnersText(gitops, sha('c0')))?.slice(0, 6),
  fileAt: async (forge) => {
    const file = await forge.fileAt(gitops, '.github/stepback.yaml', 'main');
    return { ...file, text: file?.text.slice(0, 6) };
  },
  commitsOfFile: (forge) => forge.commitsOfFile(gitops, '.github/stepback.yaml'),
  openPullRequests: (forge) => forge.openPullRequests(gitops, 'main'),
  filesOfPullRequest: (forge) => forge.filesOfPullRequest(gitops, 1347),
  requestReviewers: (forge) => forge.requestReviewers(gitops, 1347, { people: ['dev'], teams: ['platform'] }),
  enableAutoMerge: (forge) =>
    forge.enableAutoMerge(gitops, { nodeId: 'PR_kwDOA41', headSha: sha('4ead') }, 'squash'),
  disableAutoMerge: (forge) => forge.disableAutoMerge(gitops, { nodeId: 'PR_kwDOA41' }),
  requiredChecks: (forge) => forge.requiredChecks(gitops, 'main'),
  ownSignature: (forge) => forge.ownSignature(gitops),
  markReadyForReview: (forge) => forge.markReadyForReview(gitops, { nodeId: 'PR_kwDOA41' }),
  ownPullRequests: (forge) => forge.ownPullRequests(gitops, 0),
  ownIssues: (forge) => forge.ownIssues(gitops, 'bug'),
  openIssuesWithLabel: (forge) => forge.openIssuesWithLabel(gitops, 'bug'),
  createIssue: (forge) => forge.createIssue(gitops, { title: 'Stop', body: 'Why', labels: ['stepback'] }),
  updateIssue: (forge) => forge.updateIssue(gitops, 1347, { body: 'Why', state: 'closed' }),
  addLabels: (forge) => forge.addLabels(gitops, 1347, ['stepback', 'stepback: stop']),
  removeLabel: (forge) => forge.removeLabel(gitops, 1347, 'stepback: stop'),
  react: (forge) => forge.react(gitops, 1, 'eyes'),
  failedDeliveries: (forge) => forge.failedDeliveries(0),
  redeliver: (forge) => forge.redeliver('3804004623172239366'),
};

/** These ask nobody. */
const silent = ['repositoryOf', 'commitUrl'];

test('there is a call here for every method of the Forge', () => {
  expect(Object.keys(calls).sort()).toEqual(
    Object.keys(world().forge)
      .filter((name) => !silent.includes(name))
      .sort(),
  );
});

test("every method sends what GitHub describes and understands GitHub's own examples", async () => {
  installed();
  answersWithItsExamples();
  const understood: string[] = [];
  for (const [name, call] of Object.entries(calls)) {
    const { forge, sent } = world();
    const answer = await call(forge);
    expect(sent.length, `${name} asked GitHub`).toBeGreaterThan(0);
    understood.push(`${name}: ${inShort(answer)}`);
  }
  expect(understood).toMatchInlineSnapshot(`
    [
      "repository: {"repository":{"host":"github.com","owner":"octocat","name":"Hello-World"},"defaultBranch":"master","isArchived":false}",
      "branchHead: {"sha":"7fd1a60","tree":"b4eecaf","parents":["553c207","7629413"],"message":"Merge pull request #6 from Spaceghost/patch-1\\n\\nNew line at end of file.","author":{"login":"octocat","name":"The Octocat"},"committedAt":1331075210000}",
      "commitBeginning: {"sha":"6dcb09b","tree":"6dcb09b","parents":["6dcb09b"],"message":"Fix all the bugs","author":{"login":"octocat","name":"Monalisa Octocat"},"committedAt":1302796849000}",
      "commit: {"sha":"6dcb09b","tree":"6dcb09b","parents":["6dcb09b"],"message":"Fix all the bugs","author":{"login":"octocat","name":"Monalisa Octocat"},"committedAt":1302796849000}",
      "range: {"status":"behind","mergeBase":"6dcb09b","commits":[{"sha":"6dcb09b","tree":"6dcb09b","parents":["6dcb09b"],"message":"Fix all the bugs","author":{"login":"octocat","name":"Monalisa Octocat"},"committedAt":1302796849000}],"isComplete":true}",
      "filesOf: {"files":[{"path":"file1.txt","previousPath":null,"change":"modified"}],"isComplete":true}",
      "pullRequestsOf: [{"number":1347,"nodeId":"MDExOlB1bGxSZXF1ZXN0MQ==","url":"https://github.com/octocat/Hello-World/pull/1347","title":"Amazing new feature","body":"Please pull these awesome changes in!","author":{"login":"octocat","name":"octocat"},"state":"open","isMerged":true,"isDraft":false,"isAutoMergeOn":false,"mergeCommit":"e5bd391","mergedAt":1296068472000,"baseBranch":"master","headBranch":"new-topic","headSha":"6dcb09b","isFromFork":false,"isOurs":false,"labels":["bug"],"createdAt":1296068472000}]",
      "readTree: [{"name":"file.rb","mode":"100644","id":"44b4fc6"},{"name":"subdir","mode":"040000","id":"f484d24"},{"name":"exec_file","mode":"100755","id":"45b983b"}]",
      "readBlob: Content of the blob",
      "createTree: "cd8274d"",
      "createCommit: {"sha":"7638417","isVerified":false}",
      "createBranch: "created"",
      "moveBranch: "done"",
      "deleteBranch: "nothing"",
      "pullRequestsFrom: [{"number":1347,"nodeId":"MDExOlB1bGxSZXF1ZXN0MQ==","url":"https://github.com/octocat/Hello-World/pull/1347","title":"Amazing new feature","body":"Please pull these awesome changes in!","author":{"login":"octocat","name":"octocat"},"state":"open","isMerged":true,"isDraft":false,"isAutoMergeOn":false,"mergeCommit":"e5bd391","mergedAt":1296068472000,"baseBranch":"master","headBranch":"new-topic","headSha":"6dcb09b","isFromFork":false,"isOurs":false,"labels":["bug"],"createdAt":1296068472000}]",
      "pullRequest: {"number":1347,"nodeId":"MDExOlB1bGxSZXF1ZXN0MQ==","url":"https://github.com/octocat/Hello-World/pull/1347","title":"Amazing new feature","body":"Please pull these awesome changes in!","author":{"login":"octocat","name":"octocat"},"state":"open","isMerged":true,"isDraft":false,"isAutoMergeOn":false,"mergeCommit":"e5bd391","mergedAt":1296068472000,"baseBranch":"master","headBranch":"new-topic","headSha":"6dcb09b","isFromFork":false,"isOurs":false,"labels":["bug"],"createdAt":1296068472000}",
      "createPullRequest: {"kind":"created","pullRequest":{"number":1347,"nodeId":"MDExOlB1bGxSZXF1ZXN0MQ==","url":"https://github.com/octocat/Hello-World/pull/1347","title":"Amazing new feature","body":"Please pull these awesome changes in!","author":{"login":"octocat","name":"octocat"},"state":"open","isMerged":true,"isDraft":false,"isAutoMergeOn":false,"mergeCommit":"e5bd391","mergedAt":1296068472000,"baseBranch":"master","headBranch":"new-topic","headSha":"6dcb09b","isFromFork":false,"isOurs":false,"labels":["bug"],"createdAt":1296068472000}}",
      "updatePullRequest: "nothing"",
      "comments: [{"id":1,"body":"Me too","author":"octocat","isOurs":false,"createdAt":1302796849000}]",
      "createComment: 1",
      "updateComment: "done"",
      "deleteComment: "nothing"",
      "checkRuns: []",
      "createCheckRun: 4",
      "updateCheckRun: "nothing"",
      "permissionOf: "admin"",
      "isMemberOf: "yes"",
      "codeOwnersText: "# Yoga"",
      "fileAt: {"text":"# Yoga","blobId":"3d21ec5"}",
      "commitsOfFile: ["6dcb09b"]",
      "openPullRequests: {"pullRequests":[{"number":1347,"nodeId":"MDExOlB1bGxSZXF1ZXN0MQ==","url":"https://github.com/octocat/Hello-World/pull/1347","title":"Amazing new feature","body":"Please pull these awesome changes in!","author":{"login":"octocat","name":"octocat"},"state":"open","isMerged":true,"isDraft":false,"isAutoMergeOn":false,"mergeCommit":"e5bd391","mergedAt":1296068472000,"baseBranch":"master","headBranch":"new-topic","headSha":"6dcb09b","isFromFork":false,"isOurs":false,"labels":["bug"],"createdAt":1296068472000}],"isComplete":true}",
      "filesOfPullRequest: {"files":[{"path":"file1.txt","previousPath":null,"change":"added"}],"isComplete":true}",
      "requestReviewers: {"people":[],"teams":[]}",
      "enableAutoMerge: "enabled"",
      "disableAutoMerge: "nothing"",
      "requiredChecks: []",
      "ownSignature: {"name":"octocat","email":"1+octocat@users.noreply.github.com"}",
      "markReadyForReview: "nothing"",
      "ownPullRequests: []",
      "ownIssues: []",
      "openIssuesWithLabel: []",
      "createIssue: {"number":1347,"url":"https://github.com/octocat/Hello-World/issues/1347"}",
      "updateIssue: "done"",
      "addLabels: "nothing"",
      "removeLabel: "nothing"",
      "react: "done"",
      "failedDeliveries: []",
      "redeliver: "accepted"",
    ]
  `);
});

/** Bytes as text, commit ids by their first digits. */
function inShort(answer: unknown): string {
  if (answer instanceof Uint8Array) return new TextDecoder().decode(answer);
  return JSON.stringify(answer ?? 'nothing').replace(/([0-9a-f]{7})[0-9a-f]{33}/g, '$1');
}
