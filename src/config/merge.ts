/**
 * Settings of several places made one. Between places the stricter value of a limit wins; within one place what is said of an
 * ApplicationSet goes over what is said of all. Both work key by key by the table in `keys.ts`.
 */
import type { PartialSettings, Settings } from './configuration.ts';
import { keyNames, keys } from './keys.ts';

/**
 * Of two places, the more general one first. What only one says counts. Associative, and the same when it is done twice;
 * for limits also in the other order.
 */
export function mergeSettings(general: PartialSettings, specific: PartialSettings): PartialSettings {
  const merged: PartialSettings = {};
  for (const name of keyNames) combine(merged, name, general, specific, 'join');
  return merged;
}

/** Within one place: what is said of one ApplicationSet over what is said of all. */
export function overlaySettings(general: PartialSettings, specific: PartialSettings): PartialSettings {
  const merged: PartialSettings = {};
  for (const name of keyNames) combine(merged, name, general, specific, 'overlay');
  return merged;
}

/** What nobody sets is the product's default. */
export function completeSettings(partial: PartialSettings): Settings {
  const settings: PartialSettings = {};
  for (const name of keyNames) complete(settings, name, partial);
  return settings as Settings;
}

function combine<Name extends keyof Settings>(
  into: PartialSettings,
  name: Name,
  general: PartialSettings,
  specific: PartialSettings,
  how: 'join' | 'overlay',
): void {
  const [one, other] = [general[name], specific[name]] as [
    Settings[Name] | undefined,
    Settings[Name] | undefined,
  ];
  const value =
    one === undefined ? other : other === undefined ? one : keys[name].strictness[how](one, other);
  if (value !== undefined) into[name] = value;
}

function complete<Name extends keyof Settings>(
  into: PartialSettings,
  name: Name,
  partial: PartialSettings,
): void {
  into[name] = (partial[name] as Settings[Name] | undefined) ?? keys[name].fallback;
}
