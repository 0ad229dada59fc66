import { expect, onTestFinished, test } from 'vitest';
import { openClusters } from '../../../src/adapters/kubernetes/open-clusters.ts';
import { KubernetesLedger, type LedgerOptions } from '../../../src/adapters/ledger/kubernetes-ledger.ts';
import { WorldProblem } from '../../../src/ports.ts';
import { startSmallKubernetes } from '../../../src/sandbox/kubernetes/server.ts';
import { ObjectStore } from '../../../src/sandbox/kubernetes/store.ts';
import { deployedDefinitions } from '../kubernetes/deployed.ts';
import { TestClock } from '../test-clock.ts';

/** As rich as what the domain keeps of one Application: revisions, times, causes. */
interface Remembered {
  uid: string;
  lastGood: readonly string[];
  healthySince: number;
  seenAt: number;
  failedOn: readonly string[];
}
type Memory = { applications: Readonly<Record<string, Remembered>> };
type Incident = { id: string; phase: string; sets: readonly string[] };

const commit = '951d058fdbb6d372d746cdc4817faabd6a128e6d';

function memoryOf(count: number): Memory {
  const entries = Array.from({ length: count }, (_, number): [string, Remembered] => [
    `argocd/checkout-production-cluster-${number}`,
    {
      uid: `66c27c3d-ec85-4ff5-ae3b-f55bb7${String(100_000 + number)}`,
      lastGood: [commit],
      healthySince: 1_796_128_000_000 + number,
      seenAt: 1_796_128_123_456,
      failedOn: [],
    },
  ]);
  return { applications: Object.fromEntries(entries) };
}

async function ledgerWorld(options: { instance?: string } = {}) {
  const clock = new TestClock();
  const store = new ObjectStore({ clock });
  for (const definition of deployedDefinitions()) store.create('customresourcedefinitions', definition);
  const kubernetes = await startSmallKubernetes({ clock, store });
  onTestFinished(() => kubernetes.close());
  const ledgerOf = (instance: string, more: Partial<LedgerOptions<Memory, Incident>> = {}) => {
    const [cluster] = openClusters({
      kubeconfig: { kind: 'text', text: kubernetes.kubeconfig() },
      clusters: [{ context: null, instance: 'prod' }],
      clock,
      random: () => 0.5,
    });
    return new KubernetesLedger<Memory, Incident>({
      client: cluster!.client,
      instance,
      namespace: 'argocd',
      clock,
      summarizeMemory: (memory) => {
        const remembered = Object.values(memory.applications);
        const lastGood = new Set(remembered.flatMap((one) => one.lastGood));
        return {
          applications: remembered.length,
          lastGood: [...lastGood].map((revision) => revision.slice(0, 7)).join(', '),
        };
      },
      summarizeIncident: ({ phase, sets }) => ({
        applicationSets: sets,
        phase,
        stage: 'staging',
        pullRequest: 'https://github.com/acme/shop/pull/415',
      }),
      ...more,
    });
  };
  return { clock, store, kubernetes, ledgerOf, ledger: ledgerOf(options.instance ?? 'prod') };
}

const incident: Incident = { id: 'argocd/shop@951d058', phase: 'open', sets: ['argocd/shop', 'argocd/web'] };

test('a memory comes back as it was saved, with the version of the next write', async () => {
  const { ledger } = await ledgerWorld();
  expect(await ledger.memory('argocd/shop')).toBeNull();
  const first = await ledger.saveMemory('argocd/shop', memoryOf(2), null);
  expect(await ledger.memory('argocd/shop')).toEqual({ value: memoryOf(2), version: first });
  const second = await ledger.saveMemory('argocd/shop', memoryOf(3), first);
  expect(second).not.toBe(first);
  expect(await ledger.memory('argocd/shop')).toEqual({ value: memoryOf(3), version: second });
  expect(await ledger.memory('team-b/shop')).toBeNull();
});

test('whoever read an older version, or thought there was none, is told so and changes nothing', async () => {
  const { ledger } = await ledgerWorld();
  const first = await ledger.saveMemory('argocd/shop', memoryOf(1), null);
  await ledger.saveMemory('argocd/shop', memoryOf(2), first);
  expect(await ledger.saveMemory('argocd/shop', memoryOf(9), first)).toBe('conflict');
  expect(await ledger.saveMemory('argocd/shop', memoryOf(9), null)).toBe('conflict');
  expect((await ledger.memory('argocd/shop'))?.value).toEqual(memoryOf(2));
});

test('of two that make the same incident at once one wins', async () => {
  const { ledger, ledgerOf } = await ledgerWorld();
  const tries = [ledger, ledgerOf('prod'), ledgerOf('prod')].map((one) =>
    one.saveIncident(incident.id, incident, null),
  );
  const answers = await Promise.all(tries);
  expect(answers.filter((answer) => answer === 'conflict')).toHaveLength(2);
  expect(await ledger.incidents()).toHaveLength(1);
});

test('a memory whose object was deleted is a conflict, and can be made anew', async () => {
  const { ledger, store } = await ledgerWorld();
  const version = await ledger.saveMemory('argocd/shop', memoryOf(1), null);
  store.remove('stageledgers', 'argocd', 'shop');
  expect(await ledger.saveMemory('argocd/shop', memoryOf(2), version)).toBe('conflict');
  expect(await ledger.memory('argocd/shop')).toBeNull();
  expect(await ledger.saveMemory('argocd/shop', memoryOf(2), null)).not.toBe('conflict');
});

test('a crash between the two writes of a new object leaves nothing that cannot be continued', async () => {
  const { ledger, kubernetes } = await ledgerWorld();
  kubernetes.faults.add({ verb: 'update', times: 2, fault: { kind: 'reset' } });
  await expect(ledger.saveMemory('argocd/shop', memoryOf(1), null)).rejects.toBeInstanceOf(WorldProblem);
  await expect(ledger.saveIncident(incident.id, incident, null)).rejects.toBeInstanceOf(WorldProblem);
  expect(await ledger.memory('argocd/shop')).toBeNull();
  expect(await ledger.incidents()).toEqual([]);
  const version = await ledger.saveMemory('argocd/shop', memoryOf(1), null);
  expect(await ledger.memory('argocd/shop')).toEqual({ value: memoryOf(1), version });
  expect(await ledger.saveIncident(incident.id, incident, null)).not.toBe('conflict');
});

test('a write whose answer was lost is a conflict at the next try, and was made once', async () => {
  const { ledger, kubernetes } = await ledgerWorld();
  const first = await ledger.saveMemory('argocd/shop', memoryOf(1), null);
  kubernetes.faults.add({ verb: 'update', fault: { kind: 'lostAnswer', as: 'reset' } });
  await expect(ledger.saveMemory('argocd/shop', memoryOf(2), first)).rejects.toMatchObject({
    kind: 'transient',
  });
  expect(await ledger.saveMemory('argocd/shop', memoryOf(2), first)).toBe('conflict');
  expect((await ledger.memory('argocd/shop'))?.value).toEqual(memoryOf(2));
});

test('incidents are listed over all pages, each with its version, and only those of this instance', async () => {
  const { ledger, ledgerOf } = await ledgerWorld();
  const saved = new Map<string, string>();
  for (let number = 0; number < 120; number += 1) {
    const one = { ...incident, id: `argocd/shop@${number}` };
    saved.set(one.id, await ledger.saveIncident(one.id, one, null));
  }
  await ledgerOf('other').saveIncident('argocd/shop@other', incident, null);
  const incidents = await ledger.incidents();
  expect(new Map(incidents.map(({ value, version }) => [value.id, version]))).toEqual(saved);
});

test('5,000 Applications at 200 bytes and more fit into one object', async () => {
  const { ledger, store } = await ledgerWorld();
  const memory = memoryOf(5_000);
  expect(JSON.stringify(memory).length / 5_000).toBeGreaterThan(200);
  await ledger.saveMemory('argocd/shop', memory, null);
  const bytes = Buffer.byteLength(JSON.stringify(store.get('stageledgers', 'argocd', 'shop')));
  expect(bytes).toBeLessThan(1_500_000);
  expect((await ledger.memory('argocd/shop'))?.value).toEqual(memory);
});

test('what does not fit is one clear sentence, and nothing is written', async () => {
  const { ledger, kubernetes } = await ledgerWorld();
  const problem = await ledger.saveMemory('argocd/shop', memoryOf(20_000), null).catch((error) => error);
  expect(problem).toMatchObject({ kind: 'permanent' });
  expect(problem.message).toMatchInlineSnapshot(
    `"What must be remembered in StageLedger argocd/shop has 4.2 MB, and Kubernetes keeps no object above 1.5 MB, so it was not saved. Split the ApplicationSet, or let Stepback remember less per Application."`,
  );
  expect(kubernetes.journal.entries).toEqual([]);
});

test('without the kinds every verb says what to install', async () => {
  const { ledger, store } = await ledgerWorld();
  store.remove('customresourcedefinitions', '', 'stageledgers.stepback.dev');
  store.remove('customresourcedefinitions', '', 'rollbacks.stepback.dev');
  const tries = [
    ledger.memory('argocd/shop'),
    ledger.saveMemory('argocd/shop', memoryOf(1), null),
    ledger.saveMemory('argocd/shop', memoryOf(1), '5'),
    ledger.incidents(),
    ledger.saveIncident('x', incident, null),
  ];
  const problems = await Promise.all(tries.map((one) => one.catch((error) => error)));
  for (const problem of problems)
    expect(problem).toMatchObject({ kind: 'permanent', reason: 'no-such-kind' });
  expect(problems[0].message).toMatchInlineSnapshot(
    `"The API of cluster "prod" does not know stageledgers.stepback.dev. Stepback keeps what it must remember in custom resources of its own, and works without a memory until they are there. Install them: kubectl apply -f deploy/crds."`,
  );
});

test('an object that is about something else is not touched', async () => {
  const { ledger, store } = await ledgerWorld();
  store.create('stageledgers', {
    metadata: { name: 'shop', namespace: 'argocd' },
    spec: { instance: 'another', applicationSet: 'shop' },
  });
  const problem = await ledger.memory('argocd/shop').catch((error) => error);
  expect(problem.message).toMatchInlineSnapshot(
    `"StageLedger argocd/shop in cluster "prod" is about something else than its name says, so nothing is read from it or written to it. Delete it, or give the two Stepbacks that share it different namespaces."`,
  );
  await expect(ledger.saveMemory('argocd/shop', memoryOf(1), null)).rejects.toMatchObject({
    kind: 'permanent',
  });
});

/** What `kubectl get` prints: the cells of the server's Table. */
async function printed(url: string, plural: string): Promise<unknown> {
  const response = await fetch(`${url}/apis/stepback.dev/v1alpha1/${plural}`, {
    headers: { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' },
  });
  const table = (await response.json()) as {
    columnDefinitions: { name: string; priority: number }[];
    rows: { cells: unknown[] }[];
  };
  const shown = table.columnDefinitions.flatMap(({ priority }, index) => (priority === 0 ? [index] : []));
  const names = table.columnDefinitions.map(({ name }) => name);
  return [names, ...table.rows.map(({ cells }) => cells)].map((line) =>
    shown.map((index) => line[index]).join(' | '),
  );
}

test('kubectl prints both kinds so that people can read them', async () => {
  const { ledger, kubernetes, clock } = await ledgerWorld();
  await ledger.saveMemory('argocd/shop', memoryOf(7), null);
  await ledger.saveIncident(incident.id, incident, null);
  clock.advance(180_000);
  expect(await printed(kubernetes.url, 'stageledgers')).toMatchInlineSnapshot(`
    [
      "Name | Applications | Last good | Saved | Age",
      "shop | 7 | 951d058 | 3m | 3m",
    ]
  `);
  expect(await printed(kubernetes.url, 'rollbacks')).toMatchInlineSnapshot(`
    [
      "Name | ApplicationSet | Phase | Stage | Pull request | Age",
      "argocd-shop-951d058-0d37d6d59e | argocd/shop, argocd/web | open | staging | https://github.com/acme/shop/pull/415 | 3m",
    ]
  `);
});

test('a summary longer than the schema takes is cut, and the value is saved whole', async () => {
  const { ledger, store } = await ledgerWorld();
  const long = { ...incident, phase: 'x'.repeat(5_000), sets: Array(900).fill('argocd/shop') };
  await ledger.saveIncident('long', long, null);
  expect((await ledger.incidents())[0]?.value).toEqual(long);
  const status = store.get('rollbacks', 'argocd', 'long')!.status as Record<string, string>;
  expect([status.phase?.length, status.applicationSets?.length]).toEqual([64, 4096]);
});

test('an incident that nobody understands is as if it were not there, and is written anew', async () => {
  const { ledgerOf, store } = await ledgerWorld();
  const unreadable: string[] = [];
  const ledger = ledgerOf('prod', {
    isReadable: (value) => typeof (value as Incident).phase === 'string',
    onUnreadable: (name) => unreadable.push(name),
  });
  const other: Incident = { id: 'another', phase: 'open', sets: [] };
  await ledger.saveIncident(incident.id, incident, null);
  await ledger.saveIncident(other.id, other, null);
  const name = store.list<{ metadata: { name: string }; spec: { id: string } }>('rollbacks');
  const object = name.find(({ spec }) => spec.id === incident.id);
  store.replaceStatus('rollbacks', { ...object, status: { incident: { form: 2 } } } as never);
  expect((await ledger.incidents()).map(({ value }) => value)).toEqual([other]);
  expect(unreadable).toEqual([`argocd/${object?.metadata.name}`]);
  expect(await ledger.saveIncident(other.id, other, null), 'one that is understood stays').toBe('conflict');
  expect(await ledger.saveIncident(incident.id, incident, null)).not.toBe('conflict');
  expect((await ledger.incidents()).map(({ value }) => value.id).sort()).toEqual([other.id, incident.id]);
});
