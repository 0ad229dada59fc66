/** The way of every body to the client, where faults cut it short or to pieces. */
import type { ServerResponse } from 'node:http';
import { type Fault, faultOf } from './faults.ts';

export class BodySink {
  readonly #response: ServerResponse;
  readonly #chunkBytes: number | undefined;
  #bytesLeft: number;

  constructor(response: ServerResponse, faults: readonly Fault[]) {
    this.#response = response;
    this.#chunkBytes = faultOf(faults, 'chunks')?.bytes;
    this.#bytesLeft = faultOf(faults, 'cut')?.afterBytes ?? Number.POSITIVE_INFINITY;
  }

  /** Sends a text and waits until the connection has taken it. False when the connection is gone. */
  async write(text: string): Promise<boolean> {
    const bytes = Buffer.from(text);
    const whole = bytes.subarray(0, this.#bytesLeft);
    this.#bytesLeft -= whole.length;
    const size = this.#chunkBytes ?? Math.max(whole.length, 1);
    for (let from = 0; from < whole.length; from += size) {
      if (!(await this.#send(whole.subarray(from, from + size)))) return false;
      // A turn of the loop lets each piece leave by itself.
      if (this.#chunkBytes !== undefined) await new Promise((resolve) => setImmediate(resolve));
    }
    if (whole.length === bytes.length) return true;
    // What was sent must have left before the connection breaks.
    await new Promise((resolve) => this.#response.write('', resolve));
    this.#response.destroy();
    return false;
  }

  /** Ends the answer cleanly. */
  end(): void {
    if (!this.#response.destroyed) this.#response.end();
  }

  #send(bytes: Buffer): Promise<boolean> {
    const response = this.#response;
    if (response.destroyed || response.writableEnded) return Promise.resolve(false);
    if (response.write(bytes)) return Promise.resolve(true);
    return new Promise((resolve) => {
      const settle = (isOpen: boolean) => () => {
        response.off('drain', drained);
        response.off('close', closed);
        resolve(isOpen);
      };
      const drained = settle(true);
      const closed = settle(false);
      response.once('drain', drained);
      response.once('close', closed);
    });
  }
}
