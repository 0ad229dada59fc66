/** The rest of what the web room answers: health, readiness, metrics, and to those who ask for something else. */
import { expect, test } from 'vitest';
import { WorldProblem } from '../../src/ports.ts';
import { openWeb, serve } from '../../src/web/server.ts';
import { incident } from './incidents.ts';
import { answerFrom, FakeArgo, noon, startWeb } from './world.ts';

test('alive is whoever answers, ready is who sees every cluster', async () => {
  const [one, other] = [new FakeArgo('one'), new FakeArgo('other')];
  const web = await startWeb({ watched: [one, other] });
  expect(await web.get('/healthz')).toMatchObject({ status: 200, body: 'alive\n' });
  const ready = await web.get('/readyz');
  expect(ready.status).toBe(200);
  expect(ready.body).toBe('one: seen, last heard of 4 s ago.\nother: seen, last heard of 4 s ago.\n');
  other.sight = { lastHeardAt: noon, blindness: 'The applications have not been listed yet. Wait a moment.' };
  const blind = await web.get('/readyz');
  expect(blind.status).toBe(503);
  expect(blind.body).toContain('other: blind. The applications have not been listed yet. Wait a moment.');
  expect((await web.get('/healthz')).status).toBe(200);
});

test('metrics are what Prometheus reads', async () => {
  const argo = new FakeArgo();
  argo.incidents = [incident(), incident({ phase: 'recovered', timeline: [] })];
  const web = await startWeb({ argo });
  const key = 'argocd/payments';
  const failed = argo.answered(answerFrom('prod-gets-it-first', 69.8), {
    culprit: { kind: 'none', reason: 'no-baseline', detail: '' },
    whyNot: { kind: 'reason', code: 'no-baseline', detail: '' },
  });
  web.tally.ticked('prod', key, failed);
  web.tally.ticked('prod', key, failed);
  web.tally.ticked('prod', key, 'quiet');
  web.tally.failed('prod', key, 'GitHub does not answer.');
  web.tally.ticked('prod', 'argocd/gone', null);
  const whyNot = { kind: 'obstacle', code: 'archived', obstacle: { kind: 'archived' } } as const;
  web.tally.ticked('prod', key, { ...failed, whyNot, decision: { kind: 'have-revert' } });
  web.tally.requested({ phase: 'sent', method: 'GET', status: null });
  web.tally.requested({ phase: 'answered', method: 'GET', status: 200 });
  web.tally.requested({ phase: 'answered', method: 'POST', status: null });
  await web.deliver('ping', {});
  await web.deliver('ping', {}, { secret: null });
  web.clock.time += 1_500;
  const { status, body, headers } = await web.get('/metrics');
  expect(status).toBe(200);
  expect(headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  for (const line of body.trimEnd().split('\n'))
    expect(line).toMatch(/^(# (HELP|TYPE) [a-z_]+ .+|[a-z_]+(\{([a-z_]+="[^"]*",?)+\})? -?\d+(\.\d+)?)$/);
  const figures = body.split('\n').filter((line) => !/^(#|process_)| 0$/.test(line));
  expect(figures.join('\n')).toMatchInlineSnapshot(`
    "stepback_build_info{version="1.2.3"} 1
    stepback_sight_age_seconds{instance="prod"} 1.5
    stepback_ledger_readable{instance="prod"} 1
    stepback_queue_length{instance="prod"} 2
    stepback_application_sets{instance="prod",verdict="failed"} 1
    stepback_incidents{instance="prod",phase="proposed"} 1
    stepback_incidents{instance="prod",phase="recovered"} 1
    stepback_reverts_total{instance="prod"} 1
    stepback_recovery_seconds_sum{instance="prod",step="notice"} 60
    stepback_recovery_seconds_sum{instance="prod",step="revert"} 30
    stepback_recovery_seconds_count{instance="prod",step="notice"} 2
    stepback_recovery_seconds_count{instance="prod",step="revert"} 1
    stepback_ticks_total{instance="prod",result="looked"} 3
    stepback_ticks_total{instance="prod",result="quiet"} 1
    stepback_ticks_total{instance="prod",result="failed"} 1
    stepback_ticks_total{instance="prod",result="gone"} 1
    stepback_decisions_total{instance="prod",decision="none"} 2
    stepback_decisions_total{instance="prod",decision="have-revert"} 1
    stepback_not_reverted_total{instance="prod",why="no-baseline"} 1
    stepback_not_reverted_total{instance="prod",why="archived"} 1
    stepback_webhooks_total{event="ping",outcome="ignored"} 1
    stepback_webhooks_total{event="unknown",outcome="refused"} 1
    stepback_github_requests_total{method="GET",status="200"} 1
    stepback_github_requests_total{method="POST",status="none"} 1
    "
  `);
});

test('metrics keep going when the ledger cannot be read, and say so', async () => {
  const argo = new FakeArgo('a "quoted"\\ name');
  argo.incidents = new Error('no');
  const web = await startWeb({ argo });
  const { status, body } = await web.get('/metrics');
  expect(status).toBe(200);
  expect(body).toContain('stepback_ledger_readable{instance="a \\"quoted\\"\\\\ name"} 0');
  expect(body).not.toContain('\nstepback_incidents{');
});

test('a page that is not there is 404, and no page can be written', async () => {
  const web = await startWeb();
  const asked = async (path: string, method = 'GET') => (await web.get(path, { method })).status;
  expect(await asked('/nowhere')).toBe(404);
  expect(await asked('/constructor')).toBe(404);
  expect(await asked('/..%2f..%2fetc/passwd')).toBe(404);
  expect(await asked('//[')).toBe(200);
  expect(await asked('/', 'POST')).toBe(405);
  expect(await asked('/metrics', 'DELETE')).toBe(405);
  expect(await asked('/', 'HEAD')).toBe(200);
  expect((await web.get('/', { method: 'HEAD' })).body).toBe('');
});

test('a fault of our own is 500 and a line in the log, and no more', async () => {
  const argo = new FakeArgo();
  const web = await startWeb({ argo });
  Object.defineProperty(argo, 'sight', {
    get() {
      throw new Error('a fault with /a/path in it');
    },
  });
  const { status, body } = await web.get('/readyz');
  expect([status, body]).toEqual([500, 'Stepback has a fault; its log says which.\n']);
  expect(web.logged).toMatchObject([{ level: 'warn', problem: 'Error: a fault with /a/path in it' }]);
});

test('a port that is taken is one clear sentence', async () => {
  const web = await startWeb();
  const port = Number(new URL(web.url).port);
  const listening = serve({ handle: async () => {} }, { port, host: '127.0.0.1' });
  await expect(listening).rejects.toThrow(WorldProblem);
  await expect(listening).rejects.toThrow(
    `Stepback cannot listen on port ${port} (EADDRINUSE). Another program listens there. Stop it, or name another port in PORT.`,
  );
});

test('without a webhook secret there is no door', async () => {
  await expect(startWeb({ webhookSecret: '' })).rejects.toThrow(/no webhook secret/);
  expect(openWeb).toBeTypeOf('function');
});
