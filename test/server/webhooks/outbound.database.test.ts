import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OutboundWebhookMessage } from '../../../src/core/schemas/webhook-event.ts';
import { BANKS, CARDS } from '../../fake-stripe/index.ts';
import { waitUntil } from '../../wait-until.ts';
import { callAdmin, ADMIN_KEY } from '../admin/support.ts';
import { openStripeDesk } from '../payments/support.ts';
import { give, openReceiver, rowsOf, typesOf } from './outbound-support.ts';
import { openDesk } from '../support.ts';

test('a receiver that asks for a rest is left alone, one that is gone is sent nothing, and the operator sees what was given up and sends it again', async () => {
  await using busy = await openReceiver((response) =>
    response.writeHead(429, { 'Retry-After': '120' }).end(),
  );
  await using dead = await openReceiver((response, before) =>
    response.writeHead(before === 0 ? 410 : 200).end(),
  );
  await using desk = await openDesk({
    webhookEndpoints: [busy.address, dead.address],
    key: ADMIN_KEY,
  });
  await give(desk);
  const stateOf = async (url: string) =>
    (await rowsOf(desk))
      .filter((row) => row.url === url)
      .map(({ status, next_run_at: dueAt }) => [status, dueAt > Date.now() + 110_000]);
  await waitUntil(async () =>
    (await rowsOf(desk)).every(
      ({ status, attempts }) => status === 'endpoint_gone' || attempts === 1,
    ),
  );
  await give(desk);
  await waitUntil(
    async () =>
      (await rowsOf(desk)).filter(({ status }) => status === 'endpoint_gone').length === 2,
  );
  assert.deepEqual(
    [await stateOf(busy.address.url), busy.received.length, dead.received.length],
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
    .where('url', '=', busy.address.url)
    .execute();
  assert.deepEqual(await (await callAdmin(desk, '/api/webhooks/outbound/retry', {})).json(), {
    retried: 2,
  });
  await waitUntil(async () => busy.received.length === 2 && dead.received.length === 3);
  await waitUntil(async () => (await rowsOf(desk)).some(({ status }) => status === 'failed'));
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
  assert.deepEqual(await rowsOf(desk), []);
});

test('what was to be told to an address that changes is not lost: the operator sees where it waits, and moves it', async () => {
  await using receiver = await openReceiver();
  await using desk = await openDesk({ webhookEndpoints: [receiver.address], key: ADMIN_KEY });
  const old = 'https://site.example/old';
  const now = Date.now();
  const row = {
    organization: 'lanternwell',
    event: '',
    type: 'donation.succeeded',
    attempts: 8,
    next_run_at: now,
    created_at: now,
  } as const;
  const { reference } = await give(desk);
  await waitUntil(() => Promise.resolve(receiver.received.length === 1));
  await desk.database.db
    .insertInto('webhook_messages')
    .values(
      (['failed', 'pending'] as const).map((status) => ({
        ...row,
        id: `msg_${status}`,
        event: `donation ${reference}`,
        url: old,
        status: status,
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
      url: old,
      status,
      count: 1,
      oldest: now,
      lastError: 'status 404',
      isConfigured: false,
    })),
  );
  const move = async (to: string): Promise<unknown> =>
    (await callAdmin(desk, '/api/webhooks/outbound/redirect', { from: old, to })).json();
  assert.match(
    JSON.stringify(await move('https://site.example/other')),
    /other is not a webhook URL in the server's configuration/,
  );
  assert.deepEqual(await move(receiver.address.url), { redirected: 2 });
  await waitUntil(async () => receiver.received.length === 3 && (await rowsOf(desk)).length === 0);
  assert.deepEqual(
    receiver.received
      .slice(1)
      .map(({ id }) => id)
      .sort(),
    ['msg_failed', 'msg_pending'],
  );
});

test('everything that happens to a gift is told by a name of its own: money that comes later, renewals, refunds, disputes, and the end of a recurring gift', async () => {
  await using receiver = await openReceiver();
  await using few = await openReceiver(undefined, ['donation.refunded']);
  await using desk = await openStripeDesk({ webhookEndpoints: [receiver.address, few.address] });
  const next = async (...types: string[]): Promise<OutboundWebhookMessage['data']> => {
    await waitUntil(async () => receiver.received.length >= types.length);
    assert.deepEqual(typesOf(receiver).toSorted(), types.toSorted());
    return receiver.received.splice(0).at(-1)!.message.data;
  };
  const { reference: debit } = await desk.give(BANKS.ach);
  assert.equal((await next('donation.processing')).reference, debit);
  desk.fake.settleDebit(desk.fake.listPaymentIntents()[0]!.id);
  await desk.tell({ times: 2 });
  assert.deepEqual((await next('donation.succeeded')).total, 5_181);

  const { reference } = await desk.give(CARDS.good, { frequency: 'monthly' });
  const { subscription_id: subscription, payment_id: payment } =
    (await desk.repository.findByReference(reference))!;
  await next('donation.succeeded');
  desk.fake.renewSubscription(subscription!);
  await desk.tell();
  assert.deepEqual(
    [
      (({ reference: own, parent, total, frequency }) => [own, parent, total, frequency])(
        await next('donation.renewed'),
      ),
    ],
    [[`${reference}-2`, reference, 5_181, 'monthly']],
  );
  desk.fake.createRefund(payment!, 1_000);
  await desk.tell({ times: 2 });
  assert.deepEqual(
    [
      (({ changed, refunded, total }) => [changed, refunded, total])(
        await next('donation.refunded'),
      ),
    ],
    [[1_000, 1_000, 5_181]],
  );
  const { id } = desk.fake.openDispute(
    (await desk.repository.outbox.findGiftEvent(`${reference}-2`))!.payment_id!,
  );
  await desk.tell();
  assert.equal((await next('donation.disputed')).reference, `${reference}-2`);
  desk.fake.closeDispute(id, 'lost');
  desk.fake.cancelSubscription(subscription!);
  await desk.tell();
  await next('donation.dispute_lost', 'subscription.ended');
  await waitUntil(async () => (await rowsOf(desk)).length === 0);
  assert.deepEqual(typesOf(few), ['donation.refunded']);
});

test('leaves delivery to runDueJobs without background jobs', async () => {
  await using receiver = await openReceiver();
  await using desk = await openDesk({
    hasBackgroundJobs: false,
    webhookEndpoints: [receiver.address],
  });
  desk.handler.start();
  for (let gift = 0; gift < 3; gift += 1) await give(desk);
  assert.deepEqual([receiver.received.length, (await rowsOf(desk)).length], [0, 3]);
  const { pendingWebhooks, nextRunAt } = await desk.handler.runJobs();
  assert.deepEqual([receiver.received.length, pendingWebhooks, nextRunAt], [3, 0, undefined]);
});
