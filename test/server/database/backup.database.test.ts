import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CARDS as STRIPE_CARDS, startFakeStripe } from '../../fake-stripe.ts';
import { createDonationInReview, resolveDonation, startAdminServer } from '../admin/support.ts';
import { startServerWithStripe } from '../payments/support.ts';
import { DAY, MINUTE, reconcile, waitForDelivery } from '../reporting/support.ts';

test('ignores renewal webhooks in a restored database until missed renewals are applied, and records each renewal once under its known number', async () => {
  let time = Date.now();
  await using fakeStripe = await startFakeStripe({ now: () => time });
  await using server = await startServerWithStripe({ now: () => time }, fakeStripe);
  const { reference } = await server.donate(STRIPE_CARDS.good, { frequency: 'monthly' });
  const { db } = server.database;
  const subscription = (await server.repository.findByReference(reference))!.subscriptionId!;
  const renewSubscription = async (): Promise<number[]> => {
    time += MINUTE;
    fakeStripe.renewSubscription(subscription);
    return server.deliverWebhooks();
  };
  await server.deliverWebhooks();
  assert.ok((await renewSubscription()).every((status) => status === 204));
  await waitForDelivery(server);
  await db.deleteFrom('outbox').where('kind', '=', 'renewal').execute();
  await db
    .updateTable('donations')
    .set({ restoredAt: time - 3 * DAY })
    .execute();
  assert.ok((await renewSubscription()).includes(503));
  const today = new Date(time).toISOString().slice(0, 10);
  const part = await reconcile(server, { from: today, apply: true });
  assert.deepEqual(
    [part.applied, part.differences.filter((words) => words.includes('renewal'))],
    [[], [`missing database renewal ${reference}`, `missing database renewal ${reference}`]],
  );
  assert.deepEqual((await reconcile(server, { apply: true })).applied, [
    `${reference}-2 renewal`,
    `${reference}-3 renewal`,
  ]);
  time += MINUTE;
  await waitForDelivery(server);
  assert.ok(
    (await renewSubscription()).every((status) => status === 204),
    'pending renewals are applied, and new ones are recorded',
  );
  await waitForDelivery(server);
  const sent = server.sentGifts.map(
    (body) => JSON.parse(body) as { reference: string; paymentId: string },
  );
  assert.deepEqual(
    [sent.map((gift) => gift.reference), new Set(sent.map(({ paymentId }) => paymentId)).size],
    [[reference, `${reference}-2`, `${reference}-3`, `${reference}-4`], 4],
  );
  time += DAY;
  assert.deepEqual((await reconcile(server)).differences, []);
});

test('looks up a reviewed donation on the platform before recording it, if its database was restored', async () => {
  await using server = await startAdminServer();
  const { reference } = await createDonationInReview(server);
  await server.database.db
    .updateTable('donations')
    .set({ restoredAt: Date.now() - 60_000 })
    .execute();
  assert.equal((await resolveDonation(server, reference, { decision: 'succeeded' })).status, 200);
  await waitForDelivery(server);
  assert.deepEqual(
    server.calls.filter((call) => call.endsWith('/sandbox/gifts')),
    ['GET /sandbox/gifts', 'POST /sandbox/gifts'],
  );
});
