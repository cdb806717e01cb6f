import { Hono } from 'hono';
import type { WebhookSummary } from '../webhooks/inbound/inbox.ts';
import type { WebhookReceiver } from '../webhooks/inbound/receiver.ts';
import type { InboundWebhookRow } from '../database/schema.ts';

const MAX_ITEMS = 100;

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

/**
 * Creates the routes that list inbound webhooks. The list starts with the webhooks whose hook
 * failed, followed by the latest webhooks.
 */
export function createInboundWebhookRoutes({
  inboundWebhooks: { inbox },
}: {
  readonly inboundWebhooks: WebhookReceiver;
}): Hono {
  const app = new Hono();
  app.get('/api/webhooks/inbound', async (c) =>
    c.json({ items: (await inbox.listWebhooks(MAX_ITEMS)).map(toSummary) }),
  );
  app.get('/api/webhooks/inbound/:id', async (c) => {
    const row = await inbox.findById(c.req.param('id'));
    if (!row)
      return c.json(
        {
          message:
            'No inbound webhook has this ID, or the server deleted the webhook after 30 days. To ' +
            'list the webhooks, use GET /api/webhooks/inbound.',
        },
        404,
      );
    return c.json({
      ...toSummary(row),
      format: row.format,
      body: row.body,
    } satisfies InboundWebhookDetail);
  });
  return app;
}

function toSummary({
  id,
  organization,
  source,
  kind,
  received_at: receivedAt,
  status,
  attempts,
  last_error: lastError,
  next_run_at: nextRunAt,
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
