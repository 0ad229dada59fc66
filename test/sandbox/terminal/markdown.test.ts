import { expect, it } from 'vitest';
import { markdownLines } from '../../../src/sandbox/terminal/markdown.ts';
import { painted, widthOf } from '../../../src/sandbox/terminal/paint.ts';

const plain = (text: string, width: number): string =>
  `\n${markdownLines(text, width)
    .map((line) => painted(line, false))
    .join('\n')}\n`;

const body = `\`payments\` stopped in **staging**: 3 of 12 Applications run [\`d04263b\`](https://github.com/a/b/commit/d).

| | Stage | Health |
| --- | --- | --- |
| 1 | dev | Healthy |
| 2 | staging (50 % at a time) | **Degraded**; staging-2 and staging-3 wait for their turn |

- one
- two, which is so long that it does not fit on one line

<details><summary>Evidence</summary>

Not here.

</details>

\`\`\`text
a fence
\`\`\`

<!-- stepback:v1 abc -->`;

it('shows Markdown in a terminal: straight tables, words for links, folds by their names, no marker', () => {
  expect(plain(body, 60)).toMatchInlineSnapshot(`
    "
    payments stopped in staging: 3 of 12 Applications run
    d04263b.

       Stage                     Health
    ────────────────────────────────────────────────────────────
    1  dev                       Healthy
    2  staging (50 % at a time)  Degraded; staging-2 and
                                 staging-3 wait for their turn

    • one
    • two, which is so long that it does not fit on one line

    ▸ Evidence: on the page

        a fence
    "
  `);
});

it('keeps to the width, and lets no sequence of a terminal through', () => {
  const lines = markdownLines(`${body}\n\n\u001b[2J\u001b]0;title\u0007 gone`, 44);
  expect(lines.filter((line) => widthOf(line) > 44)).toEqual([]);
  expect(lines.map((line) => painted(line, false)).join('')).not.toMatch(/\p{Cc}/u);
});
