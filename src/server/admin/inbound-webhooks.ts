import { Hono } from 'hono';
import type { WebhookSummary } from '../webhooks/inbound/inbox.ts';
import type { WebhookReceiver } from '../webhooks/inbound/receiver.ts';
import type { PlatformWebhookRow } from '../database/schema.ts';

const MOST = 100;

/** What a platform told, as its operator sees it. */
export interface ToldByPlatform {
  readonly id: string;
  readonly organization: string;
  readonly source: PlatformWebhookRow['source'];
  readonly kind: string | null;
  /** ISO 8601. */
  readonly receivedAt: string;
  /**
   * What became of it: it waits for the hook, was handled by it, or is only kept, since there is
   * none.
   */
  readonly state: PlatformWebhookRow['state'];
  /** How often the hook failed, why it did last, and when it is called again, ISO 8601. */
  readonly failures: number;
  readonly why: string | null;
  readonly nextTry: string | null;
}

/** One of them, with what came. */
export interface ToldInFull extends ToldByPlatform {
  readonly format: PlatformWebhookRow['format'];
  readonly body: string;
}

/** What the platforms told: those whose hook failed first, then the latest. */
export function platformWebhookReports({
  platformWebhooks: { box },
}: {
  readonly platformWebhooks: WebhookReceiver;
}): Hono {
  const app = new Hono();
  app.get('/platform-webhooks', async (c) =>
    c.json({ items: (await box.list(MOST)).map(describe) }),
  );
  app.get('/platform-webhooks/:id', async (c) => {
    const row = await box.byId(c.req.param('id'));
    if (!row)
      return c.json(
        {
          message:
            'No webhook has this id. They are kept for 30 days; GET /platform-webhooks lists them.',
        },
        404,
      );
    return c.json({ ...describe(row), format: row.format, body: row.body } satisfies ToldInFull);
  });
  return app;
}

function describe({
  id,
  organization,
  source,
  kind,
  received_at: at,
  state,
  attempts,
  last_error: why,
  next_run_at: dueAt,
}: WebhookSummary): ToldByPlatform {
  return {
    id,
    organization,
    source,
    kind,
    receivedAt: new Date(at).toISOString(),
    state,
    failures: attempts,
    why,
    nextTry: state === 'waiting' ? new Date(dueAt).toISOString() : null,
  };
}
