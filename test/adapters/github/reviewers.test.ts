import { expect, test } from 'vitest';
import { api, eachTestHasItsOwnGitHub, gitops, installed, path, rawPull, world } from './world.ts';

eachTestHasItsOwnGitHub();

const at = `${path}/pulls/41/requested_reviewers`;
const nobody = { people: [], teams: [] };
const stranger = {
  message:
    'Reviews may only be requested from collaborators. One or more of the users or teams you specified is not a ' +
    'collaborator of the example-org/gitops repository.',
};

test('all are asked with one request', async () => {
  installed();
  const { forge, sent } = world();
  api()
    .post(at, { reviewers: ['dana', 'kim'], team_reviewers: ['platform'] })
    .reply(201, rawPull());
  expect(await forge.requestReviewers(gitops, 41, { people: ['dana', 'kim'], teams: ['platform'] })).toEqual(
    nobody,
  );
  expect(sent).toHaveLength(1);
  expect(await forge.requestReviewers(gitops, 41, nobody)).toEqual(nobody);
  expect(sent, 'nobody is not asked for').toHaveLength(1);
});

test('when one of them cannot be asked the others are, and it is told who cannot', async () => {
  installed();
  const wanted = { people: ['dana', 'gone', 'stepback'], teams: ['platform', 'ghosts'] };
  api().post(at, { reviewers: wanted.people, team_reviewers: wanted.teams }).reply(422, stranger);
  api()
    .post(at, { reviewers: ['dana'], team_reviewers: [] })
    .reply(201, rawPull());
  api()
    .post(at, { reviewers: ['gone'], team_reviewers: [] })
    .reply(422, stranger);
  api()
    .post(at, { reviewers: ['stepback'], team_reviewers: [] })
    .reply(422, { message: 'Review cannot be requested from pull request author.' });
  api()
    .post(at, { reviewers: [], team_reviewers: ['platform'] })
    .reply(201, rawPull());
  api()
    .post(at, { reviewers: [], team_reviewers: ['ghosts'] })
    .reply(422, {
      message: 'Validation Failed',
      errors: ["Could not resolve to a node with the global id of 'T_1'."],
    });
  expect(await world().forge.requestReviewers(gitops, 41, wanted)).toEqual({
    people: ['gone', 'stepback'],
    teams: ['ghosts'],
  });
});

test('a single one is asked once', async () => {
  installed();
  const { forge, sent } = world();
  api().post(at).reply(422, stranger);
  expect(await forge.requestReviewers(gitops, 41, { people: ['gone'], teams: [] })).toEqual({
    people: ['gone'],
    teams: [],
  });
  expect(sent).toHaveLength(1);
});

test('a fault of GitHub drops nobody', async () => {
  installed();
  api().post(at).reply(503, {});
  await expect(
    world().forge.requestReviewers(gitops, 41, { people: ['dana'], teams: [] }),
  ).rejects.toMatchObject({ kind: 'transient' });
});
