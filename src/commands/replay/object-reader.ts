/**
 * Reads git objects through one `git cat-file --batch` process a repository: a recording asks for a few dozen
 * trees, and starting git for each of them would cost more than everything else that a replay does.
 */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { WorldProblem } from '../../ports.ts';

export interface GitObject {
  type: string;
  content: Uint8Array;
}

export interface ObjectReader {
  /** The object with this id, null when the repository has none. `id` is 40 hex digits; anything else is null. */
  read(id: string): Promise<GitObject | null>;
  /** Ends the process; what is asked afterwards is never answered. */
  close(): void;
}

interface Waiting {
  resolve(object: GitObject | null): void;
  reject(problem: WorldProblem): void;
}

/** Opens the bare repository in `directory`; the process starts with the first question. */
export function openObjectReader(directory: string): ObjectReader {
  let child: ChildProcessWithoutNullStreams | null = null;
  let received: Buffer = Buffer.alloc(0);
  const waiting: Waiting[] = [];

  function fail(why: string): void {
    const problem = new WorldProblem(
      'permanent',
      `git could not read ${directory}: ${why}. A replay needs git.`,
    );
    for (const one of waiting.splice(0)) one.reject(problem);
  }

  function start(): ChildProcessWithoutNullStreams {
    const started = spawn('git', ['cat-file', '--batch'], { cwd: directory });
    started.stdout.on('data', (chunk: Buffer) => {
      received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
      answerAll();
    });
    started.on('error', (error) => fail(error.message));
    started.on('exit', (code) => fail(`it ended with ${code}`));
    started.stdin.on('error', () => {});
    return started;
  }

  /** Gives every whole answer that has come to whoever asked first. */
  function answerAll(): void {
    for (let answer = firstAnswer(received); answer !== null; answer = firstAnswer(received)) {
      received = received.subarray(answer.length);
      waiting.shift()?.resolve(answer.object);
    }
  }

  return {
    read(id) {
      if (!/^[0-9a-f]{40}$/.test(id)) return Promise.resolve(null);
      child ??= start();
      const running = child;
      return new Promise((resolve, reject) => {
        waiting.push({ resolve, reject });
        running.stdin.write(`${id}\n`);
      });
    },
    close() {
      waiting.length = 0;
      child?.kill();
    },
  };
}

/** `ID TYPE SIZE\n`, the content and a newline; or `ID missing\n`. Null while it has not come whole. */
function firstAnswer(received: Buffer): { object: GitObject | null; length: number } | null {
  const end = received.indexOf(10);
  if (end === -1) return null;
  const [, type = '', size] = received.subarray(0, end).toString('utf8').split(' ');
  if (size === undefined) return { object: null, length: end + 1 };
  const length = end + 1 + Number(size) + 1;
  if (received.length < length) return null;
  return {
    object: { type, content: Uint8Array.from(received.subarray(end + 1, length - 1)) },
    length,
  };
}
