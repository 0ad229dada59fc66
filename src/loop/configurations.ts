/**
 * What is configured for a repository: the organisation's default from its `.github` repository, the repository's own
 * file at the head of its default branch, and the limits of the installation. A file that cannot be read never stops
 * Stepback: the last good one stays, and is found again in the history of the file after a restart; where there never
 * was one, Stepback only watches until the file is mended, because nobody can know what the file was to allow.
 */

import type { Configuration, Layer, PartialSettings } from '../config/configuration.ts';
import { printFault } from '../config/faults.ts';
import { readConfiguration } from '../config/read.ts';
import { configurationOf, environmentLayer } from '../config/resolve.ts';
import { placeName } from '../content/place-name.ts';
import type { Fault } from '../domain/fault.ts';
import { type Clock, type Forge, type Log, type Repository, WorldProblem } from '../ports.ts';

/** Where the file is, in a repository and in the organisation's `.github` repository. */
export const configurationPath = '.github/stepback.yaml';

/** What is wrong with the file of a repository, for those who look after it. */
export interface FileReport {
  repository: Repository;
  path: string;
  /** Errors and warnings, in the order of the text; at least one. */
  faults: readonly Fault[];
  /** The commit of the default branch that made the file what it is; null when GitHub does not say. */
  commit: string | null;
  /** What counts in its place: it does all the same (warnings alone), the last good one does, or Stepback only watches. */
  obeyed: 'this-file' | 'last-good' | 'watching';
}

export interface Configurations {
  /** Throws WorldProblem when GitHub cannot be read and nothing is known yet, or what is known is known to be old. */
  of(repository: Repository): Promise<Configuration>;
  /**
   * What is wrong with the repository's own file as it was read last; null when nothing is. Ask for the `.github`
   * repository of an organisation to hear of its default. Throws as `of` does.
   */
  report(repository: Repository): Promise<FileReport | null>;
  /** Somebody pushed to it: its file is read again at the next look. */
  changed(repository: Repository): void;
}

/** Older versions of a file that are tried for the last good one. */
const versionsMax = 10;

interface Known {
  layer: Layer;
  /** The id of the text; null when there is no file. */
  blobId: string | null;
  report: FileReport | null;
  readAt: number;
}

/** `limits` is what the environment sets; defaults are no limits. Files are read again after `maxAgeMs`. */
export function openConfigurations(
  forge: Pick<Forge, 'fileAt' | 'commitsOfFile'>,
  clock: Pick<Clock, 'now'>,
  log: Log,
  limits: PartialSettings,
  maxAgeMs: number,
): Configurations {
  const known = new Map<string, Known>();

  async function knownOf(repository: Repository): Promise<Known> {
    const key = placeName(repository);
    const before = known.get(key) ?? null;
    if (before !== null && clock.now() - before.readAt <= maxAgeMs) return before;
    const next = await readAgain(repository, before);
    known.set(key, next);
    return next;
  }

  async function readAgain(repository: Repository, before: Known | null): Promise<Known> {
    const readAt = clock.now();
    try {
      const file = await forge.fileAt(repository, configurationPath, null);
      if (file === null) return { layer: nothingSaid, blobId: null, report: null, readAt };
      if (before?.blobId === file.blobId) return { ...before, readAt };
      const { layer, faults } = readText(repository, file.text);
      const known = { blobId: file.blobId, readAt };
      if (faults.length === 0 && layer !== null) return { ...known, layer, report: null };
      return { ...known, ...(await withFaults(repository, before, layer, faults)) };
    } catch (problem) {
      if (!(problem instanceof WorldProblem)) throw problem;
      // A push was announced that could not be seen yet: what is known may allow more than people do now.
      const isOutdated = before === null || before.readAt === Number.NEGATIVE_INFINITY;
      if (problem.kind === 'transient' && !isOutdated) return before;
      if (problem.kind === 'transient') throw problem;
      const faults = [faultOfFile(repository, problem.message)];
      if (before?.blobId === problem.message) return { ...before, readAt };
      return { blobId: problem.message, readAt, ...(await withFaults(repository, before, null, faults)) };
    }
  }

  /** What counts in place of a file with faults, and what people are told of it. */
  async function withFaults(
    repository: Repository,
    before: Known | null,
    layer: Layer | null,
    faults: readonly Fault[],
  ): Promise<Pick<Known, 'layer' | 'report'>> {
    const source = sourceOf(repository);
    for (const fault of faults) log.warn('a configuration has a fault', { source, fault: printFault(fault) });
    const commits = await forge.commitsOfFile(repository, configurationPath);
    const report = { repository, path: configurationPath, faults, commit: commits[0] ?? null };
    if (layer !== null) return { layer, report: { ...report, obeyed: 'this-file' } };
    const isKnown = before !== null && before.blobId !== null && before.report?.obeyed !== 'watching';
    const lastGood = isKnown ? before.layer : await lastGoodOf(repository, commits.slice(1));
    if (lastGood !== null) return { layer: lastGood, report: { ...report, obeyed: 'last-good' } };
    const watching = { ...nothingSaid, source: `${source}, which cannot be read` };
    return {
      layer: { ...watching, settings: { mode: 'observe' } },
      report: { ...report, obeyed: 'watching' },
    };
  }

  /** The newest of the file's older versions that can be read; null when there is none before it was first made. */
  async function lastGoodOf(repository: Repository, commits: readonly string[]): Promise<Layer | null> {
    for (const commit of commits.slice(0, versionsMax)) {
      const file = await forge.fileAt(repository, configurationPath, commit).catch(nothingPermanent);
      if (file === null) return null;
      const { layer } = file === undefined ? { layer: null } : readText(repository, file.text);
      if (layer !== null) return layer;
    }
    return null;
  }

  return {
    async of(repository) {
      const organisation = { ...repository, name: '.github' };
      const [general, own] = await Promise.all([knownOf(organisation), knownOf(repository)]);
      return configurationOf([general.layer, own.layer, environmentLayer(limits)]);
    },
    async report(repository) {
      return (await knownOf(repository)).report;
    },
    changed(repository) {
      const key = placeName(repository);
      const before = known.get(key);
      if (before !== undefined) before.readAt = Number.NEGATIVE_INFINITY;
    },
  };
}

const nothingSaid: Layer = { source: 'nothing', settings: {}, applicationSets: [] };

function sourceOf(repository: Repository): string {
  return `${repository.owner}/${repository.name}:${configurationPath}`;
}

function readText(repository: Repository, text: string): ReturnType<typeof readConfiguration> {
  return readConfiguration(text, { source: sourceOf(repository), owner: repository.owner });
}

/** A folder, a submodule or a link stands where the file should be, or GitHub does not let us read it. */
function faultOfFile(repository: Repository, message: string): Fault {
  return {
    severity: 'error',
    source: sourceOf(repository),
    line: 1,
    column: 1,
    path: '',
    problem: message,
    mend: '',
    excerpt: '',
  };
}

/** Undefined for what could not be read for good; anything else is thrown on. */
function nothingPermanent(problem: unknown): undefined {
  if (problem instanceof WorldProblem && problem.kind === 'permanent') return undefined;
  throw problem;
}
