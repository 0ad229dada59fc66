/** Where Stepback itself is reached, and how much it says. */
import { isIP } from 'node:net';
import { hostname } from 'node:os';
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

/** This replica among the others: its name, and the address of its host with brackets where IPv6 wants them. */
export interface Replica {
  name: string;
  host: string | null;
  /** How long one that acts may be silent. */
  leaseMs: number;
}

export function readReplica(reader: Reader): Replica {
  const written = reader.text('STEPBACK_POD_IP');
  if (written !== null && isIP(written) === 0)
    reader.fault(
      `STEPBACK_POD_IP is ${quoted(written)}, which is no IP address. Give the address of the Pod, or leave it out.`,
    );
  return {
    // Two on one host, as people try it out, are still two.
    name: reader.text('STEPBACK_REPLICA') ?? `${hostname()}-${process.pid}`,
    host: written !== null && isIP(written) === 6 ? `[${written}]` : written,
    leaseMs: reader.whole('STEPBACK_LEASE_SECONDS', 15, { min: 3, max: 300 }) * 1000,
  };
}

export function readLogLevel(reader: Reader): LogLevel {
  const written = reader.text('LOG_LEVEL') ?? 'info';
  const level = Object.hasOwn(levels, written.toLowerCase()) ? levels[written.toLowerCase()] : undefined;
  if (level === undefined) reader.fault(`LOG_LEVEL is ${quoted(written)}. Use info, warn or silent.`);
  return level ?? 'info';
}
