import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  callAdmin,
  Browser,
  createDonationInReview,
  startAdminServer,
  ADMIN_KEY,
  openAdmin,
} from './support.ts';
import { waitUntil } from '../../wait-until.ts';
import type { DonationSummary } from '../../../src/server/admin/read-models/donation-list.ts';
import { createNoPlatformAdapter } from '../../../src/server/platform/platforms.ts';
import { formWithPayments } from '../payments/support.ts';
import { addEvent } from '../reporting/add-donation.ts';
import { startServer } from '../support.ts';

const HOSTILE = '<script>alert(1)</script>"\'&';
/** URLs that links and forms may have. */
const ALLOWED_URL = new RegExp(
  `^(${[
    '/',
    'data:,',
    '#[\\w-]+',
    '/(builder|sign-out)',
    '/donations([?/][\\w=&;-]*)?',
    'https://github.com/\\w+/\\w+/blob/main/docs/server/(runbook|admin)\\.md#[\\w-]+',
    '/pages/\\w+\\.css',
    '/organizations/lanternwell/(pause|resume)',
    '/donations/[\\w-]{11}(/(resolve|retry))?',
  ].join('|')})$`,
);

test('shows and changes nothing without a session, on pages or in the API', async () => {
  await using server = await startAdminServer();
  const { reference } = await createDonationInReview(server);
  const browser = new Browser(server);
  for (const path of [
    '/',
    '/review',
    '/donations',
    '/donations/export',
    `/donations/${reference}`,
  ]) {
    const { status, html } = await browser.request(path);
    assert.deepEqual(
      [status, html.includes('Admin key'), html.includes('Souza')],
      [401, true, false],
      path,
    );
  }
  const csrf = await browser.fetchCsrfToken();
  for (const path of [
    `/donations/${reference}/resolve`,
    '/review/resolve',
    '/donations/search',
    '/organizations/lanternwell/pause',
  ])
    assert.equal(
      (await browser.request(path, { csrf, decision: 'succeeded', event: 'payment' })).status,
      401,
      path,
    );
  assert.equal((await server.repository.findByReference(reference))?.status, 'needs_review');
  assert.deepEqual(await server.repository.pauses.listActive(), []);
  for (const [path, method] of [
    ['/api/donations', 'GET'],
    [`/api/donations/${reference}`, 'GET'],
    [`/api/donations/${reference}/retry`, 'POST'],
    [`/api/donations/${reference}/resolve`, 'POST'],
    ['/api/review-queue/matches', 'POST'],
    ['/api/review-queue/resolve', 'POST'],
    ['/api/organizations', 'GET'],
    ['/api/organizations/lanternwell/pause', 'POST'],
  ] as const) {
    for (const headers of [
      {},
      { Authorization: 'Basic other' },
      { Authorization: 'Bearer other' },
      { Cookie: browser.cookie },
    ] as Record<string, string>[])
      assert.equal(
        (await server.admin(new Request(`http://127.0.0.1:4103${path}`, { method, headers })))
          .status,
        401,
        path,
      );
  }
});

test("shows webhooks that an organization's server rejected on the overview", async () => {
  await using server = await startServer({
    adminKey: ADMIN_KEY,
    webhookEndpoints: [
      {
        url: 'https://site.example/hook',
        settingPath: 'webhooks.0',
        events: new Set(),
        signers: [],
      },
    ],
  });
  const browser = new Browser(server);
  const message = {
    organization: 'lanternwell',
    url: 'https://site.example/hook',
    event: 'e',
    type: 'donation.succeeded',
    attempts: 8,
    nextRunAt: 0,
    lastError: 'status 500',
    createdAt: Date.now(),
  } as const;
  await server.database.db
    .insertInto('webhookMessages')
    .values([
      { ...message, id: 'a', status: 'failed' },
      { ...message, id: 'b', status: 'pending' },
    ])
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
  const response = await server.postDonation(
    await server.createRequest({ payment: { provider: 'offline' } }),
  );
  const { reference } = (await response.json()) as { reference: string };
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

test('sets the session cookie as HttpOnly and SameSite=Strict, and as Secure over HTTPS', async () => {
  await using server = await startAdminServer();
  const plain = new Browser(server);
  const proxied = new Browser(server, { headers: { 'X-Forwarded-Proto': 'https' } });
  assert.deepEqual(
    [(await plain.signIn()).to, plain.setCookie.replace(/=[\w-]{43}/, '=token')],
    ['/', 'admin=token; Path=/; HttpOnly; SameSite=Strict'],
  );
  await proxied.signIn();
  assert.equal(
    proxied.setCookie.replace(/=[\w-]{43}/, '=token'),
    '__Host-admin=token; Path=/; HttpOnly; Secure; SameSite=Strict',
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
      'no-referrer',
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
  const { status, html } = await browser.request(`/donations/${reference}/resolve`, {
    csrf: 'x',
    decision: 'failed',
    note: 'mine',
  });
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
  const folder = await mkdtemp(join(tmpdir(), 'donation-form-'));
  const file = join(folder, 'database.sqlite');
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
  await rm(folder, { recursive: true });
});

test('slows down wrong keys from an IP address for ten minutes after five of them', async () => {
  let time = Date.now();
  await using server = await startAdminServer({ now: () => time });
  const browser = new Browser(server);
  for (let attempt = 0; attempt < 5; attempt += 1)
    assert.equal((await browser.signIn(`wrong ${attempt}`)).status, 401);
  assert.deepEqual(
    [
      (await browser.signIn('wrong 5')).status,
      (await new Browser(server, { address: '10.0.0.2' }).signIn('wrong 6')).status,
    ],
    [429, 401],
  );
  time += 600_000;
  assert.equal((await browser.signIn('wrong 7')).status, 401);
  assert.equal((await browser.signIn()).status, 303);
  assert.equal(
    (await new Browser(server).signIn(ADMIN_KEY, ' ')).status,
    400,
    'a name is required',
  );
});

test('rejects a form without a CSRF token, with the token of another session, or from another site', async () => {
  await using server = await startAdminServer();
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
  assert.equal((await browser.request('/sign-in', { key: ADMIN_KEY, name: 'x' })).status, 303);
  assert.equal(
    (await new Browser(server).request('/sign-in', { key: ADMIN_KEY, name: 'x' })).status,
    403,
  );
  assert.equal(
    (
      await browser.request(`/donations/${reference}/resolve`, {
        ...decision,
        csrf,
        note: 'x'.repeat(20_000),
      })
    ).status,
    413,
  );
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
  const { to } = await browser.request(`/donations/${reference}/resolve`, {
    csrf,
    decision: 'succeeded',
    event: 'payment',
    note: 'seen\u202e there',
  });
  const [saved] = await server.repository.reviewDecisions.listDecisions(reference);
  assert.deepEqual(
    [to, saved?.decidedBy, saved?.note],
    [`/donations/${reference}`, 'Ana', 'seen there'],
  );
  assert.deepEqual(
    [
      (await browser.request(to!)).html.includes('New status of the payment: Received.'),
      (await browser.request(to!)).html.includes('New status of the payment: Received.'),
    ],
    [true, false],
  );
  await waitUntil(async () => (await browser.request('/')).html.includes('Nothing needs review'));
  await browser.request(`/donations/${reference}/resolve`, {
    csrf,
    decision: 'failed',
    event: 'payment',
  });
  assert.match(
    (await browser.request(to!)).html,
    /role="alert"><p>Nothing was changed\. .* cannot be resolved as failed/,
  );
  assert.equal(
    (await browser.request('/donations/search', { csrf, search: ` ${reference.toLowerCase()}` }))
      .to,
    `/donations/${reference}`,
  );
  assert.equal((await browser.request('/donations/ABCDE-FGHJK')).status, 404);
});

test('escapes input of donors and admins, and puts only references into URLs', async () => {
  await using server = await startAdminServer();
  const request = await server.createRequest({ donor: { firstName: HOSTILE, lastName: 'Souza' } });
  const { reference } = (await (await server.postDonation(request)).json()) as {
    reference: string;
  };
  const row = (await server.repository.findByReference(reference))!;
  const browser = new Browser(server);
  const { paymentId, subscriptionId, paymentMethod } = row;
  await server.repository.markNeedsReview(
    row,
    { paymentId, subscriptionId, paymentMethod },
    `the processor says ${HOSTILE}`,
  );
  await browser.signIn(ADMIN_KEY, HOSTILE);
  await browser.request('/organizations/lanternwell/pause', {
    csrf: await browser.fetchCsrfToken(),
    note: HOSTILE,
  });
  for (const path of ['/', `/donations/${reference}`]) {
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
