/**
 * The end of a closed union: a case that nobody wrote a branch for does not compile.
 */

/** For the default branch of an exhaustive switch. Throws when a value of another version comes along after all. */
export function never(value: never): never {
  throw new Error(`Nobody wrote a branch for ${JSON.stringify(value)}.`);
}
