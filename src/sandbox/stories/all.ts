/** Every story, by name. The first is played when nobody asks for another. */
import type { Story } from '../story.ts';
import {
  culpritTooOld,
  failureTooOld,
  limit,
  optedOut,
  stopped,
  stoppedEverywhere,
  stoppedLater,
} from './brakes.ts';
import { inOtherWords, strangersRevert, undoneInOtherWords } from './brakes-content.ts';
import {
  abandoned,
  humanGivesUp,
  humanRevert,
  newerCommit,
  revertOfRevert,
  storm,
  threshold,
} from './brakes-people.ts';
import { directPush, heals, noBaseline, noLabels, renderError, syncFailed } from './broken.ts';
import { checkRun, manualGate, manySets, overtaken } from './checks.ts';
import { conversations } from './commands.ts';
import { whoIsHeard } from './commands-who.ts';
import { badFile, byItself, draft, nothingRequired, ownWords, stricter } from './configured.ts';
import { advised, held, heldUntilFixed } from './contain.ts';
import { lostLedger, lostWhileHeld, lostWhileMerged } from './lost.ts';
import { closed, dismissedThenAnother, movingBranch, takenOver } from './people.ts';
import { beforeTheMerge, brokenConfiguration, mendedWhileDown, setItself } from './pull-requests.ts';
import { laterCommit, needsPrune, neverInSync } from './recover-content.ts';
import {
  forbidden,
  hookEnded,
  hookRuns,
  noSyncComes,
  pinnedRetry,
  retryWaits,
  stoppedAfterTheMerge,
  syncedByHand,
} from './recover-operations.ts';
import { behindAStage, gate, unreachable } from './recover-order.ts';
import { unnoticed, unnoticedAdvice, windowOpens } from './recover-unseen.ts';
import { goodAgain, lateHook, relapse, relapseBraked, twoStages } from './relapse.ts';
import { conflict, fixedForward, monorepo, twoSets } from './shared.ts';
import { late, prodFirst, staging } from './staging.ts';

export const stories: readonly Story[] = [
  staging,
  prodFirst,
  late,
  checkRun,
  overtaken,
  manualGate,
  manySets,
  held,
  heldUntilFixed,
  advised,
  lostLedger,
  lostWhileMerged,
  lostWhileHeld,
  renderError,
  syncFailed,
  directPush,
  twoSets,
  monorepo,
  conflict,
  fixedForward,
  heals,
  relapse,
  goodAgain,
  relapseBraked,
  twoStages,
  lateHook,
  closed,
  dismissedThenAnother,
  takenOver,
  movingBranch,
  noBaseline,
  noLabels,
  beforeTheMerge,
  setItself,
  brokenConfiguration,
  mendedWhileDown,
  ...conversations,
  ...whoIsHeard,
  draft,
  byItself,
  nothingRequired,
  ownWords,
  stricter,
  badFile,
  unnoticed,
  unnoticedAdvice,
  noSyncComes,
  windowOpens,
  forbidden,
  stoppedAfterTheMerge,
  hookRuns,
  hookEnded,
  retryWaits,
  pinnedRetry,
  syncedByHand,
  gate,
  behindAStage,
  unreachable,
  needsPrune,
  neverInSync,
  laterCommit,
  stopped,
  stoppedLater,
  stoppedEverywhere,
  limit,
  failureTooOld,
  culpritTooOld,
  optedOut,
  humanRevert,
  humanGivesUp,
  inOtherWords,
  undoneInOtherWords,
  strangersRevert,
  abandoned,
  revertOfRevert,
  newerCommit,
  storm,
  threshold,
];
