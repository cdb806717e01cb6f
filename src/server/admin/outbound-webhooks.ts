import { Hono } from 'hono';
import { z } from 'zod';
import type { WebhookDispatcher } from '../webhooks/outbound/dispatcher.ts';
import { faultOf } from './command-schemas.ts';

const move = z.strictObject({ from: z.string().min(1), to: z.string().min(1) });

/** What the organisations' own servers have not taken, for the command. */
export function siteWebhookRoutes({
  siteWebhooks,
}: {
  readonly siteWebhooks: WebhookDispatcher;
}): Hono {
  const app = new Hono();
  app.get('/site-webhooks', async (c) => c.json({ items: await siteWebhooks.unsent() }));
  app.post('/site-webhooks/resend', async (c) => c.json({ resent: await siteWebhooks.resend() }));
  app.post('/site-webhooks/move', async (c) => {
    const { data, error } = move.safeParse(await c.req.json().catch(() => undefined));
    if (!data) return c.json({ message: `Nothing was moved. ${faultOf(error)}` }, 422);
    const moved = await siteWebhooks.move(data.from, data.to);
    if (moved === undefined)
      return c.json(
        {
          message: `Nothing was moved: ${data.to} is no address of "webhooks" in the configuration that the server runs with. Write it there exactly so, and start the server again or send it SIGHUP.`,
        },
        422,
      );
    return c.json({ moved });
  });
  return app;
}
