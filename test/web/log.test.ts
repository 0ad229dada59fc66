import { expect, test } from 'vitest';
import { logWith, openLog } from '../../src/web/log.ts';
import { noon } from './world.ts';

function linesOf(level: 'info' | 'warn' | 'silent'): string[] {
  const lines: string[] = [];
  const log = openLog(level, { now: () => noon }, (line) => lines.push(line));
  log.info('opened a revert', { incident: 'prod-1' });
  logWith(log, { instance: 'prod' }).warn('a look failed', { problem: 'no\nanswer' });
  return lines;
}

test('a happening is one line of JSON', () => {
  expect(linesOf('info')).toMatchInlineSnapshot(`
    [
      "{"time":"2026-12-01T12:00:00.000Z","level":"info","message":"opened a revert","incident":"prod-1"}
    ",
      "{"time":"2026-12-01T12:00:00.000Z","level":"warn","message":"a look failed","instance":"prod","problem":"no\\nanswer"}
    ",
    ]
  `);
});

test('a level leaves out what is below it', () => {
  expect(linesOf('warn')).toHaveLength(1);
  expect(linesOf('silent')).toEqual([]);
});

test('text of others stays within its line and steers no terminal, and is still what it was', () => {
  const lines: string[] = [];
  const log = openLog('info', { now: () => noon }, (line) => lines.push(line));
  const evil = 'a\nb\r\u001b[2J\u2028\u202e\u009b31m\u{e0041}"}';
  log.info('odd', { evil });
  expect(lines[0]).toMatch(/^[\x20-\x7e]*\n$/);
  expect(JSON.parse(lines[0] ?? '').evil).toBe(evil);
});
