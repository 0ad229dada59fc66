/** What a person ordered about an incident is not lost with the StageLedger of its ApplicationSet. */
import { expect, it } from 'vitest';
import type { Containment } from '../../src/domain/held-steps.ts';
import type { HoldOrder } from '../../src/domain/orders.ts';
import { type Contained, contain } from '../../src/loop/contain.ts';
import type { World } from '../../src/loop/world.ts';
import { incident, standing } from '../render/sample-incident.ts';

const key = 'argocd/payments';
const ordered: HoldOrder = { kind: 'thaw', by: 'dana', at: 5 };

function containment(order: HoldOrder | null): Containment {
  return { key, uid: 'uid', will: 'advise', order, plan: null, steps: [], obstacle: null };
}

/** The order that is kept in the incident, after a look whose memory holds `remembered`. */
async function keptOrder(kept: HoldOrder | null, remembered: HoldOrder | null): Promise<HoldOrder | null> {
  const contained = {
    answer: { memory: { orders: { holds: [], snoozes: [], freeze: remembered } } },
    sighting: { applicationSet: { key, uid: 'uid', steps: [] }, now: 10 },
  } as unknown as Contained;
  const healed = incident({
    phase: 'healed',
    openedAt: 1,
    sets: [standing({ key })],
    containments: [containment(kept)],
  });
  const next = await contain(null as unknown as World, contained, healed);
  return next.containments?.[0]?.order ?? null;
}

it('is kept in the incident, and stays there when the ledger forgot it', async () => {
  expect(await keptOrder(null, ordered)).toEqual(ordered);
  expect(await keptOrder(ordered, null)).toEqual(ordered);
});

it('gives way to a later order, and not to one about an earlier incident', async () => {
  const later: HoldOrder = { kind: 'freeze', by: 'sam', at: 8 };
  expect(await keptOrder(ordered, later)).toEqual(later);
  expect(await keptOrder(null, { ...later, at: 0 })).toBeNull();
});
