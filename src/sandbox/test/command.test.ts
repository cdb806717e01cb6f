import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { test, type TestContext } from 'node:test';
import { Stripe } from 'stripe';
import { PayPalClient } from '../../server/payments/paypal/client.ts';
import { SignatureVerifier } from '../../server/payments/paypal/webhook-signature.ts';
import { startWebhookListener } from './webhook-listener.ts';

/** Starts the command and returns its startup output. */
async function startSandboxCommand(
  t: TestContext,
  options: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<string> {
  const child = spawn(
    process.execPath,
    ['dist/donation-form-server/lib/cli.js', 'sandbox', '--empty', '--port', '0', ...options],
    { env: { PATH: process.env.PATH, ...environment }, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  t.after(() => child.kill('SIGINT'));
  let output = '';
  for await (const chunk of child.stdout) {
    output += String(chunk);
    if (output.includes('read key')) break;
  }
  return output;
}

test('--webhook-url receives webhooks signed with the printed or configured secret', async (t) => {
  await using listener = await startWebhookListener();
  for (const environment of [{}, { SANDBOX_WEBHOOK_SECRET: 'a secret of its own' }]) {
    const output = await startSandboxCommand(t, ['--webhook-url', `${listener.url}/in`], {
      SANDBOX_SECRET_KEY: 'sk_test_own',
      ...environment,
    });
    const [, address = ''] = /^sandbox +(\S+)/m.exec(output) ?? [];
    const [, secret = ''] = /^webhook secret +(.+?) {3}/m.exec(output) ?? [];
    if ('SANDBOX_WEBHOOK_SECRET' in environment)
      assert.equal(secret, environment.SANDBOX_WEBHOOK_SECRET);
    const response = await fetch(`${address}/stripe/v1/payment_intents`, {
      method: 'POST',
      headers: { Authorization: 'Bearer sk_test_own' },
      body: new URLSearchParams({
        amount: '5000',
        currency: 'usd',
        confirm: 'true',
        payment_method: 'pm_card_visa',
        return_url: 'https://give.example/',
      }),
    });
    assert.equal(response.status, 200);
    const received = (await listener.waitForRequests(3)).splice(0);
    assert.deepEqual(
      received.map(({ body, headers }) => {
        const signature = headers['stripe-signature']!;
        return new Stripe('sk_test_own').webhooks.constructEvent(body, signature, secret).type;
      }),
      ['payment_intent.created', 'charge.succeeded', 'payment_intent.succeeded'],
    );
  }
});

test('--paypal-webhook-url receives webhooks of PayPal signed for the printed webhook ID', async (t) => {
  await using listener = await startWebhookListener();
  const output = await startSandboxCommand(t, ['--paypal-webhook-url', `${listener.url}/in`], {});
  const [, apiUrl = '', clientId = '', clientSecret = '', webhookId = ''] =
    /^PayPal +apiUrl (\S+), clientId (\S+), clientSecret (\S+), webhookId (\S+)$/m.exec(output) ??
    [];
  const client = new PayPalClient({ environment: 'sandbox', apiUrl, clientId, clientSecret });
  await client.call('POST', '/v1/catalogs/products', {
    body: { name: 'Donation', type: 'SERVICE' },
  });
  const [webhook] = await listener.waitForRequests(1);
  await new SignatureVerifier({ environment: 'sandbox', apiUrl }).verifyWebhook(
    webhook!.body,
    new Headers(webhook!.headers),
    webhookId,
  );
});
