/** A real browser, as the tests of the page need it: Debian's chromium. */
import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const executablePath = '/usr/bin/chromium';

const flags = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Starts it. Throws a sentence where there is none. */
export function openBrowser(): Promise<Browser> {
  if (!existsSync(executablePath)) {
    throw new Error(
      `The page is tested in a real browser, and there is none at ${executablePath}. Install it: apt-get install chromium.`,
    );
  }
  return chromium.launch({ executablePath, args: flags });
}
