/**
 * Whether what stands in the ledger is an incident that this version understands. People edit objects by hand, and a newer
 * version may have written them; one that is not understood is as if it had been lost, and is put together again.
 */
import { recordOrNull } from './read.ts';

type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === 'string';
const isNumber: Check = (value) => typeof value === 'number' && Number.isFinite(value);
const isFlag: Check = (value) => typeof value === 'boolean';

/** Of a field that every version writes. */
function isNullOr(check: Check): Check {
  return (value) => value === null || check(value);
}

/** Of a field that is not always there, or was not always. */
function isNothingOr(check: Check): Check {
  return (value) => value === undefined || value === null || check(value);
}

function isListOf(check: Check): Check {
  return (value) => Array.isArray(value) && value.every(check);
}

function isRecordOf(check: Check): Check {
  return (value) => recordOrNull(value) !== null && Object.values(value as object).every(check);
}

function isOneOf(...words: readonly string[]): Check {
  return (value) => isText(value) && words.includes(value as string);
}

/** Fields that are not named may hold anything. */
function has(fields: Readonly<Record<string, Check>>): Check {
  const checks = Object.entries(fields);
  return (value) => {
    const object = recordOrNull(value);
    return object !== null && checks.every(([name, check]) => check(object[name]));
  };
}

const texts = isListOf(isText);
const isOrder = has({ by: isText, at: isNumber });
const isPerson = has({ number: isNumber, author: isText });

const isSuspect = has({
  sha: isText,
  subject: isText,
  author: isText,
  pullRequest: isNullOr(has({ number: isNumber, title: isText, url: isText, author: isText })),
  files: isNullOr(texts),
  tree: isText,
  firstParentTree: isNullOr(isText),
  landedAt: isNothingOr(isNumber),
  trailers: isNothingOr(texts),
});

const isReason = has({
  code: isText,
  application: isNullOr(isText),
  field: isText,
  value: isText,
  since: isNullOr(isNumber),
  message: isText,
});

const isStage = has({
  number: isNumber,
  name: isText,
  selector: isText,
  pace: isText,
  applications: isNumber,
  having: texts,
  partly: texts,
  outOfOrder: texts,
  failing: texts,
  ahead: texts,
  health: isText,
  message: isText,
  verdict: isText,
  hitAt: isNothingOr(isNumber),
  backAt: isNothingOr(isNumber),
});

const isWayBack = has({
  key: isText,
  hindrance: isText,
  remedy: isText,
  by: texts,
  since: isNumber,
  operationStartedAt: isNullOr(isNumber),
  attempts: isListOf(has({ aid: isText, at: isNumber, outcome: isText, detail: isText })),
});

const isSet = has({
  key: isText,
  name: isText,
  verdict: isText,
  failureKind: isOneOf('degraded', 'sync', 'render'),
  bad: isNullOr(texts),
  lastGood: isNullOr(texts),
  isGuess: isFlag,
  since: isNumber,
  total: isNumber,
  having: isNumber,
  havingAtMost: isNumber,
  stages: isListOf(isStage),
  evidence: isListOf(isReason),
  isRecovered: isFlag,
  isHealed: isFlag,
  newer: isNothingOr(isText),
  left: isListOf(has({ application: isText, reasons: isListOf(isReason), wayBack: isNothingOr(isWayBack) })),
  leftMore: isNothingOr(isNumber),
  held: isNothingOr(has({ by: isText, at: isNumber, until: isNumber })),
  havingAtNotice: isNothingOr(isNumber),
  havingAtMerge: isNothingOr(isNumber),
});

const isRevert = has({
  number: isNumber,
  url: isText,
  branch: isText,
  headSha: isText,
  baseSha: isText,
  isVerified: isFlag,
  suspects: texts,
  closedAt: isNullOr(isNumber),
  isDraft: isNothingOr(isFlag),
  preparation: isNothingOr(has({ people: texts, teams: texts, labels: texts })),
  autoMerge: isNothingOr(has({ headSha: isText, at: isNumber, outcome: isText, message: isText })),
});

const isStep = has({
  index: isNumber,
  name: isText,
  expressions: isListOf(has({ key: isText, operator: isText, values: texts })),
  state: isOneOf('intended', 'held', 'released', 'undone', 'changed', 'gone'),
  at: isNumber,
  generation: isNumber,
});

const isPlan = has({
  ahead: isNumber,
  steps: isListOf(
    has({ index: isNumber, name: isText, expressions: isListOf(has({})), applications: isNumber }),
  ),
  gates: texts,
  escaping: isListOf(has({ application: isText, stage: isText, why: isOneOf('operation', 'pending') })),
});

const isContainment = has({
  key: isText,
  uid: isText,
  will: isOneOf('nothing', 'advise', 'hold'),
  order: isNothingOr(has({ kind: isOneOf('freeze', 'thaw'), by: isText, at: isNumber })),
  plan: isNullOr(isPlan),
  steps: isListOf(isStep),
  obstacle: isNothingOr(
    (value) =>
      has({ kind: isOneOf('owned'), owners: texts })(value) ||
      has({ kind: isOneOf('refused'), message: isText, at: isNumber })(value),
  ),
});

/** What is in the way, by its kind; one that is not known comes from another version. */
const obstacles: Readonly<Record<string, Check>> = {
  conflict: has({ paths: isListOf(has({ path: isText, why: isText, laterCommits: texts })) }),
  'already-undone': has({ by: isNothingOr(isText) }),
  'branch-missing': has({ branch: isText }),
  archived: has({}),
  refused: has({ message: isText }),
  'human-changed-branch': has({ branch: isText }),
  mode: has({ mode: isText }),
  held: has({ by: isText, until: isNumber }),
  stopped: has({ issue: isNothingOr(isNumber), by: isNothingOr(isText) }),
  'limit-reached': has({
    scope: isOneOf('repository', 'application-set', 'installation'),
    name: isText,
    max: isNumber,
    until: isNothingOr(isNumber),
  }),
  'failure-too-old': has({ since: isNumber, maxMs: isNumber }),
  'culprit-too-old': has({ sha: isText, landedAt: isNumber, maxMs: isNumber }),
  'human-revert-open': isPerson,
  abandoned: has({ number: isNumber }),
  'revert-of-revert': has({ sha: isText, subject: isText }),
  'opted-out': has({ sha: isText, by: isOneOf('label', 'trailer'), name: isText }),
  storm: has({ destinations: texts, others: texts }),
  'newer-commit': has({ sha: isText }),
};

const isObstacle: Check = (value) => {
  const kind = recordOrNull(value)?.kind;
  return typeof kind === 'string' && Object.hasOwn(obstacles, kind) && obstacles[kind]?.(value) === true;
};

const isIncident = has({
  id: isText,
  instance: isText,
  host: isText,
  repository: isText,
  branch: isText,
  revertBranch: isText,
  phase: isOneOf('noticed', 'proposed', 'merged', 'recovered', 'healed', 'dismissed'),
  obstacle: isNullOr(isObstacle),
  suspects: isListOf(isSuspect),
  innocents: isListOf(isSuspect),
  isWholeRange: isFlag,
  lastGoodTree: isNullOr(isText),
  sets: isListOf(isSet),
  pullRequest: isNullOr(isRevert),
  opening: isNothingOr(
    has({ titleTemplate: isText, messageTemplate: isText, signedOffBy: isNothingOr(isText) }),
  ),
  takenBackBy: isNothingOr(isPerson),
  openedAt: isNumber,
  changedAt: isNumber,
  timeline: isListOf(has({ at: isNumber, what: isText, detail: isText })),
  written: has({
    pullRequest: isText,
    comments: isRecordOf(has({ id: isNumber, digest: isText })),
    supported: isNothingOr(isNumber),
    issue: isNothingOr(has({ number: isNumber, digest: isText, isOpen: isFlag })),
    at: isNumber,
    state: isText,
  }),
  wanted: isNothingOr(isOrder),
  dismissal: isNothingOr(has({ by: isText, at: isNumber, reason: isText })),
  asked: isNothingOr(
    has({
      kind: isOneOf('revert', 'restore'),
      by: isText,
      at: isNumber,
      paths: texts,
      tree: isNothingOr(isText),
    }),
  ),
  aids: isNothingOr(isListOf(has({ aid: isText, outcome: isText, times: isNumber }))),
  containments: isNothingOr(isListOf(isContainment)),
  rebuiltAt: isNothingOr(isNumber),
});

/** True when this version can work with it. What an earlier version did not have may be absent. Never throws. */
export function isReadableIncident(value: unknown): boolean {
  return isIncident(value);
}
