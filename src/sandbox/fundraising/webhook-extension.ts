import { Hono, type Context } from 'hono';
import { readBody, readDigits, refusal } from '../lib/request-parsing.ts';
import type { Webhook } from '../data/records.ts';
import type { SandboxStore } from '../data/store.ts';
import type { Webhooks } from '../webhooks/subscriptions.ts';

/**
 * Calls that manage webhooks. The specification shows none: these are the sandbox's own, and say
 * so.
 */
export function ownWebhooks({
  store,
  webhooks,
}: {
  readonly store: SandboxStore;
  readonly webhooks: Webhooks;
}): Hono {
  const find = (c: Context): Webhook => {
    const id = readDigits('id', c.req.param('id'));
    const webhook = store.webhooks().find((one) => one.id === id);
    if (!webhook) throw refusal(`There is no webhook ${id}.`, 404);
    return webhook;
  };
  const app = new Hono();
  app.get('/', (c) => c.json({ items: store.webhooks() }));
  app.get('/deliveries', (c) => c.json({ items: webhooks.deliveries }));
  app.post('/', async (c) => c.json(store.addWebhook(webhooks.read(await readBody(c)))));
  app.patch('/:id', async (c) => {
    const before = find(c);
    const webhook: Webhook = { ...webhooks.read(await readBody(c), before), id: before.id };
    store.changeWebhook(webhook);
    return c.json(webhook);
  });
  app.delete('/:id', (c) => {
    store.removeWebhook(find(c).id);
    return c.json({});
  });
  return app;
}
