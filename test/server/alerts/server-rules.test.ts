import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Counter, Histogram, Registry } from 'prom-client';
import { ALERT_RULES } from '../../../src/server/alerts/alert-rules.ts';
import { MetricReader } from '../../../src/server/alerts/metric-reader.ts';

const MINUTE = 60_000;

test('server rules look at how much counters increased in their period', async () => {
  let time = 0;
  const registry = new Registry();
  const donations = new Counter({
    name: 'donation_form_donations_total',
    help: 'x',
    labelNames: ['organization', 'provider', 'status'],
    registers: [registry],
  });
  const requests = new Histogram({
    name: 'donation_form_http_request_duration_seconds',
    help: 'x',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.5, 5],
    registers: [registry],
  });
  const metrics = new MetricReader(registry, () => time);
  const listCauses = async (): Promise<string[]> => {
    await metrics.takeSnapshot();
    return ALERT_RULES.filter((rule) => rule.find(metrics).length > 0)
      .map(({ cause }) => cause)
      .filter((cause) => cause !== 'DonationFormDatabaseDown');
  };
  const count = (status: string, amount: number): void =>
    donations.inc({ organization: 'a', provider: 'stripe', status }, amount);
  count('accepted', 40);
  count('failed', 21);
  count('payment-failed', 3);
  const route = { method: 'POST', route: '/donations' };
  const webhook = { method: 'POST', route: '/webhooks/:provider/:organization', status: 503 };
  for (let repeated = 0; repeated < 20; repeated += 1) requests.observe(webhook, 0.1);
  assert.ok(!(await listCauses()).includes('DonationFormErrors'));
  for (let slow = 0; slow < 3; slow += 1) requests.observe({ ...route, status: 503 }, 6);
  assert.deepEqual(await listCauses(), [
    'DonationFormErrors',
    'DonationFormSlow',
    'DonationFormCardTesting',
    'DonationFormPaymentsFail',
    'DonationFormPaymentWebhooksFail',
  ]);
  time = 6 * MINUTE;
  for (let fast = 0; fast < 57; fast += 1) requests.observe({ ...route, status: 200 }, 0.1);
  assert.deepEqual(await listCauses(), [
    'DonationFormCardTesting',
    'DonationFormPaymentsFail',
    'DonationFormPaymentWebhooksFail',
  ]);
  time = 15 * MINUTE;
  assert.deepEqual(await listCauses(), ['DonationFormPaymentWebhooksFail']);
  time = 60 * MINUTE;
  assert.deepEqual(await listCauses(), []);
  count('accepted', 42);
  count('failed', 21);
  assert.deepEqual(await listCauses(), [], 'half of them succeeded');
});
