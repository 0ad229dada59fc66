/** Why a blast radius is not whole, in words: what cannot be told, and what can be done about it. */
import type { Doubt } from '../domain/blast-radius.ts';
import { never } from '../domain/never.ts';
import { counted, listOf } from './lists.ts';
import { codeSpan, inlineText } from './safe.ts';

/** One paragraph of Markdown. */
export function doubtInMarkdown(doubt: Doubt): string {
  switch (doubt.kind) {
    case 'cluster': {
      const what = doubt.sets === 0 ? 'the ApplicationSets' : counted(doubt.sets, 'ApplicationSet');
      return `I cannot see ${what} now, so what is said here may not be all: ${inlineText(doubt.problem, { max: 400 })} I look again in a minute.`;
    }
    case 'unsure': {
      const names = listOf(doubt.sets, 5, (key) => codeSpan(key, { max: 130 }));
      return `Whether it feeds ${names} as well cannot be told from the files: what their folders are built from could not be followed to its end.`;
    }
    case 'no-comparison':
      return 'GitHub does not show what this changes against its base, so nobody can say what it feeds. Bring the branch up to date, and I look again.';
    default:
      return never(doubt);
  }
}
