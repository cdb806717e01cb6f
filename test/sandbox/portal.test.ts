import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CARDS, openProcessor, type Fields, type ProcessorFixture } from './processor-support.ts';
import type { TestResponse } from './support.ts';

const PORTAL = '/processor/portal';
const RECURRING_GIFT = {
  frequency: 'monthly',
  email: 'ana@example.org',
  description: 'Village wells',
};
const createCardFields = (number: string) => ({ number, expiry: '12 / 99', cvc: '123' });

const fetchConsole = async ({ request }: ProcessorFixture): Promise<string> =>
  String((await request('/', undefined, { headers: {} })).body);
const findPortalLinks = (text: string): string[] =>
  [...text.matchAll(/href="([^"]*\/portal\/open\/[^"]*)"/g)].map(([, link = '']) => link);

/** Requests a link and opens it. Returns a function that visits the portal with its session. */
async function signInToPortal(
  fixture: ProcessorFixture,
): Promise<(path: string, fields?: Record<string, string>) => Promise<TestResponse>> {
  await fixture.visitPage(PORTAL, { email: 'ANA@example.org' });
  const { headers } = await fixture.visitPage(findPortalLinks(await fetchConsole(fixture))[0]);
  assert.equal(headers.get('Location'), `${PORTAL}/gifts`);
  const cookie = headers.get('Set-Cookie') ?? '';
  assert.match(
    cookie,
    /^sandbox-portal=[\w-]{32}; Path=\/processor\/portal; HttpOnly; SameSite=Lax$/,
  );
  return (path, fields) =>
    fixture.visitPage(`${PORTAL}${path}`, fields, { Cookie: cookie.split(';')[0]! });
}

test('shows the same page for known and unknown emails, and sends links only to known ones', async () => {
  const fixture = openProcessor();
  await fixture.payWithCard(CARDS.succeeding, RECURRING_GIFT);
  await fixture.payWithCard(CARDS.succeeding, { email: 'once@example.org' });
  const responses: unknown[] = [];
  for (const email of ['ana@example.org', 'once@example.org', 'nobody@example.org'])
    responses.push((await fixture.visitPage(PORTAL, { email })).body);
  assert.match(
    String(responses[0]),
    /If there is a recurring gift with this email address, we have sent you a link\./,
  );
  assert.equal(new Set(responses).size, 1);
  const text = await fetchConsole(fixture);
  assert.match(text, /Emails \(not sent\)/);
  assert.equal(findPortalLinks(text).length, 1);
  const refused = await fixture.visitPage(PORTAL, { email: 'ana' });
  assert.deepEqual(
    [
      refused.status,
      /aria-describedby="email-error"\s+aria-invalid=true/.test(String(refused.body)),
    ],
    [400, true],
  );
});

test('a link works once, and links and sessions expire after 30 minutes', async () => {
  const fixture = openProcessor();
  await fixture.payWithCard(CARDS.succeeding, RECURRING_GIFT);
  const visit = await signInToPortal(fixture);
  const [used] = findPortalLinks(await fetchConsole(fixture));
  assert.equal((await fixture.visitPage(used)).status, 410);
  await fixture.visitPage(PORTAL, { email: 'ana@example.org' });
  const [late] = findPortalLinks(await fetchConsole(fixture));
  assert.match(String((await visit('/gifts')).body), /Village wells/);
  fixture.advanceTime(31 * 60_000);
  assert.equal((await fixture.visitPage(late)).status, 410);
  assert.equal((await visit('/gifts')).headers.get('Location'), PORTAL);
});

test('lists only the active recurring gifts of the signed-in email', async () => {
  const fixture = openProcessor();
  await fixture.payWithCard(CARDS.succeeding, RECURRING_GIFT);
  const ended = await fixture.payWithCard(CARDS.succeeding, {
    ...RECURRING_GIFT,
    description: 'Ended',
  });
  await fixture.callProcessor(`/subscriptions/${String(ended.subscription)}/cancel`, {});
  const other = await fixture.payWithCard(CARDS.succeeding, {
    ...RECURRING_GIFT,
    email: 'other@example.org',
    description: 'Of another',
  });
  const visit = await signInToPortal(fixture);
  const text = String((await visit('/gifts')).body);
  assert.match(
    text,
    /Village wells[^]*\$50\.00 every month[^]*•••• 4242[^]*December 21, 2026[^]*Change card[^]*Cancel/,
  );
  assert.doesNotMatch(text, /Ended|Of another/);
  assert.equal((await visit(`/gifts/${String(other.subscription)}/cancel`, {})).status, 404);
  assert.equal((await fixture.fetchSubscription(other.subscription)).state, 'active');
});

test('charges renewals to a new card unless it is declined', async () => {
  const fixture = openProcessor();
  const { subscription: id } = await fixture.payWithCard(CARDS.failingRenewals, RECURRING_GIFT);
  const visit = await signInToPortal(fixture);
  const path = `/gifts/${String(id)}/card`;
  assert.match(String((await visit(path)).body), /Card number/);
  assert.match(String((await visit(path, createCardFields('4242'))).body), /Check the card number/);
  assert.match(
    String((await visit(path, createCardFields(CARDS.declined))).body),
    /This card was declined/,
  );
  assert.equal((await visit(path, createCardFields(CARDS.succeeding))).status, 303);
  assert.match(String((await visit('/gifts')).body), /•••• 4242/);
  await fixture.advanceDays(31);
  const { state, payments } = (await fixture.fetchSubscription(id)) as {
    state: string;
    payments: string[];
  };
  assert.deepEqual([state, (await fixture.fetchPayment(payments[1])).lastFour], ['active', '4242']);
});

test('retries a failed renewal with the new card in the next run', async () => {
  const fixture = openProcessor();
  const { subscription: id } = await fixture.payWithCard(CARDS.failingRenewals, RECURRING_GIFT);
  await fixture.advanceDays(31);
  assert.equal((await fixture.fetchSubscription(id)).state, 'retrying');
  const visit = await signInToPortal(fixture);
  await visit(`/gifts/${String(id)}/card`, createCardFields(CARDS.succeeding));
  await fixture.advanceDays(0);
  const { state, nextAt } = await fixture.fetchSubscription(id);
  assert.deepEqual([state, String(nextAt).slice(0, 10)], ['active', '2027-01-21']);
});

test('cancels a gift after confirmation', async () => {
  const fixture = openProcessor();
  const { subscription: id } = await fixture.payWithCard(CARDS.succeeding, RECURRING_GIFT);
  const visit = await signInToPortal(fixture);
  const path = `/gifts/${String(id)}/cancel`;
  assert.match(String((await visit(path)).body), /Cancel this gift\?/);
  assert.equal((await fixture.fetchSubscription(id)).state, 'active');
  assert.equal((await visit(path, {})).status, 303);
  assert.equal((await fixture.fetchSubscription(id)).state, 'cancelled');
  assert.match(String((await visit('/gifts')).body), /You have no recurring gifts/);
});

test('rejects forms from other sites', async () => {
  const fixture = openProcessor();
  await fixture.payWithCard(CARDS.succeeding, RECURRING_GIFT);
  for (const Origin of ['https://evil.example', 'http://127.0.0.1:4100', 'null'])
    assert.equal(
      (await fixture.visitPage(PORTAL, { email: 'ana@example.org' }, { Origin })).status,
      403,
    );
  assert.deepEqual(findPortalLinks(await fetchConsole(fixture)), []);
});

test('emails a receipt for each succeeded payment that requested one', async () => {
  const fixture = openProcessor();
  await fixture.payWithCard(CARDS.succeeding, {
    email: 'ana@example.org',
    receipt: true,
    reference: 'R7',
    frequency: 'monthly',
  });
  for (const terms of [{ email: 'quiet@example.org' }, { receipt: true }] satisfies Fields[])
    await fixture.payWithCard(CARDS.succeeding, terms);
  await fixture.payWithCard(CARDS.declined, { email: 'declined@example.org', receipt: true });
  await fixture.advanceDays(31);
  const text = await fetchConsole(fixture);
  assert.deepEqual([...text.matchAll(/Receipt for \$50\.00/g)].length, 2);
  assert.match(text, /to ana@example\.org[^]*your recurring gift of \$50\.00\. Reference: R7/);
  assert.doesNotMatch(text, /to (quiet|declined)@/);
});
