import type { NewDonationRows } from '../../../src/server/database/database.ts';
import { toInsertableRow } from '../../../src/server/database/row-mapper.ts';
import { buildDueReceipt } from '../../../src/server/donations/due-receipts.ts';
import { buildOutboxRow } from '../../../src/server/donations/outbox-entries.ts';
import { createReference } from '../../../src/server/donations/reference.ts';
import { createIdempotencyKey } from '../support.ts';

const NOW = Date.UTC(2026, 10, 25);

/** Builds the rows of a pledge, with its event and a webhook message. */
export function buildRows({
  reference = createReference(Date.now()),
  key = createIdempotencyKey(),
} = {}): NewDonationRows {
  const event = buildOutboxRow(
    'lanternwell',
    { id: `donation ${reference}`, reference, kind: 'donation' },
    NOW,
  );
  return {
    donations: [
      {
        reference,
        idempotencyKeyHash: key,
        fingerprint: '',
        organization: 'lanternwell',
        status: 'processing',
        payload: '{}',
        awaiting: 'donor',
        paymentId: reference,
        subscriptionId: null,
        subscriptionStatus: null,
        paymentMethod: null,
        failureReason: null,
        platformGiftId: null,
        platformGiftIdText: null,
        attempts: 0,
        chargeStartedAt: NOW,
        nextRunAt: NOW,
        lockedUntil: 0,
        lastError: null,
        createdAt: NOW,
        updatedAt: NOW,
        donorDeletedAt: null,
        donorDeletedBy: null,
        restoredAt: null,
        donorKey: '',
        notifyKey: null,
      },
    ],
    outbox: [toInsertableRow(event)],
    webhookMessages: [
      {
        id: `msg ${reference}`,
        organization: 'lanternwell',
        url: 'https://lanternwell.example/hooks',
        event: event.id,
        type: 'donation.processing',
        status: 'pending',
        attempts: 0,
        nextRunAt: NOW,
        lastError: null,
        createdAt: NOW,
      },
    ],
    mailMessages: [
      {
        id: `thank_you ${event.id}`,
        organization: 'lanternwell',
        kind: 'thank_you',
        event: event.id,
        status: 'pending',
        attempts: 0,
        nextRunAt: NOW,
        lastError: null,
        messageId: null,
        recipientKey: null,
        createdAt: NOW,
        updatedAt: NOW,
      },
    ],
    receipts: [buildDueReceipt(event)],
  };
}
