import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addDonation, addEvent, addRenewal, recordOnPlatform } from '../reporting/add-donation.ts';
import { assertOrder, NOW, openAdmin, readHistory } from './support.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

test('shows what the donor saw and when the charge started, after a review', async () => {
  await using admin = await openAdmin();
  const { repository, browser, setTime } = admin;
  setTime(NOW - 20 * HOUR);
  const reference = await addDonation(repository, { outcome: 'needs_review', total: 18_000 });
  setTime(NOW);
  const csrf = await admin.signIn();
  const path = `/donations/${reference}`;
  await browser.request(`${path}/resolve`, { csrf, decision: 'succeeded', event: 'payment' });
  const history = readHistory((await browser.request(path)).html);
  assertOrder(history, [
    'Nov 23, 2026, 16:00:00 UTC Ana Silva chose to give 180.00 USD',
    'Nov 23, 2026, 16:00:00 UTC The donor saw that the payment failed: the bank declined the ' +
      'payment. Later, Stripe reported a charge of 180.00 USD, so the payment needed review.',
    'Nov 24, 2026, 12:00:00 UTC Ana decided: confirmed as paid.',
    'Nov 24, 2026, 12:00:00 UTC The donation was marked as received: 180.00 USD.',
  ]);
  assert.doesNotMatch(history, /Stripe charged/);
});

test('says why a payment failed, and only once that nothing was charged', async () => {
  await using admin = await openAdmin();
  const { repository, browser } = admin;
  await admin.signIn();
  for (const [failureReason, text] of [
    [
      'card-declined',
      'The payment failed: the bank declined the payment. The donor was not charged.',
    ],
    ['payment-failed', 'The payment failed: the reason is unknown. The donor was not charged.'],
  ] as const) {
    const reference = await addDonation(repository, { outcome: 'failed', failureReason });
    assertOrder(readHistory((await browser.request(`/donations/${reference}`)).html), [text]);
  }
});

test('shows the whole amount of a refund that has a fraction of a minor unit', async () => {
  await using admin = await openAdmin();
  const { repository, browser } = admin;
  const reference = await addDonation(repository);
  await addEvent(repository, reference, 'refund', { at: NOW, amount: 1_234.5 });
  await admin.signIn();
  const { html } = await browser.request(`/donations/${reference}`);
  assertOrder(readHistory(html), ['12.345 USD']);
});

test('does not say that a bank debit in review was charged', async () => {
  await using admin = await openAdmin();
  const { repository, browser } = admin;
  const reference = await addDonation(repository, { outcome: 'settling' });
  const row = (await repository.findByReference(reference))!;
  const lastError = 'the payment provider charged 41.81 USD (pi_1) instead of the agreed 50.00 USD';
  await repository.applyTrigger(row, { type: 'contradicted' }, { columns: { lastError } });
  await admin.signIn();
  const history = readHistory((await browser.request(`/donations/${reference}`)).html);
  assertOrder(history, [
    'Stripe accepted the payment of 50.00 USD. The money will arrive within a few days.',
    'The payment needs review: the payment provider charged 41.81 USD (pi_1) instead of the agreed 50.00 USD.',
  ]);
});

test('shows a decision before the payment that it causes at the same time', async () => {
  await using admin = await openAdmin();
  const { repository, browser } = admin;
  const reference = await addDonation(repository, { outcome: 'promised', platformId: 12 });
  const csrf = await admin.signIn();
  const path = `/donations/${reference}`;
  await browser.request(`${path}/resolve`, { csrf, decision: 'succeeded', event: 'payment' });
  const history = readHistory((await browser.request(path)).html);
  assertOrder(history, ['Ana decided: confirmed as paid.', 'The 50.00 USD arrived.']);
});

test('links donations that were probably made twice, and only those', async () => {
  await using admin = await openAdmin();
  const { repository, browser, setTime } = admin;
  const donor = { firstName: 'Diego', lastName: 'Marchetti', email: 'diego@example.org' };
  const first = await addDonation(repository, { donor });
  setTime(NOW + 43_000);
  const second = await addDonation(repository, { donor: { ...donor, email: 'DIEGO@example.org' } });
  const others = [
    await addDonation(repository, { donor, outcome: 'failed' }),
    await addDonation(repository, { donor, total: 5_100 }),
    await addDonation(repository, { donor, form: 'spring' }),
    await addDonation(repository, { donor: { ...donor, email: 'other@example.org' } }),
    await addDonation(repository, { donor, frequency: 'monthly' }),
  ];
  setTime(NOW + 11 * MINUTE);
  others.push(await addDonation(repository, { donor }));
  await admin.signIn();
  const open = async (reference: string): Promise<string> =>
    (await browser.request(`/donations/${reference}`)).html;
  assert.match(
    await open(first),
    new RegExp(`gave the same amount\\s+43 seconds later[^]*href="/donations/${second}"`),
  );
  assert.match(
    await open(second),
    new RegExp(`gave the same amount\\s+43 seconds earlier[^]*href="/donations/${first}"`),
  );
  for (const reference of others.slice(0, 5))
    assert.doesNotMatch(await open(reference), /Possible duplicate/, reference);
});

test('marks the renewal for which the page was opened', async () => {
  await using admin = await openAdmin();
  const { repository, browser } = admin;
  const first = await addDonation(repository, { frequency: 'monthly' });
  const renewal = `${first}-2`;
  await addRenewal(repository, first, { at: NOW - HOUR, amount: 5_000 });
  const csrf = await admin.signIn();
  const search = async (reference: string): Promise<string | null> =>
    (await browser.request('/donations/search', { csrf, search: reference })).to;
  assert.deepEqual(
    [await search(first), await search(renewal)],
    [`/donations/${first}`, `/donations/${renewal}#${renewal}`],
  );
  const { html } = await browser.request(`/donations/${renewal}`);
  assert.ok(html.includes(`<li id="${renewal}" aria-current="true">`));
  assert.ok(html.includes(`<a href="#${renewal}">`));
  assert.doesNotMatch((await browser.request(`/donations/${first}`)).html, /aria-current="true"/);
});

test('shows why the platform does not have a gift, and which part was refunded', async () => {
  await using admin = await openAdmin();
  const { server, repository, browser } = admin;
  const rejected = await addDonation(repository);
  await server.database.db
    .updateTable('outbox')
    .set({ attempts: 79, lastError: 'GiftNotCreatedError: Unknown fund code GARDEN-26.' })
    .execute();
  await addDonation(repository, { outcome: 'needs_review', total: 6_500 });
  const partly = await addDonation(repository, { platformId: 12, total: 123_400 });
  await addEvent(repository, partly, 'refund', { at: NOW, amount: 100_000 });
  const disputed = await addDonation(repository, { platformId: 13 });
  await addEvent(repository, disputed, 'dispute_opened', { at: NOW, amount: 5_000 });
  await admin.signIn();
  const list = await browser.request('/donations?platform=no');
  assert.match(list.html, /<h2 id="results">2 donations<\/h2>/);
  assert.match(list.html, /65\.00 USD to review \(1\)/);
  assert.match(list.html, /To be sent<\/span> <span[^>]*>Unknown fund code GARDEN-26\.</);
  assert.match(list.html, /<td role="cell"> <span[^>]*>charged after the donor saw a failure</);
  const { html } = await browser.request(`/donations/${rejected}`);
  assert.match(html, /\(tried 79 times\): Unknown fund code GARDEN-26\.\s/);

  const refunds = await browser.request('/donations?status=refunded');
  assert.match(refunds.html, /1,234\.00 USD received \(1\)[^]*1,000\.00 USD refunded \(1\)/);
  assert.match(refunds.html, />Received<[^]*>Partly refunded<[^]*>1,000\.00 USD refunded</);
  const header = /<header>[^]*<\/header>/;
  const [partlyHeader] = header.exec((await browser.request(`/donations/${partly}`)).html)!;
  assert.match(partlyHeader, /1,234\.00 USD from[^]*>Received<[^]*>Partly refunded</);
  const [disputedHeader] = header.exec((await browser.request(`/donations/${disputed}`)).html)!;
  assert.match(disputedHeader, />Received<[^]*>Disputed</);
});

test('announces the next check of a bank debit, not a retry', async () => {
  await using admin = await openAdmin();
  const { server, repository, browser } = admin;
  const reference = await addDonation(repository, { outcome: 'promised' });
  await server.database.db
    .updateTable('donations')
    .set({ awaiting: 'bank', nextRunAt: NOW + 4 * HOUR })
    .execute();
  await recordOnPlatform(repository, reference, 12);
  await admin.signIn();
  const overview = (await browser.request('/')).html;
  assert.match(overview, /next check <time[^>]*>in 4 hours</);
  const history = readHistory((await browser.request(`/donations/${reference}`)).html);
  assert.match(history, /Next check in 4 hours/);
});
