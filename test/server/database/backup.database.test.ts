import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CARDS as STRIPE_CARDS, startFakeStripe } from '../../fake-stripe/index.ts';
import { createHeldDonation, openAdminDesk, resolveDonation } from '../admin/support.ts';
import { openStripeDesk } from '../payments/support.ts';
import { DAY, MINUTE, reconcile, told } from '../reporting/support.ts';

test('in a restored database webhooks tell no renewal until all since the copy were taken: each has the number that the platform knows, and is recorded once', async () => {
  let time = Date.now();
  await using fake = await startFakeStripe({ now: () => time });
  await using desk = await openStripeDesk({ now: () => time }, fake);
  const { reference } = await desk.give(STRIPE_CARDS.good, { frequency: 'monthly' });
  const { db } = desk.records.database;
  const subscription = (await desk.repository.findByReference(reference))!.subscription_id!;
  const renew = async (): Promise<number[]> => {
    time += MINUTE;
    fake.renewSubscription(subscription);
    return desk.tell();
  };
  await desk.tell();
  assert.ok((await renew()).every((status) => status === 204));
  await told(desk);
  await db.deleteFrom('outbox').where('kind', '=', 'renewal').execute();
  await db
    .updateTable('donations')
    .set({ restored_at: time - 3 * DAY })
    .execute();
  assert.ok((await renew()).includes(503));
  const today = new Date(time).toISOString().slice(0, 10);
  const part = await reconcile(desk, { from: today, apply: true });
  assert.deepEqual(
    [part.applied, part.differences.filter((words) => words.includes('renewal'))],
    [[], [`missing database renewal ${reference}`, `missing database renewal ${reference}`]],
  );
  assert.deepEqual((await reconcile(desk, { apply: true })).applied, [
    `${reference}-2 renewal`,
    `${reference}-3 renewal`,
  ]);
  time += MINUTE;
  await told(desk);
  assert.ok(
    (await renew()).every((status) => status === 204),
    'what waited is known, and what comes is taken',
  );
  await told(desk);
  const sent = desk.sent.map(
    (body) => JSON.parse(body) as { reference: string; paymentId: string },
  );
  assert.deepEqual(
    [sent.map((gift) => gift.reference), new Set(sent.map(({ paymentId }) => paymentId)).size],
    [[reference, `${reference}-2`, `${reference}-3`, `${reference}-4`], 4],
  );
  time += DAY;
  assert.deepEqual((await reconcile(desk)).differences, []);
});

test('a gift of an older copy that a person decides on is looked up at the platform before it is recorded', async () => {
  await using desk = await openAdminDesk();
  const { reference } = await createHeldDonation(desk);
  await desk.records.database.db
    .updateTable('donations')
    .set({ restored_at: Date.now() - 60_000 })
    .execute();
  assert.equal((await resolveDonation(desk, reference, { decision: 'succeeded' })).status, 200);
  await told(desk);
  assert.deepEqual(
    desk.calls.filter((call) => call.endsWith('/sandbox/gifts')),
    ['GET /sandbox/gifts', 'POST /sandbox/gifts'],
  );
});
