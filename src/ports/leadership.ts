/**
 * Of several replicas one acts. Leading is a belief with an end: a replica that cannot renew it stops acting before
 * another may begin, by its own clock and with some time between. The belief fences nothing; what is written is fenced by
 * versions in the cluster, and on GitHub by the ref that a revert claims.
 */

export interface Leader {
  /** Its name among the replicas, such as the name of its Pod. */
  identity: string;
  /** Where the other replicas reach it, `http://10.0.0.7:3000`; null when it does not say. */
  address: string | null;
}

export interface Leadership {
  /** Whether this replica may act now. */
  isLeading(): boolean;
  /** Who acts, as far as is known; null when nobody does. */
  leader(): Leader | null;
  /**
   * Stands for election until `signal` aborts, then steps down, so that another need not wait. `onChange` is told of each
   * beginning and end. Never throws.
   */
  run(onChange: (isLeading: boolean) => void, signal: AbortSignal): Promise<void>;
}
