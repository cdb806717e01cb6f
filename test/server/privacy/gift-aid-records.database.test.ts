import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Donation } from '../../../src/server/database/schema.ts';
import { DonationRepository } from '../../../src/server/donations/donation-repository.ts';
import { deleteDonorData } from '../../../src/server/privacy/delete-donor-data.ts';
import { eraseExpiredGiftAidRecords } from '../../../src/server/privacy/gift-aid-records.ts';
import {
  addDonation,
  type AddedDonation,
  addEvent,
  addRenewal,
} from '../reporting/add-donation.ts';
import { openTestDatabase } from '../test-database.ts';

const YEAR = 366 * 86_400_000;
const START = Date.UTC(2026, 10, 9);
const GIFT_AID = { scope: 'all', text: 'Yes', house: '12', postcode: 'S19 2BD' } as const;
const DONATION = { currency: 'GBP', giftAid: GIFT_AID, platformId: 7 } as const;

async function openWorld() {
  const world = { time: START };
  const database = await openTestDatabase(undefined, () => world.time);
  const repository = new DonationRepository(database);
  const readPersonalData = async (
    reference: string,
  ): Promise<Pick<Donation['payload'], 'donor' | 'giftAid'>> => {
    const { donor, giftAid } = (await repository.findByReference(reference))!.payload;
    return giftAid ? { donor, giftAid } : { donor };
  };
  return {
    world,
    repository,
    database,
    readPersonalData,
    add: (change: AddedDonation = {}) => addDonation(repository, { ...DONATION, ...change }),
    async deleteDonor(reference: string) {
      const webhooks = { byEmail: [], byReference: new Map<string, string[]>() };
      const request = { organization: 'lanternwell', by: 'Mara', at: world.time, webhooks };
      const { retained } = await deleteDonorData(database, { ...request, references: [reference] });
      assert.deepEqual(retained, []);
      return readPersonalData(reference);
    },
    [Symbol.asyncDispose]: () => database.close(),
  };
}

const RECORD = { donor: { firstName: 'Ana', lastName: 'Silva' }, giftAid: GIFT_AID };

test('deleting a donor keeps the name and home of a Gift Aid declaration, and nothing else', async () => {
  await using world = await openWorld();
  assert.deepEqual(await world.deleteDonor(await world.add()), RECORD);
  const undeclared = await world.add({ giftAid: undefined, platformId: 8 });
  assert.deepEqual(await world.deleteDonor(undeclared), { donor: {} });
});

test('deleting a donor keeps no declaration of a test, and none without a payment', async () => {
  await using world = await openWorld();
  const unpaid = { outcome: 'failed', platformId: undefined! } as const;
  for (const donation of [unpaid, { outcome: 'promised' }, { isTest: true }] as const)
    assert.deepEqual(await world.deleteDonor(await world.add(donation)), { donor: {} });
});

test('deletes Gift Aid records that HMRC no longer requires, counted from the last payment', async () => {
  await using world = await openWorld();
  const { database, readPersonalData } = world;
  const once = await world.add();
  const old = await world.add({ platformId: 8 });
  const monthly = await world.add({ platformId: 9 });
  await world.deleteDonor(once);
  world.world.time = START + 3 * YEAR;
  await addRenewal(world.repository, monthly, { at: world.world.time, amount: 5_000 });
  await world.repository.outbox.markDelivered(
    (await world.repository.outbox.listByStatus('pending', 1))[0]!,
    '10',
  );
  await world.deleteDonor(monthly);
  world.world.time = START + 7 * YEAR + 1;
  await eraseExpiredGiftAidRecords(database, 'lanternwell', world.world.time);
  assert.deepEqual(await readPersonalData(once), { donor: {} });
  assert.deepEqual(await readPersonalData(monthly), RECORD);
  assert.deepEqual(await world.deleteDonor(old), { donor: {} });
});

test('counts from the payment, not from a later event, and reads expired records in batches', async () => {
  await using world = await openWorld();
  const references: string[] = [];
  for (let platformId = 1; platformId <= 30; platformId += 1)
    references.push(await world.add({ platformId }));
  const [refunded] = references;
  const settling = await world.add({ outcome: 'settling', platformId: 31 });
  world.world.time = START + YEAR;
  await addEvent(world.repository, refunded!, 'refund', { at: START + YEAR, amount: 5_000 });
  const donation = (await world.repository.findByReference(settling))!;
  await world.repository.applyTrigger(donation, { type: 'succeeded' });
  for (const reference of [...references, settling]) await world.deleteDonor(reference);
  world.world.time = START + 7 * YEAR + 1;
  await eraseExpiredGiftAidRecords(world.database, 'lanternwell', world.world.time);
  for (const reference of references)
    assert.deepEqual(await world.readPersonalData(reference), { donor: {} });
  assert.deepEqual(await world.readPersonalData(settling), RECORD);
});
