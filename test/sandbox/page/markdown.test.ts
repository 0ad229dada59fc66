import fc from 'fast-check';
import { expect, it } from 'vitest';
import { renderMarkdown } from '../../../src/sandbox/page/markdown.ts';

const place = { repository: 'acme/payments', numbers: new Set([3]) };
const rendered = (text: string): string => renderMarkdown(text, place).markup;

it('shows what Stepback writes as GitHub does: tables, folds, links, and no marker', () => {
  const text = `**1 of 3**: staging-1, see [#3](https://github.com/acme/payments/pull/3)

| | Stage |
| --- | --- |
| 1 | dev \\| \`a | b\` |

<details><summary>Evidence</summary>

- \`payments\`

</details>

<!-- stepback:v1 abc -->`;
  expect(rendered(text)).toMatchInlineSnapshot(`
    "<p><strong>1 of 3</strong>: staging-1, see <a href="https://github.com/acme/payments/pull/3">#3</a></p>
    <div class="wide"><table><thead>
    <tr>
    <th></th>
    <th>Stage</th>
    </tr>
    </thead>
    <tbody>
    <tr>
    <td>1</td>
    <td>dev | \`a</td>
    </tr>
    </tbody>
    </table></div><details><summary>Evidence</summary>
    <ul>
    <li><code>payments</code></li>
    </ul>
    </details>
    "
  `);
});

it('makes names and numbers alive where GitHub does', () => {
  expect(rendered('@dana and @acme/team, `@nobody`, me@example.com, #3 and #4')).toMatchInlineSnapshot(`
    "<p><span class="mention">@dana</span> and <span class="mention">@acme/team</span>, <code>@nobody</code>, me@example.com, <a href="/acme/payments/pull/3">#3</a> and #4</p>
    "
  `);
});

it('lets nothing else of HTML through, and no address but those of the web', () => {
  expect(
    rendered(
      '<script>x</script> <b onclick=x>bold</b> ![i](http://a.b/c) [j](javascript:x) [d](data:text/html,x)',
    ),
  ).toMatchInlineSnapshot(
    `"&#60;script&#62;x&#60;/script&#62; <b>bold</b> ![i](http://a.b/c) [j](javascript:x) [d](data:text/html,x)"`,
  );
  expect(rendered('<style>\n* { display: none }\n</style>')).toMatchInlineSnapshot(`
    "&#60;style&#62;
    * { display: none }
    &#60;/style&#62;"
  `);
});

it('closes what a text opens, and nothing that it did not open', () => {
  expect(rendered('</details></div>\n\n- <details>\n\n  in a list\n\nafter')).toMatchInlineSnapshot(`
    "&#60;/div&#62;
    <ul>
    <li>
    <details>
    <p>in a list</p>
    </details></li>
    </ul>
    <p>after</p>
    "
  `);
});

it('closes nothing from within a quotation that was opened before it', () => {
  expect(rendered('<b>\n\n> </b>')).toMatchInlineSnapshot(`
    "<b>
    <blockquote>
    </blockquote>
    </b>"
  `);
});

it('is in balance whatever the text', () => {
  const pieces = [
    '<details>',
    '</details>',
    '<summary>',
    '</summary>',
    '<b>',
    '</b>',
    '\n\n',
    '- ',
    '> ',
    'x',
    '`',
    '|',
    '@a',
    '<!--',
    '-->',
    '<i',
  ];
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 24 }), (parts) => {
      const tags = [...rendered(parts.join('')).matchAll(/<(\/?)([a-z]+\d?)[^>]*>/g)];
      const open: string[] = [];
      for (const [, slash, name = ''] of tags) {
        if (name === 'br' || name === 'hr') continue;
        if (slash === '') open.push(name);
        else expect(open.pop()).toBe(name);
      }
      expect(open).toEqual([]);
    }),
    { numRuns: 300 },
  );
});
