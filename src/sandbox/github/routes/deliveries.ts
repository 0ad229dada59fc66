/** The App's record of webhook deliveries, and sending one again. */
import type { Delivery, Hooks } from '../hooks.ts';
import { notFound, ok, pageOf, Refusal } from '../http/answers.ts';
import type { Route } from '../http/call.ts';

/** Routes over what `hooks` has sent. */
export function deliveryRoutes(hooks: Hooks): Route[] {
  return [
    {
      method: 'GET',
      path: '/app/hook/deliveries',
      access: 'app',
      handle: (call) => {
        const { perPage } = pageOf(call.query);
        const cursor = call.query.get('cursor');
        const status = call.query.get('status');
        if (cursor !== null && !/^v1_\d+$/.test(cursor)) throw new Refusal(400, 'Invalid cursor');
        const before = cursor === null ? Infinity : Number(cursor.slice(3));
        const all = [...hooks.deliveries]
          .reverse()
          .filter((one) => one.id < before && (status === null || (status === 'failure') === isFailure(one)));
        const shown = all.slice(0, perPage);
        const last = shown.at(-1);
        const next = new URL(call.url);
        if (last !== undefined) next.searchParams.set('cursor', `v1_${last.id}`);
        const headers: Record<string, string> = all.length > perPage ? { link: `<${next}>; rel="next"` } : {};
        return { status: 200, body: shown.map(itemJson), headers };
      },
    },
    {
      method: 'GET',
      path: '/app/hook/deliveries/{delivery_id}',
      access: 'app',
      handle: (call) => {
        const delivery = hooks.deliveries.find((one) => one.id === call.numberParam('delivery_id'));
        if (delivery === undefined) throw notFound();
        return ok({
          ...itemJson(delivery),
          url: delivery.url,
          request: { headers: delivery.headers, payload: JSON.parse(delivery.payload) },
          response: { headers: delivery.responseHeaders, payload: delivery.responseBody },
        });
      },
    },
    {
      method: 'POST',
      path: '/app/hook/deliveries/{delivery_id}/attempts',
      access: 'app',
      handle: (call) => {
        if (!hooks.redeliver(call.numberParam('delivery_id'))) throw notFound();
        return ok({}, 202);
      },
    },
  ];
}

function isFailure(delivery: Delivery): boolean {
  return delivery.statusCode !== 0 && (delivery.statusCode < 200 || delivery.statusCode > 299);
}

function itemJson(delivery: Delivery): Record<string, unknown> {
  return {
    id: delivery.id,
    guid: delivery.guid,
    delivered_at: new Date(delivery.at).toISOString(),
    redelivery: delivery.redelivery,
    duration: Math.round(delivery.durationMs) / 1000,
    status: delivery.status,
    status_code: delivery.statusCode,
    event: delivery.event,
    action: delivery.action,
    installation_id: delivery.installationId,
    repository_id: delivery.repositoryId,
    throttled_at: null,
  };
}
