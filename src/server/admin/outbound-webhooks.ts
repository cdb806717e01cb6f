import { Hono } from 'hono';
import { z } from 'zod';
import type { WebhookDispatcher } from '../webhooks/outbound/dispatcher.ts';
import { formatIssuesOnOneLine } from './command-schemas.ts';

const redirectSchema = z.strictObject({ from: z.string().min(1), to: z.string().min(1) });

/** Creates the routes that list, retry, and redirect undelivered outbound webhook messages. */
export function createOutboundWebhookRoutes({
  outboundWebhooks,
}: {
  readonly outboundWebhooks: WebhookDispatcher;
}): Hono {
  const app = new Hono();
  app.get('/api/webhooks/outbound/failed', async (c) =>
    c.json({ items: await outboundWebhooks.listUndelivered() }),
  );
  app.post('/api/webhooks/outbound/retry', async (c) =>
    c.json({ retried: await outboundWebhooks.retryFailedMessages() }),
  );
  app.post('/api/webhooks/outbound/redirect', async (c) => {
    const { data, error } = redirectSchema.safeParse(await c.req.json().catch(() => undefined));
    if (!data)
      return c.json(
        { message: `No messages were redirected. ${formatIssuesOnOneLine(error)}` },
        422,
      );
    const redirected = await outboundWebhooks.redirectMessages(data.from, data.to);
    if (redirected === undefined)
      return c.json(
        {
          message:
            `No messages were redirected: ${data.to} is not a webhook URL in the server's ` +
            'configuration. Add this URL to "webhooks", then restart the server or send it SIGHUP.',
        },
        422,
      );
    return c.json({ redirected });
  });
  return app;
}
