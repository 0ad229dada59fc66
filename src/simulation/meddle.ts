/** What people and controllers do around Stepback: they stop it, archive the repository, and write the same ApplicationSets. */
import type { ApplicationSetObject } from '../sandbox/argocd/objects.ts';
import { diceOf } from './dice.ts';
import type { Happening } from './happenings.ts';
import { touchSet } from './rivals.ts';
import type { World } from './world.ts';

type Meddling = Extract<Happening, { kind: 'stop' | 'archive' | 'edit-steps' | 'touch-set' }>;

/** Lets it happen, and be over after a while. */
export function meddle(world: World, happening: Meddling): void {
  switch (happening.kind) {
    case 'stop':
      stop(world, happening.forMs);
      return;
    case 'archive':
      archive(world, happening.forMs);
      return;
    case 'edit-steps':
      editSteps(world, happening);
      return;
    case 'touch-set': {
      const { store, story, plan, time } = world;
      const dice = diceOf(plan.seed, `touch at ${happening.at}`);
      const did = touchSet(store, `argocd/${happening.set}`, dice, time.now());
      story.tell('world', () => did ?? 'nothing happens');
    }
  }
}

/** An issue that stops Stepback, until it is closed. */
function stop({ hub, repository, story, time, tally }: World, forMs: number): void {
  if (repository.isArchived) return;
  const labels = ['stepback: stop'];
  const number = hub.openIssue(repository, { title: 'Stop', body: 'please', user: 'dana', labels });
  tally.note('stopped');
  story.tell('dana', () => `stops Stepback by issue #${number}`);
  time.world.after(forMs, () => {
    story.tell('dana', () => `closes issue #${number}`);
    hub.editIssue(repository, number, { state: 'closed' }, 'dana');
  });
}

/** Nobody can write to it, until it is unarchived. */
function archive({ repository, story, time, tally }: World, forMs: number): void {
  repository.isArchived = true;
  tally.note('archived');
  story.tell('dana', () => 'archives the repository');
  time.world.after(forMs, () => {
    repository.isArchived = false;
    story.tell('dana', () => 'unarchives the repository');
  });
}

/** Whoever writes `maxUpdate` decides, also over what Stepback holds. */
function editSteps(world: World, { set, step }: Happening & { kind: 'edit-steps' }): void {
  const { store, story, tally, wantedSteps } = world;
  const wanted = wantedSteps.get(set) ?? [];
  const found = store.get<ApplicationSetObject>('applicationsets', 'argocd', set);
  const steps = (found?.spec.strategy?.rollingSync?.steps ?? []).map((one) => ({ ...one }));
  if (step !== null) wanted[step.index] = step.value;
  steps.forEach((one, index) => {
    if (step !== null && step.index !== index) return;
    const value = wanted[index];
    if (value === undefined) delete one.maxUpdate;
    else one.maxUpdate = value;
  });
  tally.note('steps-edited');
  story.tell('world', () =>
    step === null
      ? `a parent Application writes the steps of ${set} as they are in git`
      : `sam sets maxUpdate of step ${step.index + 1} of ${set} to ${step.value}`,
  );
  store.patchMerge('applicationsets', 'argocd', set, { spec: { strategy: { rollingSync: { steps } } } });
}
