/**
 * What GitHub said when it said no, in one shape. Its words are in `message` and in `errors[].message`, sometimes as
 * plain strings; the status alone does not tell an expected refusal from a fault (GH03, GH05, GH06).
 */

export interface Refusal {
  status: number;
  /** GitHub's own words, `message` first. They are somebody else's text: for reading, and quoted only cut. */
  messages: readonly string[];
  /** `errors[].field`: the fields of the request that it did not like. */
  fields: readonly string[];
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>;
}

/** The refusal in an error that Octokit threw; null when there was no answer, or it is another error. */
export function refusalOf(error: unknown): Refusal | null {
  if (!isRecord(error) || typeof error.status !== 'number' || !isRecord(error.response)) return null;
  const { data, headers } = error.response;
  return {
    status: error.status,
    messages: messagesOf(data),
    fields: errorsOf(data).flatMap((item) =>
      isRecord(item) && typeof item.field === 'string' ? [item.field] : [],
    ),
    headers: isRecord(headers) ? textsOf(headers) : {},
  };
}

/** True when an error is a refusal of this status and one of GitHub's words matches. */
export function isRefused(error: unknown, status: number, words?: RegExp): boolean {
  const refusal = refusalOf(error);
  if (refusal?.status !== status) return false;
  return words === undefined || refusal.messages.some((message) => words.test(message));
}

function messagesOf(data: unknown): string[] {
  if (typeof data === 'string') return data === '' ? [] : [data];
  if (!isRecord(data)) return [];
  const own = typeof data.message === 'string' ? [data.message] : [];
  const inner = errorsOf(data).flatMap((item) => {
    if (typeof item === 'string') return [item];
    return isRecord(item) && typeof item.message === 'string' ? [item.message] : [];
  });
  return [...own, ...inner];
}

function errorsOf(data: unknown): readonly unknown[] {
  if (!isRecord(data)) return [];
  if (Array.isArray(data.errors)) return data.errors;
  return typeof data.errors === 'string' ? [data.errors] : [];
}

function textsOf(headers: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]),
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
