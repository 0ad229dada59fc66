/** What the web room is handed to show and to nudge: one Argo CD, and the loop that looks after it. */
import type { Loop } from '../loop/loop.ts';
import type { Leadership } from '../ports/leadership.ts';
import type { Mailbox } from '../ports/mailbox.ts';
import type { Cluster } from '../ports.ts';

export interface Watched {
  cluster: Pick<Cluster, 'instance' | 'applicationSets' | 'rows' | 'sight'>;
  loop: Pick<
    Loop,
    | 'results'
    | 'incidents'
    | 'nudge'
    | 'pushed'
    | 'pullRequestChanged'
    | 'pullRequestTouched'
    | 'repositoryChanged'
    | 'posted'
    | 'queueLength'
  >;
  mailbox: Pick<Mailbox, 'post'>;
  /** Of several replicas; absent where there is one. */
  leadership?: Pick<Leadership, 'isLeading' | 'leader'>;
}
