/**
 * One watch, from its request to its end. Whatever way it ends is a value: ends are the normal case of a watch, and
 * what to do about each is decided by the feed.
 */
import { type Json, record, text } from '../../domain/read.ts';
import { WorldProblem } from '../../ports.ts';
import type { ApiClient, ApiRequest } from './api-client.ts';
import { problemOfErrorEvent, problemOfNonsense } from './api-problem.ts';
import { LineTooLong, linesOf } from './lines.ts';

export interface WatchEvent {
  type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK';
  object: Json;
}

/** `ended`: the server closed it in good order, as it does every few minutes. */
export type WatchEnding = { kind: 'ended' } | { kind: 'failed'; problem: WorldProblem };

export interface WatchHandlers {
  /** The server accepted the watch. */
  onOpen(): void;
  /** `enough` ends the watch in good order, a problem ends it with that. */
  onEvent(event: WatchEvent): 'more' | 'enough' | WorldProblem;
}

const eventTypes = ['ADDED', 'MODIFIED', 'DELETED', 'BOOKMARK'] as const;

/**
 * Watches until the server, the network, silence or the request's signal ends it. A line that is no event ends it as
 * well, because what it said is lost: only a new list makes the view whole again.
 */
export async function watchOnce(
  client: ApiClient,
  request: ApiRequest,
  handlers: WatchHandlers,
): Promise<WatchEnding> {
  const asked = client.asked(request);
  try {
    const { chunks } = await client.stream(request);
    handlers.onOpen();
    for await (const line of linesOf(chunks)) {
      const value = record(parsed(line));
      if (value.type === 'ERROR')
        return { kind: 'failed', problem: problemOfErrorEvent(asked, value.object) };
      const type = eventTypes.find((known) => known === value.type);
      if (type === undefined)
        return { kind: 'failed', problem: problemOfNonsense(asked, line.slice(0, 300)) };
      const answer = handlers.onEvent({ type, object: record(value.object) });
      if (answer === 'enough') return { kind: 'ended' };
      if (answer !== 'more') return { kind: 'failed', problem: answer };
    }
    return { kind: 'ended' };
  } catch (error) {
    if (error instanceof WorldProblem) return { kind: 'failed', problem: error };
    if (error instanceof LineTooLong)
      return { kind: 'failed', problem: problemOfNonsense(asked, text(error.message)) };
    throw error;
  }
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
