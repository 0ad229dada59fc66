/** What `kubectl get` shows of Stepback's own kinds in the course of an incident, by the API server's own Tables. */
import { expect, it } from 'vitest';
import { breakLate, freezes, heldIn } from '../../src/sandbox/stories/contain.ts';
import { loseLedger, saysItGuesses, saysItIsRecovered } from '../../src/sandbox/stories/lost.ts';
import { everywhereOnVersionOne, oneRevert, repository } from '../../src/sandbox/stories/staging.ts';
import { merge } from '../../src/sandbox/story.ts';
import type { SandboxWorld } from '../../src/sandbox/world.ts';
import { masked } from './masked.ts';
import { open, storyOf } from './playing.ts';

interface Table {
  columnDefinitions: readonly { name: string; priority: number }[];
  rows: readonly { cells: readonly unknown[]; object: { metadata: { namespace: string } } }[];
}

/** As `kubectl get KIND -A` prints it, with `-o wide` when asked; ages are masked, because they depend on when one looks. */
async function kubectl(world: SandboxWorld, kind: string, isWide = false): Promise<string> {
  const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io';
  const answer = await fetch(`${world.kubernetes.url}/apis/stepback.dev/v1alpha1/${kind}`, {
    headers: { accept },
  });
  const { columnDefinitions, rows } = (await answer.json()) as Table;
  const isShown = columnDefinitions.map(({ priority }) => isWide || priority === 0);
  const shown = (cells: readonly unknown[]): string[] =>
    cells
      .filter((_, index) => isShown[index])
      .map((cell) => (cell == null || cell === '' ? '' : String(cell)));
  const isAge = shown(columnDefinitions.map(({ name }) => name)).map((name) =>
    /^(?:Age|Saved|Received|Settled)$/.test(name),
  );
  const lines = [
    ['NAMESPACE', ...shown(columnDefinitions.map(({ name }) => name.toUpperCase()))],
    ...rows.map(({ cells, object }) => [
      object.metadata.namespace,
      ...shown(cells).map((cell, index) =>
        isAge[index] === true && cell !== '' ? '…' : masked(world, cell),
      ),
    ]),
  ];
  const widths =
    lines[0]?.map((_, index) => Math.max(...lines.map((line) => line[index]?.length ?? 0))) ?? [];
  return lines
    .map((line) =>
      line
        .map((cell, index) => cell.padEnd(widths[index] ?? 0))
        .join('   ')
        .trimEnd(),
    )
    .join('\n');
}

it('tells of an incident from the revert to the end, also when it was put together again', async () => {
  const play = await open(storyOf(async () => {}));
  const { world, director, conductor } = play;
  await everywhereOnVersionOne(director, { files: freezes });
  expect(await kubectl(world, 'rollbacks')).toMatchInlineSnapshot(
    `"NAMESPACE   NAME   APPLICATIONSET   PHASE   STAGE   PULL REQUEST   AGE"`,
  );
  expect(await kubectl(world, 'stageledgers')).toMatchInlineSnapshot(`
    "NAMESPACE   NAME       APPLICATIONS   LAST GOOD   SAVED   AGE
    argocd      payments   12             A           …       …"
  `);
  world.github.addCollaborator(repository, 'dana', 'write');
  await breakLate(director);
  await heldIn(director, ['100%', 0, 0]);
  const revert = await oneRevert(director, repository);
  world.github.comment(repository, revert, { by: 'dana', body: '/stepback hold 2h\n/stepback sync' });
  await conductor.pass(30_000);
  expect(await kubectl(world, 'rollbacks')).toMatchInlineSnapshot(`
    "NAMESPACE   NAME       APPLICATIONSET    PHASE      STAGE     PULL REQUEST                              AGE
    argocd      argocd-B   argocd/payments   proposed   1 (dev)   https://github.com/acme/payments/pull/2   …"
  `);
  expect(await kubectl(world, 'rollbacks', true)).toMatchInlineSnapshot(`
    "NAMESPACE   NAME       APPLICATIONSET    PHASE      STAGE     PULL REQUEST                              RECOVERY   FROZEN                                             INSTANCE   SAVED   AGE
    argocd      argocd-B   argocd/payments   proposed   1 (dev)   https://github.com/acme/payments/pull/2              argocd/payments: staging (was 50%), prod (was 1)   argocd     …       …"
  `);
  expect(await kubectl(world, 'commandrequests')).toMatchInlineSnapshot(`
    "NAMESPACE   NAME                                 WHO    WHAT                                WHERE             STATE      ANSWER                            RECEIVED
    argocd      argocd.comment-1030-044e1d5edd19d8   dana   /stepback hold 2h; /stepback sync   acme/payments#2   answered   accepted, refused: nobody-named   …"
  `);
  await loseLedger(director, ['rollbacks', 'stageledgers']);
  await saysItGuesses(director, revert);
  expect(await kubectl(world, 'rollbacks')).toMatchInlineSnapshot(`
    "NAMESPACE   NAME       APPLICATIONSET    PHASE                STAGE   PULL REQUEST                              AGE
    argocd      argocd-B   argocd/payments   proposed (a guess)           https://github.com/acme/payments/pull/2   …"
  `);
  expect(await kubectl(world, 'stageledgers')).toMatchInlineSnapshot(`
    "NAMESPACE   NAME       APPLICATIONS   LAST GOOD     SAVED   AGE
    argocd      payments   12             A (a guess)   …       …"
  `);
  world.argocd.setHealth('payments-dev-1', undefined);
  merge(world, repository, revert);
  await saysItIsRecovered(director, revert);
  expect(await kubectl(world, 'rollbacks')).toMatchInlineSnapshot(`
    "NAMESPACE   NAME       APPLICATIONSET    PHASE                 STAGE   PULL REQUEST                              AGE
    argocd      argocd-B   argocd/payments   recovered (a guess)           https://github.com/acme/payments/pull/2   …"
  `);
  const wide = await kubectl(world, 'rollbacks', true);
  expect(wide.replaceAll(/\d+(?=[ms]\b)/g, 'N')).toMatchInlineSnapshot(`
    "NAMESPACE   NAME       APPLICATIONSET    PHASE                 STAGE   PULL REQUEST                              RECOVERY                                                                   FROZEN   INSTANCE   SAVED   AGE
    argocd      argocd-B   argocd/payments   recovered (a guess)           https://github.com/acme/payments/pull/2   Nm: notice Nm, revert Ns, merge Ns, recovery Ns; had it 3, 2, at most 3            argocd     …       …"
  `);
});
