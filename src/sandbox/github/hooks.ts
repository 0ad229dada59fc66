/**
 * The App's webhook: signed deliveries, a record of each, and redelivery when somebody asks for it. As GitHub, it
 * never redelivers by itself. https://docs.github.com/webhooks/using-webhooks/handling-failed-webhook-deliveries
 */
import { createHash, createHmac } from 'node:crypto';
import type { DeliveryFate, Faults } from './faults.ts';
import { installationJson, nodeId, organizationJson, userJson } from './json/accounts.ts';
import { repositoryJson } from './json/repositories.ts';
import type { Announcement, Site } from './site.ts';
import { type Installation, installationOf } from './state.ts';

export type WebhookTarget = { url: string; secret: string };

/** One attempt to deliver. `status` and `statusCode` as GitHub shows them; 0 while it is under way. */
export type Delivery = {
  id: number;
  guid: string;
  at: number;
  redelivery: boolean;
  durationMs: number;
  status: string;
  statusCode: number;
  event: string;
  action: string | null;
  installationId: number | null;
  repositoryId: number | null;
  /** Where it went. */
  url: string;
  headers: Record<string, string>;
  /** The body, byte for byte. */
  payload: string;
  responseHeaders: Record<string, string>;
  responseBody: string;
};

/** GitHub waits this long for an answer. */
const ANSWER_MS = 10_000;
/** How many deliveries are kept; GitHub forgets them after some days. */
const KEPT_MAX = 5_000;
/** Events every App gets, whether it asked for them or not. */
const ALWAYS = ['installation', 'installation_repositories', 'github_app_authorization', 'ping'];

/** The App's webhook and its record. */
export class Hooks {
  readonly deliveries: Delivery[] = [];
  target: WebhookTarget | undefined;
  readonly #site: Site;
  readonly #faults: Faults;
  readonly #underWay = new Set<Promise<void>>();
  readonly #held: (() => void)[] = [];
  readonly #closed = new AbortController();
  #guids = 0;

  constructor(site: Site, faults: Faults) {
    this.#site = site;
    this.#faults = faults;
  }

  /** Sends a webhook if the App is installed there, is not suspended and asked for such events. */
  announce(announcement: Announcement): void {
    const { event, action, repository, payload } = announcement;
    const site = this.#site;
    const installation =
      announcement.installation ??
      (repository === undefined ? undefined : installationOf(site.state, repository));
    if (installation === undefined) return;
    const always = ALWAYS.includes(event);
    if (!always && (installation.suspendedAt !== null || !site.app.events.includes(event))) return;
    const body = JSON.stringify({
      ...(action === undefined ? {} : { action }),
      ...payload,
      ...this.#rest(announcement, installation),
    });
    this.#guids += 1;
    const guid = guidOf(this.#guids);
    this.#deliver({
      event,
      action,
      guid,
      body,
      installationId: installation.id,
      repositoryId: repository?.id ?? null,
    });
  }

  /** Sends a delivery again under its old guid. False when there is none of this id. */
  redeliver(id: number): boolean {
    const old = this.deliveries.find((one) => one.id === id);
    if (old === undefined) return false;
    const { event, action, guid, payload: body, installationId, repositoryId } = old;
    this.#deliver({
      event,
      action: action ?? undefined,
      guid,
      body,
      installationId,
      repositoryId,
      redelivery: true,
    });
    return true;
  }

  /** Sends everything that was held back. Returns how many. */
  release(): number {
    const held = this.#held.splice(0);
    for (const send of held) send();
    return held.length;
  }

  /** Resolves when every webhook that was sent, and every one that its handling caused, has been answered. */
  async settled(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all(this.#underWay);
  }

  /** Cuts what is under way. */
  async close(): Promise<void> {
    this.#closed.abort();
    await this.settled();
  }

  #rest(announcement: Announcement, installation: Installation): Record<string, unknown> {
    const view = this.#site.view();
    const { repository, sender, payload, event } = announcement;
    const owner = view.state.accounts.get((repository?.owner ?? installation.account).toLowerCase());
    const whole = event === 'installation' || event === 'installation_repositories';
    return {
      ...(repository === undefined || 'repository' in payload
        ? {}
        : { repository: repositoryJson(view, repository) }),
      ...(owner?.type === 'Organization' ? { organization: organizationJson(view, owner.login) } : {}),
      sender: userJson(view, this.#site.meet(sender).login),
      installation: whole
        ? installationJson(view, installation)
        : { id: installation.id, node_id: nodeId('MDIz', installation.id) },
    };
  }

  #deliver(what: {
    event: string;
    action: string | undefined;
    guid: string;
    body: string;
    installationId: number | null;
    repositoryId: number | null;
    redelivery?: boolean;
  }): void {
    const { event, action, guid, redelivery = false } = what;
    const fate = this.#faults.forDelivery({ event, action, guid, redelivery });
    const target = this.target;
    if (fate === 'lose' || target === undefined) return;
    const delivery: Delivery = {
      id: this.#site.nextId(),
      guid,
      at: this.#site.now(),
      redelivery,
      durationMs: 0,
      status: 'pending',
      statusCode: 0,
      event,
      action: action ?? null,
      installationId: what.installationId,
      repositoryId: what.repositoryId,
      url: target.url,
      headers: headersOf(this.#site.app.id, event, guid, what.body, target.secret),
      payload: what.body,
      responseHeaders: {},
      responseBody: '',
    };
    this.deliveries.push(delivery);
    if (this.deliveries.length > KEPT_MAX) this.deliveries.shift();
    this.#suffer(delivery, fate);
  }

  #suffer(delivery: Delivery, fate: DeliveryFate): void {
    if (fate === 'drop') {
      Object.assign(delivery, { status: 'failed to connect to host', statusCode: 502 });
    } else if (fate === 'hold') {
      this.#held.push(() => void this.#start(delivery));
    } else if (typeof fate === 'object') {
      this.#site.later(fate.delayMs, () => this.#start(delivery));
    } else {
      void this.#start(delivery);
      if (fate === 'double') void this.#start(delivery);
    }
  }

  #start(delivery: Delivery): Promise<void> {
    const sending = this.#send(delivery).finally(() => this.#underWay.delete(sending));
    this.#underWay.add(sending);
    return sending;
  }

  async #send(delivery: Delivery): Promise<void> {
    const started = performance.now();
    try {
      const answer = await fetch(delivery.url, {
        method: 'POST',
        headers: delivery.headers,
        body: delivery.payload,
        redirect: 'manual',
        signal: AbortSignal.any([this.#closed.signal, AbortSignal.timeout(ANSWER_MS)]),
      });
      delivery.responseBody = await answer.text();
      delivery.responseHeaders = Object.fromEntries(answer.headers);
      delivery.statusCode = answer.status;
      delivery.status = answer.ok ? 'OK' : `Invalid HTTP Response: ${answer.status}`;
    } catch (error) {
      const late = (error as Error).name === 'TimeoutError';
      delivery.status = late ? 'timed out' : 'failed to connect to host';
      delivery.statusCode = late ? 504 : 502;
    }
    delivery.durationMs = performance.now() - started;
  }
}

function headersOf(
  appId: number,
  event: string,
  guid: string,
  body: string,
  secret: string,
): Record<string, string> {
  return {
    accept: '*/*',
    'content-type': 'application/json',
    'user-agent': 'GitHub-Hookshot/5ba11e7',
    'x-github-delivery': guid,
    'x-github-event': event,
    'x-github-hook-id': '1',
    'x-github-hook-installation-target-id': String(appId),
    'x-github-hook-installation-target-type': 'integration',
    'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
  };
}

/** A delivery id that looks like GitHub's and is the same in every run. */
function guidOf(count: number): string {
  const hex = createHash('sha1').update(`delivery ${count}`).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join(
    '-',
  );
}
