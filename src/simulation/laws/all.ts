/** The laws, in the order in which they are told. */
import type { Law } from '../law.ts';
import { answered } from './answered.ts';
import { commandsOnce } from './commands-once.ts';
import { oneCheckRun } from './one-check-run.ts';
import { oneComment } from './one-comment.ts';
import { oneOpenRevert } from './one-open-revert.ts';
import { onlyWhatFails } from './only-what-fails.ts';
import { onlyWhatFeeds } from './only-what-feeds.ts';
import { recoveredIsTrue } from './recovered-is-true.ts';
import { thawed } from './thawed.ts';

export const laws: readonly Law[] = [
  oneOpenRevert,
  // Who feeds nothing has never failed either: the narrower law speaks first.
  onlyWhatFeeds,
  onlyWhatFails,
  answered,
  recoveredIsTrue,
  thawed,
  commandsOnce,
  oneComment,
  oneCheckRun,
];
