/**
 * Takes the pictures of `docs/pictures` from the main story, in a real browser: `node test/sandbox/page/take-pictures.ts`.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { startRun } from '../../../src/sandbox/run.ts';
import { staging } from '../../../src/sandbox/stories/staging.ts';
import { keptScreen } from '../quiet-screen.ts';
import { openBrowser } from './browser.ts';

const folder = join(import.meta.dirname, '..', '..', '..', 'docs', 'pictures');

mkdirSync(folder, { recursive: true });
const run = await startRun({
  story: staging,
  isFast: true,
  isExiting: false,
  port: 0,
  command: 'npm run sandbox --',
  screen: keptScreen(),
});
const browser = await openBrowser();
const page = await browser.newPage({ viewport: { width: 960, height: 900 }, deviceScaleFactor: 1.5 });
await page.goto(run.url);
await page.getByRole('button', { name: 'Merge the revert #3' }).waitFor();
await page.goto(`${run.url}/acme/payments/pull/3`);
await page.getByText('Evidence').click();
await pictureOf('#content', 'revert-pull-request.png');
await page.goto(`${run.url}/acme/payments/pull/2`);
await pictureOf('#content', 'culprit-comment.png');
await page.setViewportSize({ width: 1280, height: 900 });
await page.goto(run.url);
await page.locator('#stages .cell').first().waitFor();
await page.screenshot({ path: join(folder, 'sandbox.png') });
await browser.close();
run.stop();
await run.ended;

/** With the ground around it. */
async function pictureOf(selector: string, file: string): Promise<void> {
  const box = await page.locator(selector).boundingBox();
  if (box === null) throw new Error(`There is no ${selector} to take a picture of.`);
  const { x, y, width, height } = box;
  const margin = 16;
  const clip = { x: x - margin, y: y - margin, width: width + 2 * margin, height: height + 2 * margin };
  await page.screenshot({ path: join(folder, file), clip, fullPage: true });
}
