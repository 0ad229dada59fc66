/** Groups of keys that are none, and ApplicationSets that cannot be: what people are told of each. */
import { describe, expect, test } from 'vitest';
import { faultsOf } from './reading.ts';

describe('groups', () => {
  test('need keys and not a value', () => {
    expect(
      faultsOf(`times: 2m
limits: [5]
commands: platform
applicationSets: argocd/payments
`),
    ).toMatchInlineSnapshot(`
      "stepback.yaml, line 1, column 8, times
        This is a text, and keys with values are needed. Write each key on a line of its own below, with two spaces before it.
          1 | times: 2m
            |        ^^

      stepback.yaml, line 2, column 9, limits
        This is a list, and keys with values are needed. Write each key on a line of its own below, with two spaces before it.
          2 | limits: [5]
            |         ^^^

      stepback.yaml, line 3, column 11, commands
        This is a text, and keys with values are needed. Write each key on a line of its own below, with two spaces before it.
          3 | commands: platform
            |           ^^^^^^^^

      stepback.yaml, line 4, column 18, applicationSets
        This is a text, and keys with values are needed. Write each key on a line of its own below, with two spaces before it.
          4 | applicationSets: argocd/payments
            |                  ^^^^^^^^^^^^^^^"
    `);
  });

  test('may not be a list of keys', () => {
    expect(
      faultsOf(`times:
  - grace: 2m
  - bake: 5m
`),
    ).toMatchInlineSnapshot(`
      "stepback.yaml, line 2, column 3, times
        This is a list, and keys with values are needed. Write each key on a line of its own below, with two spaces before it.
          2 |   - grace: 2m
            |   ^^^^^^^^^^^"
    `);
  });
});

describe('ApplicationSets', () => {
  test('have names as Kubernetes has them', () => {
    expect(
      faultsOf(`applicationSets:
  ArgoCD/Payments: {mode: observe}
  argocd/payments/eu: {mode: observe}
  "argocd/pay.*|x": {mode: observe}
  "**": {mode: observe}
  pay ments: {mode: observe}
  ../../etc: {mode: observe}
`),
    ).toMatchInlineSnapshot(`
      "stepback.yaml, line 2, column 3, applicationSets["ArgoCD/Payments"]
        "ArgoCD/Payments" cannot be an ApplicationSet. Did you mean "argocd/payments"?
          2 |   ArgoCD/Payments: {mode: observe}
            |   ^^^^^^^^^^^^^^^

      stepback.yaml, line 3, column 3, applicationSets["argocd/payments/eu"]
        "argocd/payments/eu" cannot be an ApplicationSet. Write a name in small letters, \`name\` or \`namespace/name\`, with \`*\` for any characters, such as "argocd/payments".
          3 |   argocd/payments/eu: {mode: observe}
            |   ^^^^^^^^^^^^^^^^^^

      stepback.yaml, line 4, column 3, applicationSets["argocd/pay.*|x"]
        "argocd/pay.*|x" cannot be an ApplicationSet. Only "*" stands for other characters; it is no regular expression.
          4 |   "argocd/pay.*|x": {mode: observe}
            |   ^^^^^^^^^^^^^^^^

      stepback.yaml, line 5, column 3, applicationSets["**"]
        "**" has two stars in a row. Write one.
          5 |   "**": {mode: observe}
            |   ^^^^

      stepback.yaml, line 6, column 3, applicationSets["pay ments"]
        "pay ments" cannot be an ApplicationSet. Write a name in small letters, \`name\` or \`namespace/name\`, with \`*\` for any characters, such as "argocd/payments".
          6 |   pay ments: {mode: observe}
            |   ^^^^^^^^^

      stepback.yaml, line 7, column 3, applicationSets["../../etc"]
        "../../etc" cannot be an ApplicationSet. Write a name in small letters, \`name\` or \`namespace/name\`, with \`*\` for any characters, such as "argocd/payments".
          7 |   ../../etc: {mode: observe}
            |   ^^^^^^^^^"
    `);
  });

  test('need settings', () => {
    expect(
      faultsOf(`applicationSets:
  - argocd/payments
`),
    ).toMatchInlineSnapshot(`
      "stepback.yaml, line 2, column 3, applicationSets
        This is a list, and keys with values are needed. Write each key on a line of its own below, with two spaces before it.
          2 |   - argocd/payments
            |   ^^^^^^^^^^^^^^^^^"
    `);
  });
});
