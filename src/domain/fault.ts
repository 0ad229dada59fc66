/** What is wrong with a text that a person wrote: where, what, and how to mend it. */

export interface Fault {
  /** An error makes the whole text count for nothing; a warning is told and changes nothing. */
  severity: 'error' | 'warning';
  /** The text: a file at a commit, the annotations of an ApplicationSet. */
  source: string;
  /** From 1, in lines and characters. */
  line: number;
  column: number;
  /** `times.grace`, `applicationSets["argocd/payments"].mode`; "" for the text as a whole. */
  path: string;
  /** What is wrong, in a sentence. */
  problem: string;
  /** How to mend it, in a sentence. */
  mend: string;
  /** The line as written, with a mark under the place. */
  excerpt: string;
}
