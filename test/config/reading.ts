/** Reads a file as a repository would have it, and prints what is wrong with it as people see it. */
import { expect } from 'vitest';
import type { Layer } from '../../src/config/configuration.ts';
import { printFault } from '../../src/config/faults.ts';
import { readConfiguration } from '../../src/config/read.ts';

const options = { source: 'stepback.yaml', owner: 'acme' };

/** The faults of a broken file, printed; a file with an error gives no layer. */
export function faultsOf(text: string): string {
  const { layer, faults } = readConfiguration(text, options);
  expect(layer === null).toBe(faults.some(({ severity }) => severity === 'error'));
  return faults.map(printFault).join('\n\n');
}

/** What a sound file says. */
export function layerOf(text: string): Layer {
  const { layer, faults } = readConfiguration(text, options);
  expect(faults).toEqual([]);
  return layer!;
}
