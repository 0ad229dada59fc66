/** Where Stepback itself is reached, and how much it says. */
import { quoted, type Reader } from './reader.ts';

export type LogLevel = 'info' | 'warn' | 'silent';

/** The levels that Probot knows; Stepback has two of them. */
const levels: Readonly<Record<string, LogLevel>> = {
  trace: 'info',
  debug: 'info',
  info: 'info',
  warn: 'warn',
  error: 'warn',
  fatal: 'warn',
  silent: 'silent',
};

/** Port 0 takes any that is free. */
export function readPort(reader: Reader): number {
  return reader.whole('PORT', 3000, { min: 0, max: 65_535 });
}

export function readWebhookPath(reader: Reader): string {
  const path = reader.text('WEBHOOK_PATH') ?? '/api/github/webhooks';
  const isTaken = ['/healthz', '/readyz', '/metrics'].includes(path);
  if (isTaken || !/^(\/[\w.~-]+)+$/.test(path)) {
    reader.fault(
      `WEBHOOK_PATH is ${quoted(path)}, ${isTaken ? 'where Stepback has a page of its own' : 'which is no path'}. Use one like /api/github/webhooks, and the same on the settings page of the App.`,
    );
  }
  return path;
}

export function readLogLevel(reader: Reader): LogLevel {
  const written = reader.text('LOG_LEVEL') ?? 'info';
  const level = Object.hasOwn(levels, written.toLowerCase()) ? levels[written.toLowerCase()] : undefined;
  if (level === undefined) reader.fault(`LOG_LEVEL is ${quoted(written)}. Use info, warn or silent.`);
  return level ?? 'info';
}
