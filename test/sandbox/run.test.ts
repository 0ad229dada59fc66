import { stripVTControlCharacters } from 'node:util';
import { expect, it } from 'vitest';
import { startRun } from '../../src/sandbox/run.ts';
import { stories } from '../../src/sandbox/stories/all.ts';
import { type Story, StoryFault } from '../../src/sandbox/story.ts';
import { talk } from '../../src/sandbox/talk.ts';
import { keptScreen } from './quiet-screen.ts';

const renderError = stories.find(({ name }) => name === 'render-error') as Story;
const options = { isFast: true, isExiting: true, port: 0, command: 'npm run sandbox --' };

/** Without what another machine would change. */
function masked(text: string): string {
  return text.replaceAll(/127\.0\.0\.1:\d+/g, 'HOST').replaceAll(/\b[0-9a-f]{7}\b/g, 'c0ffee0');
}

it('tells a story in plain lines, the revert and the comment whole, and ends as it should', async () => {
  const screen = keptScreen();
  const run = await startRun({ ...options, story: renderError, screen });
  expect(await run.ended).toBe(true);
  const lines = masked(screen.text()).split('\n');
  const at = lines.findIndex((line) => line.includes('opens #2.'));
  expect(lines.slice(0, 3)).toEqual([
    `Stepback's sandbox plays "render-error": ${renderError.about}`,
    'Read along at http://HOST',
    '',
  ]);
  expect(lines.slice(at, at + 6).join('\n')).toMatchInlineSnapshot(`
    "┌ 02:48:24  stepback[bot] opens #2.
    │ Revert "payments: shard count": argocd/payments cannot be rendered
    │ 
    │ Argo CD has got no manifests for payments for 1 min: it cannot be rendered at c0ffee0. None of
    │ its 12 Applications can be updated; what ran before keeps running. Merging this brings the
    │ branch back to c0ffee0, from where the stages go on."
  `);
  expect(screen.text()).toContain('Every stage is back.');
  expect(screen.text()).not.toContain('stepback:v1');
  expect(screen.text()).not.toContain('\u001b');
});

it('paints one block anew in its place on a terminal', async () => {
  const screen = keptScreen(true);
  const run = await startRun({ ...options, story: renderError, screen });
  expect(await run.ended).toBe(true);
  const text = screen.text();
  expect(text).toContain('A\u001b[J');
  expect(text.lastIndexOf('\u001b[?25l')).toBeLessThan(text.lastIndexOf('\u001b[?25h'));
  const stages = stripVTControlCharacters(text).split('\n');
  expect(stages.filter((line) => /^ {2}1 dev .*1 A/.test(line)).length).toBeGreaterThan(0);
});

it('says which end is missing when a story does not end as it should', async () => {
  const screen = keptScreen();
  const story: Story = {
    name: 'broken',
    about: 'Nothing that it promises.',
    play: () =>
      Promise.reject(new StoryFault('Waited 5 min of the story, and it did not come true that pigs fly.')),
  };
  const run = await startRun({ ...options, story, screen });
  expect(await run.ended).toBe(false);
  expect(screen.text()).toContain(
    'The story did not end as it should. Waited 5 min of the story, and it did not come true that pigs fly.',
  );
});

it('stays up for verbs, and ends by one', async () => {
  const screen = keptScreen();
  const noLabels = stories.find(({ name }) => name === 'no-labels') as Story;
  const run = await startRun({ ...options, story: noLabels, isExiting: false, screen });
  const port = Number(new URL(run.url).port);
  const page = await fetch(run.url);
  expect(page.headers.get('content-security-policy')).toContain(`default-src 'none'`);
  await screen.says('Ctrl-C ends the sandbox.');
  const status = await talk(port, 'status', []);
  expect(status.text).toMatch(
    /payments {2}misconfigured\n {2}1 dev\n {2}2 staging\n {2}3 prod\n {2}- in no stage {2}dev-1 -→A Missing/,
  );
  expect(await talk(port, 'stop', [])).toEqual({ isDone: true, text: 'The sandbox ends.' });
  expect(await run.ended).toBe(true);
  expect(await talk(port, 'status', [])).toMatchObject({ isDone: false });
});
