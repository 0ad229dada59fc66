/** What a webhook means to a Stepback, as its door for webhooks has it: nudges, and letters that are kept before GitHub gets its answer. */
import { revertBranchPrefix } from '../domain/incident-names.ts';
import type { Loop } from '../loop/loop.ts';
import type { Mailbox } from '../ports/mailbox.ts';
import type { Clock, Repository } from '../ports.ts';
import { botLogin, type HubPull } from './hub-objects.ts';
import type { Delivery } from './webhooks.ts';

export interface Ear {
  loop: Loop;
  mailbox: Mailbox;
  clock: Pick<Clock, 'now'>;
  place: Repository;
  pull(number: number): HubPull | undefined;
}

const followed: readonly string[] = [
  'closed',
  'reopened',
  'synchronize',
  'edited',
  'ready_for_review',
  'auto_merge_disabled',
];
const touching: readonly string[] = ['opened', 'reopened', 'synchronize', 'edited'];

/** Rejects with the WorldProblem of a letter that cannot be kept. */
export async function hear({ loop, mailbox, clock, place, pull }: Ear, delivery: Delivery): Promise<void> {
  const isOwn = delivery.by === botLogin;
  switch (delivery.event) {
    case 'push': {
      const { branch, sha } = delivery;
      if (!(isOwn && branch.startsWith(revertBranchPrefix))) loop.pushed(place, branch, sha);
      return;
    }
    case 'pull_request': {
      const { action, number } = delivery;
      const found = pull(number);
      const isMerged = action === 'closed' && found?.mergedAt != null;
      const isFollowed = followed.includes(action) && found?.user === botLogin;
      if (isOwn && !isMerged) return;
      if (touching.includes(action)) loop.pullRequestTouched(place, number);
      if (isMerged || isFollowed) loop.pullRequestChanged(place).catch(() => {});
      return;
    }
    case 'issues':
      if (!isOwn) loop.repositoryChanged(place);
      return;
    case 'issue_comment': {
      const { number, commentId, line, saidAt, by } = delivery;
      await mailbox.post({
        id: `comment-${commentId}`,
        repository: place,
        number,
        isPullRequest: true,
        commentId,
        check: null,
        applicationSet: null,
        sender: { login: by, isBot: false, isOurs: false },
        lines: [line],
        hasMore: false,
        saidAt,
        receivedAt: clock.now(),
      });
      loop.posted();
    }
  }
}
