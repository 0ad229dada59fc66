/**
 * What is asked at every look (a pull request, the head of a branch, issues by their label) mostly has not changed since.
 * Asked with the ETag of the answer before, GitHub says so with 304, which does not count against the calls of the hour.
 * Only such answers are kept, few and small, of one client: another installation may see something else.
 * https://docs.github.com/rest/using-the-rest-api/best-practices-for-using-the-rest-api#use-conditional-requests-if-appropriate
 */
import { refusalOf } from './refusal.ts';

/** What is read of a request here. `url` is whole, with its query. */
export interface ReadQuestion {
  method: string;
  url: string;
  accept: string;
}

export interface KeptAnswer {
  status: number;
  headers: Record<string, string | number | undefined>;
  data: unknown;
}

/** Sends the request, with `if-none-match` when it is given an ETag. */
export type AskWith<Answer> = (etag: string | null) => Promise<Answer>;

export interface ConditionalReads<Answer extends KeptAnswer> {
  /** The answer, or the kept one when GitHub says that it still holds. Throws what `ask` throws but for 304. */
  read(question: ReadQuestion, ask: AskWith<Answer>): Promise<Answer>;
}

const answersMax = 200;
/** In characters of JSON, over all. */
const weightMax = 8 * 1024 * 1024;
const answerWeightMax = 1024 * 1024;

const asked = /\/repos\/[^/]+\/[^/]+\/(?:pulls\/\d+|branches\/[^/]+|git\/ref\/[^/]+|issues)$/;

/** For one client. */
export function createConditionalReads<Answer extends KeptAnswer>(): ConditionalReads<Answer> {
  /** In the order of their last use, the latest last. */
  const kept = new Map<string, { answer: Answer; etag: string; weight: number }>();
  let weightOfAll = 0;

  function drop(key: string): void {
    weightOfAll -= kept.get(key)?.weight ?? 0;
    kept.delete(key);
  }

  function keep(key: string, answer: Answer): void {
    drop(key);
    const { etag } = answer.headers;
    const weight = weightOf(answer.data);
    if (answer.status !== 200 || typeof etag !== 'string' || weight > answerWeightMax) return;
    kept.set(key, { answer: copyOf(answer), etag, weight });
    weightOfAll += weight;
    for (const oldest of kept.keys()) {
      if (kept.size <= answersMax && weightOfAll <= weightMax) return;
      drop(oldest);
    }
  }

  return {
    async read({ method, url, accept }, ask) {
      if (method !== 'GET' || !asked.test(url.replace(/\?.*$/, ''))) return ask(null);
      const key = `${accept} ${url}`;
      const known = kept.get(key);
      try {
        const answer = await ask(known?.etag ?? null);
        keep(key, answer);
        return answer;
      } catch (error) {
        const refusal = refusalOf(error);
        if (refusal?.status !== 304 || known === undefined) throw error;
        // How much is left of the limits is new in it; all else is as it was.
        const headers = { ...known.answer.headers, ...refusal.headers };
        const answer = { ...known.answer, headers };
        keep(key, answer);
        return copyOf(answer);
      }
    },
  };
}

/** Whoever gets an answer may change it; the next one who gets it must not see that. */
function copyOf<Answer extends KeptAnswer>(answer: Answer): Answer {
  return { ...answer, headers: { ...answer.headers }, data: structuredClone(answer.data) };
}

/** Octokit reads numbers that are too large for a number as bigint. */
function weightOf(data: unknown): number {
  const text = JSON.stringify(data, (_, value) => (typeof value === 'bigint' ? String(value) : value));
  return text?.length ?? 0;
}
