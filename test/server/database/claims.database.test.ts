import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Database } from '../../../src/server/database/database.ts';
import { DonationRepository } from '../../../src/server/donations/donation-repository.ts';
import { WebhookInbox } from '../../../src/server/webhooks/inbound/inbox.ts';
import { DeliveryQueue } from '../../../src/server/webhooks/outbound/delivery-queue.ts';
import { openTestDatabase } from '../test-database.ts';
import { buildRows } from './new-donation-rows.ts';

const START = Date.UTC(2026, 10, 25);
/** Duration of a claim, in milliseconds: longer than any call that a server makes meanwhile. */
const MINUTE = 60_000;

interface Row {
  readonly nextRunAt: number;
}

/** Rows that several servers handle, each with the function that claims one of them. */
const TABLES: Readonly<
  Record<
    string,
    (database: Database) => Promise<{
      readonly claim: (row: never) => Promise<Row | undefined>;
      readonly listDue: () => Promise<readonly Row[]>;
      /** Records that no server must handle the row anymore. */
      readonly finish?: (row: never) => Promise<unknown>;
    }>
  >
> = {
  async donations(database) {
    const repository = new DonationRepository(database);
    await database.writer.insertDonation(buildRows());
    return {
      claim: (row) => repository.claimForPaymentCheck(row),
      listDue: () => repository.listDueForPaymentCheck('lanternwell', ['processing'], 10),
    };
  },
  async outbox(database) {
    const { outbox } = new DonationRepository(database);
    await database.writer.insertDonation(buildRows());
    return {
      claim: (row) => outbox.claimEntry(row),
      listDue: () => outbox.listDueEntries('lanternwell', 10),
      finish: (row) => outbox.markForReview(row, 'manual', 'no such fund'),
    };
  },
  async webhookMessages(database) {
    const queue = new DeliveryQueue(database);
    const rows = buildRows();
    await database.writer.insertDonation(rows);
    const [{ organization, url }] = rows.webhookMessages as [(typeof rows.webhookMessages)[0]];
    return {
      claim: (row) => queue.claimMessage(row),
      listDue: () => queue.listDueMessages({ organization, url }, 10),
      finish: (row) => queue.markFailed(row, 'status 500'),
    };
  },
  async inboundWebhooks(database) {
    const inbox = new WebhookInbox(database);
    await inbox.insertIfNew({
      id: 'event',
      organization: 'lanternwell',
      source: 'fundraising',
      kind: null,
      format: 'json',
      body: '{}',
      hasHook: true,
    });
    return {
      claim: (row) => inbox.claimWebhook(row),
      listDue: () => inbox.listDueWebhooks('lanternwell', ['fundraising'], 10),
      finish: (row) => inbox.markHandled(row),
    };
  },
};

for (const [table, insertRow] of Object.entries(TABLES)) {
  test(`lets one of two servers claim a row of ${table}, and another once the claim has expired`, async () => {
    let time = START;
    await using database = await openTestDatabase(undefined, () => time);
    const { claim, listDue } = await insertRow(database);
    const [row] = (await listDue()) as [never];
    const claims = await Promise.all([claim(row), claim(row)]);
    const claimed = claims.filter((result) => result !== undefined);
    assert.deepEqual(
      claimed.map(({ nextRunAt: dueAt }) => dueAt),
      [START + MINUTE],
    );
    time += MINUTE - 1;
    assert.deepEqual([await listDue(), await claim(row)], [[], undefined]);
    time += 1;
    const [expired] = (await listDue()) as [never];
    assert.equal((await claim(expired))?.nextRunAt, START + 2 * MINUTE);
    assert.equal(await claim(claimed[0] as never), undefined);
  });

  // A finished donation is still checked if the payment provider reports a change.
  if (table === 'donations') continue;
  test(`lets no server claim a row of ${table} that another server has finished`, async () => {
    await using database = await openTestDatabase(undefined, () => START);
    const { claim, listDue, finish } = await insertRow(database);
    const [row] = (await listDue()) as [never];
    await finish!(row);
    assert.deepEqual([await claim(row), await listDue()], [undefined, []]);
  });
}

test('does not check a payment on request while another server handles it', async () => {
  let time = START;
  await using database = await openTestDatabase(undefined, () => time);
  const repository = new DonationRepository(database);
  const reference = '7K4M9-QXD2P';
  await database.writer.insertDonation(buildRows({ reference }));
  const claimed = await repository.claimForPaymentCheck(
    (await repository.findByReference(reference))!,
  );
  assert.equal(await repository.claimForPaymentCheck(claimed!), undefined);
  time += MINUTE;
  assert.ok(await repository.claimForPaymentCheck(claimed!));
});

test('ignores the result of a server whose claim has expired, if another server has claimed the event', async () => {
  let time = START;
  await using database = await openTestDatabase(undefined, () => time);
  const { outbox } = new DonationRepository(database);
  await database.writer.insertDonation(buildRows());
  const claim = async () =>
    (await outbox.claimEntry((await outbox.listDueEntries('lanternwell', 1))[0]!))!;
  const expired = await claim();
  time += MINUTE;
  const current = await claim();
  await outbox.postponeEntry(expired, { dueAt: time, error: 'too late', dispatchedAt: null });
  await outbox.markForReview(expired, 'manual', 'too late');
  assert.deepEqual(await outbox.findById(current.id), current);
  assert.equal(await outbox.markDispatched(expired), false);
  assert.equal(await outbox.markDispatched(current), true);
});
