/**
 * Where the App is installed. An installation belongs to an owner and covers all or some of the owner's
 * repositories; its client is kept, so that its token, its limits and its lanes are shared by all who speak through
 * it. What was learned is asked again after a while: installations are suspended and removed in mid-incident.
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

/** `app` speaks as the App itself. Two look-ups of one repository at once are one request. */
export function createInstallations(app: Octokit, wire: Wire): Installations {
  const byOwner = new Map<string, { standing: Standing; askedAt: number }>();
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
          byOwner.delete(owner);
          clientsById.delete(installationId);
          throw isRemoved ? removedProblem(owner, error) : suspendedProblem(owner, error);
        }
      };
    }
  }

  async function ask(repository: Repository, owner: string): Promise<Standing | null> {
    const installation = await readInstallation(app, repository);
    if (installation === null) {
      if (absentSince.size >= absentMax) absentSince.clear();
      absentSince.set(keyOf(repository), wire.clock.now());
      return null;
    }
    if (installation.suspended_at !== null) throw suspendedProblem(owner);
    const standing: Standing = {
      octokit: clientOf(installation.id, owner),
      app: { id: installation.app_id, slug: installation.app_slug },
    };
    byOwner.set(owner, { standing, askedAt: wire.clock.now() });
    return standing;
  }

  return {
    async find(repository) {
      const owner = repository.owner.toLowerCase();
      const known = byOwner.get(owner);
      if (known !== undefined && wire.clock.now() - known.askedAt < knownForMs) return known.standing;
      const key = keyOf(repository);
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
