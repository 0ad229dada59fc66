/**
 * Argo CD's repo server: resolves the target revision of each source, reads its folder, and remembers both. What is
 * behind it is handed in, so that the sandbox can read real git repositories and a test a map.
 */
import type { Clock } from '../clock.ts';
import type { LiveCluster } from './live-cluster.ts';
import { type Manifest, RenderError, readManifests } from './manifests.ts';
import type { Source } from './objects.ts';

/** It cannot be answered; the text goes into the message of a ComparisonError. */
export interface RepositoryError {
  error: string;
}

type Answer<T> = T | RepositoryError | Promise<T | RepositoryError>;

export interface Repositories {
  /** The commit (40 hex digits) that a branch, tag or commit id of a repository names now. */
  resolve(repoURL: string, revision: string): Answer<string>;
  /** The files directly in a folder at a commit, name → text. */
  read(repoURL: string, sha: string, path: string): Answer<ReadonlyMap<string, string>>;
}

/** What the Application should be, one revision a source; or why that is not known. */
export type Targets = { revisions: string[]; manifests: Manifest[] } | RepositoryError;

/** The words of Argo CD about a cluster that it cannot get into, as recorded in cluster-unreachable. */
export function clusterInfoError(): string {
  return 'error synchronizing cache state : failed to get server version: failed to get server version: the server has asked for the client to provide credentials';
}

/** How long a resolved revision is believed where nobody asks for a fresh one (`--revision-cache-expiration`). */
const REVISION_CACHE_MS = 180_000;

export class RepoServer {
  readonly #repositories: Repositories;
  readonly #clock: Clock;
  readonly #revisions = new Map<string, { sha: string; at: number }>();
  readonly #manifests = new Map<string, Manifest[]>();
  readonly #failures = new Map<string, string>();

  constructor(repositories: Repositories, clock: Clock) {
    this.#repositories = repositories;
    this.#clock = clock;
  }

  /**
   * The manifests of all sources at these revisions; an empty revision means the target of the source. `isForced` asks
   * the repository what the branch is now instead of believing what it was a moment ago. What failed to render is
   * remembered for each Application by itself (its `namespace/name`).
   */
  async targets(
    application: string,
    sources: readonly Source[],
    revisions: readonly string[],
    cluster: LiveCluster,
    isForced: boolean,
  ): Promise<Targets> {
    if (!cluster.isReachable) {
      const info = `failed to get cluster info for "${cluster.server}": ${clusterInfoError()}`;
      return { error: `failed to get cluster version for cluster "${cluster.server}": ${info}` };
    }
    const resolved: string[] = [];
    const manifests: Manifest[] = [];
    for (const [index, source] of sources.entries()) {
      const wanted = revisions[index] || source.targetRevision || 'HEAD';
      const one = await this.#source(application, source, wanted, isForced);
      if ('error' in one) {
        const which = `source ${index + 1} of ${sources.length}`;
        return { error: `failed to generate manifest for ${which}: ${one.error}` };
      }
      resolved.push(one.sha);
      manifests.push(...one.manifests);
    }
    return { revisions: resolved, manifests };
  }

  /** A hard refresh: what failed to render for the Application is tried again. */
  forget(application: string): void {
    for (const key of this.#failures.keys())
      if (key.startsWith(`${application}\n`)) this.#failures.delete(key);
  }

  async #source(application: string, source: Source, revision: string, isForced: boolean) {
    const sha = await this.#resolve(source.repoURL, revision, isForced);
    if (typeof sha !== 'string') return { error: `rpc error: code = Unknown desc = ${sha.error}` };
    const key = [source.repoURL, sha, source.path ?? ''].join('\n');
    const failure = this.#failures.get(`${application}\n${key}`);
    // The second attempt is answered from memory, in other words than the first: render-error, line 204.
    if (failure !== undefined) {
      return { error: `rpc error: code = Unknown desc = Manifest generation error (cached): ${failure}` };
    }
    const known = this.#manifests.get(key);
    if (known !== undefined) return { sha, manifests: known };
    const files = await this.#repositories.read(source.repoURL, sha, source.path ?? '');
    if ('error' in files) return { error: `rpc error: code = Unknown desc = ${files.error}` };
    try {
      const manifests = readManifests(files);
      this.#manifests.set(key, manifests);
      return { sha, manifests };
    } catch (error) {
      if (!(error instanceof RenderError)) throw error;
      this.#failures.set(`${application}\n${key}`, error.message);
      return { error: error.message };
    }
  }

  async #resolve(repoURL: string, revision: string, isForced: boolean): Promise<string | RepositoryError> {
    if (/^[0-9a-f]{40}$/.test(revision)) return revision;
    const key = `${repoURL}\n${revision}`;
    const known = this.#revisions.get(key);
    if (!isForced && known !== undefined && this.#clock.now() - known.at < REVISION_CACHE_MS)
      return known.sha;
    const sha = await this.#repositories.resolve(repoURL, revision);
    if (typeof sha === 'string') this.#revisions.set(key, { sha, at: this.#clock.now() });
    return sha;
  }
}
