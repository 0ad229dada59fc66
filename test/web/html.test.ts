import fc from 'fast-check';
import { expect, test } from 'vitest';
import { html, link } from '../../src/web/html.ts';

test('what is put into a template is escaped, and HTML made here is not escaped twice', () => {
  const name = html`<b>${'<i>&"\'`</i>'}</b>`;
  expect(html`<p title="${'" onload="x'}">${name}${null}${['a', html`<br>`, 1]}</p>`.markup).toBe(
    '<p title="&#34; onload=&#34;x"><b>&#60;i&#62;&#38;&#34;&#39;&#96;&#60;/i&#62;</b>a<br>1</p>',
  );
});

test('no text of anybody can leave its place', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
      expect(html`${text}`.markup).not.toMatch(/[<>"'`]/);
      expect(html`${text}`.markup.replace(/&#\d+;/g, '')).not.toContain('&');
    }),
  );
});

test('characters that turn text round, hide or steer go, and so do secrets', () => {
  const markup = (text: string) => html`${text}`.markup;
  expect(markup('prod\u202e1-dev\u0000\u200b\ufeff\u2066!')).toBe('prod1-dev!');
  expect(markup('Größe\n🙂 عربي')).toBe('Größe\n🙂 عربي');
  expect(markup('https://bob:hunter2@example.com/x')).not.toContain('hunter2');
});

test('a link leads only where browsers may go', () => {
  const markup = (address: string | null) => link(address, 'here').markup;
  expect(markup('https://github.com/a/b?c=1&d=2')).toBe(
    '<a href="https://github.com/a/b?c=1&#38;d=2" rel="noreferrer">here</a>',
  );
  for (const address of [
    null,
    '',
    '#',
    'javascript:alert(1)',
    ' javascript:alert(1)',
    'data:text/html,x',
    '//x',
  ])
    expect(markup(address)).toBe('here');
});
