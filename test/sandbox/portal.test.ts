import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CARDS, openProcessor, type Fields, type OpenedProcessor } from './processor-support.ts';
import type { Answer } from './support.ts';

const PORTAL = '/processor/portal';
const GIVING = { frequency: 'monthly', email: 'ana@example.org', description: 'Village wells' };
const card = (number: string) => ({ number, expiry: '12 / 99', cvc: '123' });

const sandboxPage = async ({ ask }: OpenedProcessor): Promise<string> =>
  String((await ask('/', undefined, { headers: {} })).body);
const linksOn = (text: string): string[] =>
  [...text.matchAll(/href="([^"]*\/portal\/open\/[^"]*)"/g)].map(([, link = '']) => link);

/** What a donor does with the latest link of the mails. */
async function enter(
  opened: OpenedProcessor,
): Promise<(path: string, fields?: Record<string, string>) => Promise<Answer>> {
  await opened.visit(PORTAL, { email: 'ANA@example.org' });
  const { headers } = await opened.visit(linksOn(await sandboxPage(opened))[0]);
  assert.equal(headers.get('Location'), `${PORTAL}/gifts`);
  const cookie = headers.get('Set-Cookie') ?? '';
  assert.match(
    cookie,
    /^sandbox-portal=[\w-]{32}; Path=\/processor\/portal; HttpOnly; SameSite=Lax$/,
  );
  return (path, fields) =>
    opened.visit(`${PORTAL}${path}`, fields, { Cookie: cookie.split(';')[0]! });
}

test('the portal answers with the same words whether it knows an address or not, and writes only to those that it knows', async () => {
  const opened = openProcessor();
  await opened.pay(CARDS.good, GIVING);
  await opened.pay(CARDS.good, { email: 'once@example.org' });
  const answers: unknown[] = [];
  for (const email of ['ana@example.org', 'once@example.org', 'nobody@example.org'])
    answers.push((await opened.visit(PORTAL, { email })).body);
  assert.match(
    String(answers[0]),
    /If this address has a recurring gift, we have sent a link to it\./,
  );
  assert.equal(new Set(answers).size, 1);
  const text = await sandboxPage(opened);
  assert.match(text, /Mails that the processor would have sent/);
  assert.equal(linksOn(text).length, 1);
  const refused = await opened.visit(PORTAL, { email: 'ana' });
  assert.deepEqual(
    [
      refused.status,
      String(refused.body).includes('aria-describedby="email-error" aria-invalid=true'),
    ],
    [400, true],
  );
});

test("a link works once, and for 30 minutes of the sandbox's clock; so does the visit that it opens", async () => {
  const opened = openProcessor();
  await opened.pay(CARDS.good, GIVING);
  const visit = await enter(opened);
  const [used] = linksOn(await sandboxPage(opened));
  assert.equal((await opened.visit(used)).status, 410);
  await opened.visit(PORTAL, { email: 'ana@example.org' });
  const [late] = linksOn(await sandboxPage(opened));
  assert.match(String((await visit('/gifts')).body), /Village wells/);
  opened.pass(31 * 60_000);
  assert.equal((await opened.visit(late)).status, 410);
  assert.equal((await visit('/gifts')).headers.get('Location'), PORTAL);
});

test('the page lists what is given regularly from the address, and nothing else', async () => {
  const opened = openProcessor();
  await opened.pay(CARDS.good, GIVING);
  const ended = await opened.pay(CARDS.good, { ...GIVING, description: 'Ended' });
  await opened.call(`/subscriptions/${String(ended.subscription)}/cancel`, {});
  const other = await opened.pay(CARDS.good, {
    ...GIVING,
    email: 'other@example.org',
    description: 'Of another',
  });
  const visit = await enter(opened);
  const text = String((await visit('/gifts')).body);
  assert.match(
    text,
    /Village wells[^]*\$50\.00 every month[^]*•••• 4242[^]*21 December 2026[^]*Change the card[^]*Cancel/,
  );
  assert.doesNotMatch(text, /Ended|Of another/);
  assert.equal((await visit(`/gifts/${String(other.subscription)}/cancel`, {})).status, 404);
  assert.equal((await opened.subscription(other.subscription)).state, 'active');
});

test('another card pays the next renewals, unless it is declined', async () => {
  const opened = openProcessor();
  const { subscription: id } = await opened.pay(CARDS.failingLater, GIVING);
  const visit = await enter(opened);
  const path = `/gifts/${String(id)}/card`;
  assert.match(String((await visit(path)).body), /Card number/);
  assert.match(String((await visit(path, card('4242'))).body), /Check the card number/);
  assert.match(String((await visit(path, card(CARDS.declined))).body), /This card was declined/);
  assert.equal((await visit(path, card(CARDS.good))).status, 303);
  assert.match(String((await visit('/gifts')).body), /•••• 4242/);
  await opened.days(31);
  const { state, payments } = (await opened.subscription(id)) as {
    state: string;
    payments: string[];
  };
  assert.deepEqual([state, (await opened.payment(payments[1])).lastFour], ['active', '4242']);
});

test('a renewal that failed is tried with the other card at the next look', async () => {
  const opened = openProcessor();
  const { subscription: id } = await opened.pay(CARDS.failingLater, GIVING);
  await opened.days(31);
  assert.equal((await opened.subscription(id)).state, 'retrying');
  const visit = await enter(opened);
  await visit(`/gifts/${String(id)}/card`, card(CARDS.good));
  await opened.days(0);
  const { state, nextAt } = await opened.subscription(id);
  assert.deepEqual([state, String(nextAt).slice(0, 10)], ['active', '2027-01-21']);
});

test('a gift is canceled after one more question', async () => {
  const opened = openProcessor();
  const { subscription: id } = await opened.pay(CARDS.good, GIVING);
  const visit = await enter(opened);
  const path = `/gifts/${String(id)}/cancel`;
  assert.match(String((await visit(path)).body), /Cancel this gift\?/);
  assert.equal((await opened.subscription(id)).state, 'active');
  assert.equal((await visit(path, {})).status, 303);
  assert.equal((await opened.subscription(id)).state, 'cancelled');
  assert.match(String((await visit('/gifts')).body), /There is none/);
});

test('forms of other sites change nothing', async () => {
  const opened = openProcessor();
  await opened.pay(CARDS.good, GIVING);
  for (const Origin of ['https://evil.example', 'http://127.0.0.1:4100', 'null'])
    assert.equal(
      (await opened.visit(PORTAL, { email: 'ana@example.org' }, { Origin })).status,
      403,
    );
  assert.deepEqual(linksOn(await sandboxPage(opened)), []);
});

test('a receipt is written for each payment that arrived, where the server asked for it', async () => {
  const opened = openProcessor();
  await opened.pay(CARDS.good, {
    email: 'ana@example.org',
    receipt: true,
    reference: 'R7',
    frequency: 'monthly',
  });
  for (const terms of [{ email: 'quiet@example.org' }, { receipt: true }] satisfies Fields[])
    await opened.pay(CARDS.good, terms);
  await opened.pay(CARDS.declined, { email: 'declined@example.org', receipt: true });
  await opened.days(31);
  const text = await sandboxPage(opened);
  assert.deepEqual([...text.matchAll(/Receipt for \$50\.00/g)].length, 2);
  assert.match(text, /to ana@example\.org[^]*as your recurring gift\. Reference: R7/);
  assert.doesNotMatch(text, /to (quiet|declined)@/);
});
