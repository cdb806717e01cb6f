import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  createSandbox,
  PAYPAL_CLIENT_ID,
  PAYPAL_CLIENT_SECRET,
  type Sandbox,
} from '../../index.ts';
import { createOrderBody } from './payments-support.ts';
import { getLink, type Json } from './support.ts';

const ORIGIN = 'http://127.0.0.1:4102';

interface SandboxFixture {
  readonly sandbox: Sandbox;
  /** Calls PayPal's API, or the control API with a path below `/sandbox`. */
  readonly call: (path: string, body?: object) => Promise<{ status: number; body: Json }>;
}

async function openSandbox(): Promise<SandboxFixture> {
  const sandbox = createSandbox({ platformKey: 'key' });
  const token = await sandbox.fetch(
    new Request(`${ORIGIN}/paypal/v1/oauth2/token`, {
      method: 'POST',
      headers: { Authorization: `Basic ${btoa(`${PAYPAL_CLIENT_ID}:${PAYPAL_CLIENT_SECRET}`)}` },
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
    }),
  );
  const { access_token } = (await token.json()) as { access_token: string };
  return {
    sandbox,
    async call(path, body) {
      const isControl = path.startsWith('/sandbox');
      const response = await sandbox.fetch(
        new Request(ORIGIN + (isControl ? path : `/paypal${path}`), {
          method: body ? 'POST' : 'GET',
          headers: {
            Authorization: `Bearer ${isControl ? 'key' : access_token}`,
            'Content-Type': 'application/json',
          },
          ...(body && { body: JSON.stringify(body) }),
        }),
      );
      const text = await response.text();
      return { status: response.status, body: (text === '' ? {} : JSON.parse(text)) as Json };
    },
  };
}

/** Creates, approves, and captures an order of 50 US dollars, and returns the capture's ID. */
async function createCapture(
  { sandbox, call }: SandboxFixture,
  funding = 'balance',
): Promise<string> {
  const created = await call('/v2/checkout/orders', createOrderBody());
  await sandbox.fetch(
    new Request(getLink(created, 'approve')!, {
      method: 'POST',
      body: new URLSearchParams({ buyer: 'buyer-us@example.com', funding, action: 'approve' }),
    }),
  );
  const { body } = await call(`/v2/checkout/orders/${String(created.body.id)}/capture`, {});
  const [unit] = body.purchase_units as [{ payments: { captures: [{ id: string }] } }];
  return unit.payments.captures[0].id;
}

test('the sandbox serves PayPal’s API and pages below /paypal', async () => {
  const { sandbox, call } = await openSandbox();
  const created = await call('/v2/checkout/orders', createOrderBody());
  assert.equal(created.status, 201);
  const approval = getLink(created, 'approve')!;
  assert.ok(approval.startsWith(`${ORIGIN}/paypal/checkoutnow?token=`));
  const page = await sandbox.fetch(new Request(approval));
  assert.match(await page.text(), /Log in to pay \$50\.00/);
  const unknown = await sandbox.fetch(new Request(`${ORIGIN}/paypal/checkoutnow?token=unknown`));
  assert.equal(unknown.status, 404);
  sandbox.close();
});

test('the control API refunds and disputes PayPal’s payments, and fails eChecks', async () => {
  const fixture = await openSandbox();
  const { sandbox, call } = fixture;
  const callControl = (id: string, action: string, body: object = {}): ReturnType<typeof call> =>
    call(`/sandbox/payments/${id}/${action}`, body);
  const getStatus = async (id: string): Promise<unknown> =>
    (await call(`/v2/payments/captures/${id}`)).body.status;

  const refunded = await createCapture(fixture);
  assert.equal((await callControl(refunded, 'refund', { amount: 1_000 })).status, 200);
  assert.equal(await getStatus(refunded), 'PARTIALLY_REFUNDED');
  assert.equal((await callControl(refunded, 'refund', { amount: '1' })).status, 400);
  assert.equal((await callControl(refunded, 'refund')).status, 200);
  assert.equal((await callControl(refunded, 'refund')).status, 409);

  const disputed = await createCapture(fixture);
  assert.equal((await callControl(disputed, 'dispute/won')).status, 409);
  assert.equal((await callControl(disputed, 'dispute')).status, 200);
  assert.equal((await callControl(disputed, 'dispute/lost')).status, 200);
  assert.equal(await getStatus(disputed), 'REFUNDED');

  const debit = await createCapture(fixture, 'echeck');
  assert.equal((await callControl(debit, 'fail-debit')).status, 200);
  assert.equal(await getStatus(debit), 'DECLINED');
  assert.equal((await callControl(debit, 'fail-debit')).status, 409);
  assert.equal((await callControl('5O190127TN364715T', 'refund')).status, 404);

  const cleared = await createCapture(fixture, 'echeck');
  await call('/sandbox/clock', { advanceSeconds: 5 * 86_400 });
  // Its token has expired by now.
  const { body } = await callControl(cleared, 'refund');
  assert.equal(body.status, 'COMPLETED');
  sandbox.close();
});

test('the sandbox sends PayPal’s webhooks to this machine only', () => {
  assert.throws(
    () =>
      createSandbox({
        platformKey: 'key',
        paypal: { webhook: { id: 'WEBHOOK1', url: 'https://example.org/webhooks' } },
      }),
    /violates schema/,
  );
});
