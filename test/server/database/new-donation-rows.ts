import type { NewDonationRows } from '../../../src/server/database/new-donation.ts';
import { buildOutboxRow, toInsertableEvent } from '../../../src/server/donations/outbox-events.ts';
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
        idempotency_key_hash: key,
        fingerprint: '',
        organization: 'lanternwell',
        status: 'processing',
        payload: '{}',
        awaiting: 'donor',
        payment_id: reference,
        subscription_id: null,
        subscription_status: null,
        payment_method: null,
        failure_reason: null,
        platform_gift_id: null,
        platform_gift_id_text: null,
        attempts: 0,
        charge_started_at: NOW,
        next_run_at: NOW,
        locked_until: 0,
        last_error: null,
        created_at: NOW,
        updated_at: NOW,
        donor_deleted_at: null,
        donor_deleted_by: null,
        restored_at: null,
      },
    ],
    outbox: [toInsertableEvent(event)],
    webhook_messages: [
      {
        id: `msg ${reference}`,
        organization: 'lanternwell',
        url: 'https://lanternwell.example/hooks',
        event: event.id,
        type: 'donation.processing',
        status: 'pending',
        attempts: 0,
        next_run_at: NOW,
        last_error: null,
        created_at: NOW,
      },
    ],
  };
}
