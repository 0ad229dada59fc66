/**
 * What each command needs of whoever types it, before any configuration. Write access to a repository is not a right in
 * Argo CD: what changes the cluster is for nobody until a configuration names somebody.
 */
import type { CommandName, Permission } from './configuration.ts';

export interface CommandNeed {
  /** The least role in the repository. */
  permission: Permission;
  changesCluster: boolean;
}

const reads: CommandNeed = { permission: 'read', changesCluster: false };
const writes: CommandNeed = { permission: 'write', changesCluster: false };
const changesCluster: CommandNeed = { permission: 'write', changesCluster: true };

export const commandNeeds: Readonly<Record<CommandName, CommandNeed>> = {
  help: reads,
  status: reads,
  explain: reads,
  revert: writes,
  restore: writes,
  sync: changesCluster,
  hold: writes,
  resume: writes,
  snooze: writes,
  dismiss: writes,
  retry: writes,
  freeze: changesCluster,
  thaw: changesCluster,
};
