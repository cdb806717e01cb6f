import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OutboundWebhookMessage } from '../../../src/core/schemas/webhook-event.ts';
import { DonationRepository } from '../../../src/server/donations/donation-repository.ts';
import { loadEntryContext } from '../../../src/server/donations/outbox-entries.ts';
import { DeliveryQueue } from '../../../src/server/webhooks/outbound/delivery-queue.ts';
import { createWebhookMessage } from '../../../src/server/webhooks/outbound/message.ts';
import { sendMessage } from '../../../src/server/webhooks/outbound/send-message.ts';
import { BANKS, CARDS } from '../../fake-stripe.ts';
import { waitUntil } from '../../wait-until.ts';
import { ADMIN_KEY, callAdmin } from '../admin/support.ts';
import { buildRows } from '../database/new-donation-rows.ts';
import { startServerWithStripe } from '../payments/support.ts';
import { addDonation, addRenewal } from '../reporting/add-donation.ts';
import { startServer } from '../support.ts';
import { openTestDatabase } from '../test-database.ts';
import { listMessages, listReceivedTypes, startWebhookListener } from './outbound-support.ts';

test('pauses for Retry-After, stops after 410, and lets the admin retry failed messages until they expire', async () => {
  await using busy = await startWebhookListener((response) =>
    response.writeHead(429, { 'Retry-After': '120' }).end(),
  );
  await using dead = await startWebhookListener((response, count) =>
    response.writeHead(count === 0 ? 410 : 200).end(),
  );
  await using server = await startServer({
    webhookEndpoints: [busy.endpoint, dead.endpoint],
    adminKey: ADMIN_KEY,
  });
  await server.makeDonation();
  const listStatuses = async (url: string) =>
    (await listMessages(server))
      .filter((row) => row.url === url)
      .map(({ status, nextRunAt: dueAt }) => [status, dueAt > Date.now() + 110_000]);
  await waitUntil(async () =>
    (await listMessages(server)).every(
      ({ status, attempts }) => status === 'endpoint_gone' || attempts === 1,
    ),
  );
  await server.makeDonation();
  await waitUntil(
    async () =>
      (await listMessages(server)).filter(({ status }) => status === 'endpoint_gone').length === 2,
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

  await server.database.db
    .updateTable('webhookMessages')
    .set({ attempts: 7, nextRunAt: 0 })
    .where('url', '=', busy.endpoint.url)
    .execute();
  assert.deepEqual(await (await callAdmin(server, '/api/webhooks/outbound/retry', {})).json(), {
    retried: 2,
  });
  await waitUntil(async () => busy.received.length === 2 && dead.received.length === 3);
  await waitUntil(async () =>
    (await listMessages(server)).some(({ status }) => status === 'failed'),
  );
  const metrics = await (await callAdmin(server, '/metrics')).text();
  const metric = 'donation_form_webhook_messages{organization="lanternwell",status=';
  assert.ok(metrics.includes(`${metric}"failed"} 1`), metrics);
  assert.ok(metrics.includes(`${metric}"endpoint_gone"} 0`), metrics);
  assert.ok(
    server.logLines.some(
      (line) => line.includes('no attempts are left') && line.includes('"level":50'),
    ),
  );

  await server.database.db
    .updateTable('webhookMessages')
    .set({ createdAt: Date.now() - 30 * 86_400_000 })
    .execute();
  await server.outboundWebhooks.queue.deleteExpired();
  assert.deepEqual(await listMessages(server), []);
});

test('lists the messages for a URL that was removed, and redirects them to a configured one', async () => {
  await using receiver = await startWebhookListener();
  await using server = await startServer({
    webhookEndpoints: [receiver.endpoint],
    adminKey: ADMIN_KEY,
  });
  const oldUrl = 'https://site.example/old';
  const now = Date.now();
  const row = {
    organization: 'lanternwell',
    event: '',
    type: 'donation.succeeded',
    attempts: 8,
    nextRunAt: now,
    createdAt: now,
  } as const;
  const { reference } = await server.makeDonation();
  await waitUntil(() => Promise.resolve(receiver.received.length === 1));
  await server.database.db
    .insertInto('webhookMessages')
    .values(
      (['failed', 'pending'] as const).map((status) => ({
        ...row,
        id: `msg_${status}`,
        event: `donation ${reference}`,
        url: oldUrl,
        status,
        lastError: 'status 404',
      })),
    )
    .execute();
  assert.deepEqual(await (await callAdmin(server, '/api/webhooks/outbound/retry', {})).json(), {
    retried: 0,
  });
  const { items } = (await (await callAdmin(server, '/api/webhooks/outbound/failed')).json()) as {
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
  const redirectMessages = async (to: string): Promise<unknown> =>
    (await callAdmin(server, '/api/webhooks/outbound/redirect', { from: oldUrl, to })).json();
  assert.match(
    JSON.stringify(await redirectMessages('https://site.example/other')),
    /other is not a webhook URL in the server's configuration/,
  );
  assert.deepEqual(await redirectMessages(receiver.endpoint.url), { redirected: 2 });
  await waitUntil(
    async () => receiver.received.length === 3 && (await listMessages(server)).length === 0,
  );
  assert.deepEqual(
    receiver.received
      .slice(1)
      .map(({ id }) => id)
      .sort(),
    ['msg_failed', 'msg_pending'],
  );
});

test("still lists a redirected message among a donation's undelivered ones", async () => {
  await using old = await startWebhookListener();
  await using receiver = await startWebhookListener();
  await using server = await startServer({
    hasBackgroundJobs: false,
    webhookEndpoints: [old.endpoint],
  });
  const { reference } = await server.makeDonation();
  await server.makeDonation();
  const { outboundWebhooks } = server;
  outboundWebhooks.replaceEndpoints([{ id: 'lanternwell', webhookEndpoints: [receiver.endpoint] }]);
  const listUrls = async (): Promise<string[]> => {
    const event = { id: `donation ${reference}` };
    const messages = await outboundWebhooks.listUndeliveredAbout('lanternwell', [event]);
    return messages.map(({ url }) => url);
  };
  assert.deepEqual(await listUrls(), [], 'the endpoint is not configured');
  assert.equal(await outboundWebhooks.redirectMessages(old.endpoint.url, receiver.endpoint.url), 2);
  assert.deepEqual(await listUrls(), [receiver.endpoint.url]);
});

test('sends an event for each later payment, renewal, refund, dispute, and canceled subscription', async () => {
  await using receiver = await startWebhookListener();
  await using few = await startWebhookListener(undefined, ['donation.refunded']);
  await using server = await startServerWithStripe({
    webhookEndpoints: [receiver.endpoint, few.endpoint],
  });
  const takeLastMessage = async (...types: string[]): Promise<OutboundWebhookMessage['data']> => {
    await waitUntil(async () => receiver.received.length >= types.length);
    assert.deepEqual(listReceivedTypes(receiver).toSorted(), types.toSorted());
    return receiver.received.splice(0).at(-1)!.message.data;
  };
  const { reference: debit } = await server.donate(BANKS.ach);
  assert.equal((await takeLastMessage('donation.processing')).reference, debit);
  server.fakeStripe.settleDebit(server.fakeStripe.listPaymentIntents()[0]!.id);
  await server.deliverWebhooks({ times: 2 });
  assert.deepEqual((await takeLastMessage('donation.succeeded')).total, 5_181);
  const { reference: failing, response } = await server.donate(BANKS.achFailing);
  assert.equal(response?.success, true);
  await takeLastMessage('donation.processing');
  server.fakeStripe.settleDebit(
    server.fakeStripe.listPaymentIntents().find(({ status }) => status === 'processing')!.id,
  );
  await server.deliverWebhooks({ times: 2 });
  assert.equal((await takeLastMessage('donation.failed')).reference, failing);

  const { reference } = await server.donate(CARDS.good, { frequency: 'monthly' });
  const { subscriptionId: subscription, paymentId: payment } =
    (await server.repository.findByReference(reference))!;
  await takeLastMessage('donation.succeeded');
  server.fakeStripe.renewSubscription(subscription!);
  await server.deliverWebhooks();
  assert.partialDeepStrictEqual(await takeLastMessage('donation.renewed'), {
    reference: `${reference}-2`,
    parent: reference,
    total: 5_181,
    frequency: 'monthly',
  });
  server.fakeStripe.createRefund(payment!, 1_000);
  await server.deliverWebhooks({ times: 2 });
  assert.partialDeepStrictEqual(await takeLastMessage('donation.refunded'), {
    changed: 1_000,
    refunded: 1_000,
    total: 5_181,
  });
  const { id } = server.fakeStripe.openDispute(
    (await server.repository.outbox.findGiftCreation(`${reference}-2`))!.paymentId!,
  );
  await server.deliverWebhooks();
  assert.equal((await takeLastMessage('donation.disputed')).reference, `${reference}-2`);
  server.fakeStripe.closeDispute(id, 'lost');
  server.fakeStripe.cancelSubscription(subscription!);
  await server.deliverWebhooks();
  await takeLastMessage('donation.dispute_lost', 'subscription.ended');
  await waitUntil(async () => (await listMessages(server)).length === 0);
  assert.deepEqual(listReceivedTypes(few), ['donation.refunded']);
});

test('leaves delivery to runDueJobs if there are no background jobs', async () => {
  await using receiver = await startWebhookListener();
  await using server = await startServer({
    hasBackgroundJobs: false,
    webhookEndpoints: [receiver.endpoint],
  });
  server.handler.start();
  for (let gift = 0; gift < 3; gift += 1) await server.makeDonation();
  assert.deepEqual([receiver.received.length, (await listMessages(server)).length], [0, 3]);
  const { pendingWebhooks, nextRunAt } = await server.handler.runJobs();
  assert.deepEqual([receiver.received.length, pendingWebhooks, nextRunAt], [3, 0, undefined]);
});

test('changes only the messages of one organization to one URL, although two organizations use the URL', async () => {
  const now = Date.UTC(2026, 10, 25);
  await using database = await openTestDatabase(undefined, () => now);
  const queue = new DeliveryQueue(database);
  const shared = 'https://hooks.example/shared';
  const other = 'https://hooks.example/other';
  const rows = [
    ['one', shared],
    ['one', other],
    ['two', shared],
  ] as const;
  await database.db
    .insertInto('webhookMessages')
    .values(
      rows.map(([organization, url]) => ({
        id: `${organization} ${url}`,
        organization,
        url,
        event: 'donation A',
        type: 'donation.succeeded' as const,
        lastError: null,
        ...queue.buildFirstAttemptColumns(),
      })),
    )
    .execute();
  const listMessages = async () =>
    (await database.db.selectFrom('webhookMessages').selectAll().orderBy('id').execute()).map(
      ({ organization, url, status }) => [organization, url, status],
    );
  await queue.markEndpointGone({ organization: 'one', url: shared });
  assert.deepEqual(await listMessages(), [
    ['one', other, 'pending'],
    ['one', shared, 'endpoint_gone'],
    ['two', shared, 'pending'],
  ]);
  assert.deepEqual(
    await Promise.all(
      rows.map(([organization, url]) => queue.isEndpointGone({ organization, url })),
    ),
    [true, false, false],
  );
  assert.equal(await queue.makeFailedMessagesDue({ organization: 'two', url: shared }), 0);
  assert.equal(await queue.redirectMessages(shared, { organization: 'two', url: other }), 1);
  assert.equal(await queue.makeFailedMessagesDue({ organization: 'one', url: shared }), 1);
  assert.deepEqual(await listMessages(), [
    ['one', other, 'pending'],
    ['one', shared, 'pending'],
    ['two', other, 'pending'],
  ]);
});

test('deletes undelivered messages after 30 days', async () => {
  const DAY = 86_400_000;
  let time = Date.UTC(2026, 10, 25);
  await using database = await openTestDatabase(undefined, () => time);
  const queue = new DeliveryQueue(database);
  await database.writer.insertDonation(buildRows());
  const countMessages = async (): Promise<number> =>
    (await queue.countUndelivered()).reduce((sum, { count }) => sum + count, 0);
  time += 30 * DAY - 1;
  await queue.deleteExpired();
  assert.equal(await countMessages(), 1);
  time += 1;
  await queue.deleteExpired();
  assert.equal(await countMessages(), 0);
});

test("a message about a renewal's refund has the amount of that renewal", async () => {
  const at = Date.UTC(2026, 10, 25);
  await using database = await openTestDatabase(undefined, () => at);
  const repository = new DonationRepository(database);
  const reference = await addDonation(repository, { frequency: 'monthly', total: 5_000 });
  await addRenewal(repository, reference, { at, amount: 6_000 });
  await addRenewal(repository, reference, { at: at + 1, amount: 7_000 });
  await repository.outbox.insertEntries('lanternwell', [
    {
      id: 'refund r',
      kind: 'refund',
      reference: `${reference}-3`,
      parentReference: reference,
      payload: { at, amount: 1_000, refunded: 1_000 },
    },
  ]);
  const context = await loadEntryContext(database.db, 'refund r');
  const { data } = createWebhookMessage('donation.refunded', context);
  assert.partialDeepStrictEqual(data, {
    reference: `${reference}-3`,
    parent: reference,
    total: 7_000,
    changed: 1_000,
    refunded: 1_000,
  });
});

test('waits as long as the endpoint requests, but at most an hour', async () => {
  const now = Math.floor(Date.now() / 1_000) * 1_000;
  await using database = await openTestDatabase();
  const repository = new DonationRepository(database);
  const reference = await addDonation(repository);
  const context = await loadEntryContext(database.db, `donation ${reference}`);
  const body = JSON.stringify(createWebhookMessage('donation.succeeded', context));
  for (const [status, retryAfter, seconds] of [
    [429, '120', 120],
    [429, '7200', 3_600],
    [503, new Date(now + 600_000).toUTCString(), 600],
    [503, undefined, 60],
    [500, undefined, undefined],
  ] as const) {
    await using listener = await startWebhookListener((response) =>
      response
        .writeHead(status, retryAfter === undefined ? {} : { 'Retry-After': retryAfter })
        .end(),
    );
    const { cooldownUntil } = await sendMessage(listener.endpoint, {
      id: 'msg_1',
      body,
      now,
      signal: new AbortController().signal,
    });
    assert.equal(
      cooldownUntil && Math.round((cooldownUntil - now) / 1_000),
      seconds,
      `${status} ${retryAfter}`,
    );
  }
});
