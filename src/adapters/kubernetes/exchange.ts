/**
 * What belongs to one request while it runs: who may end it (its caller, or silence), and what its failure then means.
 * fetch only says that it was aborted.
 */
import type { Response } from 'undici';
import type { Clock } from '../../ports.ts';
import { ApiProblem, type Asked, problemOfFailure, problemOfSilence } from './api-problem.ts';
import { SilenceGuard } from './silence.ts';

export class Exchange {
  readonly #asked: Asked;
  readonly #controller = new AbortController();
  readonly #outer: AbortSignal | undefined;
  readonly #silenceMs: number;
  readonly #guard: SilenceGuard;
  readonly #abort = () => this.#controller.abort();
  #isSilent = false;

  constructor(clock: Clock, asked: Asked, silenceMs: number, outer: AbortSignal | undefined) {
    this.#asked = asked;
    this.#outer = outer;
    this.#silenceMs = silenceMs;
    this.#outer?.addEventListener('abort', this.#abort, { once: true });
    if (this.#outer?.aborted) this.#abort();
    this.#guard = new SilenceGuard(clock, this.#silenceMs, () => {
      this.#isSilent = true;
      this.#abort();
    });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  end(): void {
    this.#guard.stop();
    this.#outer?.removeEventListener('abort', this.#abort);
  }

  problemOf(error: unknown): unknown {
    if (this.#isSilent) return problemOfSilence(this.#asked, this.#silenceMs);
    if (this.#outer?.aborted) {
      return new ApiProblem('stopped', 'Stepback is stopping.', { cause: error });
    }
    // Whatever is not fetch's own failure is a WorldProblem already.
    return error instanceof TypeError || (error as Error).name === 'AbortError'
      ? problemOfFailure(this.#asked, error)
      : error;
  }

  async *chunksOf(response: Response): AsyncGenerator<Uint8Array, void, void> {
    try {
      this.#guard.heard();
      for await (const chunk of response.body ?? []) {
        this.#guard.heard();
        yield chunk as Uint8Array;
      }
    } catch (error) {
      throw this.problemOf(error);
    } finally {
      this.end();
    }
  }
}
