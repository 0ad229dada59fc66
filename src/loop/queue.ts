/**
 * The work queue: one key is worked on by one worker at a time, however often it is nudged, and again when it was
 * nudged meanwhile. A key waits a short while before it runs, so that a storm of events becomes one look; a
 * failure is tried again, later each time.
 */
import type { Clock } from '../ports.ts';

export interface QueueOptions {
  clock: Clock;
  /** One piece of work. What it throws is handed to `onFailure` and tried again. */
  work(key: string): Promise<void>;
  onFailure(key: string, error: unknown, retryInMs: number): void;
  /** How long a nudged key waits for more nudges. */
  settleMs: number;
  /** First pause after a failure, doubled each time up to `backoffMsMax`. */
  backoffMs: number;
  backoffMsMax: number;
  /** What the world asked for with its refusal, in milliseconds; null when nothing. */
  askedPauseMs?(error: unknown): number | null;
  workersMax: number;
}

export interface Queue {
  /** Asks for the key to be worked on; `delayMs` from now, or when it has settled. */
  add(key: string, delayMs?: number): void;
  /** Resolves when nothing runs and nothing is due now; what is due later does not count. */
  idle(): Promise<void>;
  /** Keys that run, wait or are to be tried again. */
  length(): number;
  /** Lets what runs end; nothing new starts. */
  stop(): Promise<void>;
}

interface Entry {
  cancel: (() => void) | null;
  dueAt: number;
  isRunning: boolean;
  /** Asked for while it runs: how long after it ends. */
  againInMs: number | null;
  failures: number;
}

/** Opens a queue. Nothing runs before something is added. */
export function openQueue(options: QueueOptions): Queue {
  const { clock } = options;
  const entries = new Map<string, Entry>();
  const ready: string[] = [];
  let waiters: (() => void)[] = [];
  let running = 0;
  let isStopped = false;

  function schedule(key: string, delayMs: number): void {
    if (isStopped) return;
    const entry = entries.get(key) ?? {
      cancel: null,
      dueAt: 0,
      isRunning: false,
      againInMs: null,
      failures: 0,
    };
    entries.set(key, entry);
    const dueAt = clock.now() + delayMs;
    if (entry.isRunning) {
      entry.againInMs = Math.min(entry.againInMs ?? delayMs, delayMs);
      return;
    }
    if (ready.includes(key) || (entry.cancel !== null && entry.dueAt <= dueAt)) return;
    entry.cancel?.();
    entry.dueAt = dueAt;
    entry.cancel = clock.after(delayMs, () => {
      entry.cancel = null;
      ready.push(key);
      startReady();
    });
  }

  function startReady(): void {
    while (running < options.workersMax && !isStopped) {
      const key = ready.shift();
      if (key === undefined) break;
      void runOne(key);
    }
    settle();
  }

  async function runOne(key: string): Promise<void> {
    const entry = entries.get(key);
    if (entry === undefined) return;
    running += 1;
    entry.isRunning = true;
    let retryInMs: number | null = null;
    try {
      await options.work(key);
      entry.failures = 0;
    } catch (error) {
      entry.failures += 1;
      const backoffMs = Math.min(
        options.backoffMsMax,
        options.backoffMs * 2 ** Math.min(20, entry.failures - 1),
      );
      retryInMs = Math.max(backoffMs, options.askedPauseMs?.(error) ?? 0);
      options.onFailure(key, error, retryInMs);
    }
    running -= 1;
    entry.isRunning = false;
    const againInMs = entry.againInMs;
    entry.againInMs = null;
    if (retryInMs !== null) schedule(key, retryInMs);
    else if (againInMs !== null) schedule(key, againInMs);
    else if (entry.cancel === null) entries.delete(key);
    startReady();
  }

  function settle(): void {
    if (running > 0 || ready.length > 0) return;
    const resolved = waiters;
    waiters = [];
    for (const resolve of resolved) resolve();
  }

  return {
    add: (key, delayMs = options.settleMs) => schedule(key, delayMs),
    idle: () =>
      running === 0 && ready.length === 0
        ? Promise.resolve()
        : new Promise((resolve) => waiters.push(resolve)),
    length: () => entries.size,
    async stop() {
      isStopped = true;
      for (const entry of entries.values()) entry.cancel?.();
      ready.length = 0;
      await (running === 0 ? Promise.resolve() : new Promise<void>((resolve) => waiters.push(resolve)));
    },
  };
}
