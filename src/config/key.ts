/** What is known of one key of a configuration. `keys.ts` has them all. */
import type { Shape } from './shapes.ts';
import type { Strictness } from './strictness.ts';

/** Who may set a key: a file for all or for some ApplicationSets, an annotation of one, the environment of the process. */
export type Setter = 'file' | 'applicationSet' | 'annotation' | 'environment';

export interface Key<Value> {
  /** `times.grace`. Keys that no file sets have a path as well, for those who look for it there. */
  path: string;
  shape: Shape<Value>;
  fallback: Value;
  strictness: Strictness<Value>;
  setters: readonly Setter[];
  /** The name behind `stepback.dev/`; none when no annotation sets it. */
  annotation?: string;
  /** The variable of the environment that sets it, for those who look for it in a file. */
  variable?: string;
  /** What it is, in a sentence for people. */
  meaning: string;
  example: Value;
}
