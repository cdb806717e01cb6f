import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addDonation, addEvent, addRenewal, recordOnPlatform } from '../reporting/add-donation.ts';
import { assertOrder, NOW, openAdmin, readHistory, WEBHOOK_ENDPOINT } from './support.ts';

const DAY = 86_400_000;

const listReferences = (html: string): string[] =>
  [...html.matchAll(/<th role="rowheader" scope="row"><a href="\/donations\/([\w-]+)"/g)].map(
    ([, reference]) => reference!,
  );

test('searches without personal data in URLs and logs, filters, and exports what it shows', async () => {
  await using admin = await openAdmin();
  const { server, repository, browser, setTime } = admin;
  setTime(Date.UTC(2026, 9, 14));
  const donor = { firstName: 'Ana', lastName: 'Silva', email: 'canary@example.org' };
  const october = await addDonation(repository, {
    donor: { ...donor, firstName: '=Ana' },
    platformId: 12,
  });
  const failed = await addDonation(repository, { outcome: 'failed', donor });
  setTime(NOW);
  const latest = await addDonation(repository, { donor: { firstName: 'Ana', lastName: 'Silva' } });
  await addDonation(repository, { donor: { firstName: 'Miriam', lastName: 'Okafor' } });
  await addDonation(repository, { organization: 'other' });
  const csrf = await admin.signIn();

  const search = async (fields: Record<string, string>): Promise<[url: string, html: string]> => {
    const { status, to } = await browser.request('/donations/search', { csrf, ...fields });
    assert.equal(status, 303);
    assert.doesNotMatch(to!, /ana|silva|canary|@|%40/i);
    return [to!, (await browser.request(to!)).html];
  };
  const [, all] = await search({ search: ' ana silva ' });
  assert.deepEqual(listReferences(all).toSorted(), [latest, october, failed].toSorted());
  assert.match(all, /<h2 id="results">3 donations<\/h2>/);
  assert.match(all, /value="ana silva"/);
  const fields = { search: 'CANARY@example.org', period: '2026-10', status: 'received' };
  const [url, html] = await search(fields);
  assert.deepEqual(listReferences(html), [october]);
  assert.match(html, /50\.00 USD received \(1\)/);
  assert.match(html, /<span class="label">Gift<\/span> 12/);

  const exportUrl = /href="(\/donations\/export\?[^"]+)"/.exec(html)![1]!.replaceAll('&amp;', '&');
  const csv = await browser.request(exportUrl);
  assert.equal(
    csv.headers.get('Content-Disposition'),
    'attachment; filename="donations-lanternwell.csv"',
  );
  const [columns, ...rows] = csv.html.trimEnd().split('\r\n');
  assert.match(columns!, /^\ufeff?"reference","parent_reference",/);
  assert.equal(rows.length, 1);
  assert.match(rows[0]!, new RegExp(`^"${october}",.*"'=Ana","Silva","canary@example.org"`));
  const everything = (await browser.request('/donations/export')).html.trimEnd().split('\r\n');
  assert.equal(everything.length, 1 + 4);

  const forged = await browser.request(url.replace(/search=[\w-]{4}/, 'search=AAAA'));
  assert.match(forged.html, /can no longer decrypt the search in this link/);
  assert.doesNotMatch(server.logLines.join('\n'), /canary|silva/i);
  const unknownOrganization = await browser.request('/donations?organization=other');
  assert.equal(listReferences(unknownOrganization.html).length, 4);
});

test('pages through many donations, newest first', async () => {
  await using admin = await openAdmin();
  const { repository, browser, setTime } = admin;
  for (let index = 0; index < 51; index += 1) {
    setTime(NOW + index);
    await addDonation(repository, { total: index + 1 });
  }
  await admin.signIn();
  const first = await browser.request('/donations');
  assert.match(first.html, /<h2 id="results">51 donations<\/h2>[^]*13\.26 USD received \(51\)/);
  const next = /href="([^"]+)" rel="next"/.exec(first.html)![1]!.replaceAll('&amp;', '&');
  const second = await browser.request(next);
  assert.deepEqual(
    [listReferences(first.html).length, listReferences(second.html).length],
    [50, 1],
  );
  assert.match(second.html, /<strong>0\.01 USD<\/strong>/);
  assert.doesNotMatch(second.html, /rel="next"/);
});

test('shows what came in, with the same part of the period before, in a chart and a table', async () => {
  await using admin = await openAdmin({ timeZone: 'America/New_York' });
  const { repository, browser, setTime } = admin;
  const isTest = true;
  setTime(NOW - DAY);
  await addDonation(repository, { total: 2_000, isTest });
  setTime(NOW - DAY + 60_000);
  await addDonation(repository, { total: 700, isTest });
  setTime(NOW - 60_000);
  await addDonation(repository, { total: 3_000, isTest });
  await addDonation(repository, { outcome: 'promised', total: 123_456, isTest });
  setTime(NOW);
  await admin.signIn();
  const { html } = await browser.request('/');
  const [, section] = /<section id="income">([^]*?)<\/section>/.exec(html)!;
  assert.match(section!, /Test mode: no real money/);
  assert.match(section!, /Today<\/a><\/h3>\s*<p class="sum">30\.00 USD/);
  assert.match(section!, /\+50%[^]*50% more than before/);
  assert.match(section!, /status=outstanding[^"]*">Not received yet<\/a>: 1,234\.56 USD \(1\)/);
  assert.match(section!, /By this time yesterday: 20\.00 USD \(1\)/);
  assert.match(section!, /All of yesterday: 27\.00 USD \(2\)/);
  assert.match(section!, /Days are in the America\/New_York time zone/);
  assert.match(section!, /<svg [^>]*role="img"\s+aria-label="Bar chart of the last 30 days/);
  assert.match(section!, /from=2026-11-24&amp;to=2026-11-24[^"]*">Tue, Nov 24<\/a>/);
  assert.match(html, /<p class="nothing">No payment is in progress and no payment failed/);
});

test('tells the whole story of a donation, with links to other systems', async () => {
  await using admin = await openAdmin({
    webhookEndpoints: [{ ...WEBHOOK_ENDPOINT, events: new Set(['donation.renewed']) }],
  });
  const { server, repository, browser, setTime } = admin;
  setTime(NOW - 40 * DAY);
  const reference = await addDonation(repository, {
    frequency: 'everyOtherWeek',
    platformId: 12,
  });
  await addRenewal(repository, reference, { at: NOW - 10 * DAY, amount: 5_000 });
  await addEvent(repository, reference, 'refund', { at: NOW - 5 * DAY, amount: 1_050 });
  await recordOnPlatform(repository, `${reference}-2`, 13);
  await server.database.db
    .updateTable('webhookMessages')
    .set({ status: 'failed', attempts: 8, lastError: 'status 500' })
    .execute();
  await server.database.db
    .updateTable('donations')
    .set({ donorDeletedAt: NOW - DAY, donorDeletedBy: 'Mara Lind' })
    .execute();
  setTime(NOW);
  await admin.signIn();
  const { html } = await browser.request(`/donations/${reference}-2`);
  assert.match(html, /Frequency(<[^>]*>|\s)*every 2 weeks/);
  assertOrder(readHistory(html), [
    'Oct 15, 2026, 12:00:00 UTC Ana Silva chose to give 50.00 USD every 2 weeks, by card, on the “main” form.',
    'Stripe charged 50.00 USD. Recorded on the platform as gift 12.',
    `Stripe charged 50.00 USD for renewal ${reference}-2. Recorded on the platform as gift 13.`,
    'Not delivered The donation.renewed webhook to https://site.example/hook failed ' +
      '(tried 8 times): status 500. The server will not retry this webhook.',
    '10.50 USD was refunded. Not sent to the platform yet.',
    'Mara Lind deleted the donor’s data.',
  ]);
  assert.match(html, /docs\/server\/runbook\.md#donationformwebhookdeliveryfailed/);
  assert.ok(html.includes(`href="https://dashboard.stripe.com/test/payments/pi_${reference}"`));
});

test('says who decided that a promise was paid, and links a gift to its page on the platform', async () => {
  await using admin = await openAdmin();
  const { server, repository, browser } = admin;
  const [organization] = server.organizations.all;
  server.replaceOrganizations([
    { ...organization!, giftUrl: 'https://crm.example/gifts/{id}?view={id}' },
  ]);
  const reference = await addDonation(repository, { outcome: 'promised', platformId: 12 });
  const csrf = await admin.signIn();
  const path = `/donations/${reference}`;
  assert.match(
    (await browser.request(path)).html,
    />Promised<[^]*class="now"><p class="time">Now<\/p>\s*<p>The money has not arrived/,
  );
  const decision = { decision: 'succeeded', event: 'payment', note: 'On the bank statement' };
  await browser.request(`${path}/resolve`, { csrf, ...decision });
  const { html } = await browser.request(path);
  assert.match(html, /Ana decided: confirmed as paid\.[^]*On the bank statement/);
  assert.match(html, /Changed the payment from “promised” to “received”\./);
  assert.match(html, /The 50\.00 USD arrived\./);
  assert.ok(
    html.includes('<a href="https://crm.example/gifts/12?view=12" rel="noreferrer">12</a>'),
  );
});
