/** The cases of test/incidents, as they were written down: a header, then a script of requests and answers. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseAllDocuments } from 'yaml';
import type { Answer, Asked, Script } from './scripted-server.ts';

export interface CaseStep {
  request?: string;
  status?: number;
  body?: unknown;
  stream?: readonly unknown[];
  end?: 'clean' | 'silent-hang';
}

export interface IncidentCase {
  now: string;
  // biome-ignore lint/suspicious/noExplicitAny: each case has its own.
  expect: any;
  script: readonly CaseStep[];
}

export function incidentCase(folder: string): IncidentCase {
  const path = fileURLToPath(new URL(`../../incidents/${folder}/case.yaml`, import.meta.url));
  const [header, rest] = parseAllDocuments(readFileSync(path, 'utf8')).map((document) => document.toJS());
  return { ...header, ...rest };
}

/**
 * Plays the steps of a case: each request gets the first step for its path and kind (list or watch) that was not played
 * yet, and the last one of these for ever. Streamed lists are refused as by a server that has none.
 */
export function scriptOf(steps: readonly CaseStep[]): Script {
  const left = [...steps];
  return (asked) => {
    if (asked.query.has('sendInitialEvents')) return { status: 422, body: noStreamedList };
    const fitting = left.filter((step) => fits(step, asked));
    const step = fitting[0];
    if (step === undefined) return { status: 500, body: `no step for ${asked.path}?${asked.query}` };
    if (fitting.length > 1) left.splice(left.indexOf(step), 1);
    return answerOf(step);
  };
}

const noStreamedList = {
  kind: 'Status',
  reason: 'Invalid',
  code: 422,
  message: 'sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled',
};

function fits(step: CaseStep, asked: Asked): boolean {
  const [path = '', query = ''] = (step.request ?? '').split('?');
  return path === asked.path && query.includes('watch=') === asked.isWatch;
}

function answerOf(step: CaseStep): Answer {
  const status = step.status ?? 200;
  const { stream, end } = step;
  if (stream === undefined) return { status, body: step.body };
  return {
    status,
    stream: (response) => {
      for (const event of stream) response.write(`${JSON.stringify(event)}\n`);
      if (end !== 'silent-hang') response.end();
    },
  };
}
