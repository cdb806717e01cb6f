import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  createSandbox,
  PAYPAL_CLIENT_ID,
  PAYPAL_CLIENT_SECRET,
} from '../../../src/sandbox/index.ts';

const ORIGIN = 'http://127.0.0.1:4102';

test('the sandbox serves PayPal’s API and pages below /paypal', async () => {
  const sandbox = createSandbox({ platformKey: 'key', secretKey: 'secret' });
  const request = async (path: string, init?: RequestInit): Promise<Response> =>
    sandbox.fetch(new Request(`${ORIGIN}/paypal${path}`, init));
  const token = await request('/v1/oauth2/token', {
    method: 'POST',
    headers: { Authorization: `Basic ${btoa(`${PAYPAL_CLIENT_ID}:${PAYPAL_CLIENT_SECRET}`)}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  });
  const { access_token } = (await token.json()) as { access_token: string };
  const created = await request('/v2/checkout/orders', {
    method: 'POST',
    headers: { Authorization: `Bearer ${access_token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({
      intent: 'CAPTURE',
      purchase_units: [{ amount: { currency_code: 'USD', value: '50.00' } }],
    }),
  });
  assert.equal(created.status, 201);
  const { links } = (await created.json()) as { links: { rel: string; href: string }[] };
  const approval = links.find(({ rel }) => rel === 'approve')!.href;
  assert.ok(approval.startsWith(`${ORIGIN}/paypal/checkoutnow?token=`));
  const page = await sandbox.fetch(new Request(approval));
  assert.match(await page.text(), /Log in to pay \$50\.00/);
  const unknown = await request('/checkoutnow?token=unknown');
  assert.equal(unknown.status, 404);
  sandbox.close();
});

test('the sandbox sends PayPal’s webhooks to this machine only', () => {
  assert.throws(
    () =>
      createSandbox({
        platformKey: 'key',
        secretKey: 'secret',
        paypal: { webhook: { id: 'WEBHOOK1', url: 'https://example.org/webhooks' } },
      }),
    /violates schema/,
  );
});
