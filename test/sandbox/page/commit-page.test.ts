import { expect, it } from 'vitest';
import type { CheckRun } from '../../../src/sandbox/github/state.ts';
import { commitPage } from '../../../src/sandbox/page/commit-page.ts';

it('shows what a check run says beside a commit, and keeps it harmless', () => {
  const commit = {
    sha: 'a'.repeat(40),
    subject: 'payments: version 2',
    message: 'payments: version 2',
    author: { name: 'dana', email: '', seconds: 0 },
    parents: [],
    verified: false,
  };
  const run = {
    name: 'stepback / argocd/payments',
    status: 'completed',
    conclusion: 'failure',
    title: 'Stopped in <staging>',
    summary: '**3 of 7** <script>alert(1)</script>',
    text: null,
  } as CheckRun;
  const page = commitPage('acme/payments', commit as never, [], [run]).markup;
  expect(page).toContain('<b>stepback / argocd/payments</b> failure · Stopped in &#60;staging&#62;');
  expect(page).toContain('<strong>3 of 7</strong>');
  expect(page).not.toContain('<script>');
});
