import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CARDS, startFakeStripe } from '../../fake-stripe.ts';
import { waitUntil } from '../../wait-until.ts';
import { startServerWithStripe } from '../payments/support.ts';
import { DAY, reconcile, waitForDelivery } from './support.ts';

test('finds a canceled recurring donation whose webhooks were lost once its renewal is overdue, and cancels it on the platform', async () => {
  let time = Date.now();
  const now = (): number => time;
  await using fakeStripe = await startFakeStripe({ now });
  await using server = await startServerWithStripe({ now }, fakeStripe);
  const canceled = await server.donate(CARDS.good, { frequency: 'monthly' });
  const renewed = await server.donate(CARDS.good, { frequency: 'monthly' });
  await waitForDelivery(server);
  const { subscription_id: subscription } = (await server.repository.findByReference(
    canceled.reference,
  ))!;
  fakeStripe.cancelSubscription(subscription!);
  time += 32 * DAY;
  fakeStripe.runScheduledTasks();
  await reconcile(server, { apply: true });
  await waitUntil(async () => {
    time += 31_000;
    server.handler.start();
    return (await server.listGifts()).length === 3;
  });
  assert.deepEqual((await reconcile(server)).differences, []);
  time += 2 * DAY;
  assert.deepEqual((await reconcile(server)).fullDifferences, [
    {
      type: 'mismatch',
      side: 'database',
      reference: canceled.reference,
      field: 'subscription',
      found: 'active',
      expected: 'canceled',
    },
  ]);
  assert.equal((await reconcile(server, { apply: true })).end.differences, 0);
  assert.deepEqual((await reconcile(server)).differences, []);
  await waitUntil(async () => {
    server.handler.start();
    const gifts = await server.listGifts();
    return (
      gifts.find(({ reference }) => reference === canceled.reference)?.recurringStatus === 2 &&
      gifts.find(({ reference }) => reference === renewed.reference)?.recurringStatus === 1
    );
  });
});
