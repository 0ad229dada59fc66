/** One line starts the web room on a port of its own, over Argo CDs that remember who nudged them. */
import { createHmac } from 'node:crypto';
import { request } from 'node:http';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { policyFrom } from '../../src/commands/replay/command.ts';
import { readRecording, startOf } from '../../src/commands/replay/recording.ts';
import { noFacts } from '../../src/domain/content.ts';
import type { Incident } from '../../src/domain/incident.ts';
import type { Application, ApplicationRow, ApplicationSet, ObjectKey } from '../../src/domain/objects.ts';
import { readApplication } from '../../src/domain/read-application.ts';
import { readApplicationSet } from '../../src/domain/read-application-set.ts';
import { type Answer, answerOf, emptyStageMemory, rememberAll } from '../../src/domain/watcher.ts';
import type { TickResult } from '../../src/loop/tick.ts';
import type { Letter } from '../../src/ports/mailbox.ts';
import type { Forge, Sight } from '../../src/ports.ts';
import { logWith, openLog } from '../../src/web/log.ts';
import { openWeb, serve, type WebOptions } from '../../src/web/server.ts';
import { openTally } from '../../src/web/tally.ts';
import type { Watched } from '../../src/web/watched.ts';

export const secret = 'a secret of the test';
export const noon = Date.parse('2026-12-01T12:00:00Z');

/** An Argo CD whose state a test sets, and which notes every nudge. */
export class FakeArgo implements Watched {
  readonly nudges: string[] = [];
  readonly sets = new Map<ObjectKey, ApplicationSet>();
  readonly results = new Map<ObjectKey, TickResult>();
  rows: readonly ApplicationRow[] = [];
  incidents: readonly Incident[] | Error = [];
  sight: Sight = { lastHeardAt: noon - 4_000, blindness: null };
  readonly cluster: Watched['cluster'];
  readonly loop: Watched['loop'];
  /** What was posted, by id; several replicas share one. */
  readonly letters: Map<string, Letter>;
  /** What the mailbox does instead of keeping a letter. */
  refuses: (() => Promise<never>) | null = null;
  readonly mailbox: Watched['mailbox'];

  constructor(instance = 'prod', letters = new Map<string, Letter>()) {
    const note = (nudge: string) => this.nudges.push(nudge);
    this.letters = letters;
    this.mailbox = {
      post: async (letter) => {
        if (this.refuses !== null) return this.refuses();
        if (this.letters.has(letter.id)) return 'known';
        this.letters.set(letter.id, letter);
        return 'posted';
      },
    };
    this.cluster = {
      instance,
      applicationSets: () => this.sets,
      rows: () => this.rows,
      sight: () => this.sight,
    };
    const known = async () => {
      if (this.incidents instanceof Error) throw this.incidents;
      return this.incidents;
    };
    this.loop = {
      results: () => this.results,
      queueLength: () => 2,
      incidents: known,
      nudge: (key) => note(`look ${key}`),
      pushed: ({ host, owner, name }, branch, sha) =>
        note(`pushed ${host}/${owner}/${name} ${branch} ${sha.slice(0, 7)}`),
      pullRequestChanged: async ({ owner, name }) => {
        note(`pull request of ${owner}/${name}`);
        await known();
      },
      pullRequestTouched: ({ owner, name }, number) => note(`open ${owner}/${name}#${number}`),
      repositoryChanged: ({ owner, name }) => note(`issues of ${owner}/${name}`),
      posted: () => note('mailbox'),
    };
  }

  /** What was noted since the last time. */
  heard(): readonly string[] {
    return this.nudges.splice(0);
  }

  /** Shows the answer as the result of a look. */
  answered(answer: Answer, rest: Partial<TickResult> = {}): TickResult {
    const { applicationSet } = answer.rollout;
    const result: TickResult = {
      answer,
      culprit: null,
      incident: null,
      decision: null,
      whyNot: null,
      lookAgainInMs: null,
      lookedAt: 0,
      heads: [],
      ...rest,
    };
    this.sets.set(applicationSet.key, applicationSet);
    this.results.set(applicationSet.key, result);
    return result;
  }
}

/** Links of github.com, for every repository there. */
const links: Pick<Forge, 'repositoryOf' | 'commitUrl'> = {
  repositoryOf(repoURL) {
    const [, owner = '', name = ''] = /[/:]([^/:]+)\/([^/]+?)(?:\.git)?$/.exec(repoURL) ?? [];
    return owner === '' ? null : { host: 'github.com', owner, name };
  },
  commitUrl: ({ host, owner, name }, sha) => `https://${host}/${owner}/${name}/commit/${sha}`,
};

export interface WebWorld {
  url: string;
  argo: FakeArgo;
  tally: WebOptions['tally'];
  /** Timers run when the test says so. */
  clock: { time: number; now(): number; ring(): void };
  /** Reactions to comments, `owner/name comment reaction`. */
  reactions: readonly string[];
  /** The lines of the log, parsed. */
  logged: Record<string, unknown>[];
  get(path: string, init?: RequestInit): Promise<{ status: number; body: string; headers: Headers }>;
  /** Delivers a webhook, signed with the right secret unless told otherwise. */
  deliver(event: string, payload: unknown, change?: Delivery): Promise<{ status: number; body: string }>;
  /** Begins a webhook with half of its body; gives how to send the rest, and its status. */
  begin(event: string, payload: unknown): Promise<() => Promise<number>>;
  /** As on SIGTERM: no new connection, and whatever has begun is answered. */
  close(): Promise<void>;
  /** The answer to a text on the bare wire. */
  webhooks(): readonly string[];
}

interface Delivery {
  secret?: string | null;
  body?: string;
  headers?: Record<string, string>;
  path?: string;
}

/** Closed when the test is over. */
export async function startWeb(change: Partial<WebOptions> & { argo?: FakeArgo } = {}): Promise<WebWorld> {
  const timers = new Set<() => void>();
  const clock = {
    time: noon,
    now: () => clock.time,
    after(_delayMs: number, run: () => void) {
      timers.add(run);
      return () => void timers.delete(run);
    },
    ring() {
      for (const run of timers) run();
    },
  };
  const reactions: string[] = [];
  const react: Forge['react'] = async ({ owner, name }, commentId, reaction) => {
    reactions.push(`${owner}/${name} ${commentId} ${reaction}`);
    return 'done';
  };
  const argo = change.argo ?? new FakeArgo();
  const logged: Record<string, unknown>[] = [];
  const tally = openTally(clock);
  const log = logWith(
    openLog('info', clock, (line) => logged.push(JSON.parse(line))),
    {},
  );
  const web = await openWeb({
    watched: [argo],
    forge: { ...links, react },
    host: 'github.com',
    appLogin: 'stepback[bot]',
    webhookPath: '/api/github/webhooks',
    webhookSecret: secret,
    tally,
    clock,
    log,
    version: '1.2.3',
    ...change,
  });
  const server = await serve(web, { port: 0, host: '127.0.0.1' });
  onTestFinished(() => server.close());
  const url = `http://127.0.0.1:${server.port}`;
  return {
    url,
    argo,
    tally,
    clock,
    reactions,
    logged,
    async get(path, init) {
      const answer = await fetch(url + path, { headers: { connection: 'close' }, ...init });
      return { status: answer.status, body: await answer.text(), headers: answer.headers };
    },
    async deliver(event, payload, how = {}) {
      const body = how.body ?? JSON.stringify(payload);
      const answer = await fetch(url + (how.path ?? '/api/github/webhooks'), {
        method: 'POST',
        headers: { ...signed(event, body, how.secret === undefined ? secret : how.secret), ...how.headers },
        body,
      });
      return { status: answer.status, body: await answer.text() };
    },
    async begin(event, payload) {
      const body = JSON.stringify(payload);
      const headers = { ...signed(event, body, secret), 'content-length': Buffer.byteLength(body) };
      const sent = request(`${url}/api/github/webhooks`, { method: 'POST', headers });
      const status = new Promise<number>((resolve, reject) => {
        sent.on('response', (answer) => resolve(answer.resume().statusCode ?? 0)).on('error', reject);
      });
      const half = Math.floor(body.length / 2);
      await new Promise((resolve) => sent.write(body.slice(0, half), resolve));
      // What is answered after it came in after it.
      await fetch(`${url}/healthz`, { headers: { connection: 'close' } });
      return () => {
        sent.end(body.slice(half));
        return status;
      };
    },
    close: () => server.close(),
    webhooks: () =>
      tally.counts('webhooks').map(({ labels, value }) => `${labels.event} ${labels.outcome} ${value}`),
  };
}

/** GitHub's headers of a delivery; without a secret there is no signature. */
export function signed(event: string, body: string, key: string | null): Record<string, string> {
  const digest = key === null ? null : createHmac('sha256', key).update(body).digest('hex');
  return {
    'content-type': 'application/json',
    'x-github-event': event,
    'x-github-delivery': '72d3162e-cc78-11e3-81ab-4c9367dc0958',
    ...(digest === null ? {} : { 'x-hub-signature-256': `sha256=${digest}` }),
    connection: 'close',
  };
}

/** The answer about one ApplicationSet of a recording, as it stood `seconds` after the start. */
export function answerFrom(recording: string, seconds: number): Answer {
  const folder = join(import.meta.dirname, '../recordings', recording);
  const events = readRecording(folder).filter((event) => event.t <= seconds * 1000);
  const policy = policyFrom(join(folder, 'expect.json'), true);
  const start = startOf(events);
  const applications = new Map<ObjectKey, Application>();
  let set: ApplicationSet | null = null;
  let memory = emptyStageMemory;
  let answer: Answer | null = null;
  for (const event of [...events, null]) {
    if (event?.kind === 'ApplicationSet') set = readApplicationSet(event.object) ?? set;
    if (event?.kind === 'Application') {
      const application = readApplication(event.object);
      if (application !== null) applications.set(application.key, application);
    }
    if (set === null) continue;
    const sighting = {
      applicationSet: set,
      applications: [...applications.values()],
      facts: noFacts,
      heads: [],
      policy,
      now: start + (event?.t ?? seconds * 1000),
      blindness: null,
      featureFlag: 'on' as const,
    };
    memory = rememberAll(memory, sighting);
    answer = answerOf(memory, sighting);
  }
  if (answer === null) throw new Error(`The recording ${recording} has no ApplicationSet by then.`);
  return answer;
}
