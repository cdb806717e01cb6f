import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import type { DonationSummary } from '../../../src/server/admin/read-models/donation-list.ts';
import { createNoPlatformAdapter } from '../../../src/server/platform/platforms.ts';
import { waitUntil } from '../../wait-until.ts';
import { formWithPayments } from '../payments/support.ts';
import { addReceipt } from '../receipts/add-receipt.ts';
import { addEvent } from '../reporting/add-donation.ts';
import { readOutcome, startServer } from '../support.ts';
import { createFolder } from '../temporary-folder.ts';
import {
  ADMIN_KEY,
  Browser,
  callAdmin,
  createDonationInReview,
  openAdmin,
  startAdminServer,
  WEBHOOK_ENDPOINT,
} from './support.ts';

const HOSTILE = '<script>alert(1)</script>"\'&';
/** URLs that links and forms may have. */
const ALLOWED_URL = new RegExp(
  `^(${[
    '/',
    'data:,',
    '#[\\w-]+',
    '/(account|mail|staff|audit-log|builder|sign-out)',
    '/receipts(/\\w+)?(\\?[\\w=&;-]*)?',
    '/statements/archive',
    '/donations([?/][\\w=&;-]*)?',
    'https://github.com/\\w+/\\w+/blob/main/docs/server/(runbook|admin)\\.md#[\\w-]+',
    '/pages/\\w+\\.css',
    '/organizations/lanternwell/(pause|resume)',
    '/mail/(pause|resume)',
    '/donations/[\\w-]{11}(/(resend|resolve|retry|correct-receipt|void-receipt))?',
    '/donations/[\\w-]{11}(/receipts/WEB-2026-000001|/statement\\?year=2026|#receipts)',
  ].join('|')})$`,
);

test("shows webhooks that an organization's server rejected on the overview", async () => {
  await using server = await startServer({
    adminKey: ADMIN_KEY,
    webhookEndpoints: [WEBHOOK_ENDPOINT],
  });
  const browser = new Browser(server);
  await server.database.db
    .insertInto('webhookMessages')
    .values(
      (['failed', 'pending'] as const).map((status) => ({
        id: status,
        organization: 'lanternwell',
        url: WEBHOOK_ENDPOINT.url,
        event: 'e',
        type: 'donation.succeeded',
        status,
        attempts: 8,
        nextRunAt: 0,
        lastError: 'status 500',
        createdAt: Date.now(),
      })),
    )
    .execute();
  await browser.signIn();
  assert.match(
    (await browser.request('/')).html,
    /<h1>1 item needs review<[^]*did not accept\n1 webhook message, [^]*<code>donation-form webhooks retry<\/code>/,
  );
});

test("shows the latest donations and promised transfers, in the organization's time zone", async () => {
  await using server = await startServer({
    adminKey: ADMIN_KEY,
    timeZone: 'America/New_York',
    form: formWithPayments,
  });
  await server.postDonation(await server.createRequest());
  const { reference } = await server.makeDonation({ payment: { provider: 'offline' } });
  const browser = new Browser(server);
  await browser.signIn();
  const { html } = await browser.request('/');
  const getSection = (id: string): string =>
    new RegExp(`<section id="${id}">[^]*?</section>`).exec(html)?.[0] ?? '';
  const listReferences = (section: string): string[] =>
    [...section.matchAll(/href="\/donations\/([\w-]+)"/g)].map(([, found]) => found!);
  assert.deepEqual(listReferences(getSection('pledges')), [reference]);
  assert.equal(listReferences(getSection('latest')).length, 2);
  const donation = await browser.request(`/donations/${reference}`);
  assert.match(donation.html, /<time datetime="[^"]+">\w{3} \d+, \d{4}, \d\d:\d\d E[SD]T<\/time>/);
});

test('names each decision above its explanation', async () => {
  await using server = await startAdminServer();
  const { reference } = await createDonationInReview(server);
  const browser = new Browser(server);
  await browser.signIn();
  const { html } = await browser.request(`/donations/${reference}`);
  const forms = [...html.matchAll(/<form class="option"[^]*?<\/form>/g)].map(([form]) => form);
  const decisions = forms.filter((form) => form.includes('name="decision"'));
  assert.ok(decisions.length >= 2);
  for (const form of decisions) {
    const [, title] = /<h3>([^<]+)<\/h3>\s*<p id="effect/.exec(form) ?? [];
    assert.ok(title !== undefined && form.includes(`>${title}</button>`), form);
  }
});

test('rejects every sign-in if no key is configured, and explains how to configure one', async () => {
  await using server = await startServer();
  const { status, html } = await new Browser(server).request('/');
  assert.deepEqual(
    [
      status,
      html.includes('ADMIN_KEY'),
      (await new Browser(server).request('/sign-in', { key: '', name: 'x', csrf: '' })).status,
    ],
    [403, true, 403],
  );
  assert.equal((await callAdmin(server, '/api/donations')).status, 403);
});

test('sets the session cookie as HttpOnly and SameSite=Lax, and as Secure over HTTPS', async () => {
  await using server = await startAdminServer();
  const plain = new Browser(server);
  const proxied = new Browser(server, { headers: { 'X-Forwarded-Proto': 'https' } });
  assert.deepEqual(
    [(await plain.signIn()).to, plain.setCookie.replace(/=[\w-]{43}/, '=token')],
    ['/', 'admin=token; Path=/; HttpOnly; SameSite=Lax'],
  );
  await proxied.signIn();
  assert.equal(
    proxied.setCookie.replace(/=[\w-]{43}/, '=token'),
    '__Host-admin=token; Path=/; HttpOnly; Secure; SameSite=Lax',
  );
  const { headers, html } = await proxied.request('/');
  assert.deepEqual(
    [
      headers.get('Cache-Control'),
      headers.get('Content-Security-Policy'),
      headers.get('Referrer-Policy'),
    ],
    [
      'no-store',
      "default-src 'none'; style-src 'self'; img-src data:; form-action 'self'; " +
        "frame-ancestors 'none'; base-uri 'none'",
      'same-origin',
    ],
  );
  assert.doesNotMatch(html, /<script|style=|onclick/);
});

test('starts a session at sign-in and ends it at sign-out, after 30 idle minutes, or after 12 hours', async () => {
  let time = Date.now();
  await using server = await startAdminServer({ now: () => time });
  const browser = new Browser(server);
  assert.match((await browser.request('/')).html, /<p class="organization">Lanternwell<\/p>/);
  const before = browser.cookie;
  await browser.signIn();
  assert.notEqual(browser.cookie, before);
  for (let hour = 0; hour < 23; hour += 1) {
    time += 29 * 60_000;
    assert.equal((await browser.request('/')).status, 200);
  }
  time += 60 * 60_000;
  assert.equal((await browser.request('/')).status, 401, 'after 12 hours');
  await browser.signIn();
  time += 31 * 60_000;
  assert.equal((await browser.request('/')).status, 401, 'after 31 idle minutes');
  await browser.signIn();
  const stolen = new Browser(server);
  stolen.cookie = browser.cookie;
  assert.equal((await stolen.request('/')).status, 200);
  await browser.request('/sign-out', { csrf: await browser.fetchCsrfToken() });
  assert.deepEqual(
    [(await stolen.request('/')).status, (await browser.request('/')).status],
    [401, 401],
  );
});

test('ignores a form that is sent after the session ended, and returns to the donation after sign-in', async () => {
  await using server = await startAdminServer();
  const { reference } = await createDonationInReview(server);
  const browser = new Browser(server);
  const decision = { csrf: 'x', decision: 'failed', note: 'mine' };
  const { status, html } = await browser.request(`/donations/${reference}/resolve`, decision);
  assert.deepEqual(
    [
      status,
      html.includes('Nothing was changed, because your session has ended.'),
      html.includes(`name="returnTo" value="/donations/${reference}"`),
    ],
    [401, true, true],
    html,
  );
  assert.equal((await server.repository.findByReference(reference))?.status, 'needs_review');
});

test('accepts a session on every server with the same key, and on no other', async () => {
  const file = join(createFolder(), 'database.sqlite');
  await using server = await startServer({ adminKey: ADMIN_KEY, database: file });
  const browser = new Browser(server);
  await browser.signIn();
  await server.handler.stop();
  await using other = await startServer({ adminKey: 'another-canary-key', database: file });
  await using same = await startServer({ adminKey: ADMIN_KEY, database: file });
  const otherBrowser = new Browser(other);
  const sameBrowser = new Browser(same);
  otherBrowser.cookie = sameBrowser.cookie = browser.cookie;
  assert.deepEqual(
    [(await otherBrowser.request('/')).status, (await sameBrowser.request('/')).status],
    [401, 200],
  );
});

test('requires a name at sign-in', async () => {
  await using server = await startAdminServer();
  assert.equal((await new Browser(server).signIn(ADMIN_KEY, ' ')).status, 400);
});

test('rejects a form without a CSRF token, with the token of another session, or from another site', async () => {
  await using server = await startAdminServer({ adminUrl: 'https://admin.example.org' });
  const { reference } = await createDonationInReview(server);
  const browser = new Browser(server);
  const other = new Browser(server);
  await browser.signIn();
  await other.signIn();
  const decision = { decision: 'succeeded', event: 'payment', note: '' };
  const csrf = await browser.fetchCsrfToken();
  for (const [fields, headers] of [
    [decision, {}],
    [{ ...decision, csrf: await other.fetchCsrfToken() }, {}],
    [{ ...decision, csrf }, { 'Sec-Fetch-Site': 'cross-site' }],
    [{ ...decision, csrf }, { 'Sec-Fetch-Site': 'same-site' }],
    [{ ...decision, csrf }, { Origin: 'http://evil.example' }],
    [{ ...decision, csrf }, { Origin: 'null' }],
  ] as const) {
    const { to } = await browser.request(`/donations/${reference}/resolve`, fields, headers);
    assert.deepEqual(
      [
        to,
        (await server.repository.findByReference(reference))?.status,
        (await browser.request('/')).html.includes('Nothing was changed'),
      ],
      ['/', 'needs_review', true],
    );
  }
  for (const Origin of ['https://admin.example.org', 'http://127.0.0.1:4103']) {
    const fields = { ...decision, csrf };
    const { to } = await browser.request(`/donations/${reference}/retry`, fields, { Origin });
    assert.equal(to, `/donations/${reference}`);
  }
  assert.equal((await browser.request('/sign-in', { key: ADMIN_KEY, name: 'x' })).status, 303);
  const stranger = new Browser(server);
  assert.equal((await stranger.request('/sign-in', { key: ADMIN_KEY, name: 'x' })).status, 403);
  const large = { ...decision, csrf, note: 'x'.repeat(20_000) };
  assert.equal((await browser.request(`/donations/${reference}/resolve`, large)).status, 413);
});

test('lists donations that need review first, saves a decision with the name, and shows its result once', async () => {
  await using server = await startAdminServer();
  const { reference } = await createDonationInReview(server);
  const browser = new Browser(server);
  await browser.signIn();
  const { html } = await browser.request('/');
  assert.match(html, /<h1>1 item needs review<\/h1>/);
  assert.ok(html.indexOf(`/donations/${reference}`) < html.indexOf('<h2>Income'));
  const csrf = await browser.fetchCsrfToken(`/donations/${reference}`);
  const decision = { csrf, decision: 'succeeded', event: 'payment', note: 'seen\u202e there' };
  const { to } = await browser.request(`/donations/${reference}/resolve`, decision);
  const [saved] = await server.repository.reviewDecisions.listDecisions(reference);
  assert.deepEqual(
    [to, saved?.decidedBy, saved?.note],
    [`/donations/${reference}`, 'Ana', 'seen there'],
  );
  assert.match((await browser.request(to!)).html, /New status of the payment: Received\./);
  assert.doesNotMatch((await browser.request(to!)).html, /New status of the payment: Received\./);
  await waitUntil(async () => (await browser.request('/')).html.includes('Nothing needs review'));
  await browser.request(`/donations/${reference}/resolve`, { ...decision, decision: 'failed' });
  assert.match(
    (await browser.request(to!)).html,
    /role="alert"><p>Nothing was changed\. .* cannot be resolved as failed/,
  );
  const search = { csrf, search: ` ${reference.toLowerCase()}` };
  assert.equal((await browser.request('/donations/search', search)).to, `/donations/${reference}`);
  assert.equal((await browser.request('/donations/ABCDE-FGHJK')).status, 404);
});

test('escapes input of donors and admins, and puts only references into URLs', async () => {
  await using server = await startAdminServer();
  const request = await server.createRequest({ donor: { firstName: HOSTILE, lastName: 'Souza' } });
  const { reference } = await readOutcome(await server.postDonation(request));
  const row = (await server.repository.findByReference(reference))!;
  const browser = new Browser(server);
  const columns = { lastError: `the processor says ${HOSTILE}` };
  await server.repository.applyTrigger(row, { type: 'contradicted' }, { columns });
  await browser.signIn(ADMIN_KEY, HOSTILE);
  await browser.request('/organizations/lanternwell/pause', {
    csrf: await browser.fetchCsrfToken(),
    note: HOSTILE,
  });
  const hostileDonor = { name: HOSTILE, addressLines: [HOSTILE] };
  await addReceipt(server.database, reference, { data: { donor: hostileDonor } });
  for (const path of ['/', '/receipts', `/donations/${reference}`]) {
    const { html } = await browser.request(path);
    assert.deepEqual(
      [
        html.includes('&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;'),
        html.includes('<script'),
      ],
      [true, false],
      path,
    );
    for (const [, url] of html.matchAll(/(?:href|action)="([^"]*)"/g))
      assert.match(url!, ALLOWED_URL);
  }
});

test('shows no status on the platform if there is no platform', async () => {
  const platform = createNoPlatformAdapter();
  await using admin = await openAdmin({ changePlatform: () => platform });
  const { server, browser } = admin;
  await server.postDonation(await server.createRequest());
  await server.handler.runJobs();
  const findDonation = async (): Promise<DonationSummary> => {
    const list = await callAdmin(server, '/api/donations');
    return ((await list.json()) as { items: [DonationSummary] }).items[0];
  };
  const { paymentStatus, platformStatus, reference } = await findDonation();
  assert.deepEqual([paymentStatus, platformStatus], ['succeeded', null]);
  await admin.signIn();
  const { html } = await browser.request('/');
  assert.match(html, /No platform is configured\./);
  assert.match(html, /Not needed/);
  assert.doesNotMatch(html, /up to date|not on the platform/);
  const readStory = async (): Promise<string> =>
    (await browser.request(`/donations/${reference}`)).html;
  assert.match(await readStory(), /No platform was configured, so nothing was sent\./);
  // A platform that is connected later does not have the donation.
  Object.assign(platform, {
    isNone: undefined,
    createGift: () => Promise.resolve(undefined),
  });
  assert.equal((await findDonation()).platformStatus, null);
  assert.match(await readStory(), /No platform was configured, so nothing was sent\./);
  await addEvent(server.repository, reference, 'refund', { at: Date.now(), amount: 1_000 });
  await server.handler.runJobs();
  assert.match(await readStory(), /the donation was made before the platform was connected/);
});

test('says that a platform recorded a donation without returning its ID', async () => {
  await using admin = await openAdmin({
    changePlatform: () => ({ createGift: () => Promise.resolve(undefined) }),
  });
  const { server, browser } = admin;
  await server.postDonation(await server.createRequest());
  await server.handler.runJobs();
  const { reference } = await server.database.db
    .selectFrom('donations')
    .select('reference')
    .executeTakeFirstOrThrow();
  await admin.signIn();
  const { html } = await browser.request(`/donations/${reference}`);
  assert.match(html, /Recorded on the platform, which returned no gift ID\./);
});
