/** Answers and refusals as GitHub words them, and lists in pages with their Link header. */

export type Answer = {
  status: number;
  body?: unknown;
  headers?: Record<string, string>;
  /** Sent as it is instead of JSON. */
  raw?: Buffer;
};

/** One entry of `errors` in a 422. */
export type FieldError = {
  resource?: string;
  field?: string;
  code?: string;
  message?: string;
  value?: string | null;
};

const DOCUMENTATION = 'https://docs.github.com/rest';

/** A refusal on its way out of a route: GitHub's error body with its status. */
export class Refusal extends Error {
  readonly status: number;
  readonly errors: readonly (FieldError | string)[] | undefined;
  readonly headers: Record<string, string>;
  documentation = DOCUMENTATION;

  constructor(
    status: number,
    message: string,
    errors?: readonly (FieldError | string)[],
    headers: Record<string, string> = {},
  ) {
    super(message);
    this.status = status;
    this.errors = errors;
    this.headers = headers;
  }

  answer(): Answer {
    const body = {
      message: this.message,
      ...(this.errors === undefined ? {} : { errors: this.errors }),
      documentation_url: this.documentation,
      status: String(this.status),
    };
    return { status: this.status, body, headers: this.headers };
  }
}

/** A 404, also for what a token must not see. */
export function notFound(): Refusal {
  return new Refusal(404, 'Not Found');
}

/** A 422 `Validation Failed` with its list of errors. */
export function invalid(...errors: FieldError[]): Refusal {
  return new Refusal(422, 'Validation Failed', errors);
}

/** A 422 that says only a sentence, as the git data endpoints do. */
export function unprocessable(message: string): Refusal {
  return new Refusal(422, message);
}

/** An answer of JSON. */
export function ok(body: unknown, status = 200): Answer {
  return { status, body };
}

export type Page = { page: number; perPage: number };

/** `page` and `per_page` of a query; GitHub's bounds. */
export function pageOf(query: URLSearchParams, perPageDefault = 30): Page {
  const whole = (name: string, otherwise: number) => {
    const value = Number.parseInt(query.get(name) ?? '', 10);
    return Number.isNaN(value) || value < 1 ? otherwise : value;
  };
  return { page: whole('page', 1), perPage: Math.min(100, whole('per_page', perPageDefault)) };
}

/** The part of a list that a page shows. */
export function slice<T>(items: readonly T[], { page, perPage }: Page): T[] {
  return items.slice((page - 1) * perPage, page * perPage);
}

/** The Link header for a list of `total` entries; empty when everything fits one page. `url` is the one that was asked for. */
export function linkHeader(url: URL, total: number, { page, perPage }: Page): Record<string, string> {
  const last = Math.max(1, Math.ceil(total / perPage));
  const to = (number: number, rel: string) => {
    const target = new URL(url);
    target.searchParams.set('page', String(number));
    return `<${target}>; rel="${rel}"`;
  };
  const links = [
    ...(page > 1 ? [to(page - 1, 'prev')] : []),
    ...(page < last ? [to(page + 1, 'next'), to(last, 'last')] : []),
    ...(page > 1 ? [to(1, 'first')] : []),
  ];
  return links.length === 0 ? {} : { link: links.join(', ') };
}
