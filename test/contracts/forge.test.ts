/** What the Forge port promises, held by the forge in memory and by the adapter against the small GitHub alike. */
import { describe, expect, it } from 'vitest';
import { WorldProblem } from '../../src/ports.ts';
import { type GitHubWorld, githubWorlds } from './github-worlds.ts';

const path = 'apps/shop/config.json';
const missing = 'f'.repeat(40);

async function problemOf(work: Promise<unknown>): Promise<string> {
  const problem = await work.then(
    () => null,
    (error: unknown) => error,
  );
  return problem instanceof WorldProblem ? problem.kind : `no problem: ${problem}`;
}

/** A commit of ours on `main`, as a revert is made. */
async function commitOfOurs({ forge, of, head }: GitHubWorld, text = '{"version": 9}\n') {
  const base = await forge.commit(of, head('main'));
  const content = new TextEncoder().encode(text);
  const tree = await forge.createTree(of, base?.tree ?? '', [{ path, mode: '100644', content }]);
  return { tree, ...(await forge.createCommit(of, { tree, parents: [head('main')], message: 'ours' })) };
}

async function openOurs(world: GitHubWorld, branch = 'stepback/one') {
  const { forge, of } = world;
  const { sha } = await commitOfOurs(world);
  await forge.createBranch(of, branch, sha);
  return forge.createPullRequest(of, {
    title: 'Revert',
    body: 'why',
    head: branch,
    base: 'main',
    isDraft: false,
  });
}

describe.each(githubWorlds)('the forge $kind', ({ open }) => {
  it('makes objects with the ids of git', async () => {
    const world = await open();
    const { tree, sha, isVerified } = await commitOfOurs(world);
    const pushed = await world.forge.commit(world.of, world.push('same', { [path]: '{"version": 9}\n' }));
    expect(pushed?.tree).toBe(tree);
    expect(isVerified).toBe(true);
    expect(await world.forge.commit(world.of, sha)).toMatchObject({ sha, tree, message: 'ours' });
  });

  it('gives a branch to the first who claims it', async () => {
    const world = await open();
    const { forge, of } = world;
    const { sha } = await commitOfOurs(world);
    expect(await forge.createBranch(of, 'stepback/one', sha)).toBe('created');
    expect(await forge.createBranch(of, 'stepback/one', sha)).toBe('exists');
    expect(await forge.createBranch(of, 'stepback/one', world.head('main'))).toBe('exists');
    expect(await forge.branchHead(of, 'stepback/one')).toMatchObject({ sha });
    expect(await forge.branchHead(of, 'stepback/two')).toBeNull();
  });

  it('moves a branch forward from where it is expected, and never else', async () => {
    const world = await open();
    const { forge, of } = world;
    const before = world.head('main');
    const { sha } = await commitOfOurs(world);
    await forge.createBranch(of, 'stepback/one', before);
    expect(await forge.moveBranch(of, 'stepback/one', before, sha)).toBe('done');
    expect(await forge.moveBranch(of, 'stepback/one', before, sha)).toBe('done');
    world.push('a person', { 'docs/a.md': 'a\n' }, 'stepback/one');
    expect(await forge.moveBranch(of, 'stepback/one', sha, before)).toBe('moved');
    expect(await forge.moveBranch(of, 'stepback/gone', before, sha)).toBe('missing');
    expect(await problemOf(forge.moveBranch(of, 'stepback/one', world.head('stepback/one'), before))).toBe(
      'permanent',
    );
    await forge.deleteBranch(of, 'stepback/one');
    await forge.deleteBranch(of, 'stepback/one');
    expect(await forge.branchHead(of, 'stepback/one')).toBeNull();
  });

  it('opens one pull request of a branch, and another one when the first is closed', async () => {
    const world = await open();
    const { forge, of } = world;
    const first = await openOurs(world);
    expect(first).toMatchObject({
      kind: 'created',
      pullRequest: { title: 'Revert', body: 'why', isOurs: true, state: 'open', isDraft: false },
    });
    const number = first.kind === 'created' ? first.pullRequest.number : 0;
    const again = { title: 'Revert', body: '', head: 'stepback/one', base: 'main', isDraft: false };
    expect(await forge.createPullRequest(of, again)).toEqual({ kind: 'exists' });
    await forge.updatePullRequest(of, number, { state: 'closed' });
    expect(await forge.createPullRequest(of, again)).toMatchObject({ kind: 'created' });
    const all = await forge.pullRequestsFrom(of, 'stepback/one');
    expect(all.map((pull) => [pull.number, pull.state])).toEqual([
      [number + 1, 'open'],
      [number, 'closed'],
    ]);
    expect(await forge.pullRequestsFrom(of, 'stepback/two')).toEqual([]);
  });

  it('says when there is nothing between two branches', async () => {
    const { forge, of, head } = await open();
    await forge.createBranch(of, 'stepback/one', head('main'));
    const wish = { title: 'Revert', body: '', head: 'stepback/one', base: 'main', isDraft: false };
    expect(await forge.createPullRequest(of, wish)).toEqual({ kind: 'nothing-between' });
    expect(await problemOf(forge.createPullRequest(of, { ...wish, base: 'gone' }))).toBe('transient');
    expect(await problemOf(forge.createPullRequest(of, { ...wish, head: 'gone' }))).toBe('transient');
  });

  it('edits, closes and opens again, but for what is merged', async () => {
    const world = await open();
    const { forge, of } = world;
    const made = await openOurs(world);
    const number = made.kind === 'created' ? made.pullRequest.number : 0;
    await forge.updatePullRequest(of, number, { title: 'Other', body: 'words', state: 'closed' });
    expect(await forge.pullRequest(of, number)).toMatchObject({
      title: 'Other',
      body: 'words',
      state: 'closed',
      isMerged: false,
    });
    await forge.updatePullRequest(of, number, { state: 'open' });
    const sha = world.merge(number, 'merge');
    const merged = await forge.pullRequest(of, number);
    expect(merged).toMatchObject({ state: 'closed', isMerged: true, mergeCommit: sha });
    expect(merged?.mergedAt).not.toBeNull();
    expect(await problemOf(forge.updatePullRequest(of, number, { state: 'open' }))).toBe('permanent');
    expect(await forge.pullRequest(of, 4711)).toBeNull();
  });

  it('follows the head of a branch that a person pushes to', async () => {
    const world = await open();
    const made = await openOurs(world);
    const number = made.kind === 'created' ? made.pullRequest.number : 0;
    const sha = world.push('mine', { 'docs/a.md': 'a\n' }, 'stepback/one');
    expect(await world.forge.pullRequest(world.of, number)).toMatchObject({ headSha: sha, state: 'open' });
  });

  it('tells our comments from those of others, oldest first', async () => {
    const { forge, of, propose, comment } = await open();
    const number = propose('Shop 2', 'shop-2', { [path]: '{"version": 2}\n' });
    comment(number, 'looks good');
    const id = await forge.createComment(of, number, 'first words');
    await forge.updateComment(of, id, 'last words');
    const all = await forge.comments(of, number);
    expect(all.map(({ body, author, isOurs }) => ({ body, author, isOurs }))).toEqual([
      { body: 'looks good', author: 'dana', isOurs: false },
      { body: 'last words', author: 'stepback[bot]', isOurs: true },
    ]);
    expect(await forge.updateComment(of, 4711, 'nobody')).toBe('gone');
    expect(await forge.react(of, id, 'eyes')).toBe('done');
    expect(await forge.react(of, 4711, 'eyes')).toBe('gone');
    await forge.deleteComment(of, id);
    await forge.deleteComment(of, id);
    expect((await forge.comments(of, number)).map(({ author }) => author)).toEqual(['dana']);
  });

  it('compares commits: oldest first, and in which direction', async () => {
    const { forge, of, head, push, propose, merge } = await open();
    const base = head('main');
    const one = push('one', { 'a.md': '1\n' });
    const number = propose('two', 'two', { 'b.md': '2\n' });
    const aside = head('two');
    const two = merge(number, 'merge');
    const range = await forge.range(of, base, two);
    expect(range).toMatchObject({ status: 'ahead', mergeBase: base, isComplete: true });
    expect(range?.commits.map(({ sha }) => sha)).toEqual([one, aside, two]);
    expect(range?.commits.at(-1)?.parents).toEqual([one, aside]);
    expect(await forge.range(of, two, base)).toMatchObject({ status: 'behind', commits: [] });
    expect(await forge.range(of, two, two)).toMatchObject({ status: 'identical', commits: [] });
    const other = push('other', { 'c.md': '3\n' }, 'other');
    push('more', { 'd.md': '4\n' });
    expect(await forge.range(of, other, head('main'))).toMatchObject({ status: 'diverged', mergeBase: two });
    expect(await forge.range(of, missing, two)).toBeNull();
    expect(await forge.commit(of, missing)).toBeNull();
    expect(await forge.commit(of, 'main')).toBeNull();
  });

  it('names the files of a commit, and the pull requests that brought it', async () => {
    const { forge, of, push, propose, merge } = await open();
    const direct = push('direct', { 'a.md': '1\n', [path]: '{"version": 2}\n' });
    expect((await forge.filesOf(of, direct)).files.map(({ path: file, change }) => [file, change])).toEqual([
      ['a.md', 'added'],
      [path, 'modified'],
    ]);
    expect(await forge.pullRequestsOf(of, direct)).toEqual([]);
    const number = propose('gone', 'gone', { 'a.md': null });
    const squashed = merge(number, 'squash');
    expect((await forge.filesOf(of, squashed)).files).toMatchObject([{ path: 'a.md', change: 'removed' }]);
    expect(await forge.pullRequestsOf(of, squashed)).toMatchObject([
      { number, isMerged: true, isOurs: false },
    ]);
    const proposed = propose('open', 'open', { 'b.md': '1\n' });
    const { pullRequests } = await forge.openPullRequests(of, 'main');
    expect(pullRequests.map((pull) => pull.number)).toEqual([proposed]);
    expect(await forge.pullRequestsOf(of, pullRequests[0]?.headSha ?? '')).toMatchObject([
      { number: proposed, isMerged: false },
    ]);
    expect((await forge.filesOfPullRequest(of, proposed)).files).toMatchObject([
      { path: 'b.md', change: 'added' },
    ]);
  });

  it('finds what it opened itself, also after it was closed', async () => {
    const world = await open();
    const { forge, of, propose } = world;
    propose('of a person', 'theirs', { 'b.md': '1\n' });
    await openOurs(world, 'stepback/closed');
    await openOurs(world, 'stepback/open');
    const [older, newer] = [...(await forge.ownPullRequests(of, 0))].sort(
      (one, other) => one.number - other.number,
    );
    await forge.updatePullRequest(of, older?.number ?? 0, { state: 'closed' });
    const all = await forge.ownPullRequests(of, 0);
    expect(all.map(({ number, state, isOurs }) => [number, state, isOurs]).sort()).toEqual([
      [older?.number, 'closed', true],
      [newer?.number, 'open', true],
    ]);
    const later = await forge.ownPullRequests(of, Date.parse('2100-01-01T00:00:00Z'));
    expect(later.map(({ number }) => number)).toEqual([newer?.number]);
  });

  it('reads trees, blobs and files', async () => {
    const { forge, of, head } = await open();
    const root = await forge.readTree(of, head('main'));
    expect(root.map(({ name, mode }) => [name, mode])).toEqual([
      ['README.md', '100644'],
      ['apps', '040000'],
    ]);
    const readme = root[0]?.id ?? '';
    expect(new TextDecoder().decode(await forge.readBlob(of, readme))).toBe('# fleet\n');
    expect(await forge.fileAt(of, 'README.md', null)).toEqual({ text: '# fleet\n', blobId: readme });
    expect(await forge.fileAt(of, 'README.md', 'main')).toEqual({ text: '# fleet\n', blobId: readme });
    expect(await forge.fileAt(of, 'NONE.md', null)).toBeNull();
    expect(await forge.commitsOfFile(of, 'README.md')).toEqual([head('main')]);
    expect(await problemOf(forge.readTree(of, missing))).toBe('permanent');
    expect(await problemOf(forge.readBlob(of, missing))).toBe('permanent');
  });

  it('finds check runs by their name, the newest first', async () => {
    const { forge, of, head } = await open();
    const sha = head('main');
    const content = {
      externalId: 'one',
      status: 'in-progress',
      conclusion: null,
      title: 'Rolls',
      summary: 'It rolls.',
      text: '',
      detailsUrl: null,
      actions: [],
      startedAt: null,
      completedAt: null,
    } as const;
    const first = await forge.createCheckRun(of, { ...content, sha, name: 'stepback / a' });
    const second = await forge.createCheckRun(of, { ...content, sha, name: 'stepback / a' });
    await forge.createCheckRun(of, { ...content, sha, name: 'stepback / b' });
    expect((await forge.checkRuns(of, sha, 'stepback / a')).map(({ id }) => id)).toEqual([second, first]);
    expect(await forge.checkRuns(of, sha, null)).toHaveLength(3);
    await forge.updateCheckRun(of, first ?? 0, {
      ...content,
      status: 'completed',
      conclusion: 'success',
      title: 'Done',
    });
    const [, old] = await forge.checkRuns(of, sha, 'stepback / a');
    expect(old).toMatchObject({
      title: 'Done',
      status: 'completed',
      conclusion: 'success',
      externalId: 'one',
      sha,
    });
    expect(await forge.checkRuns(of, missing, null)).toEqual([]);
    expect(await forge.createCheckRun(of, { ...content, sha: missing, name: 'stepback / a' })).toBeNull();
  });

  it('keeps labels, issues and who may what', async () => {
    const { forge, of, propose } = await open();
    const number = propose('Shop 2', 'shop-2', { [path]: '{"version": 2}\n' });
    await forge.addLabels(of, number, ['stepback']);
    await forge.addLabels(of, number, ['stepback', 'ops']);
    expect((await forge.pullRequest(of, number))?.labels).toEqual(['stepback', 'ops']);
    await forge.removeLabel(of, number, 'ops');
    await forge.removeLabel(of, number, 'ops');
    expect((await forge.pullRequest(of, number))?.labels).toEqual(['stepback']);
    expect(await forge.updateIssue(of, 4711, { body: 'nobody' })).toBe('gone');
    const issue = await forge.createIssue(of, { title: 'Stop', body: 'please', labels: ['stepback: stop'] });
    expect(await forge.openIssuesWithLabel(of, 'Stepback: Stop')).toMatchObject([
      { number: issue.number, title: 'Stop', author: 'stepback[bot]', labelledBy: 'stepback[bot]' },
    ]);
    expect(await forge.ownIssues(of, 'stepback: stop')).toEqual([
      { number: issue.number, body: 'please', isOpen: true },
    ]);
    await forge.updateIssue(of, issue.number, { state: 'closed' });
    expect(await forge.ownIssues(of, 'stepback: stop')).toMatchObject([{ isOpen: false }]);
    expect(await forge.ownIssues(of, 'stepback')).toEqual([]);
    expect(await forge.permissionOf(of, 'dana')).toBe('write');
    expect(await forge.permissionOf(of, 'stranger')).toBe('none');
    expect(await forge.isMemberOf(of, 'no-team', 'dana')).toBe('no');
  });

  it('does not know what it is not shown', async () => {
    const { forge } = await open();
    const elsewhere = { host: 'github.com', owner: 'nobody', name: 'nothing' };
    expect(await forge.repository(elsewhere)).toBeNull();
    expect(await forge.fileAt(elsewhere, 'README.md', null)).toBeNull();
    expect(await problemOf(forge.branchHead(elsewhere, 'main'))).toBe('permanent');
    expect(forge.repositoryOf('https://github.com/Acme/Fleet.git')).toEqual({
      host: 'github.com',
      owner: 'acme',
      name: 'fleet',
    });
    expect(forge.repositoryOf('https://gitlab.com/acme/fleet.git')).toBeNull();
  });
});
