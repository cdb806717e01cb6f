import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OutboundWebhookMessage } from '../../../src/core/schemas/webhook-event.ts';
import { BANKS, CARDS } from '../../fake-stripe/index.ts';
import { waitUntil } from '../../wait-until.ts';
import { callAdmin, ADMIN_KEY } from '../admin/support.ts';
import { openStripeDesk } from '../payments/support.ts';
import { donate, openReceiver, listMessages, listReceivedTypes } from './outbound-support.ts';
import { openDesk } from '../support.ts';

test('pauses for Retry-After, stops after 410, and lets the admin retry failed messages until they expire', async () => {
  await using busy = await openReceiver((response) =>
    response.writeHead(429, { 'Retry-After': '120' }).end(),
  );
  await using dead = await openReceiver((response, count) =>
    response.writeHead(count === 0 ? 410 : 200).end(),
  );
  await using desk = await openDesk({
    webhookEndpoints: [busy.endpoint, dead.endpoint],
    key: ADMIN_KEY,
  });
  await donate(desk);
  const listStatuses = async (url: string) =>
    (await listMessages(desk))
      .filter((row) => row.url === url)
      .map(({ status, next_run_at: dueAt }) => [status, dueAt > Date.now() + 110_000]);
  await waitUntil(async () =>
    (await listMessages(desk)).every(
      ({ status, attempts }) => status === 'endpoint_gone' || attempts === 1,
    ),
  );
  await donate(desk);
  await waitUntil(
    async () =>
      (await listMessages(desk)).filter(({ status }) => status === 'endpoint_gone').length === 2,
  );
  assert.deepEqual(
    [await listStatuses(busy.endpoint.url), busy.received.length, dead.received.length],
    [
      [
        ['pending', true],
        ['pending', false],
      ],
      1,
      1,
    ],
  );

  await desk.database.db
    .updateTable('webhook_messages')
    .set({ attempts: 7, next_run_at: 0 })
    .where('url', '=', busy.endpoint.url)
    .execute();
  assert.deepEqual(await (await callAdmin(desk, '/api/webhooks/outbound/retry', {})).json(), {
    retried: 2,
  });
  await waitUntil(async () => busy.received.length === 2 && dead.received.length === 3);
  await waitUntil(async () => (await listMessages(desk)).some(({ status }) => status === 'failed'));
  const metrics = await (await callAdmin(desk, '/metrics')).text();
  assert.match(
    metrics,
    /donation_form_webhook_messages\{organization="lanternwell",status="failed"\} 1/,
  );
  assert.match(
    metrics,
    /donation_form_webhook_messages\{organization="lanternwell",status="endpoint_gone"\} 0/,
  );
  assert.ok(
    desk.logged.some(
      (line) => line.includes('no attempts are left') && line.includes('"level":50'),
    ),
  );

  await desk.database.db
    .updateTable('webhook_messages')
    .set({ created_at: Date.now() - 30 * 86_400_000 })
    .execute();
  await desk.outboundWebhooks.queue.deleteExpired();
  assert.deepEqual(await listMessages(desk), []);
});

test('lists the messages for a URL that was removed, and redirects them to a configured one', async () => {
  await using receiver = await openReceiver();
  await using desk = await openDesk({ webhookEndpoints: [receiver.endpoint], key: ADMIN_KEY });
  const oldUrl = 'https://site.example/old';
  const now = Date.now();
  const row = {
    organization: 'lanternwell',
    event: '',
    type: 'donation.succeeded',
    attempts: 8,
    next_run_at: now,
    created_at: now,
  } as const;
  const { reference } = await donate(desk);
  await waitUntil(() => Promise.resolve(receiver.received.length === 1));
  await desk.database.db
    .insertInto('webhook_messages')
    .values(
      (['failed', 'pending'] as const).map((status) => ({
        ...row,
        id: `msg_${status}`,
        event: `donation ${reference}`,
        url: oldUrl,
        status,
        last_error: 'status 404',
      })),
    )
    .execute();
  assert.deepEqual(await (await callAdmin(desk, '/api/webhooks/outbound/retry', {})).json(), {
    retried: 0,
  });
  const { items } = (await (await callAdmin(desk, '/api/webhooks/outbound/failed')).json()) as {
    items: unknown;
  };
  assert.deepEqual(
    items,
    ['failed', 'pending'].map((status) => ({
      organization: 'lanternwell',
      url: oldUrl,
      status,
      count: 1,
      oldest: now,
      lastError: 'status 404',
      isConfigured: false,
    })),
  );
  const redirect = async (to: string): Promise<unknown> =>
    (await callAdmin(desk, '/api/webhooks/outbound/redirect', { from: oldUrl, to })).json();
  assert.match(
    JSON.stringify(await redirect('https://site.example/other')),
    /other is not a webhook URL in the server's configuration/,
  );
  assert.deepEqual(await redirect(receiver.endpoint.url), { redirected: 2 });
  await waitUntil(
    async () => receiver.received.length === 3 && (await listMessages(desk)).length === 0,
  );
  assert.deepEqual(
    receiver.received
      .slice(1)
      .map(({ id }) => id)
      .sort(),
    ['msg_failed', 'msg_pending'],
  );
});

test('sends an event for each later payment, renewal, refund, dispute, and canceled subscription', async () => {
  await using receiver = await openReceiver();
  await using few = await openReceiver(undefined, ['donation.refunded']);
  await using desk = await openStripeDesk({ webhookEndpoints: [receiver.endpoint, few.endpoint] });
  const takeNext = async (...types: string[]): Promise<OutboundWebhookMessage['data']> => {
    await waitUntil(async () => receiver.received.length >= types.length);
    assert.deepEqual(listReceivedTypes(receiver).toSorted(), types.toSorted());
    return receiver.received.splice(0).at(-1)!.message.data;
  };
  const { reference: debit } = await desk.give(BANKS.ach);
  assert.equal((await takeNext('donation.processing')).reference, debit);
  desk.fake.settleDebit(desk.fake.listPaymentIntents()[0]!.id);
  await desk.tell({ times: 2 });
  assert.deepEqual((await takeNext('donation.succeeded')).total, 5_181);

  const { reference } = await desk.give(CARDS.good, { frequency: 'monthly' });
  const { subscription_id: subscription, payment_id: payment } =
    (await desk.repository.findByReference(reference))!;
  await takeNext('donation.succeeded');
  desk.fake.renewSubscription(subscription!);
  await desk.tell();
  assert.deepEqual(
    [
      (({ reference: own, parent, total, frequency }) => [own, parent, total, frequency])(
        await takeNext('donation.renewed'),
      ),
    ],
    [[`${reference}-2`, reference, 5_181, 'monthly']],
  );
  desk.fake.createRefund(payment!, 1_000);
  await desk.tell({ times: 2 });
  assert.deepEqual(
    [
      (({ changed, refunded, total }) => [changed, refunded, total])(
        await takeNext('donation.refunded'),
      ),
    ],
    [[1_000, 1_000, 5_181]],
  );
  const { id } = desk.fake.openDispute(
    (await desk.repository.outbox.findGiftEvent(`${reference}-2`))!.payment_id!,
  );
  await desk.tell();
  assert.equal((await takeNext('donation.disputed')).reference, `${reference}-2`);
  desk.fake.closeDispute(id, 'lost');
  desk.fake.cancelSubscription(subscription!);
  await desk.tell();
  await takeNext('donation.dispute_lost', 'subscription.ended');
  await waitUntil(async () => (await listMessages(desk)).length === 0);
  assert.deepEqual(listReceivedTypes(few), ['donation.refunded']);
});

test('leaves delivery to runDueJobs if there are no background jobs', async () => {
  await using receiver = await openReceiver();
  await using desk = await openDesk({
    hasBackgroundJobs: false,
    webhookEndpoints: [receiver.endpoint],
  });
  desk.handler.start();
  for (let gift = 0; gift < 3; gift += 1) await donate(desk);
  assert.deepEqual([receiver.received.length, (await listMessages(desk)).length], [0, 3]);
  const { pendingWebhooks, nextRunAt } = await desk.handler.runJobs();
  assert.deepEqual([receiver.received.length, pendingWebhooks, nextRunAt], [3, 0, undefined]);
});
