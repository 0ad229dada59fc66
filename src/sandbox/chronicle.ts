/**
 * What happened in the sandbox, for whoever watches. People and Stepback act on GitHub through many doors, so nobody
 * reports: after every moment in which something may have changed, what is there is compared with what was there.
 */
import type { Incident, Phase } from '../domain/incident.ts';
import type { ObjectKey } from '../domain/objects.ts';
import type { Rollout } from '../domain/rollout.ts';
import { describeReason } from '../render/reasons.ts';
import type { SeenComment, SeenPullRequest } from './github/looks.ts';
import type { SandboxWorld } from './world.ts';

export type HappeningKind =
  | 'said'
  | 'verdict'
  | 'pushed'
  | 'opened'
  | 'edited'
  | 'merged'
  | 'closed'
  | 'reopened'
  | 'commented'
  | 'comment-edited'
  | 'checked'
  | 'incident';

export interface Happening {
  /** Of the story's clock. */
  at: number;
  kind: HappeningKind;
  /** One line in words. */
  text: string;
  /** The pull request that it is about. */
  about: { repository: string; number: number } | null;
  /** Whether Stepback did it. */
  isOurs: boolean;
  /** What was written or edited, as Markdown. */
  words: { title: string; body: string } | null;
}

export interface Chronicle {
  /** Oldest first; only the newest thousand are kept. */
  readonly happenings: readonly Happening[];
  /** Adds a line of the story, or of the person who plays with it. */
  say(text: string): void;
  /** Finds out what is new. */
  look(incidents: readonly Incident[]): void;
}

const keptMax = 1_000;

const endings: Readonly<Partial<Record<Phase, string>>> = {
  recovered: 'Every stage is back.',
  healed: 'It is well again without the revert.',
  dismissed: 'The revert is dismissed, and Stepback leaves the change alone.',
};

/** Opens an empty chronicle. `tell` is called with each happening, in order. */
export function openChronicle(
  world: () => SandboxWorld,
  now: () => number,
  tell: (happening: Happening) => void,
): Chronicle {
  const happenings: Happening[] = [];
  const pulls = new Map<string, SeenPullRequest>();
  const comments = new Map<number, SeenComment>();
  const heads = new Map<string, string>();
  const checks = new Map<number, string>();
  const verdicts = new Map<ObjectKey, string>();
  const phases = new Map<string, Phase>();

  function add(kind: HappeningKind, text: string, more: Partial<Happening> = {}): void {
    const happening = { at: now(), kind, text, about: null, isOurs: false, words: null, ...more };
    happenings.push(happening);
    happenings.splice(0, Math.max(0, happenings.length - keptMax));
    tell(happening);
  }

  function lookAtRepository(repository: string): void {
    const { github } = world();
    const branch = github.defaultBranch(repository);
    const head = github.head(repository, branch) ?? '';
    const before = heads.get(repository);
    heads.set(repository, head);
    const all = github.pullRequests(repository);
    const isMerge = all.some((pull) => pull.mergeSha === head);
    if (before !== undefined && before !== head && !isMerge) {
      const [commit] = github.commits(repository, head, 1);
      add('pushed', `${commit?.author.name ?? 'Somebody'} pushes "${commit?.subject ?? ''}" to ${branch}.`);
    }
    for (const pull of all) lookAtPull(repository, pull);
    for (const pull of all) {
      for (const comment of github.comments(repository, pull.number))
        lookAtComment(repository, pull, comment);
    }
    for (const run of github.checkRuns(repository)) {
      const state = run.conclusion ?? run.status;
      if (checks.get(run.id) === `${state} ${run.title}`) continue;
      checks.set(run.id, `${state} ${run.title}`);
      add(
        'checked',
        `${run.name} on ${run.headSha.slice(0, 7)}: ${state}${run.title ? `, ${run.title}` : ''}`,
      );
    }
  }

  function lookAtPull(repository: string, pull: SeenPullRequest): void {
    const key = `${repository}#${pull.number}`;
    const before = pulls.get(key);
    pulls.set(key, pull);
    const about = { repository, number: pull.number };
    const isOurs = pull.user === world().github.app.botLogin;
    const words = { title: pull.title, body: pull.body };
    if (before === undefined) add('opened', `${pull.user} opens #${pull.number}.`, { about, isOurs, words });
    tellState(pull, before, { about, isOurs });
    if (before !== undefined && (before.title !== pull.title || before.body !== pull.body))
      add('edited', `${isOurs ? pull.user : 'Somebody'} edits #${pull.number}.`, { about, isOurs, words });
  }

  function tellState(
    pull: SeenPullRequest,
    before: SeenPullRequest | undefined,
    more: Partial<Happening>,
  ): void {
    if (pull.state === (before?.state ?? 'open')) return;
    const what = { merged: 'merged', closed: 'closed', open: 'reopened' } as const;
    const by = pull.state === 'open' ? '' : ` by ${(pull.mergedBy ?? pull.closedBy) || 'somebody'}`;
    add(what[pull.state], `#${pull.number} is ${what[pull.state]}${by}.`, more);
  }

  function lookAtComment(repository: string, pull: SeenPullRequest, comment: SeenComment): void {
    const before = comments.get(comment.id);
    comments.set(comment.id, comment);
    if (before?.body === comment.body) return;
    const about = { repository, number: pull.number };
    const isOurs = comment.user === world().github.app.botLogin;
    const words = { title: `Comment on #${pull.number} "${pull.title}"`, body: comment.body };
    if (before === undefined)
      add('commented', `${comment.user} comments on #${pull.number}.`, { about, isOurs, words });
    else
      add('comment-edited', `${comment.user} edits the comment on #${pull.number}.`, {
        about,
        isOurs,
        words,
      });
  }

  function lookAtSet(key: ObjectKey, { verdict, reasons }: Rollout): void {
    if (verdicts.get(key) === verdict) return;
    verdicts.set(key, verdict);
    const isQuiet = verdict === 'ok' || verdict === 'in-progress';
    const why = isQuiet
      ? ''
      : reasons
          .slice(0, 1)
          .map((reason) => ` ${describeReason(reason)}`)
          .join('');
    add('verdict', `Stepback says of ${key.replace(/^.*\//, '')}: ${verdict.replaceAll('-', ' ')}.${why}`);
  }

  function lookAtIncident({ id, phase }: Incident): void {
    if (phases.get(id) === phase) return;
    phases.set(id, phase);
    const text = endings[phase];
    if (text !== undefined) add('incident', text);
  }

  return {
    happenings,
    say: (text) => add('said', text),
    look(incidents) {
      for (const [key, { answer }] of world().loop.results()) lookAtSet(key, answer.rollout);
      for (const repository of world().github.repositories()) lookAtRepository(repository);
      for (const incident of incidents) lookAtIncident(incident);
    },
  };
}
