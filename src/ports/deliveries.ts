/** Webhooks that went astray. The forge does not send one again by itself; it does when it is asked to. */

/** A webhook that never got a good answer. */
export interface FailedDelivery {
  /** Of its last attempt. Text, because it is a number that JavaScript cannot hold. */
  id: string;
  /** The same for every attempt. */
  guid: string;
  event: string;
  action: string | null;
  /** When it was last tried, and how often since the time that was asked about. */
  deliveredAt: number;
  attempts: number;
}

/** Of the App as a whole, over all repositories. */
export interface Deliveries {
  /** Those tried at `since` or later, oldest first, without those that another attempt got through. */
  failedDeliveries(since: number): Promise<readonly FailedDelivery[]>;
  /** Asks for one more attempt, which comes as a webhook of its own. `gone`: the forge has forgotten it. */
  redeliver(deliveryId: string): Promise<'accepted' | 'gone'>;
}
