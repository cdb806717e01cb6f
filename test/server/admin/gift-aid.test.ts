import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addDonation } from '../reporting/add-donation.ts';
import { readJson } from '../support.ts';
import { callAdmin, NOW, openAdmin } from './support.ts';

const DECLARATION = {
  scope: 'all',
  text: 'I am a UK taxpayer.',
  house: '12',
  postcode: 'S19 2BD',
} as const;
const DONATION = { currency: 'GBP', frequency: 'monthly', giftAid: DECLARATION } as const;
const readFailure = async (response: Response): Promise<[number, string]> => [
  response.status,
  (await readJson<{ message: string }>(response)).message,
];

test("a donation's page shows the declaration, and who has canceled it from which day", async () => {
  await using admin = await openAdmin();
  const { repository, browser } = admin;
  const reference = await addDonation(repository, DONATION);
  const csrf = await admin.signIn();
  const page = `/donations/${reference}`;
  const before = (await browser.request(page)).html;
  assert.match(before, /I am a UK taxpayer\./);
  assert.match(before, /<dd>12, S19 2BD<\/dd>/);
  await browser.request(`${page}/gift-aid/cancel`, { csrf, from: '2026-12-01' });
  const { html } = await browser.request(page);
  assert.match(html, new RegExp(`canceled from 2026-12-01: ${reference}`));
  assert.match(html, /<dd>from 2026-12-01 by Ana<\/dd>/);
  assert.match(html, /gift-aid\/cancel/, 'an earlier day can replace it');
  await browser.request(`${page}/gift-aid/cancel`, { csrf });
  assert.doesNotMatch((await browser.request(page)).html, /gift-aid\/cancel/);
});

test('cancels Gift Aid from today by default, never for a day in the past, and only once', async () => {
  await using admin = await openAdmin();
  const { repository, server } = admin;
  const reference = await addDonation(repository, DONATION);
  const cancel = (of: string, change: object = {}) =>
    callAdmin(server, `/api/donations/${of}/gift-aid/cancel`, { by: 'Mara', ...change });
  const [status, message] = await readFailure(await cancel(reference, { from: '2026-11-23' }));
  assert.equal(status, 400);
  assert.match(message, /2026-11-23 is in the past.*Specify today, 2026-11-24/);
  assert.deepEqual(await readJson(cancel(reference)), {
    from: '2026-11-24',
    canceled: [reference],
  });
  assert.match(String(await readFailure(await cancel(reference))), /^409,.*already canceled/);
  const undeclared = await addDonation(repository);
  assert.match(
    String(await readFailure(await cancel(undeclared))),
    /^400,.*no Gift Aid declaration/,
  );
});

test('replaces a mistaken day of cancellation by an earlier one, and refuses days far ahead', async () => {
  await using admin = await openAdmin();
  const { repository, server } = admin;
  const reference = await addDonation(repository, DONATION);
  const cancel = (from?: string) =>
    callAdmin(server, `/api/donations/${reference}/gift-aid/cancel`, { by: 'Mara', from });
  assert.match(
    String(await readFailure(await cancel('9999-12-31'))),
    /^400,The day 9999-12-31 is more than a year ahead.*such as today, 2026-11-24/,
  );
  assert.equal((await cancel('2027-11-24')).status, 200);
  assert.match(String(await readFailure(await cancel('2027-11-25'))), /^409,.*an earlier one/);
  assert.deepEqual(await readJson(cancel()), { from: '2026-11-24', canceled: [reference] });
  assert.match(String(await readFailure(await cancel())), /^409,/);
});

test('claims no period that is not over, because the next one could miss its donations', async () => {
  await using admin = await openAdmin();
  const { repository, server, setTime } = admin;
  await addDonation(repository, DONATION);
  setTime(NOW + 86_400_000);
  const claim = (to: string) =>
    callAdmin(server, '/api/gift-aid/claim', { from: '2026-11-01', to });
  assert.match(
    String(await readFailure(await claim('2026-11-25'))),
    /^400,--to is 2026-11-25, but that day is not over/,
  );
  assert.equal((await readJson<{ total: string }>(claim('2026-11-24'))).total, '50.00');
});
