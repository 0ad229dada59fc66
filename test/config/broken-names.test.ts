/** Names, thresholds, patterns and templates that cannot be meant: what people are told of each. */
import { describe, expect, test } from 'vitest';
import { faultsOf } from './reading.ts';

describe('names of people and teams', () => {
  test('are those that GitHub can have', () => {
    expect(
      faultsOf(`reviewers:
  users: ["@octocat", octo_cat_x, "", "dependabot[bot]", acme/platform, "octo cat", 007]
  teams: [Platform Team, "@acme/platform", acme/a/b, "https://github.com/orgs/acme/teams/x"]
`),
    ).toMatchInlineSnapshot(`
      "stepback.yaml, line 2, column 11, reviewers.users[0]
        "@octocat" cannot be a login. Write it without "@": "octocat".
          2 |   users: ["@octocat", octo_cat_x, "", "dependabot[bot]", acme/platform, "octo cat", 007]
            |           ^^^^^^^^^^

      stepback.yaml, line 2, column 23, reviewers.users[1]
        "octo_cat_x" cannot be a login. Write the login of a person on GitHub, such as "octocat".
          2 |   users: ["@octocat", octo_cat_x, "", "dependabot[bot]", acme/platform, "octo cat", 007]
            |                       ^^^^^^^^^^

      stepback.yaml, line 2, column 35, reviewers.users[2]
        "" cannot be a login. Write the login of a person on GitHub, such as "octocat".
          2 |   users: ["@octocat", octo_cat_x, "", "dependabot[bot]", acme/platform, "octo cat", 007]
            |                                   ^^

      stepback.yaml, line 2, column 39, reviewers.users[3]
        "dependabot[bot]" cannot be a login. Take it out; an App cannot be asked.
          2 |   users: ["@octocat", octo_cat_x, "", "dependabot[bot]", acme/platform, "octo cat", 007]
            |                                       ^^^^^^^^^^^^^^^^^

      stepback.yaml, line 2, column 58, reviewers.users[4]
        "acme/platform" cannot be a login. Write teams under "teams".
          2 |   users: ["@octocat", octo_cat_x, "", "dependabot[bot]", acme/platform, "octo cat", 007]
            |                                                          ^^^^^^^^^^^^^

      stepback.yaml, line 2, column 73, reviewers.users[5]
        "octo cat" cannot be a login. Write the login of a person on GitHub, such as "octocat".
          2 |   users: ["@octocat", octo_cat_x, "", "dependabot[bot]", acme/platform, "octo cat", 007]
            |                                                                         ^^^^^^^^^^

      stepback.yaml, line 2, column 85, reviewers.users[6]
        "007" is a number in YAML, and not a text. Put it in quotes: "007".
          2 | …"", "dependabot[bot]", acme/platform, "octo cat", 007]
            |                                                    ^^^

      stepback.yaml, line 3, column 11, reviewers.teams[0]
        "Platform Team" cannot be a team. Did you mean "platform-team"?
          3 |   teams: [Platform Team, "@acme/platform", acme/a/b, "https://github.com/orgs/acme/teams/x"]
            |           ^^^^^^^^^^^^^

      stepback.yaml, line 3, column 26, reviewers.teams[1]
        "@acme/platform" cannot be a team. Did you mean "acme/platform"?
          3 |   teams: [Platform Team, "@acme/platform", acme/a/b, "https://github.com/orgs/acme/teams/x"]
            |                          ^^^^^^^^^^^^^^^^

      stepback.yaml, line 3, column 44, reviewers.teams[2]
        "acme/a/b" cannot be a team. Write the slug of a team, as in its address on GitHub: \`team\` or \`organisation/team\`, such as "platform".
          3 |   teams: [Platform Team, "@acme/platform", acme/a/b, "https://github.com/orgs/acme/teams/x"]
            |                                            ^^^^^^^^

      stepback.yaml, line 3, column 54, reviewers.teams[3]
        "https://github.com/orgs/acme/teams/x" cannot be a team. Write the slug of a team, as in its address on GitHub: \`team\` or \`organisation/team\`, such as "platform".
          3 |   teams: [Platform Team, "@acme/platform", acme/a/b, "https://github.com/orgs/acme/teams/x"]
            |                                                      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^"
    `);
  });

  test('are of the organisation itself', () => {
    expect(
      faultsOf(`reviewers:
  teams: [ACME/platform, evil/platform]
`),
    ).toMatchInlineSnapshot(`
      "stepback.yaml, line 2, column 26, reviewers.teams[1]
        "evil/platform" is a team of another organisation than "acme". Name a team of the organisation that owns the repository.
          2 |   teams: [ACME/platform, evil/platform]
            |                          ^^^^^^^^^^^^^"
    `);
  });

  test('are there once, whatever their case', () => {
    expect(
      faultsOf(`reviewers:
  users: [octocat, OctoCat]
  teams: [platform, acme/platform]
`),
    ).toMatchInlineSnapshot(`
      "stepback.yaml, line 2, column 20, reviewers.users[1]
        "OctoCat" is there twice. Keep one of them.
          2 |   users: [octocat, OctoCat]
            |                    ^^^^^^^

      stepback.yaml, line 3, column 21, reviewers.teams[1]
        "platform" is there twice. Keep one of them.
          3 |   teams: [platform, acme/platform]
            |                     ^^^^^^^^^^^^^"
    `);
  });

  test('are a list', () => {
    expect(
      faultsOf(`reviewers:
  users: octocat
  teams: {platform: true}
`),
    ).toMatchInlineSnapshot(`
      "stepback.yaml, line 2, column 10, reviewers.users
        This is a text, and a list is needed. Put it in brackets: [octocat].
          2 |   users: octocat
            |          ^^^^^^^

      stepback.yaml, line 3, column 10, reviewers.teams
        This is keys with values, and a list is needed. Write "- " before each entry.
          3 |   teams: {platform: true}
            |          ^^^^^^^^^^^^^^^^"
    `);
  });

  test('are not too many', () => {
    expect(
      faultsOf(
        `reviewers:\n  users: [${Array.from({ length: 16 }, (_, index) => `user${index}`).join(', ')}]\n`,
      ),
    ).toMatchInlineSnapshot(`
      "stepback.yaml, line 2, column 10, reviewers.users
        There are 16 entries. Write at most 15.
          2 |   users: [user0, user1, user2, user3, user4, user5, user6, user7, user8, user9, user10, user11, use…
            |          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^"
    `);
  });
});

describe('labels', () => {
  test('are those that GitHub can have', () => {
    expect(faultsOf(`labels: ["", " x", "a,b", 1.0, ~, ${'y'.repeat(51)}, [z]]\n`)).toMatchInlineSnapshot(`
      "stepback.yaml, line 1, column 10, labels[0]
        "" cannot be a label. Write a label of up to 50 characters without a comma, such as "rollback".
          1 | labels: ["", " x", "a,b", 1.0, ~, yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy, [z]]
            |          ^^

      stepback.yaml, line 1, column 14, labels[1]
        " x" cannot be a label. Write a label of up to 50 characters without a comma, such as "rollback".
          1 | labels: ["", " x", "a,b", 1.0, ~, yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy, [z]]
            |              ^^^^

      stepback.yaml, line 1, column 20, labels[2]
        "a,b" cannot be a label. Write each label as an entry of its own.
          1 | labels: ["", " x", "a,b", 1.0, ~, yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy, [z]]
            |                    ^^^^^

      stepback.yaml, line 1, column 27, labels[3]
        "1.0" is a number in YAML, and not a text. Put it in quotes: "1.0".
          1 | labels: ["", " x", "a,b", 1.0, ~, yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy, [z]]
            |                           ^^^

      stepback.yaml, line 1, column 32, labels[4]
        There is no value. Write a label of up to 50 characters without a comma, or leave the key out.
          1 | labels: ["", " x", "a,b", 1.0, ~, yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy, [z]]
            |                                ^

      stepback.yaml, line 1, column 35, labels[5]
        "yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy" cannot be a label. Write a label of up to 50 characters without a comma, such as "rollback".
          1 | labels: ["", " x", "a,b", 1.0, ~, yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy, [z]]
            |                                   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^

      stepback.yaml, line 1, column 88, labels[6]
        This is a list, and a label of up to 50 characters without a comma is needed. Write one value behind the colon.
          1 | …yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy, [z]]
            |                                                    ^^^"
    `);
  });

  test('that stop are three at the most', () => {
    expect(
      faultsOf(`stop:
  labels: [a, b, c, d]
`),
    ).toMatchInlineSnapshot(`
      "stepback.yaml, line 2, column 11, stop.labels
        There are 4 entries. Write at most 3.
          2 |   labels: [a, b, c, d]
            |           ^^^^^^^^^^^^"
    `);
  });
});

describe('thresholds', () => {
  test('are numbers or percentages', () => {
    expect(
      faultsOf(`thresholds:
  dev: 0
  staging: 0.5
  prod: 25 %
  "*-eu": 101%
  "4": "3"
  5: half
  6:
`),
    ).toMatchInlineSnapshot(`
      "stepback.yaml, line 2, column 8, thresholds.dev
        "0" is no threshold. Write a number of Applications from 1 to 10000, or a percentage such as 25%.
          2 |   dev: 0
            |        ^

      stepback.yaml, line 3, column 12, thresholds.staging
        "0.5" is no threshold. Write a number of Applications from 1 to 10000, or a percentage such as 25%.
          3 |   staging: 0.5
            |            ^^^

      stepback.yaml, line 4, column 9, thresholds.prod
        "25 %" is no threshold. Did you mean 25%?
          4 |   prod: 25 %
            |         ^^^^

      stepback.yaml, line 5, column 11, thresholds["*-eu"]
        "101%" is no threshold. Write a number of Applications from 1 to 10000, or a percentage such as 25%.
          5 |   "*-eu": 101%
            |           ^^^^

      stepback.yaml, line 6, column 8, thresholds["4"]
        "3" is no threshold. Take the quotes away.
          6 |   "4": "3"
            |        ^^^

      stepback.yaml, line 7, column 6, thresholds["5"]
        "half" is no threshold. Write a number of Applications from 1 to 10000, or a percentage such as 25%.
          7 |   5: half
            |      ^^^^

      stepback.yaml, line 8, column 5, thresholds["6"]
        There is no value. Write a number of Applications or a percentage, or leave the key out.
          8 |   6:
            |     ^"
    `);
  });
});

describe('what is ignored', () => {
  test('are patterns and no regular expressions', () => {
    expect(
      faultsOf(`ignore:
  applications: [Payments, "pay.*", "^pay", "a/b/c"]
  kinds: [batch/v1/Job, v1/Pod, job, "Deployment.apps"]
`),
    ).toMatchInlineSnapshot(`
      "stepback.yaml, line 2, column 18, ignore.applications[0]
        "Payments" cannot be an Application. Did you mean "payments"?
          2 |   applications: [Payments, "pay.*", "^pay", "a/b/c"]
            |                  ^^^^^^^^

      stepback.yaml, line 2, column 28, ignore.applications[1]
        "pay.*" reads as a regular expression, and it is none. Only "*" stands for other characters: "pay*".
          2 |   applications: [Payments, "pay.*", "^pay", "a/b/c"]
            |                            ^^^^^^^

      stepback.yaml, line 2, column 37, ignore.applications[2]
        "^pay" cannot be an Application. Only "*" stands for other characters; it is no regular expression.
          2 |   applications: [Payments, "pay.*", "^pay", "a/b/c"]
            |                                     ^^^^^^

      stepback.yaml, line 2, column 45, ignore.applications[3]
        "a/b/c" cannot be an Application. Write a name in small letters, \`name\` or \`namespace/name\`, with \`*\` for any characters, such as "*-canary".
          2 |   applications: [Payments, "pay.*", "^pay", "a/b/c"]
            |                                             ^^^^^^^

      stepback.yaml, line 3, column 11, ignore.kinds[0]
        "batch/v1/Job" cannot be a kind of object. Leave the version out: "batch/Job".
          3 |   kinds: [batch/v1/Job, v1/Pod, job, "Deployment.apps"]
            |           ^^^^^^^^^^^^

      stepback.yaml, line 3, column 25, ignore.kinds[1]
        "v1/Pod" has a version and no group. Write "Pod".
          3 |   kinds: [batch/v1/Job, v1/Pod, job, "Deployment.apps"]
            |                         ^^^^^^

      stepback.yaml, line 3, column 33, ignore.kinds[2]
        "job" cannot be a kind of object. Did you mean "Job"?
          3 |   kinds: [batch/v1/Job, v1/Pod, job, "Deployment.apps"]
            |                                 ^^^

      stepback.yaml, line 3, column 38, ignore.kinds[3]
        "Deployment.apps" cannot be a kind of object. Write a kind, \`Kind\` or \`group/Kind\`, with \`*\` for any characters, such as "batch/Job".
          3 |   kinds: [batch/v1/Job, v1/Pod, job, "Deployment.apps"]
            |                                      ^^^^^^^^^^^^^^^^^"
    `);
  });
});

describe('templates', () => {
  test('have known placeholders and no stray braces', () => {
    expect(
      faultsOf(`templates:
  branch: "revert/{instance}-{sha}-{commit}"
  title: "Revert {subjct}: {reason} {"
  commitMessage: "{{body}}}"
`),
    ).toMatchInlineSnapshot(`
      "stepback.yaml, line 2, column 11, templates.branch
        "{sha}" is no placeholder here. Write one of {instance}, {commit}.
          2 |   branch: "revert/{instance}-{sha}-{commit}"
            |           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^

      stepback.yaml, line 3, column 10, templates.title
        "{subjct}" is no placeholder here. Did you mean "{subject}"?
          3 |   title: "Revert {subjct}: {reason} {"
            |          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^

      stepback.yaml, line 3, column 10, templates.title
        "{reason}" is no placeholder here. Write one of {subject}, {failure}, {applicationSet}, {stage}, {commit}, {instance}.
          3 |   title: "Revert {subjct}: {reason} {"
            |          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^

      stepback.yaml, line 3, column 10, templates.title
        A "{" stands alone. Write "{{" or "}}" for a brace that is one.
          3 |   title: "Revert {subjct}: {reason} {"
            |          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^

      stepback.yaml, line 4, column 18, templates.commitMessage
        A "}" stands alone. Write "{{" or "}}" for a brace that is one.
          4 |   commitMessage: "{{body}}}"
            |                  ^^^^^^^^^^^"
    `);
  });

  test('of a branch keep one claim for one change', () => {
    expect(
      faultsOf(`templates:
  branch: revert-{commit}
`),
    ).toMatchInlineSnapshot(`
      "stepback.yaml, line 2, column 11, templates.branch
        {instance} must be in the name of the branch, because it is the claim for one change of one Argo CD. Write for example "stepback/{instance}/revert-{commit}".
          2 |   branch: revert-{commit}
            |           ^^^^^^^^^^^^^^^"
    `);
  });
});
