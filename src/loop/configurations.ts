/**
 * What is configured for a repository: the organisation's default from its `.github` repository, the repository's own
 * file at the head of its default branch, and the limits of the installation. A file that cannot be read never stops
 * Stepback: the last good one stays; where there never was one, it only watches until the file is mended, because
 * nobody can know what the file was to allow.
 */
import type { Configuration, Layer, PartialSettings } from '../config/configuration.ts';
import { printFault } from '../config/faults.ts';
import { readConfiguration } from '../config/read.ts';
import { configurationOf, environmentLayer } from '../config/resolve.ts';
import type { Clock, Forge, Log, Repository } from '../ports.ts';

/** Where the file is, in a repository and in the organisation's `.github` repository. */
export const configurationPath = '.github/stepback.yaml';

export interface Configurations {
  /** Throws WorldProblem when GitHub cannot be read and nothing is known yet. */
  of(repository: Repository): Promise<Configuration>;
  /** Somebody pushed to it: its file is read again at the next look. */
  changed(repository: Repository): void;
}

interface Known {
  layer: Layer | null;
  readAt: number;
}

const nothingSaid: Layer = { source: 'nothing', settings: {}, applicationSets: [] };

/** `limits` is what the environment sets; defaults are no limits. Files are read again after `maxAgeMs`. */
export function openConfigurations(
  forge: Pick<Forge, 'fileAt'>,
  clock: Pick<Clock, 'now'>,
  log: Log,
  limits: PartialSettings,
  maxAgeMs: number,
): Configurations {
  const known = new Map<string, Known>();
  const keyOf = ({ host, owner, name }: Repository): string => `${host}/${owner}/${name}`.toLowerCase();

  async function layerOf(repository: Repository): Promise<Layer> {
    const key = keyOf(repository);
    const before = known.get(key) ?? null;
    if (before?.layer != null && clock.now() - before.readAt <= maxAgeMs) return before.layer;
    const file = await forge.fileAt(repository, configurationPath, null);
    const source = `${repository.owner}/${repository.name}:${configurationPath}`;
    const layer =
      file === null ? nothingSaid : read(file.text, source, repository.owner, before?.layer ?? null);
    known.set(key, { layer, readAt: clock.now() });
    return layer;
  }

  function read(text: string, source: string, owner: string, lastGood: Layer | null): Layer {
    const { layer, faults } = readConfiguration(text, { source, owner });
    for (const fault of faults) log.warn('a configuration has a fault', { source, fault: printFault(fault) });
    if (layer !== null) return layer;
    return (
      lastGood ?? {
        source: `${source}, which cannot be read`,
        settings: { mode: 'observe' },
        applicationSets: [],
      }
    );
  }

  return {
    async of(repository) {
      const organisation = { ...repository, name: '.github' };
      const [general, own] = await Promise.all([layerOf(organisation), layerOf(repository)]);
      return configurationOf([general, own, environmentLayer(limits)]);
    },
    changed(repository) {
      const before = known.get(keyOf(repository));
      if (before !== undefined) before.readAt = Number.NEGATIVE_INFINITY;
    },
  };
}
