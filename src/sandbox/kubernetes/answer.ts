/**
 * One answer of the server: the headers a real one sends (recorded), then JSON, a Status, plain text, or an open stream. Knows the
 * journal entry and the faults of its request.
 */
import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { BodySink } from './body-sink.ts';
import { type Fault, faultOf } from './faults.ts';
import type { JournalEntry } from './journal.ts';
import { StoreProblem } from './store-problem.ts';

const FLOW_SCHEMA = '4d34196b-5918-4046-b55e-587835b29738';
const PRIORITY_LEVEL = '7d764e10-d5fd-475b-97d1-16617af8c569';

/** The Status object of a refusal. */
export function statusOf(
  problem: Pick<StoreProblem, 'code' | 'reason' | 'message' | 'details'>,
  continueToken?: string,
) {
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: continueToken === undefined ? {} : { continue: continueToken },
    status: 'Failure',
    message: problem.message,
    ...(problem.reason === undefined ? {} : { reason: problem.reason }),
    ...(problem.details === undefined ? {} : { details: problem.details }),
    code: problem.code,
  };
}

export interface Circumstances {
  faults: readonly Fault[];
  /** For the Date header. */
  dateMs: number;
  after(delayMs: number, run: () => void): () => void;
}

export class Answer {
  readonly sink: BodySink;
  readonly #response: ServerResponse;
  readonly #entry: JournalEntry;
  readonly #circumstances: Circumstances;

  constructor(response: ServerResponse, entry: JournalEntry, circumstances: Circumstances) {
    const { faults, dateMs } = circumstances;
    this.#response = response;
    this.#entry = entry;
    this.#circumstances = circumstances;
    response.once('close', () => {
      entry.isOver = true;
    });
    this.sink = new BodySink(response, faults);
    response.setHeader('audit-id', auditId(entry.number));
    response.setHeader('cache-control', 'no-cache, private');
    response.setHeader('date', new Date(dateMs).toUTCString());
  }

  get isClosed(): boolean {
    return this.#response.destroyed || this.#response.writableEnded;
  }

  /** Calls once when the connection is gone or the answer complete. */
  onClose(run: () => void): void {
    this.#response.once('close', run);
  }

  header(name: string, value: string): void {
    this.#response.setHeader(name, value);
  }

  json(code: number, body: unknown): Promise<void> {
    return this.#whole(code, 'application/json', `${JSON.stringify(body)}\n`);
  }

  text(code: number, body: string): Promise<void> {
    this.header('x-content-type-options', 'nosniff');
    return this.#whole(code, 'text/plain; charset=utf-8', body);
  }

  /** A refusal: a Status object, or plain text for a kind that does not exist. */
  problem(problem: StoreProblem, continueToken?: string): Promise<void> {
    if (problem.reason === 'NoSuchKind') return this.text(404, `${problem.message}\n`);
    if (problem.code === 403) this.header('x-content-type-options', 'nosniff');
    return this.json(problem.code, statusOf(problem, continueToken));
  }

  /** Sends the head of a stream at once; the body follows through `sink`. */
  openStream(): void {
    this.#head(200, 'application/json');
    this.#response.flushHeaders();
  }

  /** Breaks the connection. */
  reset(): void {
    this.#response.destroy();
  }

  async #whole(code: number, contentType: string, body: string): Promise<void> {
    if (this.isClosed || this.#response.headersSent) return this.reset();
    if (await this.#lostAfterEffect()) return;
    const { faults } = this.#circumstances;
    if (!faultOf(faults, 'chunks')) this.header('content-length', String(Buffer.byteLength(body)));
    this.#head(code, contentType);
    if (await this.sink.write(body)) this.sink.end();
  }

  /** Plays the faults that come when everything is done; true when the client gets no answer of ours. */
  async #lostAfterEffect(): Promise<boolean> {
    const { faults, after } = this.#circumstances;
    const delay = faultOf(faults, 'delay');
    if (delay !== undefined) await new Promise<void>((resolve) => void after(delay.delayMs, resolve));
    const lost = faultOf(faults, 'lostAnswer')?.as;
    if (lost === undefined) return false;
    if (lost === 'reset') this.reset();
    if (typeof lost === 'number') {
      this.#head(lost, 'application/json');
      const problem = new StoreProblem(lost, 'Timeout', 'the answer was lost after the effect');
      this.#response.end(JSON.stringify(statusOf(problem)));
    }
    return true;
  }

  #head(code: number, contentType: string): void {
    this.#entry.status = code;
    this.header('content-type', contentType);
    if (code !== 401) {
      this.header('x-kubernetes-pf-flowschema-uid', FLOW_SCHEMA);
      this.header('x-kubernetes-pf-prioritylevel-uid', PRIORITY_LEVEL);
    }
    this.#response.writeHead(code);
  }
}

function auditId(number: number): string {
  const hash = createHash('sha256').update(`audit/${number}`).digest('hex');
  return [
    hash.slice(0, 8),
    hash.slice(8, 12),
    `4${hash.slice(13, 16)}`,
    `8${hash.slice(17, 20)}`,
    hash.slice(20, 32),
  ].join('-');
}
