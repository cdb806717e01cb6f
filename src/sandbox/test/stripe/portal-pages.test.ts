import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CARDS } from '../../../../test/fake-stripe.ts';
import { openStripeSandbox, type StripeSandboxFixture } from './sandbox-support.ts';

const EMAIL = 'ana@example.org';

/** Creates a login page, and returns its path. */
async function createLoginPage({ stripe }: StripeSandboxFixture): Promise<string> {
  const { login_page } = await stripe.billingPortal.configurations.create({
    features: { subscription_cancel: { enabled: true } },
    login_page: { enabled: true },
  });
  return new URL(login_page.url!).pathname;
}

/** Requests a sign-in link, and returns its path as the console shows it. */
async function requestLink(fixture: StripeSandboxFixture, email = EMAIL): Promise<string> {
  const { status } = await fixture.visitPage(await createLoginPage(fixture), { email });
  assert.equal(status, 200);
  const text = await (await fixture.visitPage('/')).text();
  return /href="http:\/\/127\.0\.0\.1:4102(\/stripe\/p\/open\/[^"]+)"/.exec(text)?.[1] ?? '';
}

/** Opens a link, and returns the session's cookie. */
async function openLink({ visitPage }: StripeSandboxFixture, link: string): Promise<string> {
  const response = await visitPage(link);
  assert.equal(response.status, 303);
  const cookie = response.headers.get('Set-Cookie') ?? '';
  assert.match(cookie, /HttpOnly; SameSite=Lax/);
  return cookie.split(';')[0]!;
}

test('a donor signs in with a link from an email, which works once', async () => {
  const fixture = openStripeSandbox();
  await fixture.createSubscription(CARDS.good);
  const link = await requestLink(fixture);
  const cookie = await openLink(fixture, link);
  const list = await fixture.visitPage('/stripe/p/session/gifts', undefined, { Cookie: cookie });
  assert.match(await list.text(), /\$50\.00 every month[^]*•••• 4242[^]*December 21, 2026/);
  assert.equal((await fixture.visitPage(link)).status, 410);
  assert.equal((await fixture.visitPage('/stripe/p/session/gifts')).status, 410);
});

test('sends no link for an email without a subscription, and shows the same page', async () => {
  const fixture = openStripeSandbox();
  assert.equal(await requestLink(fixture, 'nobody@example.org'), '');
});

test('a link expires after 30 minutes', async () => {
  const fixture = openStripeSandbox();
  await fixture.createSubscription(CARDS.good);
  const link = await requestLink(fixture);
  fixture.advanceTime(30 * 60_000);
  assert.equal((await fixture.visitPage(link)).status, 410);
});

test('a donor changes the card, and a declined one is rejected', async () => {
  const fixture = openStripeSandbox();
  const id = await fixture.createSubscription(CARDS.good);
  const cookie = await openLink(fixture, await requestLink(fixture));
  const path = `/stripe/p/session/gifts/${id}/card`;
  const changeCard = (number: string): Promise<Response> =>
    fixture.visitPage(path, { number, expiry: '12 / 34', cvc: '123' }, { Cookie: cookie });
  assert.equal((await changeCard('4242')).status, 400);
  const declined = await changeCard(CARDS.declined);
  assert.match(await declined.text(), /This card was declined/);
  assert.equal((await changeCard('5555555555554444')).status, 303);
  const { default_payment_method } = await fixture.stripe.subscriptions.retrieve(id, {
    expand: ['default_payment_method'],
  });
  assert.deepEqual((default_payment_method as { card?: { last4: string } }).card?.last4, '4444');
});

test('a donor cancels a subscription, but none of another donor', async () => {
  const fixture = openStripeSandbox();
  const id = await fixture.createSubscription(CARDS.good);
  const foreign = await fixture.createSubscription(CARDS.good, 'ben@example.org');
  const cookie = await openLink(fixture, await requestLink(fixture));
  const cancelSubscription = (subscription: string): Promise<Response> =>
    fixture.visitPage(`/stripe/p/session/gifts/${subscription}/cancel`, {}, { Cookie: cookie });
  assert.equal((await cancelSubscription(foreign)).status, 404);
  assert.equal((await cancelSubscription(id)).status, 303);
  assert.equal((await fixture.stripe.subscriptions.retrieve(id)).status, 'canceled');
  assert.equal((await fixture.stripe.subscriptions.retrieve(foreign)).status, 'active');
});
