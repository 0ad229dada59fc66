/** Bad luck that no person has a part in: clusters, watches and processes fail, and what fails is well again after a while. */
import type { Happening } from './happenings.ts';
import type { World } from './world.ts';

export type Mishap = Extract<
  Happening,
  {
    kind:
      | 'unreachable'
      | 'window'
      | 'sick'
      | 'finish-hooks'
      | 'cut-watch'
      | 'crash'
      | 'lost-ledger'
      | 'expire-watch';
  }
>;

export function befall(world: World, happening: Mishap): void {
  const { argocd, time, story, hosts } = world;
  switch (happening.kind) {
    case 'unreachable':
      story.tell('world', () => `${happening.cluster} cannot be reached any more`);
      world.tally.note('unreachable-cluster');
      reach(world, happening.cluster, false);
      time.world.after(happening.forMs, () => {
        story.tell('world', () => `${happening.cluster} can be reached again`);
        reach(world, happening.cluster, true);
      });
      return;
    case 'window':
      story.tell('world', () => `a sync window closes on ${happening.cluster}`);
      world.tally.note('sync-window');
      argocd.closeWindow(happening.cluster);
      time.world.after(happening.forMs, () => {
        story.tell('world', () => `the sync window opens on ${happening.cluster}`);
        argocd.openWindow(happening.cluster);
      });
      return;
    case 'sick':
      story.tell('world', () => `${happening.application} falls ill, whatever it runs`);
      argocd.setHealth(happening.application, {
        status: 'Degraded',
        message: 'OOMKilled',
        isLasting: true,
      });
      // One that was Degraded before shows no change.
      world.truth.lookAt(happening.application);
      time.world.after(happening.forMs, () => {
        story.tell('world', () => `${happening.application} is well again`);
        argocd.setHealth(happening.application, undefined);
      });
      return;
    case 'finish-hooks':
      finishHooks(world);
      return;
    case 'cut-watch':
      story.tell('world', () => 'the watches are cut off');
      world.tally.note('watch-cut');
      for (const { cluster } of hosts) cluster.cut();
      time.world.after(happening.forMs, () => {
        story.tell('world', () => 'the watches list again');
        for (const { cluster } of world.hosts) cluster.mend();
        time.wakeHost();
      });
      return;
    case 'crash':
      for (const host of hosts) host.kill();
      return;
    case 'lost-ledger': {
      const { what, downAfterMs } = happening;
      const killAll = (): void => {
        for (const host of world.hosts) host.kill();
      };
      if (downAfterMs === 0) killAll();
      else time.world.after(downAfterMs, killAll);
      story.tell('dana', () => `deletes ${what} of the ledger`);
      world.ledger.lose(what);
      world.seen.isLedgerLost = true;
      world.tally.note('ledger-lost');
      return;
    }
    case 'expire-watch':
      story.tell('world', () => 'the watches are answered 410, and list again');
      world.tally.note('watch-expired');
      for (const { cluster } of hosts) cluster.expire(2_000);
      return;
  }
}

function reach({ argocd, plan }: World, cluster: string, isReachable: boolean): void {
  argocd.setReachable(cluster, isReachable);
  for (const set of plan.sets) argocd.refresh(`${set.name}-${cluster}`);
}

function finishHooks({ argocd, plan, story }: World): void {
  for (const application of plan.sets.flatMap((set) =>
    plan.clusters.map(({ name }) => `${set.name}-${name}`),
  )) {
    const isWaiting = argocd.liveObjects(application).some(({ manifest }) => manifest.kind === 'Job');
    if (!isWaiting) continue;
    story.tell('world', () => `the hook of ${application} ends`);
    argocd.finishHook(application);
  }
}
