/** How long a text may be, and what GitHub says when it is longer. */
import { type FieldError, invalid, unprocessable } from '../http/answers.ts';

/** Characters of an issue's, a pull request's or a comment's body. */
const BODY_MAX = 65_536;
const TITLE_MAX = 256;

/** Throws 422 when a body is longer than 65,536 characters. */
export function checkBody(resource: string, body: unknown): void {
  if (typeof body !== 'string' || [...body].length <= BODY_MAX) return;
  const message = `body is too long (maximum is ${BODY_MAX} characters)`;
  throw invalid({ resource, code: 'custom', field: 'body', message });
}

/** Throws 422 when a title is longer than 256 characters. */
export function checkTitle(resource: string, title: string | undefined): void {
  if (title === undefined || [...title].length <= TITLE_MAX) return;
  const message = `title is too long (maximum is ${TITLE_MAX} characters)`;
  throw invalid({ resource, code: 'custom', field: 'title', message });
}

/** Throws 422 when a comment says nothing, or too much. */
export function checkComment(body: string | undefined): void {
  const wrong = (values: FieldError) => invalid({ resource: 'IssueComment', field: 'data', ...values });
  if (body === undefined) throw invalid({ resource: 'IssueComment', code: 'missing_field', field: 'body' });
  if (body.trim() === '') throw wrong({ code: 'unprocessable', message: 'Body cannot be blank' });
  if ([...body].length > BODY_MAX) {
    throw wrong({ code: 'unprocessable', message: `Body is too long (maximum is ${BODY_MAX} characters)` });
  }
}

/** Throws the 422 with which GitHub's check of a request refuses a text that is too long. */
export function checkCharacters(text: unknown, max: number): void {
  const length = typeof text === 'string' ? [...text].length : 0;
  if (length > max) {
    throw unprocessable(`Invalid request.\n\nOnly ${max} characters are allowed; ${length} were supplied.`);
  }
}

/** Throws the 422 with which GitHub's check of a request refuses a list that is too long. */
export function checkItems(items: readonly unknown[], max: number): void {
  if (items.length > max) {
    throw unprocessable(
      `Invalid request.\n\nNo more than ${max} items are allowed; ${items.length} were supplied.`,
    );
  }
}

/** Throws the 422 with which GitHub refuses a text that has too many bytes of UTF-8. */
export function checkBytes(text: string, max: number): void {
  const bytes = Buffer.byteLength(text);
  if (bytes > max) {
    throw unprocessable(`Invalid request.\n\nOnly ${max} bytes are allowed; ${bytes} were supplied.`);
  }
}

/** As many bytes of UTF-8 as there may be, without half a character; nobody is told that something was cut. */
export function cutToBytes(text: string, max: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= max) return text;
  return new TextDecoder().decode(bytes.subarray(0, max), { stream: true });
}
