/**
 * `stepback replay`: walks a recording with its own clock and gives one answer each time it changes, also when
 * only time passed. The same domain judges here as in the running product; only the world is a folder.
 */
import { judge } from '../../content/judge.ts';
import { emptyContent, type KnownContent, learnContent } from '../../content/learn.ts';
import { culpritIn } from '../../content/pins.ts';
import { branchOf } from '../../domain/configuration.ts';
import type { Culprit } from '../../domain/culprit.ts';
import type { BranchHead } from '../../domain/look.ts';
import { isOlderVersion } from '../../domain/memory.ts';
import type { Application, ApplicationSet, ObjectKey } from '../../domain/objects.ts';
import type { Policy } from '../../domain/policy.ts';
import { readApplication } from '../../domain/read-application.ts';
import { readApplicationSet } from '../../domain/read-application-set.ts';
import { everyApplication } from '../../domain/rollout.ts';
import {
  type Answer,
  emptyStageMemory,
  rememberAll,
  type Sighting,
  type StageMemory,
} from '../../domain/watcher.ts';
import { describeNoCulprit } from '../../render/no-culprit.ts';
import { describeReason } from '../../render/reasons.ts';
import { type LocalRepositories, openLocalRepositories } from './local-repositories.ts';
import { type RecordedEvent, readRecording, startOf } from './recording.ts';

/** One answer, in the form that `check.mjs` compares. */
export interface ReplayRow {
  line: number;
  seconds: number;
  /** `namespace/name`. */
  applicationSet: string;
  verdict: string;
  failing: readonly string[];
  /** Application name → one commit a git source; empty when it runs none. */
  runs: Readonly<Record<string, readonly string[]>>;
  partly: readonly string[];
  outOfOrder: readonly string[];
  revert: { repository: string; commits: readonly string[]; lastGood: readonly string[] } | null;
  recovered: boolean | null;
  reasons: readonly string[];
}

interface Watched {
  memory: StageMemory;
  lookAgainAt: number | null;
  printed: string;
}

/** Walks the recording in `folder`. Yields a row for each change of an answer. Throws WorldProblem for a broken one. */
export async function* replayRecording(folder: string, policy: Policy): AsyncGenerator<ReplayRow> {
  const events = readRecording(folder);
  const repositories = await openLocalRepositories(folder);
  try {
    yield* walk(events, repositories, policy);
  } finally {
    repositories.close();
  }
}

/** Told of every look, also of those that change no answer. */
export type OnLook = (answer: Answer, sighting: Sighting) => void;

/** Walks events that were read already; `repositories` answers for their commits. */
export async function* walk(
  events: readonly RecordedEvent[],
  repositories: Omit<LocalRepositories, 'close'>,
  policy: Policy,
  onLook: OnLook = () => {},
): AsyncGenerator<ReplayRow> {
  const world = new RecordedWorld(repositories, policy, startOf(events), onLook);
  for (const event of events) {
    yield* world.passTime(event);
    yield* world.take(event);
  }
  yield* world.passTime(null);
}

/** The state that events build up: objects, branch heads, and one memory an ApplicationSet. */
class RecordedWorld {
  readonly #repositories: Omit<LocalRepositories, 'close'>;
  readonly #policy: Policy;
  readonly #start: number;
  readonly #sets = new Map<ObjectKey, ApplicationSet>();
  readonly #applications = new Map<ObjectKey, Application>();
  readonly #watched = new Map<ObjectKey, Watched>();
  readonly #pushes: { repository: string; branch: string; sha: string; at: number }[] = [];
  readonly #onLook: OnLook;
  readonly #content: KnownContent = emptyContent();
  #line = 0;

  constructor(repositories: Omit<LocalRepositories, 'close'>, policy: Policy, start: number, onLook: OnLook) {
    this.#onLook = onLook;
    this.#repositories = repositories;
    this.#policy = policy;
    this.#start = start;
  }

  /** Grace times end without an event: answers of all moments before `next`, or of all that are left. */
  async *passTime(next: RecordedEvent | null): AsyncGenerator<ReplayRow> {
    const until = next === null ? Number.POSITIVE_INFINITY : this.#start + next.t;
    for (;;) {
      const due = [...this.#watched].filter(
        ([, watched]) => watched.lookAgainAt !== null && watched.lookAgainAt < until,
      );
      const [first] = due.sort(([, one], [, other]) => (one.lookAgainAt ?? 0) - (other.lookAgainAt ?? 0));
      if (first === undefined) return;
      yield* this.#answer(first[0], first[1].lookAgainAt ?? until, false);
    }
  }

  async *take(event: RecordedEvent): AsyncGenerator<ReplayRow> {
    this.#line = event.line;
    const now = this.#start + event.t;
    for (const key of this.#touch(event, now)) yield* this.#answer(key, now, true);
  }

  /** Applies an event; gives the ApplicationSets to look at. */
  #touch(event: RecordedEvent, now: number): readonly ObjectKey[] {
    if (event.kind === 'Push') {
      this.#pushes.push({ repository: event.repository, branch: event.branch, sha: event.sha, at: now });
      return [...this.#sets.keys()];
    }
    if (event.kind === 'ApplicationSet') return this.#touchSet(event);
    const application = readApplication(event.object);
    if (application === null) return [];
    const known = this.#applications.get(application.key);
    if (isStale(known, application)) return [];
    if (event.type === 'DELETED') {
      if (known?.uid === application.uid) this.#applications.delete(application.key);
    } else this.#applications.set(application.key, application);
    return application.owner === null ? [] : [`${application.namespace}/${application.owner.name}`];
  }

  #touchSet(event: RecordedEvent & { object: unknown; type: string }): readonly ObjectKey[] {
    const set = readApplicationSet(event.object);
    if (set === null || isStale(this.#sets.get(set.key), set)) return [];
    if (event.type === 'DELETED') {
      this.#sets.delete(set.key);
      this.#watched.delete(set.key);
      return [];
    }
    this.#sets.set(set.key, set);
    return [set.key];
  }

  async *#answer(key: ObjectKey, now: number, isLook: boolean): AsyncGenerator<ReplayRow> {
    const set = this.#sets.get(key);
    if (set === undefined) return;
    const watched = this.#watched.get(key) ?? { memory: emptyStageMemory, lookAgainAt: null, printed: '' };
    const applications = [...this.#applications.values()].filter(
      (one) => one.namespace === set.namespace && one.owner?.name === set.name,
    );
    const heads = this.#headsFor(applications);
    const memories = new Map(Object.entries(watched.memory.applications));
    await learnContent(
      this.#repositories,
      this.#content,
      { applicationSet: set, applications, memories, heads },
      now,
    );
    const sighting: Sighting = {
      applicationSet: set,
      applications,
      facts: this.#content,
      heads,
      policy: this.#policy,
      now,
      blindness: null,
      featureFlag: 'unknown',
    };
    const memory = isLook ? rememberAll(watched.memory, sighting) : watched.memory;
    const { answer, culprit } = await judge(memory, sighting, this.#content, (failure) =>
      culpritIn(this.#repositories, set, failure, [...this.#applications.values()]),
    );
    this.#onLook(answer, sighting);
    const row = rowOf(this.#line, (now - this.#start) / 1000, answer, culprit);
    const printed = JSON.stringify({ ...row, line: 0, seconds: 0 });
    this.#watched.set(key, { memory: answer.memory, lookAgainAt: answer.rollout.lookAgainAt, printed });
    if (printed !== watched.printed) yield row;
  }

  /** Pushes name `owner/name`; a source's `repoURL` ends in it. */
  #headsFor(applications: readonly Application[]): readonly BranchHead[] {
    const followed = new Map(
      applications
        .flatMap((application) => application.sources)
        .map((source) => ({ repoURL: source.repoURL, branch: branchOf(source.targetRevision) }))
        .map((one) => [`${one.repoURL} ${one.branch}`, one]),
    );
    return this.#pushes.flatMap(({ repository, branch, sha, at }) =>
      [...followed.values()]
        .filter((one) => isOf(one.repoURL, repository))
        .filter(
          (one) => one.branch === branch || (one.branch === 'HEAD' && this.#isDefault(repository, branch)),
        )
        .map((one) => ({ ...one, sha, at })),
    );
  }

  /** A recording does not say which branch is the default one: main, master, else the first that was pushed to. */
  #isDefault(repository: string, branch: string): boolean {
    const pushed = this.#pushes.filter((push) => push.repository === repository).map((push) => push.branch);
    return branch === (['main', 'master'].find((name) => pushed.includes(name)) ?? pushed[0]);
  }
}

/** An event that comes late shows what is known to be over. Another object under the same name is not older. */
function isStale(
  known: { uid: string; resourceVersion: string } | undefined,
  seen: { uid: string; resourceVersion: string },
): boolean {
  return known?.uid === seen.uid && isOlderVersion(seen.resourceVersion, known.resourceVersion);
}

function isOf(repoURL: string, repository: string): boolean {
  const path = repoURL.toLowerCase().replace(/\.git$/, '');
  return path.endsWith(`/${repository.toLowerCase()}`) || path.endsWith(`:${repository.toLowerCase()}`);
}

export function rowOf(line: number, seconds: number, answer: Answer, culprit: Culprit | null): ReplayRow {
  const all = everyApplication(answer.rollout);
  const byName = [...all].sort((one, other) => one.application.name.localeCompare(other.application.name));
  const names = (some: readonly { application: Application }[]): readonly string[] =>
    some.map((one) => one.application.name).sort();
  return {
    line,
    seconds: Math.round(seconds * 1000) / 1000,
    applicationSet: answer.rollout.applicationSet.key,
    verdict: answer.rollout.verdict,
    failing: names(answer.rollout.failing),
    runs: Object.fromEntries(
      byName.map((one) => [one.application.name, commitsOf(one.application, one.runs)]),
    ),
    partly: names(all.filter((one) => one.isPartial)),
    outOfOrder: names(answer.rollout.outOfOrder),
    revert:
      culprit?.kind === 'suspects'
        ? {
            repository: culprit.repository,
            commits: culprit.suspects.map((commit) => commit.sha),
            lastGood: culprit.lastGood,
          }
        : null,
    recovered: answer.isRecovered,
    reasons: [
      ...answer.rollout.reasons.map(describeReason),
      ...(culprit?.kind === 'none' ? [describeNoCulprit(culprit.reason, culprit.detail)] : []),
    ],
  };
}

/** One commit a git source; charts have none. */
function commitsOf(application: Application, revisions: readonly string[] | null): readonly string[] {
  return (revisions ?? []).filter((_, index) => application.sources[index]?.chart == null);
}
