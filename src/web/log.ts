/**
 * The Log as lines of JSON, for whatever collects the output of containers. Text of others cannot break out of its
 * line: JSON writes line ends as escapes, and so are the other characters that a terminal would obey.
 */
import type { Clock, Log } from '../ports.ts';

/** One line a happening: time, level and message first. `write` gets lines with their line end. */
export function openLog(
  level: 'info' | 'warn' | 'silent',
  clock: Pick<Clock, 'now'>,
  write: (line: string) => void,
): Log {
  const say = (kind: 'info' | 'warn', message: string, fields: Readonly<Record<string, unknown>> = {}) => {
    const line = JSON.stringify({
      time: new Date(clock.now()).toISOString(),
      level: kind,
      message,
      ...fields,
    });
    write(`${line.replace(/[\p{Cf}\p{Zl}\p{Zp}\u007f-\u009f]/gu, escaped)}\n`);
  };
  return {
    info: (message, fields) => {
      if (level === 'info') say('info', message, fields);
    },
    warn: (message, fields) => {
      if (level !== 'silent') say('warn', message, fields);
    },
  };
}

/** A log that adds fields to every line, such as which Argo CD it is about. */
export function logWith(log: Log, added: Readonly<Record<string, unknown>>): Log {
  return {
    info: (message, fields) => log.info(message, { ...added, ...fields }),
    warn: (message, fields) => log.warn(message, { ...added, ...fields }),
  };
}

function escaped(character: string): string {
  return character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}
