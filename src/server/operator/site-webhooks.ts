import { Hono } from 'hono';
import type { SiteWebhooks } from '../site-webhooks/site-webhooks.ts';

/** What the organisations' own servers were to be told, for the command. */
export function siteWebhookRoutes({ siteWebhooks }: { readonly siteWebhooks: SiteWebhooks }): Hono {
  const app = new Hono();
  app.post('/site-webhooks/resend', async (c) => c.json({ resent: await siteWebhooks.resend() }));
  return app;
}
