/**
 * How old the view of one feed is, and what keeps it from seeing. A connection that was lost seconds ago is no
 * blindness: the view is only a little older, and every API server restarts now and then. A missing right, a refused
 * login or a silent connection is one at once.
 */
import type { Clock, Sight, WorldProblem } from '../../ports.ts';
import { ApiProblem } from './api-problem.ts';
import type { FeedLimits } from './feed-options.ts';

export class FeedSight {
  readonly #what: string;
  readonly #clock: Clock;
  readonly #limits: FeedLimits;
  readonly #onRecovered: () => void;
  #hasListed = false;
  #lastHeardAt = 0;
  #problem: WorldProblem | null = null;

  /** `what` names the objects for people. `onRecovered` is called when a blindness is over. */
  constructor(what: string, clock: Clock, limits: FeedLimits, onRecovered: () => void) {
    this.#what = what;
    this.#clock = clock;
    this.#limits = limits;
    this.#onRecovered = onRecovered;
  }

  /** Whether everything was seen at least once. */
  get hasListed(): boolean {
    return this.#hasListed;
  }

  /** Whether something went wrong since the last word, blinding or not. */
  get isTroubled(): boolean {
    return this.#problem !== null;
  }

  listed(): void {
    const isFirst = !this.#hasListed;
    const wasBlind = this.#blindness() !== null;
    this.#hasListed = true;
    this.#see(wasBlind && !isFirst);
  }

  heard(): void {
    this.#see(this.#hasListed && this.#blindness() !== null);
  }

  failed(problem: WorldProblem): void {
    this.#problem = problem;
  }

  sight(): Sight {
    return { lastHeardAt: this.#lastHeardAt, blindness: this.#blindness() };
  }

  #see(wasBlind: boolean): void {
    this.#lastHeardAt = this.#clock.now();
    this.#problem = null;
    if (wasBlind) this.#onRecovered();
  }

  #blindness(): string | null {
    const problem = this.#problem;
    if (!this.#hasListed) {
      return problem?.message ?? `The ${this.#what} have not been listed yet. Wait a moment.`;
    }
    const ageMs = this.#clock.now() - this.#lastHeardAt;
    if (problem === null) {
      // Watches that end in good order, again and again, say nothing either.
      if (ageMs <= this.#limits.oldAfterMs) return null;
      return `Nothing was heard of the ${this.#what} for ${Math.round(ageMs / 1000)} s, so what is seen there may be old. Stepback keeps trying.`;
    }
    const isSilent = problem instanceof ApiProblem && problem.reason === 'silent';
    const isSerious = problem.kind === 'permanent' || isSilent;
    return isSerious || ageMs > this.#limits.blindAfterMs ? problem.message : null;
  }
}
