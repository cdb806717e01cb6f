import assert from 'node:assert/strict';
import { createOrderBody, createPlan, createSubscription } from './payments-support.ts';
import { type PayPalFixture, startPayPal, test } from './support.ts';

const CONTEXT = {
  return_url: 'https://example.org/give?step=done',
  cancel_url: 'https://example.org/give',
  brand_name: 'River & Trust',
};

async function createOrder({ call }: PayPalFixture, context: object = CONTEXT): Promise<string> {
  const { body } = await call('POST', '/v2/checkout/orders', {
    requestId: 'create',
    body: {
      ...createOrderBody('1234.50', { description: 'Donation' }),
      payment_source: { paypal: { experience_context: context } },
    },
  });
  return body.id;
}

/** Opens the page of an order, or sends its form. */
async function fetchPage(
  { url }: PayPalFixture,
  order: string,
  fields?: Readonly<Record<string, string>>,
): Promise<string> {
  const response = await fetch(`${url}/checkoutnow?token=${order}`, {
    ...(fields && { method: 'POST', body: new URLSearchParams(fields) }),
  });
  assert.match(response.headers.get('Content-Security-Policy') ?? '', /default-src 'none'/);
  return response.text();
}

const getReturnUrl = (page: string): string | undefined =>
  /url=([^"]+)"/.exec(page)?.[1]?.replaceAll('&amp;', '&');

const BUYER = 'buyer-us@example.com';

test('lets a test buyer log in, choose how to pay, and approve an order', async (fixture) => {
  const { call } = fixture;
  const id = await createOrder(fixture);
  const login = await fetchPage(fixture, id);
  assert.match(login, /Log in to pay \$1,234\.50/);
  assert.match(login, /River &amp; Trust/);
  const review = await fetchPage(fixture, id, { buyer: BUYER, action: 'login' });
  for (const funding of ['balance', 'echeck', 'venmo', 'declined'])
    assert.match(review, new RegExp(`value="${funding}"`));
  const done = await fetchPage(fixture, id, { buyer: BUYER, funding: 'venmo', action: 'approve' });
  assert.equal(
    getReturnUrl(done),
    `https://example.org/give?step=done&token=${id}&PayerID=TESTBUYERUS22`,
  );
  const { body } = await call('GET', `/v2/checkout/orders/${id}`);
  assert.equal(body.status, 'APPROVED');
  assert.deepEqual(Object.keys(body.payment_source as object), ['venmo']);
});

test('returns a buyer who cancels, and leaves the order as it was', async (fixture) => {
  const { call } = fixture;
  const id = await createOrder(fixture);
  for (const action of [{ action: 'cancel' }, { action: 'cancel', buyer: BUYER }])
    assert.equal(
      getReturnUrl(await fetchPage(fixture, id, action)),
      `https://example.org/give?token=${id}`,
    );
  const { body } = await call('GET', `/v2/checkout/orders/${id}`);
  assert.equal(body.status, 'PAYER_ACTION_REQUIRED');
});

test('asks an unknown buyer to log in, and offers only what the seller accepts', async () => {
  await using fixture = await startPayPal({ country: 'GB' });
  const id = await createOrder(fixture, {
    ...CONTEXT,
    payment_method_preference: 'IMMEDIATE_PAYMENT_REQUIRED',
  });
  const unknown = { buyer: 'x@example.com', funding: 'balance', action: 'approve' };
  assert.match(await fetchPage(fixture, id, unknown), /Log in to pay/);
  const review = await fetchPage(fixture, id, { buyer: BUYER, action: 'login' });
  assert.doesNotMatch(review, /echeck|venmo/);
  const refused = { buyer: BUYER, funding: 'echeck', action: 'approve' };
  assert.match(await fetchPage(fixture, id, refused), /Pay with/);
});

test('shows that an order is unknown or was paid, and works without a return URL', async (fixture) => {
  const { call } = fixture;
  assert.match(await fetchPage(fixture, '5O190127TN364715T'), /Page not found/);
  const id = await createOrder(fixture, {});
  const approve = { buyer: BUYER, funding: 'balance', action: 'approve' };
  assert.match(await fetchPage(fixture, id, approve), /You can close this page/);
  await call('POST', `/v2/checkout/orders/${id}/capture`, { requestId: 'capture' });
  assert.match(await fetchPage(fixture, id), /You can close this page/);
});

test('is mounted under a path', async () => {
  await using fixture = await startPayPal({ basePath: '/paypal' });
  const id = await createOrder(fixture);
  assert.match(await fetchPage(fixture, id), /href="\/paypal\/pages\.css"/);
  const styles = await fetch(`${fixture.url}/pages.css`);
  assert.equal(styles.status, 200);
});

test('lets a test buyer cancel an automatic payment', async (fixture) => {
  const { paypal, url, call } = fixture;
  const { planId } = await createPlan(fixture);
  const { body: subscription } = await createSubscription(fixture, planId);
  paypal.approveSubscription(subscription.id);
  const visitAutopay = async (fields?: Readonly<Record<string, string>>): Promise<string> =>
    (
      await fetch(`${url}/myaccount/autopay`, {
        ...(fields && { method: 'POST', body: new URLSearchParams(fields) }),
      })
    ).text();
  assert.match(await visitAutopay(), /Log in to your automatic payments/);
  assert.match(await visitAutopay({ buyer: 'buyer-gb@example.com' }), /No automatic payments/);
  assert.match(await visitAutopay({ buyer: BUYER }), new RegExp(`Cancel ${subscription.id}`));
  await visitAutopay({ buyer: 'buyer-gb@example.com', cancel: subscription.id });
  const getStatus = async (): Promise<string> =>
    (await call('GET', `/v1/billing/subscriptions/${subscription.id}`)).body.status;
  assert.equal(await getStatus(), 'ACTIVE');
  assert.match(
    await visitAutopay({ buyer: BUYER, cancel: subscription.id }),
    /No automatic payments/,
  );
  assert.equal(await getStatus(), 'CANCELLED');
});
