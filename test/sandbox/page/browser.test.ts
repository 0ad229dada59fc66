import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { type Run, startRun } from '../../../src/sandbox/run.ts';
import {
  everywhereOnVersionOne,
  oneComment,
  oneRevert,
  repository,
  staging,
} from '../../../src/sandbox/stories/staging.ts';
import { land, type Story, workload } from '../../../src/sandbox/story.ts';
import { keptScreen } from '../quiet-screen.ts';
import { openBrowser } from './browser.ts';

let browser: Browser;

beforeAll(async () => {
  browser = await openBrowser();
});

afterAll(() => browser?.close());

/** Plays a story at once, and leaves the sandbox up until the test has ended. */
async function played(story: Story): Promise<Run> {
  const run = await startRun({
    story,
    isFast: true,
    isExiting: false,
    port: 0,
    command: 'npm run sandbox --',
    screen: keptScreen(),
  });
  onTestFinished(async () => {
    run.stop();
    await run.ended;
  });
  return run;
}

/** A page that notes whatever a browser complains of. */
async function opened(
  address: string,
  options: Parameters<Browser['newContext']>[0] = {},
): Promise<{ page: Page; complaints: readonly string[] }> {
  const context = await browser.newContext(options);
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('dialog', (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  await page.goto(address);
  return { page, complaints };
}

it('shows the revert, merges it by a button, and says that every stage is back', async () => {
  const run = await played(staging);
  const { page, complaints } = await opened(run.url);
  const merge = page.locator('#now').getByRole('button', { name: 'Merge the revert #3' });
  await merge.waitFor();
  await page.getByText('payments fails: 3 of 12 Applications run #2.').waitFor();
  expect(await page.locator('#stages .cell').count()).toBe(12);
  expect(await page.locator('#stages .cell.bad').textContent()).toMatch(/^\s*staging-1\s*C\w{7}\s*Degraded/);
  expect(await page.locator('#stages .cell', { hasText: 'out of order' }).textContent()).toContain('prod-8');
  const revert = page.locator('#pulls details.conversation').first();
  expect(await revert.locator('table tr').count()).toBe(4);
  expect(await revert.locator('.markdown').textContent()).not.toContain('stepback:v1');
  await revert.getByText('Evidence').click();
  await revert.getByText('Last good:').waitFor();

  await merge.click();
  await page.locator('#answer', { hasText: 'You merge #3.' }).waitFor();
  await page.getByText('Every stage is back.').first().waitFor();
  await revert.getByText('Recovered.', { exact: false }).first().waitFor();
  expect(await page.locator('#stages .cell.bad').count()).toBe(0);
  expect(new Set(await page.locator('#stages .cell .commit').allTextContents()).size).toBe(1);
  expect(await page.getByRole('button', { name: 'Merge the revert' }).count()).toBe(0);
  expect(await page.locator('#timeline').textContent()).toContain('#3 is merged by you.');
  expect(complaints).toEqual([]);

  await revert.getByRole('link', { name: 'acme/payments#3' }).click();
  await page.locator('.page-title', { hasText: '#3' }).waitFor();
  await page
    .locator('.markdown')
    .getByRole('link', { name: /^[0-9a-f]{7}$/ })
    .first()
    .click();
  await page.locator('pre .added').first().waitFor();
  expect(complaints).toEqual([]);
});

const message =
  '</details></summary><script>window.hacked = 1</script><img src=x onerror="window.hacked = 2"> @acme/team | a | b ' +
  '[press](javascript:window.hacked=3) <!-- stepback:v1 WyJyZXZlcnQiXQ== --> \u202egnp.exe';

const hostile: Story = {
  name: 'hostile',
  about: 'Names and messages that try to get out of their boxes.',
  async play(stage) {
    await everywhereOnVersionOne(stage);
    const bad = land(
      stage.world,
      repository,
      `payments: <script>window.hacked = 4</script> | @acme/team </details>`,
      {
        'apps/payments/config.json': workload('payments', {
          version: '2',
          'refuse.dev-1': message,
        }),
      },
    );
    stage.world.github.comment(repository, bad, { by: 'mallory', body: `<details><table>${message}` });
    await oneRevert(stage, repository);
    await oneComment(stage, repository, bad);
  },
};

it('keeps hostile text harmless', async () => {
  const run = await played(hostile);
  const { page, complaints } = await opened(run.url);
  await page.locator('#now').getByRole('button', { name: 'Merge the revert #2' }).waitFor();
  const ours = page.locator('#pulls details.conversation').first();
  expect(await ours.locator('details summary').allTextContents()).toEqual(['Evidence']);
  await ours.getByText('Evidence').click();
  expect(await ours.locator('.markdown').textContent()).toContain('window.hacked = 1');
  // What Stepback wrote calls nobody; what a person wrote does, and is shown so.
  expect(await ours.locator('.mention').count()).toBe(0);
  const culprit = page.locator('#pulls details.conversation').nth(1);
  expect(await culprit.locator('.said').count()).toBe(3);
  expect(await culprit.locator('.said', { hasText: 'mallory' }).locator('.mention').textContent()).toBe(
    '@acme/team',
  );
  for (const section of ['#timeline', '#commits', '#journal'])
    expect(await page.locator(`main ${section}`).count()).toBe(1);
  expect(await page.evaluate('window.hacked')).toBeUndefined();
  expect(await page.locator('script').count()).toBe(1);
  expect(complaints).toEqual([]);
});

it('fits a phone, in the dark as in the light', async () => {
  const run = await played(staging);
  for (const colorScheme of ['light', 'dark'] as const) {
    const { page, complaints } = await opened(run.url, {
      viewport: { width: 390, height: 844 },
      colorScheme,
    });
    const merge = page.locator('#now').getByRole('button', { name: 'Merge the revert #3' });
    await merge.waitFor();
    expect((await merge.boundingBox())?.y, 'the button is on the first screen').toBeLessThan(700);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    const [ground, text] = (await page.evaluate(
      'const style = getComputedStyle(document.body); [style.backgroundColor, style.color]',
    )) as [string, string];
    expect(brightness(ground) > brightness(text)).toBe(colorScheme === 'light');
    expect(complaints).toEqual([]);
  }
});

it('can be read and used without scripts', async () => {
  const run = await played(staging);
  const { page } = await opened(run.url, { javaScriptEnabled: false });
  await page.locator('#now').getByRole('button', { name: 'Close it' }).click();
  await page.locator('#pulls .badge', { hasText: 'closed' }).waitFor();
});

function brightness(colour: string): number {
  return [...colour.matchAll(/\d+/g)].slice(0, 3).reduce((sum, [part]) => sum + Number(part), 0);
}
