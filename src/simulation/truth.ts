/**
 * What is true in the simulated world, found out from what the simulated clusters hold and from the files themselves, and never
 * from what Stepback makes of it: which Application failed on which file, and which commit brought that file in.
 */
import { isDeepStrictEqual } from 'node:util';
import type { ApplicationObject, ApplicationSetObject } from '../sandbox/argocd/objects.ts';
import type { ArgoCD } from '../sandbox/argocd/start.ts';
import { EMPTY_TREE } from '../sandbox/github/git/objects.ts';
import { changedFiles } from '../sandbox/github/git/tree-diff.ts';
import { entryAt } from '../sandbox/github/git/tree-walk.ts';
import type { StoredObject } from '../sandbox/kubernetes/objects.ts';
import type { ObjectStore } from '../sandbox/kubernetes/store.ts';
import { type Fault, faultOf } from './files.ts';
import type { HubRepository } from './hub-objects.ts';

/** An Application was seen to fail on a file as it is in one blob. */
export interface Failing {
  application: string;
  applicationSet: string;
  path: string;
  blob: string;
  /** `ill`: it runs the file and is ill, which this file does not say. */
  fault: Fault | 'ill';
  firstAt: number;
  lastAt: number;
}

export class Truth {
  readonly #store: ObjectStore;
  readonly #repository: HubRepository;
  readonly #argocd: () => ArgoCD;
  readonly #now: () => number;
  readonly #failing = new Map<string, Failing>();
  readonly #faults = new Map<string, Fault | null>();
  readonly #zeros = new Map<string, number>();
  /** On which commits an Application was Healthy last. */
  readonly #healthyOn = new Map<string, string>();
  #lastHeldAt = 0;

  constructor(store: ObjectStore, repository: HubRepository, argocd: () => ArgoCD, now: () => number) {
    this.#store = store;
    this.#repository = repository;
    this.#argocd = argocd;
    this.#now = now;
    store.subscribe(({ resource, type, object }) => {
      if (resource === 'applications' && type === 'MODIFIED') this.look(object);
      if (resource === 'applicationsets') this.#noteSteps(object as unknown as ApplicationSetObject);
    });
  }

  /** Whether a step was held by 0 at a moment since then, where people had not written that. */
  heldSince(at: number): boolean {
    return this.#lastHeldAt >= at || [...this.#zeros.values()].some((zeros) => zeros > 0);
  }

  #noteSteps({ metadata, spec }: ApplicationSetObject): void {
    const values = (spec.strategy?.rollingSync?.steps ?? []).map(({ maxUpdate }) => maxUpdate);
    const before = this.#zeros.get(metadata.name) ?? 0;
    const zeros = values.filter((value) => value === 0).length;
    this.#zeros.set(metadata.name, zeros);
    if (zeros > 0 || before > 0) this.#lastHeldAt = this.#now();
  }

  /** All that ever failed, and on what. */
  failures(): readonly Failing[] {
    return [...this.#failing.values()];
  }

  /** Commits of the first-parent line of `main` that brought a blob to a path. */
  introducers(path: string, blob: string): readonly string[] {
    return this.line().filter(
      (sha) => this.#blobAt(sha, path) === blob && this.#blobAt(this.#parentOf(sha), path) !== blob,
    );
  }

  /** The first-parent line of `main`, newest first. */
  line(): readonly string[] {
    const line: string[] = [];
    for (
      let sha = this.#repository.refs.get('main');
      sha !== undefined;
      sha = this.#repository.git.commit(sha)?.parents[0]
    )
      line.push(sha);
    return line;
  }

  /** Paths that a commit changed against its first parent. */
  pathsOf(sha: string): readonly string[] {
    const { git } = this.#repository;
    const before = git.commit(this.#parentOf(sha))?.tree ?? EMPTY_TREE;
    return changedFiles(git, before, git.commit(sha)?.tree ?? EMPTY_TREE).map(({ path }) => path);
  }

  /** What `main` holds at a path now. */
  blobNow(path: string): string | undefined {
    return this.#blobAt(this.#repository.refs.get('main') ?? '', path);
  }

  /** Whoever of these ApplicationSets runs a path as it is in that blob; null when nobody does. */
  running(path: string, blob: string, applicationSets: readonly string[]): string | null {
    const written = manifestOf(this.#repository.git.blob(blob)?.toString('utf8') ?? '');
    if (written === null) return null;
    for (const application of this.#store.list<ApplicationObject>('applications')) {
      const { name, namespace, ownerReferences } = application.metadata;
      if (!applicationSets.includes(ownerReferences?.[0]?.name ?? '')) continue;
      if (!sourcePaths(application).some((folder) => path.startsWith(`${folder}/`))) continue;
      const runs = this.#argocd()
        .liveObjects(`${namespace}/${name}`)
        .some(
          ({ manifest, since }) =>
            isDeepStrictEqual(saying(manifest), saying(written)) && !isLeftOver(manifest, since, application),
        );
      if (runs) return name;
    }
    return null;
  }

  /** Looks at an Application by name. */
  lookAt(name: string): void {
    const object = this.#store.get<StoredObject>('applications', 'argocd', name);
    if (object !== undefined) this.look(object);
  }

  /** Looks at an Application and notes on what it fails. */
  look(object: StoredObject): void {
    const application = object as unknown as ApplicationObject;
    const { status } = application;
    const operation = status?.operationState;
    const health = status?.health?.status;
    if (health === 'Degraded' || health === 'Missing') this.#noteLive(application);
    this.#noteBrokenLate(application);
    const hasFailed =
      operation?.phase === 'Failed' || operation?.phase === 'Error' || operation?.finishedAt !== undefined;
    const result = operation?.syncResult;
    if (operation?.phase !== 'Succeeded' && hasFailed && result !== undefined)
      this.#note(application, result.revisions?.length ? result.revisions : [result.revision], [
        'refused',
        'hook',
        'degraded',
      ]);
    const isUnreadable = status?.conditions?.some(
      ({ type, message }) => type === 'ComparisonError' && /unmarshal|Manifest generation/.test(message),
    );
    if (isUnreadable === true) {
      const head = this.#repository.refs.get('main') ?? '';
      this.#note(
        application,
        sourcePaths(application).map(() => head),
        ['unreadable'],
      );
    }
  }

  /** Objects that run and say of themselves that they are bad, and those that fall ill on whatever it is that they run. */
  #noteLive(application: ApplicationObject): void {
    const { name, namespace } = application.metadata;
    for (const object of this.#argocd().liveObjects(`${namespace}/${name}`)) {
      const isIll = object.override !== undefined;
      this.#note(application, object.revisions, isIll ? ['ill'] : ['degraded', 'hook']);
    }
  }

  /** What was Healthy and breaks, on commits that have not changed since, fails on all that it runs: nobody can tell more. */
  #noteBrokenLate(application: ApplicationObject): void {
    const { sync, health } = application.status ?? {};
    if (sync?.status !== 'Synced') return;
    const { name } = application.metadata;
    const revisions = sync.revisions?.length ? sync.revisions : [sync.revision ?? ''];
    if (health?.status === 'Healthy') this.#healthyOn.set(name, revisions.join());
    else if (health?.status === 'Degraded' && this.#healthyOn.get(name) === revisions.join())
      this.#note(application, revisions, ['ill']);
  }

  #note(
    application: ApplicationObject,
    revisions: readonly string[],
    faults: readonly Failing['fault'][],
  ): void {
    const { git } = this.#repository;
    const { name } = application.metadata;
    const cluster = application.spec.destination.server?.replace(/^https:\/\/|\.k8s.*$/g, '') ?? '';
    sourcePaths(application).forEach((folder, index) => {
      const tree = git.commit(revisions[index] ?? '')?.tree;
      const entries = tree === undefined ? undefined : git.tree(entryAt(git, tree, folder)?.id ?? '');
      for (const entry of entries ?? []) {
        const fault = faults.includes('ill') ? 'ill' : this.#faultAt(entry.id, cluster);
        if (fault === null || !faults.includes(fault)) continue;
        const key = `${name} ${folder}/${entry.name} ${entry.id}`;
        const at = this.#now();
        const known = this.#failing.get(key);
        if (known !== undefined) known.lastAt = at;
        else
          this.#failing.set(key, {
            application: name,
            applicationSet: application.metadata.ownerReferences?.[0]?.name ?? '',
            path: `${folder}/${entry.name}`,
            blob: entry.id,
            fault,
            firstAt: at,
            lastAt: at,
          });
      }
    });
  }

  #faultAt(blob: string, cluster: string): Fault | null {
    const key = `${blob} ${cluster}`;
    const known = this.#faults.get(key);
    if (known !== undefined) return known;
    const fault = faultOf(this.#repository.git.blob(blob)?.toString('utf8') ?? '', cluster);
    this.#faults.set(key, fault);
    return fault;
  }

  #parentOf(sha: string): string {
    return this.#repository.git.commit(sha)?.parents[0] ?? '';
  }

  #blobAt(sha: string, path: string): string | undefined {
    const { git } = this.#repository;
    const tree = git.commit(sha)?.tree;
    return tree === undefined ? undefined : entryAt(git, tree, path)?.id;
  }
}

/** The folders that feed an Application, one a source. */
export function sourcePaths({ spec }: ApplicationObject): readonly string[] {
  return (spec.sources ?? [spec.source]).map((source) => source?.path ?? '');
}

/** A hook that has ended lies around until the next one comes; nobody runs it. */
function isLeftOver(manifest: Said, since: number, { status }: ApplicationObject): boolean {
  const isHook = manifest.metadata.annotations?.['argocd.argoproj.io/hook'] !== undefined;
  const operation = status?.operationState;
  // Times of an operation have whole seconds.
  const isOfIt = operation?.phase === 'Running' && since + 1_000 > Date.parse(operation.startedAt);
  return isHook && !isOfIt;
}

interface Said {
  kind: string;
  metadata: { name: string; annotations?: Record<string, string> };
  data?: object;
}

function manifestOf(text: string): Said | null {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** What tells one version of an object from another, wherever it runs. */
function saying({ kind, metadata, data }: Said): object {
  return { kind, name: metadata.name, data };
}
