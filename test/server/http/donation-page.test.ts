import assert from 'node:assert/strict';
import { test } from 'node:test';
import { en, fillPlaceholders, LANGUAGES } from '../../../src/core/i18n/index.ts';
import { exampleForm } from '../../example-form.ts';
import { CLIENT_ADDRESS, declineCards } from '../fraud-protection/support.ts';
import { createFullForm } from '../full-form.ts';
import { createIdempotencyKey, ORIGIN, startServer, type TestServer } from '../support.ts';
import {
  donor,
  openPage,
  type PageHeaders,
  readCookie,
  sendForm,
  submitPage,
} from './donation-page-support.ts';

const { submission, optionalFields } = en;
const contact = 'giving@lanternwell.example';

const listDonations = ({ database: { db } }: TestServer) =>
  db.selectFrom('donations').selectAll().execute();

/** Returns a text as it is in a page. */
const toHtml = (text: string, values = {}): string =>
  fillPlaceholders(text, values).replaceAll("'", '&#39;');

test('saves the donation, sends the donor to the payment page, and shows the outcome afterwards', async () => {
  await using server = await startServer();
  const page = await openPage(server, '?amt=75&src=MAIL26&email=wrong%40example.org');
  const submitted = await submitPage(server, page, donor);
  assert.equal(submitted.response.status, 303);
  assert.match(submitted.response.headers.get('Location')!, /\/c\/pay\/cs_/);
  const cookie = readCookie(submitted);
  assert.match(submitted.response.headers.get('Set-Cookie')!, /; HttpOnly; SameSite=Lax; Secure$/);
  const [row] = await listDonations(server);
  assert.equal(row!.status, 'requires_action');
  const { gift, donor: savedDonor, form } = row!.payload;
  assert.deepEqual(
    [gift.total, gift.segment, savedDonor.email, form.page],
    [7_500, 'MAIL26', 'ana@example.org', 'https://lanternwell.example/donate'],
  );
  const back = await openPage(server, '', { cookie });
  assert.match(back.html, /<h1>One more step<\/h1>/);
  assert.match(back.html, /<strong>\$75<\/strong>/);
  assert.match(back.html, /<a class="button" href="[^"]*\/c\/pay\/cs_/);
});

test('promises a receipt by email only to a donor who gave an email', async () => {
  await using server = await startServer({
    form: {
      ...exampleForm,
      receiptSender: 'us',
      donorFields: [{ name: 'email', required: false }],
    },
  });
  for (const [email, sentence] of [
    ['ana@example.org', submission.receipts.us],
    ['', submission.receipts.none],
  ] as const) {
    const cookie = readCookie(await submitPage(server, await openPage(server), { email }));
    const row = (await listDonations(server)).at(-1)!;
    await server.repository.applyTrigger(row, { type: 'succeeded' });
    const { html } = await openPage(server, '', { cookie });
    assert.ok(html.includes(toHtml(sentence, { organization: 'Lanternwell', contact })), html);
  }
});

test('creates one donation if the button is pressed twice, and shows it if the entries differ', async () => {
  await using server = await startServer();
  const page = await openPage(server);
  const [first, second] = await Promise.all([
    submitPage(server, page, donor),
    submitPage(server, page, donor),
  ]);
  assert.equal(first.response.headers.get('Location'), second.response.headers.get('Location'));
  const change = (cookie?: string) =>
    submitPage(server, page, { ...donor, firstName: 'Eva' }, { cookie });
  const changed = await change(readCookie(first));
  assert.equal(changed.response.status, 303);
  assert.match(
    changed.response.headers.get('Location')!,
    /^https:\/\/lanternwell\.example\/donate\?donation=[\w-]{11}$/,
  );
  const rows = await listDonations(server);
  assert.equal(rows.length, 1);
  const stranger = await change();
  assert.equal(stranger.response.status, 403);
  assert.equal(stranger.response.headers.get('Set-Cookie'), null);
  const values = new Map(stranger.values);
  assert.equal(values.get('firstName'), 'Eva');
  assert.notEqual(values.get('key'), new Map(page.values).get('key'));
});

test('ignores a cookie that it did not write', async () => {
  await using server = await startServer();
  for (const keys of ['x', '%', 'a'.repeat(30), `${'é'.repeat(30)}.;`])
    assert.equal(
      (await openPage(server, '', { cookie: `donation-form-keys=${keys}` })).response.status,
      200,
      keys,
    );
});

test('creates a new idempotency key for each rendered page, and reuses it after errors', async () => {
  await using server = await startServer();
  const getKey = ({ values }: Awaited<ReturnType<typeof openPage>>) =>
    values.find(([name]) => name === 'key')?.[1];
  const page = await openPage(server);
  assert.notEqual(getKey(page), getKey(await openPage(server)));
  assert.equal(getKey(await submitPage(server, page)), getKey(page));
});

test('limits the length of every field', async () => {
  await using server = await startServer({ form: createFullForm });
  const page = await openPage(server);
  const fields = page.html.match(/<(?:input type="(?!hidden|radio|checkbox)|textarea)[^>]*>/g)!;
  assert.ok(fields.length > 10);
  for (const field of fields) assert.match(field, /maxlength="(?:\d{2,3}|1000)"/);
  const entries = Object.fromEntries(page.values.map(([name]) => [name, 'x'.repeat(16_000)]));
  const { values } = await submitPage(server, page, { ...entries, key: createIdempotencyKey() });
  for (const [name, value] of values) assert.ok(value.length <= 2_000, name);
});

test('shows errors beside their fields and keeps the entries', async () => {
  await using server = await startServer({ form: createFullForm });
  const page = await submitPage(server, await openPage(server), {
    amount: 'custom',
    customAmount: '1',
    firstName: 'Ana',
    email: 'ana@',
    country: 'Atlantis',
    comment: '<b>First\nSecond',
    'tribute.kind': 'memory',
    'gift.anonymous': 'true',
  });
  assert.equal(page.response.status, 422);
  for (const [control, message] of [
    ['amount', toHtml(submission.amountTooSmall, { minimum: '$5' })],
    ['lastName', toHtml(submission.required.lastName)],
    ['email', toHtml(submission.emailInvalid)],
    ['country', toHtml(submission.required.country)],
    ['tribute.name', toHtml(optionalFields.tributeNameRequired)],
    ['custom.12', toHtml(optionalFields.fieldRequired, { field: 'How did you hear of us?' })],
    ['consent.privacy', toHtml(optionalFields.consentRequired)],
  ] as const) {
    assert.ok(page.html.includes(`<p class="error" id="${control}-error">${message}</p>`), control);
    assert.ok(page.html.includes(`<a href="#${control}">`), control);
    assert.match(page.html, new RegExp(`aria-describedby="[^"]*\\b${control}-error"`), control);
  }
  assert.ok(page.html.includes('Lanternwell can pass your message on to them.'));
  const values = new Map(page.values);
  assert.deepEqual(
    ['customAmount', 'firstName', 'country', 'comment', 'tribute.kind', 'gift.anonymous'].map(
      (name) => values.get(name),
    ),
    ['1', 'Ana', 'Atlantis', '<b>First\nSecond', 'memory', 'true'],
  );
  assert.equal((await listDonations(server)).length, 0);
});

test('asks which amount is meant if the donor entered one and chose another', async () => {
  await using server = await startServer();
  const page = await openPage(server);
  const ambiguous = await submitPage(server, page, { ...donor, amount: '2', customAmount: '40' });
  assert.match(ambiguous.html, /id="amount-error">Choose or enter an amount\./);
  const typed = await submitPage(server, page, { ...donor, customAmount: 'US$40' });
  assert.equal(typed.response.status, 303);
  const [row] = await listDonations(server);
  assert.equal(row!.payload.gift.amount, 4_000);
});

const EVIL = { Origin: 'https://evil.example', Referer: 'https://evil.example/donate' };
/** Headers that browsers send with a form of another page, by the page's origin. */
const FOREIGN_HEADERS: Readonly<Record<string, PageHeaders>> = {
  foreign: { ...EVIL, 'Sec-Fetch-Site': 'cross-site' },
  'foreign, in an old browser': { ...EVIL, 'Sec-Fetch-Site': undefined },
  'another page of the origin': { Referer: 'https://lanternwell.example/other' },
  'cross-site': { 'Sec-Fetch-Site': 'cross-site' },
  'same-site': { 'Sec-Fetch-Site': 'same-site' },
  'by hand': { 'Sec-Fetch-Site': 'none' },
  null: { Origin: 'null', Referer: '', 'Sec-Fetch-Site': 'cross-site' },
  'null, in an old browser': { Origin: 'null', Referer: '', 'Sec-Fetch-Site': undefined },
  none: { Origin: undefined, Referer: '', 'Sec-Fetch-Site': undefined },
};
/** Headers that browsers send with the endpoint's own page. */
const OWN_HEADERS: Readonly<Record<string, PageHeaders>> = {
  same: {},
  'without a referrer': { Referer: '', Origin: 'null' },
  'with only the origin as the referrer': { Referer: 'https://lanternwell.example/' },
  'in a browser without Sec-Fetch-Site': { 'Sec-Fetch-Site': undefined },
  'in a browser without Sec-Fetch-Site and Origin': {
    'Sec-Fetch-Site': undefined,
    Origin: undefined,
  },
};

test('accepts donations from its own page in old browsers and with any privacy settings', async () => {
  await using server = await startServer();
  for (const [name, headers] of Object.entries(OWN_HEADERS)) {
    const rejected = await submitPage(server, await openPage(server), { email: 'x' }, { headers });
    assert.equal(new Map(rejected.values).get('email'), 'x', name);
    const { response } = await submitPage(server, rejected, donor, { headers });
    assert.equal(response.status, 303, name);
  }
  const rows = await listDonations(server);
  assert.deepEqual(
    rows.map(({ payload }) => payload.form.page),
    Object.keys(OWN_HEADERS).map(() => `${ORIGIN}/donate`),
  );
});

test('keeps the entries if the page has an origin that the configuration lacks', async () => {
  await using server = await startServer();
  const page = { ...(await openPage(server)), url: 'https://give.example/donate' };
  const { response, values } = await submitPage(server, page, donor, {
    headers: { Origin: 'https://give.example' },
  });
  assert.equal(response.status, 403);
  assert.equal(new Map(values).get('firstName'), 'Ana');
});

test('lets no foreign request put a key, a value, or a cookie in the page', async () => {
  await using server = await startServer({ form: createFullForm });
  const foreign = /AttackerKey|25000|Mallory|mallory/;
  const values = {
    key: 'AttackerKey0123456789abcdef',
    amount: 'custom',
    customAmount: '25000',
    firstName: 'Mallory',
    lastName: 'Mallory',
    email: 'mallory@evil.example',
  };
  const send = (path: string, entries: object, headers?: PageHeaders) =>
    sendForm(server, ORIGIN + path, new URLSearchParams({ ...values, ...entries }), { headers });
  const routes: readonly (readonly [path: string, entries: object])[] = [
    ['/donate', {}],
    ['/donate', { email: '' }],
    ['/donate?id=main&language=de', { 'payment.provider': 'offline' }],
    ['/donate?donation=AttackerKey', { definition: '"old"' }],
    ...['frequency', 'currency', 'cancel', 'restart'].map(
      (step) => ['/donate?frequency=monthly', { step }] as const,
    ),
    ['/donations', {}],
    ['/donations/confirm', {}],
    ['/donations/cancel', {}],
    ['/settings-report', {}],
  ];
  for (const [path, entries] of routes)
    for (const [name, headers] of Object.entries(FOREIGN_HEADERS)) {
      const page = await send(path, entries, headers);
      const label = `${name}: ${path} ${JSON.stringify(entries)}`;
      assert.ok(page.response.status >= 400, label);
      assert.equal(page.response.headers.get('Set-Cookie'), null, label);
      assert.doesNotMatch(JSON.stringify(page.values), foreign, label);
      const later = await openPage(server, '', { cookie: readCookie(page) });
      assert.doesNotMatch(JSON.stringify(later.values), foreign, label);
    }
  assert.deepEqual(await listDonations(server), []);
  const own = await send('/donate', { email: '' });
  assert.match(JSON.stringify(own.values), foreign, 'its own page keeps what the donor sends');
});

test("has the form's name as its title, and a hint at each payment method", async () => {
  await using server = await startServer({
    form: {
      ...exampleForm,
      name: 'Winter appeal',
      payments: [
        ...exampleForm.payments,
        {
          provider: 'offline',
          label: 'Bank transfer',
          methods: [],
          hasField: false,
          hasHostedCheckout: false,
          hasCustomerPortal: false,
          options: { instructions: 'We send our account.' },
        },
      ],
    },
  });
  const { html } = await openPage(server);
  assert.match(html, /<title>Winter appeal · Lanternwell<\/title>[^]*<h1>Winter appeal<\/h1>/);
  for (const [provider, hint] of [
    ['stripe', toHtml(submission.hostedPayment)],
    ['offline', 'We send our account.'],
  ]) {
    const [method] = new RegExp(
      `<div class="method"><label[^>]*><input[^>]*"${provider}"[^]*?</div>`,
    ).exec(html)!;
    assert.match(method, new RegExp(` aria-describedby="payment-${provider}-hint"`));
    assert.ok(method.includes(`<p class="hint" id="payment-${provider}-hint">${hint}</p>`), method);
  }
});

test('has no script and at most 15 kB of HTML in every language', async () => {
  await using server = await startServer({ form: createFullForm });
  for (const language of LANGUAGES) {
    const { html, response } = await openPage(server, `?language=${language}`);
    assert.ok(Buffer.byteLength(html) <= 15_000, `${language}: ${Buffer.byteLength(html)} bytes`);
    assert.doesNotMatch(html, /<script|<style|\sstyle=|\son\w+=|undefined|\[object/, language);
    const direction = ['ar', 'he'].includes(language) ? 'rtl' : 'ltr';
    assert.ok(html.includes(`<html lang="${language}" dir="${direction}">`));
    assert.equal(response.headers.get('Cache-Control'), 'no-store');
    assert.equal(response.headers.get('Referrer-Policy'), 'same-origin');
    assert.doesNotMatch(response.headers.get('Content-Security-Policy')!, /unsafe/);
  }
  const german = await openPage(server, '', { headers: { 'Accept-Language': 'xx, de-AT;q=0.8' } });
  assert.match(german.html, /<html lang="de"/);
});

test('says what else to do when fraud protection requires a proof of work, or a bot fills it in', async () => {
  await using server = await startServer();
  const page = await openPage(server);
  const bot = await submitPage(server, page, { ...donor, website: 'x' });
  assert.equal(bot.response.status, 429);
  await declineCards(server, 2, () => CLIENT_ADDRESS);
  const rejected = await submitPage(server, page, donor, { address: CLIENT_ADDRESS });
  assert.equal(rejected.response.status, 429);
  assert.ok(rejected.html.includes(toHtml(submission.noScriptRejected, { contact })));
  assert.equal(new Map(rejected.values).get('firstName'), 'Ana');
  const rows = await listDonations(server);
  assert.deepEqual(
    rows.map(({ status }) => status),
    ['failed', 'failed'],
  );
});

test('shows the entries again after the donor cancels, with another key', async () => {
  await using server = await startServer({ form: createFullForm });
  const page = await openPage(server, '?country=BR');
  const submitted = await submitPage(server, page, {
    ...donor,
    amount: 'custom',
    customAmount: '41.50',
    comment: 'For water',
    'custom.12': 'Radio',
    'consent.privacy': 'I agree.',
    address1: 'Rua 1',
  });
  assert.equal(submitted.response.status, 303, submitted.html);
  const cookie = readCookie(submitted);
  const open = await openPage(server, '', { cookie });
  await submitPage(server, open, { step: 'cancel' }, { cookie });
  const canceled = await openPage(server, '', { cookie });
  assert.equal(canceled.response.status, 402);
  assert.ok(canceled.html.includes(toHtml(submission.notices['not-confirmed'])));
  assert.match(canceled.response.headers.get('Set-Cookie')!, /Max-Age=0/);
  const values = new Map(canceled.values);
  assert.deepEqual(
    ['customAmount', 'email', 'comment', 'custom.12', 'country'].map((name) => values.get(name)),
    ['41.50', 'ana@example.org', 'For water', 'Radio', 'Brazil'],
  );
  assert.notEqual(values.get('key'), new Map(page.values).get('key'));
});

test('no longer shows the entries 15 minutes after the donation', async () => {
  let time = Date.parse('2026-11-20T09:00:00Z');
  await using server = await startServer({ now: () => time });
  const submitted = await submitPage(server, await openPage(server), donor);
  const cookie = readCookie(submitted);
  const open = await openPage(server, '', { cookie });
  time += 16 * 60_000;
  await submitPage(server, open, { step: 'cancel' }, { cookie });
  const canceled = await openPage(server, '', { cookie });
  assert.ok(canceled.html.includes(toHtml(submission.notices['not-confirmed'])));
  assert.doesNotMatch(canceled.html, /ana@example\.org|Souza/);
});

test('shows the outcomes of two donations that were open in two tabs', async () => {
  await using server = await startServer();
  const [first, second] = [await openPage(server), await openPage(server)];
  const submit = (page: typeof first, amount: string, cookie?: string) =>
    submitPage(server, page, { ...donor, amount: 'custom', customAmount: amount }, { cookie });
  const cookieOfFirst = readCookie(await submit(first, '31'));
  const cookie = readCookie(await submit(second, '32', cookieOfFirst));
  const searches = await Promise.all(
    [first, second].map(async (page) => {
      const { response } = await submit(page, '33', cookie);
      return new URL(response.headers.get('Location')!).search;
    }),
  );
  const shown = await Promise.all(
    [...searches, ''].map(async (search) => (await openPage(server, search, { cookie })).html),
  );
  for (const [index, amount] of ['$31', '$32', '$32'].entries())
    assert.ok(shown[index]!.includes(`<strong>${amount}</strong>`), `${index}`);
});

test('keeps the entries if the donor chooses another frequency', async () => {
  await using server = await startServer();
  const page = await openPage(server, '?fund-code=WATER');
  const url = /formaction="([^"]*frequency=monthly)"/.exec(page.html)![1]!;
  const monthly = await submitPage(
    server,
    { ...page, html: `<form method="post" action="${url}"` },
    { ...donor, step: 'frequency', coverCosts: 'true' },
  );
  assert.equal(monthly.response.status, 200);
  const values = new Map(monthly.values);
  assert.deepEqual(
    ['firstName', 'email', 'coverCosts'].map((name) => values.get(name)),
    ['Ana', 'ana@example.org', 'true'],
  );
  assert.match(monthly.html, /formaction="[^"]*frequency=monthly" aria-current="true"/);
  assert.match(
    monthly.html,
    /<form method="post" action="\?fund-code=WATER&amp;frequency=monthly"/,
  );
});

test('rejects a page that was rendered before the form changed', async () => {
  await using server = await startServer();
  const page = await openPage(server);
  const outdated = await submitPage(server, page, { ...donor, definition: '"old"' });
  assert.equal(outdated.response.status, 409);
  assert.ok(outdated.html.includes(toHtml(submission.notices['form-outdated'])));
  assert.equal((await submitPage(server, outdated)).response.status, 303);
});

test('shows that gifts are paused, and that a form without a suitable provider is unavailable', async () => {
  await using server = await startServer();
  await server.repository.pauses.pauseOrganization('lanternwell', 'test', '');
  const paused = await openPage(server);
  assert.equal(paused.response.status, 503);
  assert.ok(
    paused.html.includes(toHtml(submission.notices.paused, { organization: 'Lanternwell' })),
  );
  const [payment] = exampleForm.payments;
  await using fieldOnly = await startServer({
    form: { ...exampleForm, payments: [{ ...payment, hasHostedCheckout: false }] },
  });
  assert.equal((await openPage(fieldOnly)).response.status, 503);
  assert.equal((await openPage(fieldOnly, '?id=none')).response.status, 404);
});
