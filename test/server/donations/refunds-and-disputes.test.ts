import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OutboxEntry, OutboxEntryKind } from '../../../src/server/database/schema.ts';
import { getAmountPaid } from '../../../src/server/donations/received-payments.ts';
import {
  getDisputeStatus,
  getRefundedAmount,
  getRemainingAmount,
} from '../../../src/server/donations/refunds-and-disputes.ts';

/** Parses an event such as `refund a 20 50`: 20 were refunded, 50 in all. */
function toEvent(text: string) {
  const [kind, subject, amount, refunded] = text.split(' ');
  const payload = {
    ...(amount !== undefined && { amount: Number(amount) }),
    ...(refunded !== undefined && { refunded: Number(refunded) }),
  };
  return { kind, id: `${kind} ${subject}`, payload, createdAt: 0 } as unknown as OutboxEntry & {
    readonly kind: OutboxEntryKind;
  };
}

type Case = readonly [
  refunded: number,
  remaining: number,
  paid: number,
  dispute: string | undefined,
  ...events: string[],
];

const CASES: readonly Case[] = [
  [0, 100, 100, undefined],
  [40, 60, 60, undefined, 'refund a 40 40'],
  [100, 0, 0, undefined, 'refund a 40 40', 'refund b 60 100'],
  [40, 60, 60, undefined, 'refund a 40 40', 'refund b 60 100', 'refund_failed b 60 40'],
  [0, 100, 100, undefined, 'refund a 40 40', 'refund_failed a 40 0'],
  // A refund that failed before it succeeded.
  [0, 100, 100, undefined, 'refund_failed a 40 0'],
  // The event of an earlier refund is missing.
  [50, 50, 50, undefined, 'refund b 20 50'],
  // More than the payment, such as with a provider's own fee.
  [120, 0, 0, undefined, 'refund a 120 120'],
  [0, 100, 0, 'open', 'dispute_opened d'],
  [0, 100, 100, 'won', 'dispute_opened d', 'dispute_won d'],
  [0, 0, 0, 'lost', 'dispute_opened d', 'dispute_lost d'],
  [0, 0, 0, 'lost', 'dispute_opened d', 'dispute_lost d', 'dispute_opened e', 'dispute_won e'],
  [0, 0, 0, 'open', 'dispute_opened d', 'dispute_lost d', 'dispute_opened e'],
  [40, 60, 0, 'open', 'refund a 40 40', 'dispute_opened d'],
  [40, 60, 60, 'won', 'refund a 40 40', 'dispute_opened d', 'dispute_won d'],
  [40, 0, 0, 'lost', 'refund a 40 40', 'dispute_opened d', 'dispute_lost d'],
];

for (const [refunded, remaining, paid, dispute, ...texts] of CASES)
  test(`of 100, ${paid} are paid, and ${refunded} refunded, after: ${texts.join(', ') || 'nothing'}`, () => {
    const inOrder = texts.map(toEvent);
    for (const events of [inOrder, inOrder.toReversed()]) {
      assert.equal(getRefundedAmount(events), refunded);
      assert.equal(getRemainingAmount({ total: 100, events }), remaining);
      assert.equal(getDisputeStatus(events), dispute);
      const payment = { recordedAt: 0, total: 100, events } as unknown as Parameters<
        typeof getAmountPaid
      >[0];
      assert.equal(getAmountPaid(payment), paid);
    }
  });
