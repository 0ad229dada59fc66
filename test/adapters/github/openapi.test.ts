/** The check itself: a check that lets everything pass would prove nothing. */
import { expect, test } from 'vitest';
import { checkAgainstOpenApi } from './openapi.ts';

const at = '/repos/example-org/gitops';

test.each([
  [{ method: 'GET', path: `${at}/git/trees/abc?recursive=1`, body: undefined }],
  [{ method: 'PATCH', path: `${at}/git/refs/heads%2Fa%2Fb`, body: { sha: 'abc', force: false } }],
  [{ method: 'GET', path: `${at}/pulls?state=all&per_page=100`, body: undefined }],
])('takes what GitHub takes: %o', (request) => {
  expect(checkAgainstOpenApi(request).route).toMatch(/^(GET|PATCH) \/repos\/\{owner\}\/\{repo\}\//);
});

test.each([
  ['an unknown path', { method: 'GET', path: `${at}/git/forest`, body: undefined }],
  ['an unknown method', { method: 'PUT', path: `${at}/git/refs`, body: {} }],
  ['an unknown query parameter', { method: 'GET', path: `${at}/pulls?branch=x`, body: undefined }],
  ['a query parameter of the wrong type', { method: 'GET', path: `${at}/pulls?page=two`, body: undefined }],
  [
    'a value that is not among the allowed',
    { method: 'GET', path: `${at}/pulls?state=merged`, body: undefined },
  ],
  ['a missing body', { method: 'POST', path: `${at}/pulls`, body: undefined }],
  ['a missing field', { method: 'POST', path: `${at}/pulls`, body: { title: 'x', head: 'b' } }],
  ['a field of the wrong type', { method: 'POST', path: `${at}/git/refs`, body: { ref: 'r', sha: 7 } }],
  ['an unknown field', { method: 'POST', path: `${at}/git/refs`, body: { ref: 'r', sha: 's', shaa: 's' } }],
  [
    'an unknown field deep inside',
    { method: 'POST', path: `${at}/git/trees`, body: { tree: [{ path: 'a', mode: '100644', id: 's' }] } },
  ],
  ['a body where none belongs', { method: 'GET', path: `${at}/pulls`, body: { a: 1 } }],
])('refuses %s', (_, request) => {
  expect(() => checkAgainstOpenApi(request)).toThrow();
});
