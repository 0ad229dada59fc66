/** A healthy letter, of which a test changes what matters. */
import type { Letter } from '../../../src/ports/mailbox.ts';

export const saidAt = Date.parse('2026-12-01T11:59:58Z');

/** A comment with one command. */
export function sampleLetter(change: Partial<Letter> = {}): Letter {
  return {
    id: 'comment-101-0a1b2c3d4e5f60',
    repository: { host: 'github.com', owner: 'acme', name: 'gitops' },
    number: 412,
    isPullRequest: true,
    commentId: 101,
    check: null,
    applicationSet: null,
    sender: { login: 'dana', isBot: false, isOurs: false },
    lines: ['/stepback revert'],
    hasMore: false,
    saidAt,
    receivedAt: saidAt + 2_000,
    ...change,
  };
}
