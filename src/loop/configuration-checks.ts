/**
 * Says what is wrong with a `.github/stepback.yaml` where people look: as a check run on the commit that broke it, and on
 * a pull request before it lands. A file that was broken and is mended is called good again, on the commit that did it.
 */

import { readConfiguration } from '../config/read.ts';
import { placeName } from '../content/place-name.ts';
import { printCheckId } from '../domain/check-id.ts';
import type { CheckRunContent } from '../ports/checks.ts';
import { type Forge, type Repository, WorldProblem } from '../ports.ts';
import { type ConfigurationWords, configurationWords } from '../render/configuration-check.ts';
import type { CheckWriter } from './check-writer.ts';
import { type Configurations, configurationPath } from './configurations.ts';
import type { Compared } from './look-at-pull-request.ts';

/** The same for every Argo CD: there is one file. */
export const configurationCheckName = 'stepback / configuration';

export interface ConfigurationChecks {
  /** Looks at the file on the default branch. Gives when to look again, null when nothing is due. Throws WorldProblem. */
  ofRepository(repository: Repository): Promise<number | null>;
  /** Looks at the file of a pull request that changes it. As above. */
  ofPullRequest(compared: Compared): Promise<number | null>;
}

export interface ConfigurationChecksNeeds {
  forge: Pick<Forge, 'fileAt' | 'readTree' | 'commitsOfFile' | 'checkRuns'>;
  configurations: Configurations;
  checkWriter: CheckWriter;
}

/** Opens them; one for a process. */
export function openConfigurationChecks(world: ConfigurationChecksNeeds): ConfigurationChecks {
  const { forge, configurations, checkWriter } = world;
  /** Repositories whose file had a fault when it was looked at last. */
  const faulty = new Set<string>();
  /** Repositories of which this process knows whether their file had a fault before it began. */
  const asked = new Set<string>();

  function keep(repository: Repository, sha: string, words: ConfigurationWords): Promise<number | null> {
    return checkWriter.keep({ repository, sha, name: configurationCheckName }, contentOf(words));
  }

  return {
    async ofRepository(repository) {
      const report = await configurations.report(repository);
      const key = placeName(repository);
      if (report !== null) {
        faulty.add(key);
        return report.commit === null ? null : keep(repository, report.commit, report);
      }
      if (!asked.has(key) && (await wasFaulty(forge, repository))) faulty.add(key);
      asked.add(key);
      if (!faulty.has(key)) return null;
      const [mended] = await forge.commitsOfFile(repository, configurationPath);
      const againInMs =
        mended === undefined
          ? null
          : await keep(repository, mended, { path: configurationPath, faults: [], obeyed: 'this-file' });
      if (againInMs === null) faulty.delete(key);
      return againInMs;
    },
    async ofPullRequest({ repository, pullRequest, defaultBranch, commits }) {
      if (commits === null || pullRequest.baseBranch !== defaultBranch) return null;
      const [before, after] = await Promise.all([
        idAt(forge, repository, commits.trees.mergeBase),
        idAt(forge, repository, commits.trees.head),
      ]);
      if (before === after) return null;
      const words = await proposed(forge, repository, pullRequest.headSha);
      return keep(repository, pullRequest.headSha, words);
    },
  };
}

/** Commits of the file that are asked what was said of them; more often it is not broken and mended while nobody looks. */
const commitsMax = 4;

/** The last that was said of the file is that something is wrong with it: it was mended while Stepback did not run. */
async function wasFaulty(
  forge: Pick<Forge, 'fileAt' | 'commitsOfFile' | 'checkRuns'>,
  repository: Repository,
): Promise<boolean> {
  if ((await forge.fileAt(repository, configurationPath, null)) === null) return false;
  const commits = await forge.commitsOfFile(repository, configurationPath);
  for (const commit of commits.slice(0, commitsMax)) {
    const [said] = await forge.checkRuns(repository, commit, configurationCheckName);
    if (said !== undefined) return said.conclusion !== 'success';
  }
  return false;
}

/** The id of what stands at the file's path in a tree; null when nothing does. */
async function idAt(
  forge: Pick<Forge, 'readTree'>,
  repository: Repository,
  tree: string,
): Promise<string | null> {
  let id = tree;
  for (const segment of configurationPath.split('/')) {
    const entry = (await forge.readTree(repository, id)).find((one) => one.name === segment);
    if (entry === undefined) return null;
    id = entry.id;
  }
  return id;
}

async function proposed(
  forge: Pick<Forge, 'fileAt'>,
  repository: Repository,
  sha: string,
): Promise<ConfigurationWords> {
  const about = { path: configurationPath };
  try {
    const file = await forge.fileAt(repository, configurationPath, sha);
    if (file === null) return { ...about, faults: [], obeyed: 'removed' };
    const source = `${repository.owner}/${repository.name}:${configurationPath}`;
    const { faults } = readConfiguration(file.text, { source, owner: repository.owner });
    return { ...about, faults, obeyed: 'not-merged' };
  } catch (problem) {
    if (!(problem instanceof WorldProblem) || problem.kind === 'transient') throw problem;
    const fault = { severity: 'error', line: 1, column: 1, path: '', problem: problem.message } as const;
    return { ...about, faults: [{ ...fault, source: '', mend: '', excerpt: '' }], obeyed: 'not-merged' };
  }
}

function contentOf(words: ConfigurationWords): CheckRunContent {
  return {
    externalId: printCheckId({ kind: 'configuration', instance: '', applicationSet: null }),
    status: 'completed',
    ...configurationWords(words),
    detailsUrl: null,
    actions: [],
    startedAt: null,
    completedAt: null,
  };
}
