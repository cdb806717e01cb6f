import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  askOperator,
  Browser,
  heldGift,
  openOperatorDesk,
  OPERATOR_KEY,
} from './operator-support.ts';
import { until } from '../until.ts';
import { openDesk } from './support.ts';

const HOSTILE = '<script>alert(1)</script>"\'&';
/** The addresses that the page's links and forms may have. */
const OWN_ADDRESS = new RegExp(
  `^(${[
    '/',
    'data:,',
    '#\\w+',
    '/(builder|find|log-out)',
    '/pages/\\w+\\.css',
    '/organizations/lanternwell/(pause|resume)',
    '/gifts/[\\w-]{11}(/(resolve|retry))?',
  ].join('|')})$`,
);

test('without a session every page asks for the key, changes nothing and shows no donor; commands need the key too', async () => {
  await using desk = await openOperatorDesk();
  const { reference } = await heldGift(desk);
  const browser = new Browser(desk);
  for (const path of ['/', `/gifts/${reference}`, '/find?reference=x']) {
    const { status, html } = await browser.ask(path);
    assert.deepEqual(
      [status, html.includes('The operator’s key'), html.includes('Souza')],
      [401, true, false],
      path,
    );
  }
  const csrf = await browser.csrf();
  for (const path of [`/gifts/${reference}/resolve`, '/organizations/lanternwell/pause'])
    assert.equal(
      (await browser.ask(path, { csrf, as: 'charged', about: 'payment' })).status,
      401,
      path,
    );
  assert.equal((await desk.repository.findByReference(reference))?.state, 'held');
  assert.deepEqual(await desk.repository.pauses.now(), []);
  for (const [path, method] of [
    ['/api/gifts', 'GET'],
    [`/api/gifts/${reference}`, 'GET'],
    [`/api/gifts/${reference}/retry`, 'POST'],
    [`/api/gifts/${reference}/resolve`, 'POST'],
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
        (await desk.operator(new Request(`http://127.0.0.1:4103${path}`, { method, headers })))
          .status,
        401,
        path,
      );
  }
});

test("the first page says where a site's own server did not take what it was sent", async () => {
  await using desk = await openDesk({
    key: OPERATOR_KEY,
    webhooks: [
      { url: 'https://site.example/hook', place: 'webhooks.0', events: new Set(), sign: () => '' },
    ],
  });
  const browser = new Browser(desk);
  const message = {
    organization: 'lanternwell',
    url: 'https://site.example/hook',
    event: 'e',
    type: 'gift.succeeded',
    attempts: 8,
    next_run_at: 0,
    last_error: 'status 500',
    created_at: Date.now(),
  } as const;
  await desk.store.db
    .insertInto('webhook_messages')
    .values([
      { ...message, id: 'a', state: 'given-up' },
      { ...message, id: 'b', state: 'waiting' },
    ])
    .execute();
  await browser.logIn();
  assert.match(
    (await browser.ask('/')).html,
    /<h1>One thing needs you<[^]*did not take one message, .*<code>donation-form webhooks resend<\/code>/,
  );
});

test('where the configuration names no key, nobody logs in, and the page says what to do', async () => {
  await using desk = await openDesk();
  const { status, html } = await new Browser(desk).ask('/');
  assert.deepEqual(
    [
      status,
      html.includes('OPERATOR_KEY'),
      (await new Browser(desk).ask('/log-in', { key: '', name: 'x', csrf: '' })).status,
    ],
    [403, true, 403],
  );
  assert.equal((await askOperator(desk, '/api/gifts')).status, 403);
});

test('the session is a cookie that scripts cannot read and other sites cannot send, of https alone where the browser came so', async () => {
  await using desk = await openOperatorDesk();
  const plain = new Browser(desk);
  const proxied = new Browser(desk, { headers: { 'X-Forwarded-Proto': 'https' } });
  assert.deepEqual(
    [(await plain.logIn()).to, plain.setCookie.replace(/=[\w-]{43}/, '=token')],
    ['/', 'operator=token; Path=/; HttpOnly; SameSite=Strict'],
  );
  await proxied.logIn();
  assert.equal(
    proxied.setCookie.replace(/=[\w-]{43}/, '=token'),
    '__Host-operator=token; Path=/; HttpOnly; Secure; SameSite=Strict',
  );
  const { headers, html } = await proxied.ask('/');
  assert.deepEqual(
    [
      headers.get('Cache-Control'),
      headers.get('Content-Security-Policy'),
      headers.get('Referrer-Policy'),
    ],
    [
      'no-store',
      "default-src 'none'; style-src 'self'; img-src data:; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
      'no-referrer',
    ],
  );
  assert.doesNotMatch(html, /<script|style=|onclick/);
});

test('a session is another one after the log-in, ends with the log-out, after half an hour of rest, and after twelve hours', async () => {
  let time = Date.now();
  await using desk = await openOperatorDesk({ now: () => time });
  const browser = new Browser(desk);
  await browser.ask('/');
  const before = browser.cookie;
  await browser.logIn();
  assert.notEqual(browser.cookie, before);
  for (let hour = 0; hour < 23; hour += 1) {
    time += 29 * 60_000;
    assert.equal((await browser.ask('/')).status, 200);
  }
  time += 60 * 60_000;
  assert.equal((await browser.ask('/')).status, 401, 'twelve hours');
  await browser.logIn();
  time += 31 * 60_000;
  assert.equal((await browser.ask('/')).status, 401, 'half an hour');
  await browser.logIn();
  const stolen = new Browser(desk);
  stolen.cookie = browser.cookie;
  assert.equal((await stolen.ask('/')).status, 200);
  await browser.ask('/log-out', { csrf: await browser.csrf() });
  assert.deepEqual([(await stolen.ask('/')).status, (await browser.ask('/')).status], [401, 401]);
});

test('a press after the session has ended changes nothing, says so, and leads back to the gift', async () => {
  await using desk = await openOperatorDesk();
  const { reference } = await heldGift(desk);
  const browser = new Browser(desk);
  const { status, html } = await browser.ask(`/gifts/${reference}/resolve`, {
    csrf: 'x',
    as: 'declined',
    note: 'mine',
  });
  assert.deepEqual(
    [
      status,
      html.includes('You are not logged in any more, so nothing was changed.'),
      html.includes(`name="to" value="/gifts/${reference}"`),
    ],
    [401, true, true],
    html,
  );
  assert.equal((await desk.repository.findByReference(reference))?.state, 'held');
});

test('a session is one on every server with the same key, and none where the key is another', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'donation-form-'));
  const file = join(folder, 'store.sqlite');
  await using desk = await openDesk({ key: OPERATOR_KEY, store: file });
  const browser = new Browser(desk);
  await browser.logIn();
  await desk.handler.stop();
  await using other = await openDesk({ key: 'another-key', store: file });
  await using one = await openDesk({ key: OPERATOR_KEY, store: file });
  const again = new Browser(other);
  const same = new Browser(one);
  again.cookie = same.cookie = browser.cookie;
  assert.deepEqual([(await again.ask('/')).status, (await same.ask('/')).status], [401, 200]);
  await rm(folder, { recursive: true });
});

test('five wrong keys from one address, and it has to wait ten minutes; another address need not', async () => {
  let time = Date.now();
  await using desk = await openOperatorDesk({ now: () => time });
  const browser = new Browser(desk);
  for (let tries = 0; tries < 5; tries += 1)
    assert.equal((await browser.logIn(`wrong ${tries}`)).status, 401);
  assert.deepEqual(
    [
      (await browser.logIn()).status,
      (await new Browser(desk, { address: '10.0.0.2' }).logIn()).status,
    ],
    [429, 303],
  );
  time += 600_000;
  assert.equal((await browser.logIn()).status, 303);
  assert.equal(
    (await new Browser(desk).logIn(OPERATOR_KEY, ' ')).status,
    400,
    'a name is kept with every decision',
  );
});

test("a form without the page's token, with another session's, or from another site changes nothing", async () => {
  await using desk = await openOperatorDesk();
  const { reference } = await heldGift(desk);
  const browser = new Browser(desk);
  const other = new Browser(desk);
  await browser.logIn();
  await other.logIn();
  const order = { as: 'charged', about: 'payment', note: '' };
  const csrf = await browser.csrf();
  for (const [fields, headers] of [
    [order, {}],
    [{ ...order, csrf: await other.csrf() }, {}],
    [{ ...order, csrf }, { 'Sec-Fetch-Site': 'cross-site' }],
    [{ ...order, csrf }, { 'Sec-Fetch-Site': 'same-site' }],
  ] as const) {
    const { to } = await browser.ask(`/gifts/${reference}/resolve`, fields, headers);
    assert.deepEqual(
      [
        to,
        (await desk.repository.findByReference(reference))?.state,
        (await browser.ask('/')).html.includes('Nothing was changed'),
      ],
      ['/', 'held', true],
    );
  }
  assert.equal((await browser.ask('/log-in', { key: OPERATOR_KEY, name: 'x' })).status, 303);
  assert.equal(
    (await new Browser(desk).ask('/log-in', { key: OPERATOR_KEY, name: 'x' })).status,
    403,
  );
  assert.equal(
    (await browser.ask(`/gifts/${reference}/resolve`, { ...order, csrf, note: 'x'.repeat(20_000) }))
      .status,
    413,
  );
});

test('the overview says what needs a person first; a press is kept with the name of who pressed, and its result is shown once', async () => {
  await using desk = await openOperatorDesk();
  const { reference } = await heldGift(desk);
  const browser = new Browser(desk);
  await browser.logIn();
  const { html } = await browser.ask('/');
  assert.match(html, /<h1>One thing needs you<\/h1>/);
  assert.ok(html.indexOf(`/gifts/${reference}`) < html.indexOf('Waits for the platform'));
  const csrf = await browser.csrf(`/gifts/${reference}`);
  const { to } = await browser.ask(`/gifts/${reference}/resolve`, {
    csrf,
    as: 'charged',
    about: 'payment',
    note: 'seen\u202e there',
  });
  const [kept] = await desk.repository.reviewDecisions.of(reference);
  assert.deepEqual(
    [to, kept?.decided_by, kept?.note],
    [`/gifts/${reference}`, 'Ana', 'seen there'],
  );
  assert.deepEqual(
    [
      (await browser.ask(to!)).html.includes('Now the payment is charged.'),
      (await browser.ask(to!)).html.includes('Now the payment is charged.'),
    ],
    [true, false],
  );
  await until(async () => (await browser.ask('/')).html.includes('Nothing needs you'));
  await browser.ask(`/gifts/${reference}/resolve`, { csrf, as: 'declined', about: 'payment' });
  assert.match(
    (await browser.ask(to!)).html,
    /role="alert"><p>Nothing was changed\. .* cannot be resolved as declined/,
  );
  assert.equal((await browser.ask('/find?reference=%20abcde-fghjk')).to, '/gifts/ABCDE-FGHJK');
  assert.equal((await browser.ask('/gifts/ABCDE-FGHJK')).status, 404);
});

test('whatever a donor or an operator writes stays text, and no address of the page holds more than a reference', async () => {
  await using desk = await openOperatorDesk();
  const request = await desk.request({ donor: { firstName: HOSTILE, lastName: 'Souza' } });
  const { reference } = (await (await desk.post(request)).json()) as { reference: string };
  const row = (await desk.repository.findByReference(reference))!;
  const browser = new Browser(desk);
  const { payment_id, subscription_id, payment_method } = row;
  await desk.repository.markNeedsReview(
    row,
    { payment_id, subscription_id, payment_method },
    `the processor says ${HOSTILE}`,
  );
  await browser.logIn(OPERATOR_KEY, HOSTILE);
  await browser.ask('/organizations/lanternwell/pause', {
    csrf: await browser.csrf(),
    note: HOSTILE,
  });
  for (const path of ['/', `/gifts/${reference}`]) {
    const { html } = await browser.ask(path);
    assert.deepEqual(
      [
        html.includes('&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;'),
        html.includes('<script'),
      ],
      [true, false],
      path,
    );
    for (const [, address] of html.matchAll(/(?:href|action)="([^"]*)"/g))
      assert.match(address!, OWN_ADDRESS);
  }
});
