/**
 * One long `git cat-file --batch` as the source of objects, so that a thousand reads cost one process. It counts the
 * reads, for tests that promise how few there are.
 */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import type { EntryMode, TreeEntry } from '../../src/ports.ts';
import { type GitObjects, ObjectProblem } from '../../src/revert/objects.ts';

type Answer = { type: string; content: Buffer } | undefined;

export class CatFile implements GitObjects {
  reads = 0;
  readonly #process: ChildProcessWithoutNullStreams;
  readonly #waiting: ((answer: Answer) => void)[] = [];
  #chunks: Buffer[] = [];
  #bytes = 0;
  /** Nothing can be answered before this many bytes have come. */
  #bytesNeeded = 1;

  constructor(folder: string, env: NodeJS.ProcessEnv) {
    this.#process = spawn('git', ['cat-file', '--batch'], { cwd: folder, env });
    this.#process.stdout.on('data', (chunk: Buffer) => {
      this.#chunks.push(chunk);
      this.#bytes += chunk.length;
      if (this.#bytes >= this.#bytesNeeded) this.#answer();
    });
  }

  async readTree(treeId: string): Promise<readonly TreeEntry[]> {
    const content = await this.#read(treeId, 'tree');
    const entries: TreeEntry[] = [];
    for (let at = 0; at < content.length; ) {
      const space = content.indexOf(' ', at);
      const end = content.indexOf(0, at);
      const mode = content.toString('latin1', at, space).padStart(6, '0') as EntryMode;
      const id = content.toString('hex', end + 1, end + 21);
      entries.push({ mode, name: content.toString('utf8', space + 1, end), id });
      at = end + 21;
    }
    return entries;
  }

  async readBlob(blobId: string): Promise<Uint8Array> {
    return this.#read(blobId, 'blob');
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      this.#process.once('close', () => resolve());
      this.#process.stdin.end();
    });
  }

  async #read(id: string, type: string): Promise<Buffer> {
    this.reads++;
    const answer = await new Promise<Answer>((resolve) => {
      this.#waiting.push(resolve);
      this.#process.stdin.write(`${id}\n`);
    });
    if (answer?.type !== type) throw new ObjectProblem('missing', id, `There is no ${type} ${id}.`);
    return answer.content;
  }

  #answer(): void {
    let buffer = Buffer.concat(this.#chunks);
    this.#bytesNeeded = buffer.length + 1;
    for (let end = buffer.indexOf('\n'); end >= 0; end = buffer.indexOf('\n')) {
      const [, type, size] = buffer.toString('latin1', 0, end).split(' ');
      const length = type === 'missing' ? 0 : Number(size) + 1;
      if (buffer.length < end + 1 + length) {
        this.#bytesNeeded = end + 1 + length;
        break;
      }
      const content = buffer.subarray(end + 1, end + length);
      this.#waiting.shift()!(type === 'missing' ? undefined : { type: type!, content });
      buffer = buffer.subarray(end + 1 + length);
      this.#bytesNeeded = buffer.length + 1;
    }
    this.#chunks = buffer.length > 0 ? [buffer] : [];
    this.#bytes = buffer.length;
  }
}
