/** Nothing is posted twice: a comment is edited in place, whoever made it. */

import { botLogin } from '../hub-objects.ts';
import type { Law } from '../law.ts';

export const oneComment: Law = {
  name: 'one-comment',
  words: 'In the end there is one comment of ours about a thing on a pull request.',
  atEnd({ repository }) {
    const seen = new Map<string, number>();
    for (const comment of repository.comments.all()) {
      if (comment.user !== botLogin) continue;
      const marker = /<!-- stepback:v1 [^>]* -->/.exec(comment.body)?.[0] ?? comment.body;
      const key = `${comment.number} ${marker}`;
      seen.set(key, (seen.get(key) ?? 0) + 1);
    }
    const twice = [...seen].find(([, times]) => times > 1);
    return twice === undefined
      ? null
      : `#${twice[0].split(' ')[0]} has ${twice[1]} comments of ours that are the same one`;
  },
};
