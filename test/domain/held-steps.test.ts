/** The notes of steps that are held: what the cluster shows against what was noted, and that no note is lost. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type HeldState,
  type HeldStep,
  intending,
  isPutAway,
  observeSteps,
  stepsToHold,
} from '../../src/domain/held-steps.ts';
import type { Incident } from '../../src/domain/incident.ts';
import type { ApplicationSet, Step } from '../../src/domain/objects.ts';
import { summarizeIncident } from '../../src/domain/summaries.ts';
import { incident } from '../render/sample-incident.ts';
import { applicationSetOf, rawApplicationSet } from './world.ts';

const named = (name: string): Step['expressions'] => [{ key: 'env', operator: 'In', values: [name] }];
const prod = named('prod');

function setWith(generation: number, steps: readonly Step[]): ApplicationSet {
  return { ...applicationSetOf(rawApplicationSet()), generation, steps };
}

const others: readonly Step[] = [
  { expressions: named('dev'), maxUpdate: null },
  { expressions: named('staging'), maxUpdate: '50%' },
];

function note(state: HeldState, change: Partial<HeldStep> = {}): HeldStep {
  return { index: 2, name: 'prod', expressions: prod, former: 1, state, at: 1, generation: 5, ...change };
}

/** The state of one note after a look; prod has this `maxUpdate`. */
function seen(step: HeldStep, maxUpdate: Step['maxUpdate'], generation: number, isOver = false): HeldState {
  const set = setWith(generation, [...others, { expressions: prod, maxUpdate }]);
  return observeSteps([step], set, isOver, 9)[0]?.state ?? 'gone';
}

test.each([
  ['noted, and done before a crash', note('intended'), 0, 6, false, 'held'],
  ['noted, and not done', note('intended'), 1, 5, false, 'intended'],
  ['noted, and changed by a person instead', note('intended'), 4, 6, false, 'changed'],
  ['held', note('held'), 0, 5, false, 'held'],
  ['held, in a view from before it was', note('held'), 1, 4, false, 'held'],
  ['put back by something else', note('held'), 1, 6, false, 'undone'],
  ['changed by a person', note('held'), 3, 6, false, 'changed'],
  ['put back by us before a crash', note('held'), 1, 6, true, 'released'],
  ['what is over stays over', note('undone'), 0, 7, false, 'undone'],
] as const)('%s', (_, step, maxUpdate, generation, isOver, expected) => {
  expect(seen(step, maxUpdate, generation, isOver)).toBe(expected);
});

test('a step is known again when steps are moved, and gone when it is not there', () => {
  const moved = setWith(6, [{ expressions: prod, maxUpdate: 0 }, ...others]);
  expect(observeSteps([note('held')], moved, false, 9)).toEqual([note('held', { index: 0, generation: 6 })]);
  expect(observeSteps([note('held')], setWith(6, others), false, 9)[0]?.state).toBe('gone');
  const twice = setWith(6, [
    { expressions: prod, maxUpdate: 0 },
    { expressions: prod, maxUpdate: 0 },
  ]);
  expect(observeSteps([note('held')], twice, false, 9)[0]?.state).toBe('gone');
});

test('what somebody put back or changed is not held again; what we put back ourselves may be', () => {
  const wanted = { index: 2, name: 'prod', expressions: prod, maxUpdate: 1, applications: 3 };
  const plan = { ahead: 3, steps: [wanted], gates: [], escaping: [] };
  const isHeldAgain = (state: HeldState) => stepsToHold(plan, [note(state)]).length > 0;
  expect((['intended', 'released', 'undone', 'changed', 'gone'] as const).filter(isHeldAgain)).toEqual([
    'intended',
    'released',
    'gone',
  ]);
});

/**
 * A cluster, a ledger and Stepback, which may crash after any of its writes. Whatever happens, once the incident is over and
 * Stepback runs undisturbed for a few looks, no step stands at our 0.
 */
type Happening = 'look' | 'crash before the change' | 'crash after the change' | 'person' | 'parent' | 'over';

test('no step stays held for ever, wherever a crash falls', () => {
  const happenings = fc.array(
    fc.constantFrom<Happening>(
      'look',
      'crash before the change',
      'crash after the change',
      'person',
      'parent',
      'over',
    ),
    { maxLength: 12 },
  );
  fc.assert(
    fc.property(happenings, (all) => {
      const world = { maxUpdate: 1 as Step['maxUpdate'], generation: 1, isByPerson: false };
      let ledger: readonly HeldStep[] = [];
      let isOver = false;
      const write = (value: Step['maxUpdate']) => {
        if (world.maxUpdate === value) return;
        world.maxUpdate = value;
        world.generation += 1;
        world.isByPerson = false;
      };
      const look = (crash: 'none' | 'before' | 'after') => {
        const set = setWith(world.generation, [...others, { expressions: prod, maxUpdate: world.maxUpdate }]);
        ledger = observeSteps(ledger, set, isOver, 9);
        if (isOver) {
          if (!ledger.some(isPutAway) || crash === 'before') return;
          for (const step of ledger.filter(isPutAway)) if (step.state === 'held') write(step.former);
          if (crash === 'after') return;
          ledger = ledger
            .filter((step) => step.state !== 'intended')
            .map((step) => (isPutAway(step) ? { ...step, state: 'released' as const } : step));
          return;
        }
        if (world.maxUpdate === 0) return;
        const wanted = {
          index: 2,
          name: 'prod',
          expressions: prod,
          maxUpdate: world.maxUpdate,
          applications: 1,
        };
        const steps = stepsToHold({ ahead: 1, steps: [wanted], gates: [], escaping: [] }, ledger);
        if (steps.length === 0) return;
        ledger = intending(ledger, steps, world.generation, 9);
        if (crash === 'before') return;
        write(0);
        if (crash === 'after') return;
        ledger = ledger.map((step) =>
          step.state === 'intended'
            ? { ...step, state: 'held' as const, generation: world.generation }
            : step,
        );
      };
      for (const happening of all) {
        if (happening === 'look') look('none');
        else if (happening === 'crash before the change') look('before');
        else if (happening === 'crash after the change') look('after');
        else if (happening === 'over') isOver = true;
        else {
          write(happening === 'person' ? 7 : 1);
          world.isByPerson = true;
        }
      }
      isOver = true;
      const before = world.maxUpdate;
      for (let looks = 0; looks < 3; looks += 1) look('none');
      expect(world.maxUpdate).not.toBe(0);
      if (world.isByPerson) expect(world.maxUpdate).toBe(before);
      expect(ledger.some(isPutAway)).toBe(false);
    }),
    { numRuns: 500 },
  );
});

test('kubectl shows what is frozen, and what stood there', () => {
  const steps = [note('held'), note('intended', { name: 'edge', former: null }), note('released')];
  const one = {
    key: 'argocd/shop',
    uid: 'one',
    will: 'hold',
    order: null,
    plan: null,
    obstacle: null,
    steps,
  } as const;
  const summary = (containments?: Incident['containments']) =>
    summarizeIncident(incident({ containments })).frozen;
  expect(summary([one])).toBe('argocd/shop: prod (was 1), edge (was not set)');
  expect(summary([{ ...one, steps: [note('released')] }])).toBe('');
  expect(summary()).toBe('');
});
