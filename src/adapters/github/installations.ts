/**
 * Where the App is installed. An installation belongs to an owner and covers all or some of the owner's
 * repositories; its client is kept, so that its token, its limits and its lanes are shared by all who speak through
 * it. What was learned is asked again after a while: installations are suspended and removed in mid-incident.
 * GitHub leads from the old address of a repository that was transferred to the installation of its new owner, which
 * is kept for that repository alone: it can see nothing of what stayed behind.
 */
import type { Octokit } from '@octokit/rest';
import { type Repository, WorldProblem } from '../../ports.ts';
import { authorizeInstallation } from './app-credentials.ts';
import { createOctokit, type Wire } from './octokit.ts';
import type { AppIdentity } from './people.ts';
import { isRefused } from './refusal.ts';

/** A client that speaks as an installation, and who we are there. */
export interface Standing {
  octokit: Octokit;
  app: AppIdentity;
}

export interface Installations {
  /** Null when the App is not installed on the repository. Throws when the installation is suspended. */
  find(repository: Repository): Promise<Standing | null>;
}

const knownForMs = 10 * 60_000;
/** Shorter, so that a new installation works within a minute. */
const absentForMs = 60_000;
const absentMax = 10_000;
const movedMax = 10_000;

interface Known {
  standing: Standing;
  installationId: number;
  askedAt: number;
}

/** `app` speaks as the App itself. Two look-ups of one repository at once are one request. */
export function createInstallations(app: Octokit, wire: Wire): Installations {
  const byOwner = new Map<string, Known>();
  /** Of repositories that belong to another owner than the one they are asked for by. */
  const byRepository = new Map<string, Known>();
  const clientsById = new Map<number, Octokit>();
  const absentSince = new Map<string, number>();
  const asking = new Map<string, Promise<Standing | null>>();

  function clientOf(installationId: number, owner: string): Octokit {
    const found = clientsById.get(installationId);
    if (found !== undefined) return found;
    const authorize = authorizeInstallation(app, installationId, wire.clock);
    const client = createOctokit(wire, forgetOnRefusal(authorize), owner);
    clientsById.set(installationId, client);
    return client;

    /** When there is no token any more, the installation is gone or suspended: ask about it next time. */
    function forgetOnRefusal(inner: typeof authorize): typeof authorize {
      return async (refused) => {
        try {
          return await inner(refused);
        } catch (error) {
          const isRemoved = isRefused(error, 404);
          if (!isRemoved && !isRefused(error, 403, /suspended/i)) throw error;
          forget(installationId);
          throw isRemoved ? removedProblem(owner, error) : suspendedProblem(owner, error);
        }
      };
    }
  }

  function forget(installationId: number): void {
    clientsById.delete(installationId);
    for (const known of [byOwner, byRepository]) {
      for (const [key, one] of known) if (one.installationId === installationId) known.delete(key);
    }
  }

  async function ask(repository: Repository, asked: string): Promise<Standing | null> {
    const installation = await readInstallation(app, repository);
    const key = keyOf(repository);
    byRepository.delete(key);
    if (installation === null) {
      if (absentSince.size >= absentMax) absentSince.clear();
      absentSince.set(key, wire.clock.now());
      return null;
    }
    const owner = ownerOf(installation) ?? asked;
    if (installation.suspended_at !== null) throw suspendedProblem(owner);
    const standing: Standing = {
      octokit: clientOf(installation.id, owner),
      app: { id: installation.app_id, slug: installation.app_slug },
    };
    const known: Known = { standing, installationId: installation.id, askedAt: wire.clock.now() };
    if (owner === asked) {
      byOwner.set(owner, known);
      return standing;
    }
    if (byRepository.size >= movedMax) byRepository.clear();
    byRepository.set(key, known);
    return standing;
  }

  return {
    async find(repository) {
      const owner = repository.owner.toLowerCase();
      const key = keyOf(repository);
      // One that had moved at the last look is asked about anew rather than lent what its former neighbours have.
      const known = byRepository.get(key) ?? byOwner.get(owner);
      if (known !== undefined && wire.clock.now() - known.askedAt < knownForMs) return known.standing;
      const absentAt = absentSince.get(key);
      if (absentAt !== undefined && wire.clock.now() - absentAt < absentForMs) return null;
      const pending = asking.get(key);
      if (pending !== undefined) return pending;
      const asked = ask(repository, owner).finally(() => asking.delete(key));
      asking.set(key, asked);
      return asked;
    },
  };
}

async function readInstallation(app: Octokit, repository: Repository) {
  try {
    const { data } = await app.request('GET /repos/{owner}/{repo}/installation', {
      owner: repository.owner,
      repo: repository.name,
    });
    return data;
  } catch (error) {
    if (isRefused(error, 404) && !isRefused(error, 404, /Integration not found/i)) return null;
    throw error;
  }
}

/** Whose it is, in lower case; null when the answer does not say. */
function ownerOf({ account }: { account?: object | null }): string | null {
  if (account == null || !('login' in account) || typeof account.login !== 'string') return null;
  return account.login.toLowerCase();
}

function suspendedProblem(owner: string, cause?: unknown): WorldProblem {
  return new WorldProblem(
    'permanent',
    `The installation of the GitHub App on ${owner} is suspended, so Stepback can neither read nor write there. ` +
      'An owner of the organisation can take that back in its settings, under GitHub Apps.',
    { cause },
  );
}

function removedProblem(owner: string, cause: unknown): WorldProblem {
  return new WorldProblem(
    'permanent',
    `The GitHub App was removed from ${owner}, so Stepback can neither read nor write there. Install it again, or ` +
      'take the ApplicationSets of its repositories out of what Stepback looks after.',
    { cause },
  );
}

function keyOf(repository: Repository): string {
  return `${repository.owner}/${repository.name}`.toLowerCase();
}
