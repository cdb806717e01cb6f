import { type Context, Hono } from 'hono';
import type { Webhook } from '../data/records.ts';
import type { SandboxStore } from '../data/store.ts';
import {
  createRequestError,
  parseJsonBody,
  parseNonNegativeInteger,
} from '../lib/request-parsing.ts';
import type { WebhookSubscriptions } from '../webhooks/subscriptions.ts';

/**
 * Creates the routes that manage webhooks. The specification documents no such routes, so all of
 * them are specific to the sandbox.
 */
export function createWebhookExtension({
  store,
  webhooks,
}: {
  readonly store: SandboxStore;
  readonly webhooks: WebhookSubscriptions;
}): Hono {
  const findWebhook = (c: Context): Webhook => {
    const id = parseNonNegativeInteger('id', c.req.param('id'));
    const webhook = store.listWebhooks().find((candidate) => candidate.id === id);
    if (!webhook) throw createRequestError(`Webhook ${id} does not exist.`, 404);
    return webhook;
  };
  const app = new Hono();
  app.get('/', (c) => c.json({ items: store.listWebhooks() }));
  app.get('/deliveries', (c) => c.json({ items: webhooks.deliveries }));
  app.post('/events', async (c) => {
    webhooks.emitEvent(await parseJsonBody(c));
    return c.json({});
  });
  app.post('/', async (c) =>
    c.json(store.insertWebhook(webhooks.parseWebhook(await parseJsonBody(c)))),
  );
  app.patch('/:id', async (c) => {
    const existing = findWebhook(c);
    const webhook: Webhook = {
      ...webhooks.parseWebhook(await parseJsonBody(c), existing),
      id: existing.id,
    };
    store.replaceWebhook(webhook);
    return c.json(webhook);
  });
  app.delete('/:id', (c) => {
    store.deleteWebhook(findWebhook(c).id);
    return c.json({});
  });
  return app;
}
