/** Holding what is still ahead, against everything that can come in between: people, parents, rights, crashes. */
import { describe, expect, it } from 'vitest';
import type { Incident } from '../../src/domain/incident.ts';
import type { ApplicationSetObject } from '../../src/sandbox/argocd/objects.ts';
import type { StoredObject } from '../../src/sandbox/kubernetes/objects.ts';
import {
  breakLate,
  everGot,
  freezes,
  heldIn,
  maxUpdates,
  setMaxUpdate,
} from '../../src/sandbox/stories/contain.ts';
import {
  everywhereOnVersionOne,
  mergeAndRecover,
  oneRevert,
  repository,
} from '../../src/sandbox/stories/staging.ts';
import type { StageDirector } from '../../src/sandbox/story.ts';
import type { SandboxWorld } from '../../src/sandbox/world.ts';
import { open, type Played, storyOf } from './playing.ts';

const asBefore = ['100%', '50%', 1];
const held = ['100%', 0, 0];

interface Begun extends Played {
  bad: string;
}

/** Version 1 everywhere, then a change that dev-1 does not bear for long. */
async function begin(
  options: {
    files?: Record<string, string>;
    before?: (stage: StageDirector) => void;
    maxUpdates?: readonly (number | string)[];
    /** How long the others take. */
    health?: string;
  } = {},
): Promise<Begun> {
  const play = await open(storyOf(async () => {}));
  const { director } = play;
  await everywhereOnVersionOne(director, { files: options.files ?? freezes, maxUpdates: options.maxUpdates });
  options.before?.(director);
  return { ...play, bad: await breakLate(director, options.health) };
}

const bodyOf = ({ github }: SandboxWorld): string =>
  github.pullRequests(repository).find((one) => one.user === github.app.botLogin)?.body ?? '';

async function says(stage: StageDirector, words: RegExp, minutes = 4): Promise<void> {
  await stage.expect(`the revert says ${words}`, () => words.test(bodyOf(stage.world)), minutes);
}

const prodGot = ({ world, bad }: Begun) => everGot(world, bad).filter((name) => name.includes('-prod-'));

/** Merges, and everything is back, the steps too. */
async function endsWell({ world, director }: Begun): Promise<void> {
  world.argocd.setHealth('payments-dev-1', undefined);
  await mergeAndRecover(director, repository);
}

const isPatch = { verb: 'patch', resource: 'applicationsets' } as const;

/** Patches that Stepback made on the steps of the ApplicationSet. */
const patches = ({ kubernetes }: SandboxWorld) =>
  kubernetes.journal.entries.filter(
    ({ verb, resource, body }) =>
      verb === 'patch' && resource === 'applicationsets' && 'spec' in Object(body),
  );

describe('others', () => {
  it('a person who changes a held step keeps what they wrote', async () => {
    const play = await begin();
    await heldIn(play.director, held);
    setMaxUpdate(play.world, 2, 3);
    await says(play.director, /prod is not held any more\*\*: somebody gave/);
    await play.conductor.pass(60_000);
    expect(maxUpdates(play.world)).toEqual(['100%', 0, 3]);
    await endsWell(play);
    expect(maxUpdates(play.world)).toEqual(['100%', '50%', 3]);
  });

  it('a parent that undoes it is not fought with, and is told of once', async () => {
    const play = await begin();
    await heldIn(play.director, held);
    setMaxUpdate(play.world, 1, '50%');
    setMaxUpdate(play.world, 2, 1);
    await says(play.director, /staging and prod are not held any more\*\*: something put/);
    const made = patches(play.world).length;
    await play.conductor.pass(2 * 60_000);
    expect(maxUpdates(play.world)).toEqual(asBefore);
    expect(patches(play.world).length).toBe(made);
    await endsWell(play);
  });

  it('an ApplicationSet that somebody else’s controller owns is left alone, and the place to change it is named', async () => {
    const play = await begin({ before: owned });
    await oneRevert(play.director, repository);
    await says(play.director, /in its manifest in `acme\/platform`, below `sets`/);
    expect(patches(play.world)).toEqual([]);
    expect(bodyOf(play.world)).not.toContain('kubectl');
  });

  it('… unless that is configured', async () => {
    const files = { '.github/stepback.yaml': 'contain: freeze\nfreezeOwned: true\n' };
    const play = await begin({ files, before: owned });
    await heldIn(play.director, held);
    await endsWell(play);
    expect(maxUpdates(play.world)).toEqual(asBefore);
  });

  it('a right that is missing hinders no revert, and is named with the file that grants it', async () => {
    const play = await begin({ before: ({ world }) => forbidPatches(world) });
    await oneRevert(play.director, repository);
    await says(play.director, /I cannot hold them: .*deploy\/rbac-freeze\.yaml/);
    expect(bodyOf(play.world)).toContain('kubectl -n argocd patch applicationset payments');
    await play.conductor.pass(3 * 60_000);
    expect(patches(play.world)).toHaveLength(1);
  });
});

describe('what is Pending already', () => {
  it('is kept from it by a step before it that can be held', async () => {
    const play = await begin();
    await heldIn(play.director, held);
    makePending(play.world, 'payments-prod-2');
    await play.conductor.pass(4 * 60_000);
    expect(prodGot(play)).toEqual([]);
    await endsWell(play);
  });

  it('cannot be held when every step before it is on its way, and that is said', async () => {
    const play = await begin({ maxUpdates: ['100%', '100%', 1], health: 'Healthy after 150s' });
    makePending(play.world, 'payments-prod-2');
    await heldIn(play.director, ['100%', '100%', 0]);
    await says(play.director, /prod-2 cannot be held any more/);
    const early = prodGot(play);
    expect(early).not.toContain('payments-prod-2');
    await play.conductor.pass(3 * 60_000);
    expect(prodGot(play)).toEqual([...early, 'payments-prod-2'].sort());
    await endsWell(play);
    expect(maxUpdates(play.world)).toEqual(['100%', '100%', 1]);
  });
});

it('lets go of everything when what failed heals by itself, and the rollout goes on', async () => {
  const play = await begin();
  const { world, director } = play;
  await heldIn(director, held);
  world.argocd.setHealth('payments-dev-1', undefined);
  await heldIn(director, asBefore);
  await director.expect('every Application gets it', () => everGot(world, play.bad).length === 12, 15);
});

describe('a crash', () => {
  it('between the note and the change: the steps are held, and put back', async () => {
    const play = await begin({
      before: ({ world }) =>
        void world.kubernetes.faults.add({ ...isPatch, times: 3, fault: { kind: 'status', code: 500 } }),
    });
    await play.director.expect('a change was tried', () => patches(play.world).length > 0, 5);
    expect(maxUpdates(play.world)).toEqual(asBefore);
    expect(notes(play.world)).toEqual(['intended', 'intended']);
    await play.world.restart();
    await heldIn(play.director, held);
    await endsWell(play);
    expect(maxUpdates(play.world)).toEqual(asBefore);
  });

  it('between the change and the note of it: the steps are put back', async () => {
    const play = await begin({
      before: ({ world }) =>
        void world.kubernetes.faults.add({ ...isPatch, fault: { kind: 'lostAnswer', as: 'reset' } }),
    });
    await heldIn(play.director, held);
    await play.world.restart();
    await says(play.director, /\*\*Frozen\*\*/, 8);
    await endsWell(play);
    expect(maxUpdates(play.world)).toEqual(asBefore);
  });

  it('before they are put back, when everything else is over: the steps are put back all the same', async () => {
    const play = await begin();
    await heldIn(play.director, held);
    await oneRevert(play.director, repository);
    play.world.kubernetes.faults.add({ ...isPatch, times: 4, fault: { kind: 'status', code: 500 } });
    play.world.github.closePullRequest(repository, revertOf(play.world), 'dana');
    await play.director.expect('putting back was tried', () => patches(play.world).length > 1, 5);
    await play.world.restart();
    await heldIn(play.director, asBefore);
  });
});

describe('by order', () => {
  it('freeze holds although that is not configured, and thaw lets go for this incident', async () => {
    const play = await begin({ files: {} });
    await oneRevert(play.director, repository);
    await order(play, 'freeze');
    await heldIn(play.director, held);
    await says(play.director, /as `dana` asked/);
    await order(play, 'thaw');
    await heldIn(play.director, asBefore);
    await says(play.director, /`dana` asked me to let them go/);
    await play.conductor.pass(60_000);
    expect(maxUpdates(play.world)).toEqual(asBefore);
  });
});

function revertOf({ github }: SandboxWorld): number {
  return github.pullRequests(repository).find((one) => one.user === github.app.botLogin)?.number ?? 0;
}

/** The states of the notes, as the ledger has them. */
function notes({ store }: SandboxWorld): readonly string[] {
  const [rollback] = store.list<StoredObject & { status: { incident: Incident } }>('rollbacks');
  const { containments = [] } = rollback?.status.incident ?? {};
  return containments.flatMap(({ steps }) => steps.map(({ state }) => state));
}

/** Another Application applies the ApplicationSet from Git. */
function owned({ world }: StageDirector): void {
  world.store.create('applications', {
    metadata: { name: 'platform', namespace: 'argocd' },
    spec: {
      project: 'default',
      source: { repoURL: 'https://github.com/acme/platform.git', path: 'sets', targetRevision: 'main' },
      destination: { server: 'https://nowhere.example', namespace: 'argocd' },
    },
    status: { health: {}, sync: { status: 'Synced', comparedTo: { destination: {} } } },
  });
  const annotations = {
    'argocd.argoproj.io/tracking-id': 'platform:argoproj.io/ApplicationSet:argocd/payments',
  };
  world.store.patchMerge('applicationsets', 'argocd', 'payments', { metadata: { annotations } });
}

function forbidPatches({ kubernetes }: SandboxWorld): void {
  const [user] = kubernetes.users;
  if (user === undefined) throw new Error('Nobody uses this cluster.');
  const verbs = ['get', 'list', 'watch', 'create', 'update', 'delete'];
  user.allow = [{ verbs, resources: ['*'] }];
}

/** The controller let it become Pending out of order. */
function makePending({ store, clock }: SandboxWorld, application: string): void {
  const set = store.get<ApplicationSetObject>('applicationsets', 'argocd', 'payments');
  const lastTransitionTime = new Date(clock.now()).toISOString();
  const applicationStatus = (set?.status?.applicationStatus ?? []).map((entry) =>
    entry.application === application ? { ...entry, status: 'Pending' as const, lastTransitionTime } : entry,
  );
  store.replaceStatus('applicationsets', { ...set, status: { ...set?.status, applicationStatus } } as never);
}

/** What a command leaves in the ledger; read by the Stepback that is started then. */
async function order({ world }: Played, kind: 'freeze' | 'thaw'): Promise<void> {
  const ledger = world.store.get<StoredObject & { status: { memory: { orders: object } } }>(
    'stageledgers',
    'argocd',
    'payments',
  );
  const freeze = { kind, by: 'dana', at: world.clock.now() };
  const memory = { ...ledger?.status.memory, orders: { ...ledger?.status.memory.orders, freeze } };
  world.store.replaceStatus('stageledgers', {
    ...ledger,
    status: { ...ledger?.status, memory },
  } as never);
  await world.restart();
}
