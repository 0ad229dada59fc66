import { expect, it } from 'vitest';
import { checkRun, manualGate, manySets, overtaken } from '../../src/sandbox/stories/checks.ts';
import { prodFirst } from '../../src/sandbox/stories/staging.ts';
import type { Story } from '../../src/sandbox/story.ts';
import { open, type Played } from './playing.ts';

interface WrittenRun {
  name?: string;
  head_sha?: string;
  status?: string;
  conclusion?: string;
  output?: { title?: string };
}

/** What was written into check runs, in order; commits are called by letters in the order of their first check run. */
function livesOf({ world }: Played): readonly string[] {
  const letters = new Map<string, string>();
  const runs = new Map<number, string>();
  const letterOf = (sha: string): string => {
    const letter = letters.get(sha) ?? String.fromCharCode(65 + letters.size);
    letters.set(sha, letter);
    return letter;
  };
  for (const repository of world.github.repositories())
    for (const run of world.github.checkRuns(repository))
      runs.set(run.id, `${letterOf(run.headSha)} ${run.name.replace('stepback / ', '')}`);
  let made = [...runs.values()].filter((name) => !name.endsWith('blast radius'));
  return world.github.journal.entries
    .filter(({ method, path }) => method !== 'GET' && path.includes('/check-runs'))
    .flatMap(({ path, body, status }) => {
      const { name, status: state, conclusion, output } = body as WrittenRun;
      if (status >= 300 || name?.endsWith('blast radius')) return [];
      const [first = '', ...rest] = made;
      if (name !== undefined) made = rest;
      const who = name === undefined ? runs.get(Number(path.split('/').at(-1))) : first;
      if (who?.endsWith('blast radius')) return [];
      const title = output?.title?.replace(/\b[0-9a-f]{7}\b/, 'the next one') ?? '';
      return [`${who}: ${conclusion ?? state} · ${title}`];
    });
}

async function played(story: Story): Promise<readonly string[]> {
  const play = await open(story);
  await story.play(play.director);
  await story.after?.(play.director);
  await play.conductor.pass(60_000);
  return livesOf(play);
}

it('a good change is queued, on its way, and there', async () => {
  expect(await played(checkRun)).toMatchInlineSnapshot(`
    [
      "A argocd/payments: in_progress · 1 of 12 Applications run it, now in dev",
      "A argocd/payments: success · Every stage runs it and is Healthy",
      "B argocd/payments: queued · Queued: Argo CD has not begun with it",
      "B argocd/payments: in_progress · 1 of 12 Applications run it",
      "B argocd/payments: success · Every stage runs it and is Healthy",
    ]
  `);
});

it('a bad change that prod-2 got first fails, is taken back, and the revert has a check run as well', async () => {
  expect(await played(prodFirst)).toMatchInlineSnapshot(`
    [
      "A argocd/payments: in_progress · 1 of 12 Applications run it, now in dev",
      "A argocd/payments: success · Every stage runs it and is Healthy",
      "B argocd/payments: in_progress · 0 of 12 Applications run it, now in prod",
      "B argocd/payments: in_progress · 3 of 12 Applications run it, now in staging; prod-2 has it out of order",
      "B argocd/payments: failure · Stopped in staging; prod-2 has it out of order",
      "B argocd/payments: failure · Taken back by #2; 3 Applications are not back yet",
      "C argocd/payments: in_progress · 9 of 12 Applications run it, now in staging",
      "B argocd/payments: failure · Taken back by #2; every stage is back",
      "C argocd/payments: success · Every stage runs it and is Healthy",
    ]
  `);
});

it('a change that was overtaken is left behind with a word', async () => {
  expect(await played(overtaken)).toMatchInlineSnapshot(`
    [
      "A argocd/payments: in_progress · 1 of 12 Applications run it, now in dev",
      "A argocd/payments: success · Every stage runs it and is Healthy",
      "B argocd/payments: in_progress · 0 of 12 Applications run it, now in dev",
      "B argocd/payments: neutral · Overtaken by the next one",
      "C argocd/payments: in_progress · 1 of 12 Applications run it, now in staging",
      "C argocd/payments: success · Every stage runs it and is Healthy",
    ]
  `);
});

it('a gate asks for a person, and the person is enough', async () => {
  expect(await played(manualGate)).toMatchInlineSnapshot(`
    [
      "A argocd/payments: in_progress · 1 of 12 Applications run it, now in dev",
      "A argocd/payments: success · Every stage runs it and is Healthy",
      "B argocd/payments: in_progress · 0 of 12 Applications run it, now in dev",
      "B argocd/payments: action_required · prod moves only by hand",
      "B argocd/payments: success · Every stage runs it and is Healthy",
    ]
  `);
});

it('a commit that feeds 21 has one check run for all and one for what fails', async () => {
  expect(await played(manySets)).toMatchInlineSnapshot(`
    [
      "A summary: in_progress · 21 ApplicationSets: 4 done, 17 on the way",
      "A summary: success · 21 ApplicationSets: 21 done",
      "B summary: queued · 21 ApplicationSets: 21 on the way",
      "B summary: in_progress · 21 ApplicationSets: 21 on the way",
      "B summary: in_progress · 21 ApplicationSets: 20 done, 1 on the way",
      "B summary: failure · 1 of 21 ApplicationSets failed; 20 done",
      "B argocd/app-07: failure · Stopped in dev",
    ]
  `);
});
