/**
 * Counts and lists as people say them. Names of Applications are short where their ApplicationSet is named, and a
 * list of thousands ends after a few.
 */

/**
 * "a", "a and b", "a, b and c", "a, b and 37 more". `write` makes an item ready for where it goes; those that are not
 * shown cost nothing. `max` is at least 1.
 */
export function listOf<Item>(items: readonly Item[], max: number, write: (item: Item) => string): string {
  const shown = items.slice(0, max).map((item) => write(item));
  if (items.length > max) shown.push(`${count(items.length - max)} more`);
  const last = shown.at(-1) ?? '';
  return shown.length < 2 ? last : `${shown.slice(0, -1).join(', ')} and ${last}`;
}

/** "1 Application", "5,000 Applications". */
export function counted(number: number, noun: string): string {
  return `${count(number)} ${noun}${number === 1 ? '' : 's'}`;
}

/** 5000 → "5,000". */
export function count(number: number): string {
  return String(number).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** `payments-prod-2` of `payments` → `prod-2`. */
export function shortName(application: string, applicationSet: string): string {
  const prefix = `${applicationSet}-`;
  return application.startsWith(prefix) && application.length > prefix.length
    ? application.slice(prefix.length)
    : application;
}
