/**
 * Keeps one check run of a name on a commit saying what it should. It is looked for before it is made, because GitHub
 * keeps every run that is made; what two replicas made becomes one; words that are there already are not written
 * again, and while only numbers move they are written seldom.
 */
import { placeName } from '../content/place-name.ts';
import { digestOf } from '../domain/digest.ts';
import type { CheckRun, CheckRunContent } from '../ports/checks.ts';
import { type Clock, type Forge, type Repository, WorldProblem } from '../ports.ts';
import { pauseMs } from './pace.ts';
import { openWriteBudget, type WriteBudget } from './write-budget.ts';

export interface CheckPlace {
  repository: Repository;
  sha: string;
  name: string;
}

export interface Urgency {
  /** When it changes it is written at once, as when status or conclusion change. */
  chapter?: string;
  /** Its numbers may use what is left of the hour's calls for what cannot wait. */
  mayUseReserve?: boolean;
}

export interface CheckWriter {
  /**
   * Makes the check run say it, now or later. Gives in how many milliseconds what was held back is due (call it again
   * then, with what is to be said then), null when nothing is. Throws WorldProblem, and an Error when the content is
   * more than GitHub takes. See `Urgency`.
   */
  keep(place: CheckPlace, content: CheckRunContent, urgency?: Urgency): Promise<number | null>;
  /**
   * In how many milliseconds the next call lists again because this one was made a moment ago: a replica that made the same
   * one may end before it finds out. Null when nothing is in doubt.
   */
  doubtInMs(place: CheckPlace): number | null;
  /**
   * Says again what was said last, where another one of the name is shown by then; lists those of a commit of which nothing is
   * known. Gives when to call again, as `keep`.
   */
  confirm(place: CheckPlace): Promise<number | null>;
  /** Whether there is one of ours. Asks GitHub once a commit. Throws WorldProblem. */
  has(place: CheckPlace): Promise<boolean>;
  /** Another replica may have written meanwhile: everything is looked for again. */
  forgetAll(): void;
}

/** So long after one was made all are listed again: by then one that another replica made at the same moment shows. */
const doubtMs = 30_000;
const doubtMsMin = 1_000;

/** States that follow each other so often say nothing that is in a hurry. */
const hastyMax = 8;

/** Commits whose check runs are remembered; of an older one they are listed again. */
const commitsMax = 1_000;

interface Written {
  id: number;
  digest: string;
  state: string;
  /** Null for what was found: it cannot be read back. */
  chapter: string | null;
  writtenAt: number;
  bornAt: number;
  /** When it was made here, until a later listing shows that it is the only one, or which is. */
  madeAt: number | null;
  /** What it says; null for what was found. */
  content: CheckRunContent | null;
  /** How often its state has changed. */
  states: number;
}

interface Commit {
  listed: Promise<ReadonlyMap<string, CheckRun>>;
  runs: Map<string, Written>;
  /** One was perhaps made, and nobody said so. */
  isInDoubt: boolean;
  isGone: boolean;
  /** One write after the other, so that two at once do not make two runs. */
  lane: Promise<unknown>;
}

type Checks = Pick<Forge, 'checkRuns' | 'createCheckRun' | 'updateCheckRun'>;

/** Opens a writer; one for a process, so that a commit is listed once. */
export function openCheckWriter(
  forge: Checks,
  clock: Pick<Clock, 'now'>,
  budget: WriteBudget = openWriteBudget(),
): CheckWriter {
  const commits = new Map<string, Commit>();

  async function commitAt(repository: Repository, sha: string): Promise<Commit> {
    const key = keyOf(repository, sha);
    const known = commits.get(key);
    const now = clock.now();
    const isDoubtful = known !== undefined && (known.isInDoubt || [...known.runs.values()].some(isOld(now)));
    if (known !== undefined && !isDoubtful) {
      commits.delete(key);
      commits.set(key, known);
      await known.listed;
      return known;
    }
    const commit: Commit = {
      listed: list(repository, sha),
      runs: known === undefined ? new Map() : withoutDoubt(known.runs, now),
      isInDoubt: false,
      isGone: false,
      lane: known?.lane ?? Promise.resolve(),
    };
    commits.set(key, commit);
    for (const oldest of commits.keys()) if (commits.size > commitsMax) commits.delete(oldest);
    try {
      await commit.listed;
    } catch (error) {
      commits.delete(key);
      throw error;
    }
    return commit;
  }

  /** The newest of each name; older ones of the same name are completed, so that none stays open beside it. */
  async function list(repository: Repository, sha: string): Promise<ReadonlyMap<string, CheckRun>> {
    const newest = new Map<string, CheckRun>();
    for (const run of await forge.checkRuns(repository, sha, null)) {
      const kept = newest.get(run.name);
      if (kept === undefined) newest.set(run.name, run);
      else if (run.title !== doubled.title) {
        budget.spend(clock.now());
        await forge.updateCheckRun(repository, run.id, { ...doubled, externalId: run.externalId });
      }
    }
    return newest;
  }

  /** What is known of one name: what we wrote, or what the listing shows. */
  function writtenOf(commit: Commit, found: CheckRun | undefined, name: string): Written | null {
    const known = commit.runs.get(name);
    // A newer one of the same name is another replica's, and the one that is shown.
    if (known !== undefined && (found === undefined || found.id <= known.id)) return known;
    if (found === undefined) return null;
    return {
      id: found.id,
      digest: digestOfRun(found),
      state: stateOf(found),
      chapter: null,
      writtenAt: found.startedAt ?? Number.NEGATIVE_INFINITY,
      bornAt: found.startedAt ?? clock.now(),
      madeAt: null,
      content: null,
      states: 0,
    };
  }

  async function write(
    commit: Commit,
    place: CheckPlace,
    content: CheckRunContent,
    { chapter = '', mayUseReserve = false }: Urgency,
  ): Promise<number | null> {
    const { repository, sha, name } = place;
    const written = writtenOf(commit, (await commit.listed).get(name), name);
    const now = clock.now();
    // Two digests: of all that we wrote ourselves, and of what can be read back of what we find.
    const isOwn = written !== null && commit.runs.get(name) === written;
    const digest = isOwn ? digestOfContent(content) : digestOfRun(content);
    if (commit.isGone || written?.digest === digest) return null;
    const isOther =
      written !== null && (written.state !== stateOf(content) || (written.chapter ?? chapter) !== chapter);
    const isNews = written === null || (isOther && written.states < hastyMax);
    const roomMs = budget.roomInMs(now, !isNews && !mayUseReserve);
    const heldMs = isNews ? roomMs : Math.max(roomMs, restOfPauseMs(written, now));
    if (heldMs > 0) return heldMs;
    budget.spend(now);
    if (written !== null) await updated(commit, repository, name, written, content);
    const id = written?.id ?? (await made(commit, repository, { ...content, sha, name }));
    commit.isGone = id === null;
    if (id === null) return null;
    commit.runs.set(name, {
      id,
      digest: digestOfContent(content),
      state: stateOf(content),
      chapter,
      writtenAt: now,
      bornAt: written?.bornAt ?? now,
      madeAt: written === null ? now : written.madeAt,
      content,
      states: (written?.states ?? 0) + (isOther ? 1 : 0),
    });
    return null;
  }

  /** Where no answer comes it may say this all the same: what it says is not known any more, also if it is to say the former again. */
  async function updated(
    commit: Commit,
    repository: Repository,
    name: string,
    written: Written,
    content: CheckRunContent,
  ): Promise<void> {
    try {
      await forge.updateCheckRun(repository, written.id, content);
    } catch (error) {
      if (error instanceof WorldProblem && error.kind === 'transient')
        commit.runs.set(name, { ...written, digest: '' });
      throw error;
    }
  }

  /** Where no answer comes it may have been made all the same: it is looked for again before another one is made. */
  async function made(
    commit: Commit,
    repository: Repository,
    run: CheckRunContent & { sha: string; name: string },
  ): Promise<number | null> {
    try {
      return await forge.createCheckRun(repository, run);
    } catch (error) {
      commit.isInDoubt = true;
      throw error;
    }
  }

  async function keep(
    place: CheckPlace,
    content: CheckRunContent,
    urgency: Urgency = {},
  ): Promise<number | null> {
    const commit = await commitAt(place.repository, place.sha);
    const writing = commit.lane.then(() => write(commit, place, content, urgency));
    commit.lane = writing.catch(() => {});
    return writing;
  }

  function doubtInMs({ repository, sha, name }: CheckPlace): number | null {
    const madeAt = commits.get(keyOf(repository, sha))?.runs.get(name)?.madeAt ?? null;
    return madeAt === null ? null : Math.max(doubtMsMin, madeAt + doubtMs - clock.now());
  }

  return {
    keep,
    doubtInMs,
    async confirm(place) {
      const commit = commits.get(keyOf(place.repository, place.sha));
      // Forgotten since, with what was in doubt: whoever lists makes one of two.
      if (commit === undefined) await commitAt(place.repository, place.sha);
      const run = commit?.runs.get(place.name);
      if (run?.madeAt == null || run.content === null) return null;
      if (!isOld(clock.now())(run)) return doubtInMs(place);
      return keep(place, run.content, { chapter: run.chapter ?? '' });
    },
    async has({ repository, sha, name }) {
      const commit = await commitAt(repository, sha);
      return commit.runs.has(name) || (await commit.listed).has(name);
    },
    forgetAll: () => commits.clear(),
  };
}

function isOld(now: number): (run: Written) => boolean {
  return ({ madeAt }) => madeAt !== null && now - madeAt >= doubtMs;
}

/** What is known of the runs once they are listed again. */
function withoutDoubt(runs: ReadonlyMap<string, Written>, now: number): Map<string, Written> {
  const entries = [...runs].map(([name, run]): [string, Written] => [
    name,
    isOld(now)(run) ? { ...run, madeAt: null } : run,
  ]);
  return new Map(entries);
}

function keyOf(repository: Repository, sha: string): string {
  return `${placeName(repository)} ${sha}`;
}

/** What an older run of the same name says from then on. */
const doubled: CheckRunContent = {
  externalId: '',
  status: 'completed',
  conclusion: 'neutral',
  title: 'Told by a newer check run of this name',
  summary: 'This check run was made twice. The newer one of the same name goes on.',
  text: '',
  detailsUrl: null,
  actions: [],
  startedAt: null,
  completedAt: null,
};

/** How long until numbers alone may be written again. */
function restOfPauseMs({ bornAt, writtenAt }: Written, now: number): number {
  return Math.max(0, writtenAt + pauseMs(bornAt, writtenAt) - now);
}

/** What people must be told at once when it changes. */
function stateOf({ status, conclusion }: Pick<CheckRun, 'status' | 'conclusion'>): string {
  return conclusion ?? status;
}

function digestOfContent(content: CheckRunContent): string {
  return digestOf(JSON.stringify([digestOfRun(content), content.detailsUrl, content.actions]));
}

/** Of what can be read back; buttons cannot, and times are told by the first who wrote them. */
function digestOfRun(run: Omit<CheckRunContent, 'actions' | 'conclusion'> & Pick<CheckRun, 'conclusion'>) {
  const texts = [run.title, run.summary, run.text].map((text) => text.replaceAll('\r', '').trim());
  return digestOf(JSON.stringify([run.externalId, run.status, run.conclusion, ...texts]));
}
