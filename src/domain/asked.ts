/** Why a commit or a pull request that a person names is not taken back. */
export type NoChange =
  | 'not-found'
  | 'not-merged'
  /** Rewritten, or merged in by another commit. */
  | 'not-on-the-branch'
  /** A revert that Stepback itself made. */
  | 'ours'
  /** The first commit of the repository. */
  | 'no-parent'
  | 'octopus'
  | 'too-long'
  | 'other-repository'
  | 'feeds-nothing';
