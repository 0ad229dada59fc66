/**
 * Others who write the same things at the same moment: another Stepback that dies right after, people, and controllers. What
 * they write is what makes GitHub answer 422 (the ref exists, the pull request exists) and Kubernetes 409 (written over).
 */
import type { CheckRunContent } from '../ports/checks.ts';
import type { Letter } from '../ports/mailbox.ts';
import type { Repository, Stored } from '../ports.ts';
import type { ApplicationObject, ApplicationSetObject } from '../sandbox/argocd/objects.ts';
import type { ObjectStore } from '../sandbox/kubernetes/store.ts';
import type { Dice } from './dice.ts';
import { botLogin, type HubPull } from './hub-objects.ts';
import type { MemoryHub } from './memory-hub.ts';
import type { MemoryLedger } from './memory-ledger.ts';
import type { MemoryMailbox } from './memory-mailbox.ts';

/** Writes something before the call of this name does; says what, null when nobody would. */
export type Rival = (method: string, args: readonly unknown[]) => string | null;

const deleting = 'deletes';

/** Whether what a rival did takes something away that a call is about. */
export function isDeletion(did: string): boolean {
  return did.includes(` ${deleting} `);
}

/** On GitHub. */
export function rivalOnGitHub(hub: MemoryHub): Rival {
  return (method, args) => {
    const { owner, name } = args[0] as Repository;
    const repository = hub.find(`${owner}/${name}`);
    if (repository === undefined || repository.isArchived) return null;
    const place = repository.name;
    switch (method) {
      case 'createBranch': {
        const [, branch, sha] = args as [Repository, string, string];
        const commit = repository.git.commit(sha);
        if (commit === undefined || repository.refs.get(branch) !== undefined) return null;
        const { tree, parents, message } = commit;
        const other = hub.writeCommit(repository, {
          tree,
          parents,
          message: message.trimEnd(),
          by: botLogin,
        });
        hub.moveBranch(repository, branch, other, botLogin);
        return `another Stepback claims ${branch} with ${other.slice(0, 7)}`;
      }
      case 'createPullRequest': {
        const wish = args[1] as Pick<HubPull, 'title' | 'body' | 'head' | 'base' | 'isDraft'>;
        const isThere = repository.pulls.all().some((one) => one.head === wish.head && one.state === 'open');
        if (isThere || repository.refs.get(wish.head) === undefined) return null;
        return `another Stepback opens #${hub.openPull(repository, { ...wish, user: botLogin })}`;
      }
      case 'moveBranch': {
        const branch = args[1] as string;
        if (repository.refs.get(branch) === undefined) return null;
        hub.push(place, { branch, by: 'sam', message: 'mine', files: { 'docs/mine.md': 'Mine.\n' } });
        return `sam pushes onto ${branch}`;
      }
      case 'createComment': {
        const [, number, body] = args as [Repository, number, string];
        hub.comment(repository, number, botLogin, body);
        return 'another Stepback writes the same comment';
      }
      case 'createCheckRun': {
        const run = args[1] as CheckRunContent & { sha: string; name: string };
        const id = hub.nextId();
        const url = `https://github.com/${place}/runs/${id}`;
        repository.checkRuns.set(id, { ...run, id, url, writtenAt: hub.now() }, hub.now());
        return 'another Stepback makes the same check run';
      }
      case 'updateComment': {
        const comment = repository.comments.get(args[1] as number);
        if (comment === undefined) return null;
        repository.comments.set(comment.id, undefined, hub.now());
        return `sam ${deleting} the comment`;
      }
      case 'updateIssue': {
        const number = args[1] as number;
        if (repository.issues.get(number) === undefined) return null;
        repository.issues.set(number, undefined, hub.now());
        return `sam ${deleting} the issue`;
      }
      default:
        return null;
    }
  };
}

/** In the ledger: a person who labels an object, which changes its version. */
export function rivalInLedger(ledger: MemoryLedger<unknown, unknown>): Rival {
  return (method, args) => {
    if (method !== 'saveMemory' && method !== 'saveIncident') return null;
    return ledger.touch(String(args[0])) ? 'sam labels the object' : null;
  };
}

/** In the mailbox. */
export function rivalInMailbox(mailbox: MemoryMailbox): Rival {
  return (method, args) => {
    if (method !== 'settle') return null;
    const { value } = args[0] as Stored<Letter>;
    return mailbox.touch(value.id) ? 'sam labels the letter' : null;
  };
}

/** In the cluster: controllers and people who write the same objects. */
export function rivalInCluster(store: ObjectStore, dice: Dice, now: () => number): Rival {
  return (method, args) => {
    switch (method) {
      case 'setMaxUpdates':
        return touchSet(store, (args[0] as { key: string }).key, dice, now());
      case 'sync':
        return syncByHand(store, String(args[0]));
      default:
        return null;
    }
  };
}

/** Somebody edits an ApplicationSet: what is not its spec changes no generation. */
export function touchSet(store: ObjectStore, key: string, dice: Dice, now: number): string | null {
  const [namespace = '', name = ''] = key.split('/', 2);
  if (store.get<ApplicationSetObject>('applicationsets', namespace, name) === undefined) return null;
  const note = { 'example.com/touched': String(now) };
  const isSpec = dice.chance(0.6);
  const change = isSpec
    ? { spec: { template: { metadata: { annotations: note } } } }
    : { metadata: { annotations: note } };
  store.patchMerge('applicationsets', namespace, name, change);
  return isSpec ? `another controller edits the spec of ${name}` : `another controller labels ${name}`;
}

function syncByHand(store: ObjectStore, key: string): string | null {
  const [namespace = '', name = ''] = key.split('/', 2);
  const found = store.get<ApplicationObject>('applications', namespace, name);
  const phase = found?.status?.operationState?.phase;
  if (found === undefined || found.operation !== undefined || phase === 'Running') return null;
  const operation = { initiatedBy: { username: 'sam' }, sync: {} };
  store.patchMerge('applications', namespace, name, { operation });
  return `sam syncs ${name}`;
}
