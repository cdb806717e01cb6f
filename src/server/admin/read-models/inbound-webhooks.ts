import type { WebhookSummary } from '../../webhooks/inbound/inbox.ts';
import type { InboundWebhookRow } from '../../database/schema.ts';

/** An inbound webhook without its body. */
export interface InboundWebhookSummary {
  readonly id: string;
  readonly organization: string;
  readonly source: InboundWebhookRow['source'];
  readonly kind: string | null;
  /** Time of receipt, ISO 8601. */
  readonly receivedAt: string;
  /**
   * `pending` means that the organization's hook has not run yet; `stored` means that the
   * organization has no hook.
   */
  readonly status: InboundWebhookRow['status'];
  /** Number of failed hook calls. */
  readonly failures: number;
  readonly lastError: string | null;
  /** Time of the next retry, ISO 8601, or `null` if no retry is scheduled. */
  readonly nextRetryAt: string | null;
}

/** An inbound webhook with its body. */
export interface InboundWebhookDetail extends InboundWebhookSummary {
  readonly format: InboundWebhookRow['format'];
  readonly body: string;
}

/** Converts an inbound webhook to the summary that the admin API returns. */
export function toInboundWebhookSummary({
  id,
  organization,
  source,
  kind,
  receivedAt,
  status,
  attempts,
  lastError,
  nextRunAt,
}: WebhookSummary): InboundWebhookSummary {
  return {
    id,
    organization,
    source,
    kind,
    receivedAt: new Date(receivedAt).toISOString(),
    status,
    failures: attempts,
    lastError,
    nextRetryAt: status === 'pending' ? new Date(nextRunAt).toISOString() : null,
  };
}
