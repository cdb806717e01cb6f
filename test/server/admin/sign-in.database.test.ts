import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { waitUntil } from '../../wait-until.ts';
import { createTestMail, getHeader } from '../mail/support.ts';
import {
  addPerson,
  askForLink,
  EMAIL,
  isSignedIn,
  pressButton,
  readCode,
  receiveLink,
  signInByMail,
  startServerWithPerson,
} from './sign-in-support.ts';
import { ADMIN_KEY, Browser, startAdminServer } from './support.ts';

const MINUTE = 60_000;

test('signs a person in with a link, once, with a new session token', async () => {
  await using world = await startServerWithPerson();
  const browser = new Browser(world.server);
  assert.equal((await askForLink(browser)).to, '/sign-in/sent');
  const askingCookie = browser.cookie;
  const path = await receiveLink(world.smtp);
  const { status, to } = await pressButton(browser, path);
  assert.deepEqual([status, to], [303, '/']);
  assert.notEqual(browser.cookie, askingCookie);
  assert.match((await browser.request('/')).html, /href="\/account">Miriam Okafor</);
  const planted = new Browser(world.server);
  planted.cookie = askingCookie;
  assert.equal(await isSignedIn(planted), false);
  const { status: secondStatus, html } = await browser.request(path);
  assert.deepEqual([secondStatus, html.includes('This link no longer works')], [404, true]);
});

test('sends the link as a message of the organization, which nothing answers', async () => {
  await using world = await startServerWithPerson();
  await askForLink(new Browser(world.server), EMAIL.toUpperCase());
  await waitUntil(() => world.smtp.received.length === 1);
  const [message] = world.smtp.received;
  assert.deepEqual(
    ['To', 'From', 'Auto-Submitted', 'Subject'].map((name) => getHeader(message!, name)),
    [
      EMAIL,
      'Lanternwell <giving@lanternwell.example>',
      'auto-generated',
      'Sign in to the donation admin pages',
    ],
  );
});

test('signs no scanner in, and leaves the link to the person', async () => {
  await using world = await startServerWithPerson();
  for (let round = 0; round < 10; round += 1) {
    const { server } = world;
    const person = new Browser(server, { address: `10.0.0.${round}` });
    const email = `person-${round}@lanternwell.example`;
    await addPerson(server, { email });
    await askForLink(person, email);
    const path = await receiveLink(world.smtp);
    const scanner = new Browser(server);
    assert.equal((await server.fetchAdmin(path, { method: 'HEAD' })).status, 200);
    for (const fields of [{}, { code: '' }, { code: 'test' }]) {
      const { status } = await pressButton(scanner, path, fields);
      assert.deepEqual([status, await isSignedIn(scanner)], [400, false]);
    }
    assert.equal((await server.fetchAdmin(path, { method: 'POST' })).status, 403);
    assert.equal((await pressButton(person, path)).status, 303);
    assert.equal(await isSignedIn(person), true);
  }
});

test('opens a session in another browser only with the code of the one that asked', async () => {
  await using world = await startServerWithPerson();
  const asking = new Browser(world.server);
  await askForLink(asking);
  const code = await readCode(asking);
  const path = await receiveLink(world.smtp);
  const other = new Browser(world.server);
  const wrong = code === '000000' ? '000001' : '000000';
  assert.equal((await pressButton(other, path, { code: wrong })).status, 401);
  const { status } = await pressButton(other, path, {
    code: `${code.slice(0, 3)} ${code.slice(3)}`,
  });
  assert.deepEqual([status, await isSignedIn(other), await isSignedIn(asking)], [303, true, false]);
});

test('ends a link after five wrong codes, also for the browser that asked', async () => {
  await using world = await startServerWithPerson();
  const asking = new Browser(world.server);
  await askForLink(asking);
  const code = await readCode(asking);
  const path = await receiveLink(world.smtp);
  const thief = new Browser(world.server);
  const csrf = await thief.fetchCsrfToken(path);
  const statuses: number[] = [];
  for (let guess = 0; guess < 6; guess += 1) {
    const wrong = String((Number(code) + 1 + guess) % 1_000_000).padStart(6, '0');
    statuses.push((await thief.request(path, { csrf, code: wrong })).status);
  }
  assert.deepEqual(statuses, [401, 401, 401, 401, 401, 404]);
  assert.equal((await thief.request(path, { csrf, code })).status, 404);
  assert.equal((await asking.request(path)).status, 404);
});

test('answers alike whether or not somebody has the email, without waiting for the lookup', async () => {
  await using world = await startServerWithPerson();
  const { staff } = world.server;
  staff.findByEmail = () => Promise.withResolvers<undefined>().promise;
  const answers = [];
  for (const email of [EMAIL, 'nobody@lanternwell.example']) {
    const browser = new Browser(world.server);
    const { status, html, to, headers } = await askForLink(browser, email);
    const sent = await browser.request(to!);
    answers.push([
      status,
      html,
      [...headers.keys()],
      sent.status,
      sent.html.replace(/\d{3} \d{3}/, 'code'),
    ]);
  }
  assert.deepEqual(answers[0], answers[1]);
});

test('limits links per email and per address, known or not', async () => {
  await using world = await startServerWithPerson();
  for (const email of [EMAIL, 'nobody@lanternwell.example']) {
    const statuses: number[] = [];
    for (let count = 0; count < 6; count += 1) {
      const browser = new Browser(world.server, { address: `10.0.0.${count}` });
      const tagged = email.replace('@', `+${count}@`);
      statuses.push((await askForLink(browser, tagged)).status);
    }
    assert.deepEqual(statuses, [303, 303, 303, 303, 303, 429], email);
  }
  const browser = new Browser(world.server, { address: '10.1.1.1' });
  const statuses = new Set<number>();
  for (let count = 0; count < 31; count += 1)
    statuses.add((await askForLink(browser, `${count}@lanternwell.example`)).status);
  assert.deepEqual([...statuses], [303, 429]);
});

test('strangers cannot keep a person out of a browser in which they have signed in', async () => {
  await using world = await startServerWithPerson();
  const { server, smtp } = world;
  const browser = new Browser(server);
  await signInByMail(browser, smtp);
  await browser.request('/sign-out', { csrf: await browser.fetchCsrfToken('/account') });
  const ask = async (asking: Browser, email?: string): Promise<number[]> => {
    const statuses: number[] = [];
    for (let count = 0; count < 6; count += 1)
      statuses.push((await askForLink(asking, email)).status);
    return statuses;
  };
  const allowance = [303, 303, 303, 303, 303, 429];
  // The browser's first link counted, too.
  assert.deepEqual(await ask(new Browser(server), EMAIL), [303, 303, 303, 303, 429, 429]);
  assert.deepEqual(await ask(browser, EMAIL), allowance);
  await addPerson(server, { email: 'lee@lanternwell.example' });
  const lee = 'lee@lanternwell.example';
  assert.deepEqual(await ask(new Browser(server, { address: '10.0.0.2' }), lee), allowance);
  browser.cookie = browser.cookie.replace(/^admin=[^;]+; /, '');
  assert.equal((await askForLink(browser, lee)).status, 429);
});

test('sends no link to unknown emails, and offers none without mail', async () => {
  await using world = await startServerWithPerson();
  await askForLink(new Browser(world.server), 'nobody@lanternwell.example');
  await askForLink(new Browser(world.server));
  await waitUntil(() => world.smtp.received.length > 0);
  assert.deepEqual(
    world.smtp.received.map((message) => getHeader(message, 'To')),
    [EMAIL],
  );
  await using silent = await startAdminServer();
  await addPerson(silent);
  const { html } = await new Browser(silent).request('/sign-in');
  assert.doesNotMatch(html, /name="email"/);
  assert.match(html, /This server sends no mail\.[^]*donation-form staff add/);
});

test('refuses links after 30 minutes, and random ones', async () => {
  let time = Date.now();
  await using world = await startServerWithPerson({ now: () => time });
  const browser = new Browser(world.server);
  await askForLink(browser);
  const path = await receiveLink(world.smtp);
  const csrf = await browser.fetchCsrfToken(path);
  time += 30 * MINUTE;
  assert.equal((await browser.request(path, { csrf })).status, 404);
  for (const prefix of ['/sign-in/link', '/invitation', '/setup'])
    for (let guess = 0; guess < 100; guess += 1) {
      const token = randomBytes(32).toString('base64url');
      assert.equal((await browser.request(`${prefix}/${token}`, { csrf })).status, 404);
    }
  assert.equal(await isSignedIn(browser), false);
});

test('a change of roles and a removal end sessions', async () => {
  await using world = await startServerWithPerson();
  const { server } = world;
  const { staff } = server;
  const id = await addPerson(server, { email: 'lee@lanternwell.example', name: 'Lee Park' });
  const signIn = async (): Promise<Browser> => {
    const browser = new Browser(server);
    await signInByMail(browser, world.smtp, 'lee@lanternwell.example');
    assert.equal(await isSignedIn(browser), true);
    return browser;
  };
  const demoted = await signIn();
  await staff.setRoles(id, { organization: '*', roles: ['campaigner'] });
  assert.equal(await isSignedIn(demoted), false);
  const removed = await signIn();
  await staff.removePerson(id);
  assert.equal(await isSignedIn(removed), false);
});

test('the admin key and its sessions stop working with the first person', async () => {
  await using server = await startAdminServer({ mail: createTestMail(1) });
  const browser = new Browser(server);
  await browser.signIn();
  assert.equal((await browser.request('/')).status, 200);
  await addPerson(server);
  assert.equal((await browser.request('/')).status, 401);
  const csrf = await browser.fetchCsrfToken('/sign-in');
  const { status, html } = await browser.request('/sign-in', { csrf, key: ADMIN_KEY, name: 'Ana' });
  assert.equal(status, 403);
  assert.match(html, /no longer accepts the admin key.*donation-form staff add/);
});

test('lists sessions by device, and ends one or all others', async () => {
  await using world = await startServerWithPerson();
  const open = async (userAgent: string): Promise<Browser> => {
    const browser = new Browser(world.server, { headers: { 'User-Agent': userAgent } });
    await signInByMail(browser, world.smtp);
    return browser;
  };
  const firefox = await open(
    'Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0',
  );
  const phone = await open(
    'Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) Version/26.0 Safari/604.1',
  );
  const edge = await open('Mozilla/5.0 (Windows NT 10.0) Chrome/150.0 Safari/537.36 Edg/150.0');
  const { html } = await firefox.request('/account');
  assert.match(html, /Firefox on Linux<\/strong>\s*<span class="badge done">This session/);
  const [, id] = /Safari on iPhone[^]*?name="id" value="([^"]+)"/.exec(html)!;
  const csrf = await firefox.fetchCsrfToken('/account');
  await firefox.request('/account/sessions/end', { csrf, id: id! });
  assert.deepEqual([await isSignedIn(phone), await isSignedIn(edge)], [false, true]);
  await firefox.request('/account/sessions/end-others', { csrf });
  assert.deepEqual([await isSignedIn(edge), await isSignedIn(firefox)], [false, true]);
  const stolen = new Browser(world.server);
  stolen.cookie = firefox.cookie;
  await firefox.request('/sign-out', { csrf });
  assert.equal(await isSignedIn(stolen), false);
});

test("ends nobody else's session", async () => {
  await using world = await startServerWithPerson();
  await addPerson(world.server, { email: 'lee@lanternwell.example' });
  const [miriam, lee] = [new Browser(world.server), new Browser(world.server)];
  await signInByMail(miriam, world.smtp);
  await signInByMail(lee, world.smtp, 'lee@lanternwell.example');
  const [, id] = /name="id" value="([^"]+)"/.exec((await miriam.request('/account')).html)!;
  const csrf = await lee.fetchCsrfToken('/account');
  await lee.request('/account/sessions/end', { csrf, id: id! });
  assert.equal(await isSignedIn(miriam), true);
});

test('an invitation signs in whoever knows its email, once', async () => {
  await using world = await startServerWithPerson();
  const { oneTimeTokens } = world.server;
  const token = await oneTimeTokens.create({
    purpose: 'invitation',
    person: world.person,
    lifetime: 60 * MINUTE,
  });
  const path = `/invitation/${token}`;
  const scanner = new Browser(world.server);
  assert.match((await scanner.request(path)).html, /Welcome, Miriam Okafor/);
  for (const fields of [{}, { email: 'scanner@example.org' }])
    assert.equal((await pressButton(scanner, path, fields)).status, 401);
  const browser = new Browser(world.server);
  const { status, to } = await pressButton(browser, path, { email: EMAIL });
  assert.deepEqual([status, to], [303, '/account']);
  assert.match((await browser.request('/account')).html, /Welcome\. Add a passkey/);
  assert.equal((await scanner.request(path)).status, 404);
});

test('a setup link makes its first user an administrator of all organizations, once', async () => {
  await using server = await startAdminServer();
  const { staff, oneTimeTokens } = server;
  const token = await oneTimeTokens.create({ purpose: 'setup', lifetime: 15 * MINUTE });
  const path = `/setup/${token}`;
  const browser = new Browser(server);
  for (const fields of [{}, { name: 'Miriam' }, { name: 'Miriam', email: 'wrong' }])
    assert.equal((await pressButton(browser, path, fields)).status, 400);
  const fields = { name: 'Miriam Okafor', email: EMAIL };
  assert.equal((await pressButton(browser, path, fields)).to, '/account');
  const [person] = await staff.listPeople();
  assert.deepEqual(
    [person?.email, person?.memberships],
    [EMAIL, [{ organization: '*', roles: ['administrator'] }]],
  );
  assert.equal((await new Browser(server).request(path)).status, 404);
});

test('asks for a confirmation after 10 minutes, and then sends the same form', async () => {
  let time = Date.now();
  await using world = await startServerWithPerson({ now: () => time });
  const browser = new Browser(world.server);
  await signInByMail(browser, world.smtp);
  const csrf = await browser.fetchCsrfToken('/account');
  const remove = (fields: object = {}): ReturnType<Browser['request']> =>
    browser.request('/account/passkeys/remove', { csrf, id: 'a"b', ...fields });
  time += 9 * MINUTE;
  assert.equal((await remove()).to, '/account');
  time += 2 * MINUTE;
  const asked = await remove();
  assert.deepEqual([asked.status, asked.to], [403, null]);
  assert.match(asked.html, /action="\/account\/passkeys\/remove"[^]*name="id" value="a&quot;b"/);
  assert.equal((await remove({ confirmed: 'yes' })).status, 403);
  assert.equal((await remove({ passkey: '{}' })).status, 403);
  const sent = await browser.request('/account/confirm?path=/account/passkeys/remove', {
    csrf,
    id: 'a"b',
    confirmed: 'yes',
  });
  assert.match(sent.html, /We have sent you a link[^]*name="id" value="a&quot;b"/);
  const { to } = await pressButton(browser, await receiveLink(world.smtp));
  assert.equal(to, '/account');
  assert.equal((await remove({ confirmed: 'yes' })).to, '/account');
});

test('redirects nowhere but to its own pages after sign-in', async () => {
  await using world = await startServerWithPerson();
  for (const [returnTo, expected] of [
    ['/donations/7K4M9-QXD2P', '/donations/7K4M9-QXD2P'],
    ['//evil.example', '/'],
    ['/\\evil.example', '/'],
    ['https://evil.example', '/'],
  ] as const) {
    const browser = new Browser(world.server);
    const csrf = await browser.fetchCsrfToken('/sign-in');
    await browser.request('/sign-in/email', { csrf, email: EMAIL, returnTo });
    const { to } = await pressButton(browser, await receiveLink(world.smtp));
    assert.equal(to, expected);
  }
});
