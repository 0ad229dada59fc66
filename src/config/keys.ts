/**
 * Every key of a configuration, once: where it stands in a file, in which form it is written, what stands when nobody says
 * anything, and which of two values is the stricter one. The reader, the merger, the JSON schema and the guide are made of it.
 */
import type { PartialSettings, Settings } from './configuration.ts';
import type { Key, Setter } from './key.ts';
import { brakeKeys } from './keys-brakes.ts';
import { timeKeys } from './keys-times.ts';
import { wordKeys } from './keys-words.ts';

export const keys: { readonly [Name in keyof Settings]: Key<Settings[Name]> } = {
  ...brakeKeys,
  ...timeKeys,
  ...wordKeys,
};

export const keyNames = Object.keys(keys) as readonly (keyof Settings)[];

const bySetter: ReadonlyMap<Setter, readonly (keyof Settings)[]> = new Map(
  (['file', 'applicationSet', 'annotation', 'environment'] as const).map((setter) => [
    setter,
    keyNames.filter((name) => keys[name].setters.includes(setter)),
  ]),
);

/** Names of the keys that somebody may set, in the order of the table. */
export function keysOf(setter: Setter): readonly (keyof Settings)[] {
  return bySetter.get(setter) ?? [];
}

/** Puts a value that a key's own shape has read where it belongs. */
export function put<Name extends keyof Settings>(
  settings: PartialSettings,
  name: Name,
  value: Settings[Name] | undefined,
): void {
  if (value !== undefined) settings[name] = value;
}
