import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import Stripe from 'stripe';
import { BRITISH_PRICING, startFakeStripe } from '../../fake-stripe.ts';

test('the tests of npm test stripe pass in a British account that is in use', async () => {
  await using fakeStripe = await startFakeStripe({ pricing: BRITISH_PRICING });
  const { secretKey, host, port, url } = fakeStripe;
  const stripe = new Stripe(secretKey, { host, port, protocol: 'http', telemetry: false });
  // Objects that other programs created in the account during the tests.
  await stripe.customers.create({ name: 'Bram', email: 'bram@example.org' });
  for (const metadata of [{}, { donation_form_reference: 'ABCDE-FGHJK' }])
    await stripe.paymentIntents.create({
      amount: 2_000,
      currency: 'gbp',
      metadata,
      confirm: true,
      payment_method: 'pm_card_visa',
      return_url: 'https://example.org/shop',
    });
  const child = spawn(
    process.execPath,
    ['--test', '--test-reporter=tap', 'test/server/payments/stripe-test-mode.ts'],
    {
      env: {
        ...process.env,
        NODE_TEST_CONTEXT: undefined,
        STRIPE_TEST_SECRET_KEY: secretKey,
        STRIPE_TEST_API_URL: url,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const [output] = await Promise.all([text(child.stdout), once(child, 'close')]);
  assert.equal(child.exitCode, 0, output);
  assert.match(output, /^# pass [1-9]\d+$/m);
});
