/**
 * Webhooks that GitHub could not deliver. It does not try again by itself, so we look for them and ask it to, as the
 * App and not as an installation. https://docs.github.com/webhooks/using-webhooks/handling-failed-webhook-deliveries
 */
import type { FailedDelivery } from '../../ports/deliveries.ts';
import type { GitHub } from './github.ts';
import { nextCursor, pageSize } from './paging.ts';
import { isRefused } from './refusal.ts';

/** What we read of a delivery in GitHub's answers. Its id is beyond what a number holds exactly. */
interface RawDelivery {
  id: number | bigint;
  guid: string;
  delivered_at: string;
  status: string;
  event: string;
  action: string | null;
}

/** The newest 3,000; of a longer outage the slow timer finds the rest. */
const pagesMax = 30;

/**
 * Deliveries of `since` and later of which no attempt went well, oldest first. Those that went well are only asked for
 * when there are others, back to the oldest of these.
 */
export async function readFailedDeliveries(
  github: GitHub,
  since: number,
): Promise<readonly FailedDelivery[]> {
  const failures = await readDeliveries(github, 'failure', since);
  const oldest = failures.at(-1);
  if (oldest === undefined) return [];
  const successes = await readDeliveries(github, 'success', Date.parse(oldest.delivered_at));
  const arrived = new Set(successes.map(({ guid }) => guid));
  const failed = new Map<string, FailedDelivery>();
  for (const { id, guid, event, action, delivered_at } of failures.filter((one) => !arrived.has(one.guid))) {
    // The newest come first, so what is known of a guid is its last attempt.
    const last = failed.get(guid);
    const attempts = (last?.attempts ?? 0) + 1;
    failed.set(guid, {
      ...(last ?? { id: String(id), guid, event, action, deliveredAt: Date.parse(delivered_at) }),
      attempts,
    });
  }
  return [...failed.values()].reverse();
}

/** Asks for one more attempt, once. `gone`: GitHub keeps deliveries for three days. */
export async function redeliver(github: GitHub, deliveryId: string): Promise<'accepted' | 'gone'> {
  try {
    await github.app.request('POST /app/hook/deliveries/{delivery_id}/attempts', {
      // Octokit's types want a number, which would change the digits; it writes text into the address as it is.
      delivery_id: deliveryId as unknown as number,
    });
    return 'accepted';
  } catch (error) {
    if (isRefused(error, 404)) return 'gone';
    throw error;
  }
}

/** Newest first. */
async function readDeliveries(
  github: GitHub,
  status: 'failure' | 'success',
  since: number,
): Promise<readonly RawDelivery[]> {
  const found: RawDelivery[] = [];
  let cursor: string | undefined;
  for (let page = 1; page <= pagesMax; page += 1) {
    const { data, headers } = await github.app.request('GET /app/hook/deliveries', {
      status,
      per_page: pageSize,
      cursor,
    });
    const recent = data.filter(({ delivered_at }) => Date.parse(delivered_at) >= since);
    // An older server does not know the filter and sends all.
    found.push(...recent.filter((one) => (one.status === 'OK') === (status === 'success')));
    cursor = nextCursor(headers.link);
    if (cursor === undefined || recent.length < data.length) break;
  }
  return found;
}
