/** The contract of the Mailbox, over HTTP against the small Kubernetes API with the definition that is deployed. */
import { expect, onTestFinished, test } from 'vitest';
import { openClusters } from '../../../src/adapters/kubernetes/open-clusters.ts';
import { KubernetesMailbox } from '../../../src/adapters/ledger/kubernetes-mailbox.ts';
import { type Letter, type LetterOutcome, letterLimits } from '../../../src/ports/mailbox.ts';
import { WorldProblem } from '../../../src/ports.ts';
import type { StoredObject } from '../../../src/sandbox/kubernetes/objects.ts';
import { startSmallKubernetes } from '../../../src/sandbox/kubernetes/server.ts';
import { ObjectStore } from '../../../src/sandbox/kubernetes/store.ts';
import { deployedDefinitions } from '../kubernetes/deployed.ts';
import { TestClock } from '../test-clock.ts';
import { saidAt, sampleLetter } from './sample-letter.ts';

const dayMs = 24 * 60 * 60_000;

async function mailboxWorld() {
  const clock = new TestClock();
  const store = new ObjectStore({ clock });
  for (const definition of deployedDefinitions()) store.create('customresourcedefinitions', definition);
  const kubernetes = await startSmallKubernetes({ clock, store });
  onTestFinished(() => kubernetes.close());
  /** As another process has it: with a client of its own. */
  const mailboxOf = (instance: string) => {
    const [cluster] = openClusters({
      kubeconfig: { kind: 'text', text: kubernetes.kubeconfig() },
      clusters: [{ context: null, instance }],
      clock,
      random: () => 0.5,
    });
    return new KubernetesMailbox({ client: cluster!.client, instance, namespace: 'argocd' });
  };
  const stored = () => store.list<StoredObject>('commandrequests');
  return { clock, store, kubernetes, mailboxOf, mailbox: mailboxOf('prod'), stored };
}

const accepted: LetterOutcome = { line: '/stepback revert', kind: 'accepted', why: '' };

test('a letter comes back as it was posted, and waits until it is settled', async () => {
  const { mailbox } = await mailboxWorld();
  expect(await mailbox.waiting()).toEqual([]);
  expect(await mailbox.post(sampleLetter())).toBe('posted');
  const [letter] = await mailbox.waiting();
  expect(letter?.value).toEqual(sampleLetter());
  expect(await mailbox.settle(letter!, [accepted], 77, saidAt + 5_000)).toBe('done');
  expect(await mailbox.waiting()).toEqual([]);
});

test('a button comes back as it was posted', async () => {
  const { mailbox } = await mailboxWorld();
  const button = sampleLetter({
    id: 'button-9-1',
    number: null,
    isPullRequest: false,
    commentId: null,
    check: { sha: 'c0ffee'.padEnd(40, '0'), name: 'stepback / argocd/shop', externalId: 'an id' },
    applicationSet: 'argocd/shop',
    saidAt: null,
  });
  await mailbox.post(button);
  expect((await mailbox.waiting()).map(({ value }) => value)).toEqual([button]);
});

test('what was posted once is known for ever, whoever posts it and also after it was settled', async () => {
  const { mailbox, mailboxOf } = await mailboxWorld();
  const replicas = [mailbox, mailboxOf('prod'), mailboxOf('prod'), mailboxOf('prod')];
  const answers = await Promise.all(replicas.map((one) => one.post(sampleLetter())));
  expect(answers.toSorted()).toEqual(['known', 'known', 'known', 'posted']);
  const [letter] = await mailbox.waiting();
  await mailbox.settle(letter!, [accepted], null, saidAt);
  expect(await mailboxOf('prod').post(sampleLetter())).toBe('known');
  expect(await mailbox.waiting()).toEqual([]);
});

test('each Argo CD has letters of its own, also of the same comment', async () => {
  const { mailbox, mailboxOf } = await mailboxWorld();
  expect([await mailbox.post(sampleLetter()), await mailboxOf('Dev 1').post(sampleLetter())]).toEqual([
    'posted',
    'posted',
  ]);
  const [letter] = await mailboxOf('Dev 1').waiting();
  await mailboxOf('Dev 1').settle(letter!, [accepted], null, saidAt);
  expect(await mailbox.waiting()).toHaveLength(1);
  expect(await mailboxOf('Dev 1').waiting()).toEqual([]);
});

test('letters are read in the order in which they came, over all pages', async () => {
  const { mailbox, kubernetes } = await mailboxWorld();
  const ids = Array.from({ length: 30 }, (_, index) => `comment-${(index * 17) % 30}`);
  for (const [index, id] of ids.entries())
    await mailbox.post(sampleLetter({ id, receivedAt: saidAt + index }));
  const read = (await mailbox.waiting()).map(({ value }) => value.id);
  expect(read).toEqual(ids);
  expect(kubernetes.journal.entries.filter(({ verb }) => verb === 'list').length).toBe(1);
});

test('a letter that somebody else settled is a conflict', async () => {
  const { mailbox, mailboxOf, stored } = await mailboxWorld();
  await mailbox.post(sampleLetter());
  const [one] = await mailbox.waiting();
  const [other] = await mailboxOf('prod').waiting();
  expect(await mailbox.settle(one!, [accepted], 1, saidAt)).toBe('done');
  expect(await mailboxOf('prod').settle(other!, [{ ...accepted, kind: 'refused' }], 2, saidAt)).toBe(
    'conflict',
  );
  expect(stored()[0]?.status).toMatchObject({ answer: 'accepted', replyId: 1 });
});

test('a letter that is gone is a conflict', async () => {
  const { mailbox, store, stored } = await mailboxWorld();
  await mailbox.post(sampleLetter());
  const [letter] = await mailbox.waiting();
  store.remove('commandrequests', 'argocd', stored()[0]!.metadata.name);
  expect(await mailbox.settle(letter!, [accepted], null, saidAt)).toBe('conflict');
});

test('a settling that was cut off between its two writes is made up for and never waits again', async () => {
  const { mailbox, mailboxOf, kubernetes, stored } = await mailboxWorld();
  await mailbox.post(sampleLetter());
  const [letter] = await mailbox.waiting();
  kubernetes.faults.add({ verb: 'patch', nth: 2, fault: { kind: 'status', code: 500 } });
  await expect(mailbox.settle(letter!, [accepted], null, saidAt)).rejects.toThrow(WorldProblem);
  expect(stored()[0]?.metadata.labels?.['stepback.dev/state']).toBe('waiting');
  expect(await mailboxOf('prod').waiting()).toEqual([]);
  expect(stored()[0]?.metadata.labels?.['stepback.dev/state']).toBe('answered');
});

test('what is too much is cut before it is kept', async () => {
  const { mailbox } = await mailboxWorld();
  const lines = Array.from(
    { length: 12 },
    (_, index) => `/stepback dismiss ${index} ${'é😀'.repeat(20_000)}`,
  );
  const login = 'd'.repeat(39);
  expect(await mailbox.post(sampleLetter({ lines, sender: { login, isBot: false, isOurs: false } }))).toBe(
    'posted',
  );
  const [letter] = await mailbox.waiting();
  expect(letter?.value.lines).toHaveLength(letterLimits.linesMax);
  expect(letter?.value.hasMore).toBe(true);
  for (const line of letter?.value.lines ?? []) {
    expect(line.length).toBeLessThanOrEqual(letterLimits.lineLengthMax);
    expect(line.isWellFormed()).toBe(true);
  }
});

test('objects that were made by hand and say nothing do not hinder', async () => {
  const { mailbox, store } = await mailboxWorld();
  store.create('commandrequests', {
    apiVersion: 'stepback.dev/v1alpha1',
    kind: 'CommandRequest',
    metadata: { name: 'odd', namespace: 'argocd', labels: { 'stepback.dev/state': 'waiting' } },
    spec: {
      instance: 'prod',
      id: 'odd',
      lines: [''],
      receivedAt: 'yesterday',
      sender: { login: 'x' },
      repository: { host: 'h', owner: 'o', name: 'n' },
    },
  });
  await mailbox.post(sampleLetter());
  expect((await mailbox.waiting()).map(({ value }) => value.id)).toEqual([sampleLetter().id]);
});

/** Answered letters, put there directly: as many as one likes, of any age. */
function fill(store: ObjectStore, count: number, answeredAt: number, prefix: string): void {
  for (let index = 0; index < count; index += 1)
    store.put('commandrequests', {
      apiVersion: 'stepback.dev/v1alpha1',
      kind: 'CommandRequest',
      metadata: {
        name: `${prefix}-${index}`,
        namespace: 'argocd',
        labels: { 'stepback.dev/state': 'answered' },
      },
      spec: { instance: 'prod' },
      status: { settledAt: new Date(answeredAt + index).toISOString() },
    } as never);
}

test('the audit trail keeps 30 days', async () => {
  const { mailbox, store, stored } = await mailboxWorld();
  const now = saidAt;
  fill(store, 3, now - 31 * dayMs, 'old');
  fill(store, 2, now - 29 * dayMs, 'young');
  expect(await mailbox.prune(now)).toBe(3);
  expect(stored().map(({ metadata }) => metadata.name)).toEqual(['young-0', 'young-1']);
  expect(await mailbox.prune(now)).toBe(0);
});

test('the audit trail keeps the newest 1,000, and all that GitHub might deliver again', async () => {
  const { mailbox, store, stored } = await mailboxWorld();
  const now = saidAt;
  fill(store, 6, now - 20 * dayMs, 'old');
  fill(store, 998, now - 10 * dayMs, 'middle');
  expect(await mailbox.prune(now)).toBe(4);
  expect(stored().filter(({ metadata }) => metadata.name.startsWith('old'))).toHaveLength(2);
  for (const { metadata } of stored().slice(0, 995)) store.remove('commandrequests', 'argocd', metadata.name);
  fill(store, 1_002, now - dayMs, 'young');
  expect([await mailbox.prune(now), await mailbox.prune(now)]).toEqual([5, 0]);
  expect(stored().filter(({ metadata }) => metadata.name.startsWith('young'))).toHaveLength(1_002);
});

test('waiting letters and those of other Argo CDs are never cut', async () => {
  const { mailbox, mailboxOf } = await mailboxWorld();
  const old: Partial<Letter> = { receivedAt: 0, saidAt: 0 };
  await mailbox.post(sampleLetter(old));
  await mailboxOf('dev').post(sampleLetter(old));
  const [letter] = await mailboxOf('dev').waiting();
  await mailboxOf('dev').settle(letter!, [accepted], null, 0);
  expect(await mailbox.prune(saidAt)).toBe(0);
  expect(await mailboxOf('dev').prune(saidAt)).toBe(1);
  expect(await mailbox.waiting()).toHaveLength(1);
});

test('a cluster without the kind says how to install it, to who posts and to who reads', async () => {
  const { mailbox, store } = await mailboxWorld();
  store.remove('customresourcedefinitions', '', 'commandrequests.stepback.dev');
  await expect(mailbox.post(sampleLetter())).rejects.toThrow(/kubectl apply -f deploy\/crds\.$/);
  await expect(mailbox.waiting()).rejects.toMatchObject({ kind: 'permanent' });
});

test('kubectl shows the audit trail', async () => {
  const { mailbox, kubernetes } = await mailboxWorld();
  const two = ['/stepback hold 2h', '/stepback sync'];
  await mailbox.post(sampleLetter({ id: 'a', lines: two }));
  await mailbox.post(
    sampleLetter({ id: 'b', number: 413, sender: { login: 'eve', isBot: false, isOurs: false } }),
  );
  const [letter] = await mailbox.waiting();
  const refused: LetterOutcome = { line: two[1]!, kind: 'refused', why: 'nobody-named' };
  await mailbox.settle(letter!, [{ ...accepted, line: two[0]! }, refused], 9, saidAt);
  expect(await printed(kubernetes.url)).toMatchInlineSnapshot(`
    [
      "Name | Who | What | Where | State | Answer | Received",
      "prod.a | dana | /stepback hold 2h; /stepback sync | acme/gitops#412 | answered | accepted, refused: nobody-named | 0s",
      "prod.b | eve | /stepback revert | acme/gitops#413 | waiting |  | 0s",
    ]
  `);
});

/** What kubectl prints: the cells of the server's Table. */
async function printed(url: string): Promise<readonly string[]> {
  const path = '/apis/stepback.dev/v1alpha1/namespaces/argocd/commandrequests';
  const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io';
  const answer = await fetch(url + path, { headers: { accept, connection: 'close' } });
  const table = (await answer.json()) as {
    columnDefinitions: { name: string; priority: number }[];
    rows: { cells: unknown[] }[];
  };
  const shown = table.columnDefinitions.flatMap(({ priority }, index) => (priority === 0 ? [index] : []));
  const names = table.columnDefinitions.map(({ name }) => name);
  return [names, ...table.rows.map(({ cells }) => cells)].map((cells) =>
    shown.map((index) => cells[index]).join(' | '),
  );
}
