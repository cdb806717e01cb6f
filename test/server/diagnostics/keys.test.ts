import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSandbox } from '../../../src/sandbox/index.ts';
import { parseConfiguration } from '../../../src/server/config/load-configuration.ts';
import { runKeyChecks } from '../../../src/server/diagnostics/keys.ts';
import { listen } from '../../../src/server/http/listen.ts';
import { configuration } from '../support.ts';

const SIGNING_SECRET = `whsec_${Buffer.from('canary'.repeat(6)).toString('base64')}`;

test('checks each secret without printing it, and reports weak, shared, and rejected ones', async (t) => {
  const sandbox = createSandbox({
    platformKey: 'canary-platform',
    stripe: { secretKey: 'sk_test_canary1234' },
  });
  const listener = await listen(sandbox.fetch, { host: '127.0.0.1', port: 0 });
  t.after(async () => {
    await listener.close();
    sandbox.close();
  });
  const { organizations } = configuration.rawJson as { organizations: [object] };
  const parsed = parseConfiguration({
    ...(configuration.rawJson as object),
    admin: { port: 4103, key: { env: 'ADMIN' } },
    alerts: { webhook: { url: 'https://example.org/alerts', secret: { env: 'ALERTS' } } },
    organizations: [
      {
        ...organizations[0],
        payments: [
          {
            provider: 'stripe',
            apiUrl: `${listener.url}/stripe`,
            publicKey: 'pk_test_1',
            secretKey: { env: 'STRIPE' },
            webhookSecret: { env: 'STRIPE_WEBHOOK' },
          },
        ],
        platform: { adapter: 'sandbox', baseUrl: listener.url, apiKey: { env: 'PLATFORM' } },
        inboundWebhooks: [],
        webhooks: [{ url: 'https://example.org/hook', secret: { env: 'HOOK' } }],
      },
    ],
  });
  assert.ok('configuration' in parsed, JSON.stringify(parsed));
  const check = async (changes: Record<string, string | undefined>) => {
    const results = await runKeyChecks(parsed.configuration, {
      ADMIN: 'canary-admin-key-long',
      ALERTS: `whsec_${Buffer.alloc(32, 'canary2').toString('base64')}`,
      STRIPE: 'sk_test_canary1234',
      STRIPE_WEBHOOK: 'whsec_canary-of-stripe',
      PLATFORM: 'canary-platform',
      HOOK: SIGNING_SECRET,
      ...changes,
    });
    assert.doesNotMatch(JSON.stringify(results), /canary|aaaaaaaa/);
    return new Map(results.map(({ name, status, message }) => [name, `${status}: ${message}`]));
  };
  const good = await check({});
  assert.deepEqual(
    [...good.keys()],
    [
      'admin.key',
      'alerts.webhook.secret',
      'organizations.0.payments.0.secretKey',
      'organizations.0.payments.0.webhookSecret',
      'organizations.0.platform.apiKey',
      'organizations.0.webhooks.0.secret',
    ],
  );
  assert.equal(
    good.get('organizations.0.payments.0.secretKey'),
    'pass: From the STRIPE environment variable, in test mode; payments to lanternwell through ' +
      'Stripe.\nStripe accepts the key in test mode.',
  );
  assert.match(good.get('organizations.0.platform.apiKey')!, /^pass: .*\nThe platform accepts/);

  for (const [changes, place, expected] of [
    [
      { PLATFORM: 'other-value' },
      'organizations.0.platform.apiKey',
      /^fail: .*\n.* rejected the key/,
    ],
    [
      { PLATFORM: undefined },
      'organizations.0.platform.apiKey',
      /^fail: the PLATFORM environment variable is not set/,
    ],
    [
      { STRIPE: 'pk_test_x' },
      'organizations.0.payments.0.secretKey',
      /^fail: found a key of another type or mode/,
    ],
    [
      { STRIPE_WEBHOOK: 'x' },
      'organizations.0.payments.0.webhookSecret',
      /^fail: .*not a signing secret/,
    ],
    [
      { ADMIN: 'a'.repeat(20) },
      'admin.key',
      /^warning: .*\nThe secret has too few different characters/,
    ],
    [{ ADMIN: 'short' }, 'admin.key', /^fail: found a key of 5 characters/],
    [
      { ALERTS: SIGNING_SECRET },
      'alerts.webhook.secret',
      /^warning: .*\nOther secrets have the same value: organizations\.0\.webhooks\.0\.secret\./,
    ],
  ] as const)
    assert.match((await check(changes)).get(place)!, expected);
});
