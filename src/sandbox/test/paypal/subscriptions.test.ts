import assert from 'node:assert/strict';
import { addInterval } from '../../paypal/intervals.ts';
import {
  createActiveSubscription,
  createKey,
  createPlan,
  createSubscription,
  PLAN,
} from './payments-support.ts';
import { getIssue, getLink, type Json, type PayPalFixture, startPayPal, test } from './support.ts';

const SUBSCRIPTIONS = '/v1/billing/subscriptions';

interface BillingInfo {
  readonly outstanding_balance: Json;
  readonly failed_payments_count: number;
  readonly next_billing_time?: string;
  readonly last_payment?: Json;
}

async function getState(
  { call }: PayPalFixture,
  id: string,
): Promise<{ status: string; billing: BillingInfo }> {
  const { body } = await call('GET', `${SUBSCRIPTIONS}/${id}`);
  return { status: body.status, billing: body.billing_info as BillingInfo };
}

async function listTransactions(
  { call }: PayPalFixture,
  id: string,
): Promise<
  { id: string; status: string; time: string; amount_with_breakdown: { gross_amount: Json } }[]
> {
  const query = 'start_time=2020-01-01T00:00:00Z&end_time=2099-01-01T00:00:00Z';
  const { body } = await call('GET', `${SUBSCRIPTIONS}/${id}/transactions?${query}`);
  return body.transactions as never;
}

const toUsd = (value: string): Json => ({ currency_code: 'USD', value });

test('activates an approved subscription, and charges its first payment', async () => {
  await using fixture = await startPayPal({ now: () => new Date('2026-01-31T10:00:00Z') });
  const { paypal, call } = fixture;
  const { planId } = await createPlan(fixture);
  const created = await createSubscription(fixture, planId);
  assert.equal(created.status, 201);
  assert.equal(created.body.status, 'APPROVAL_PENDING');
  assert.match(
    getLink(created, 'approve') ?? '',
    /\/webapps\/billing\/subscriptions\?ba_token=BA-/,
  );
  paypal.approveSubscription(created.body.id);
  const { status, billing } = await getState(fixture, created.body.id);
  assert.equal(status, 'ACTIVE');
  assert.deepEqual(billing.last_payment, { amount: toUsd('20.00'), time: '2026-01-31T10:00:00Z' });
  assert.equal(billing.next_billing_time, '2026-03-01T10:00:00Z');
  const [payment] = await listTransactions(fixture, created.body.id);
  assert.equal(paypal.listCaptures('ABCDE-FGHJK')[0]?.id, payment?.id);
  const sale = await call('GET', `/v1/payments/sale/${payment?.id}`);
  assert.equal(sale.body.billing_agreement_id, created.body.id);
  assert.deepEqual(fixture.getEventTypes(), [
    'CATALOG.PRODUCT.CREATED',
    'BILLING.PLAN.CREATED',
    'BILLING.SUBSCRIPTION.CREATED',
    'BILLING.SUBSCRIPTION.ACTIVATED',
    'PAYMENT.SALE.COMPLETED',
  ]);
});

test('lets a test buyer approve a subscription on its page', async (fixture) => {
  const { planId } = await createPlan(fixture);
  const created = await createSubscription(fixture, planId);
  const url = getLink(created, 'approve')!;
  assert.match(await (await fetch(url)).text(), /Log in to pay \$20\.00 every month/);
  const response = await fetch(url, {
    method: 'POST',
    body: new URLSearchParams({
      buyer: 'buyer-us@example.com',
      funding: 'balance',
      action: 'approve',
    }),
  });
  assert.match(
    await response.text(),
    new RegExp(
      `example\\.org/give\\?step=done&amp;subscription_id=${created.body.id}&amp;ba_token=`,
    ),
  );
  assert.equal((await getState(fixture, created.body.id)).status, 'ACTIVE');
});

test('leaves the activation to the seller if the request says so', async (fixture) => {
  const { paypal, call } = fixture;
  const { planId } = await createPlan(fixture);
  const { body } = await createSubscription(fixture, planId, {
    application_context: {
      user_action: 'CONTINUE',
      return_url: 'https://example.org/give',
      cancel_url: 'https://example.org/give',
    },
  });
  paypal.approveSubscription(body.id);
  assert.equal((await getState(fixture, body.id)).status, 'APPROVED');
  const path = `${SUBSCRIPTIONS}/${body.id}/activate`;
  assert.equal((await call('POST', path, { body: { reason: 'Go' } })).status, 204);
  assert.equal((await getState(fixture, body.id)).status, 'ACTIVE');
  assert.equal((await listTransactions(fixture, body.id)).length, 1);
});

test('renews a subscription, and suspends it after too many failed payments', async (fixture) => {
  const { paypal, call, getEventTypes } = fixture;
  const id = await createActiveSubscription(fixture);
  paypal.renewSubscription(id);
  assert.equal((await listTransactions(fixture, id)).length, 2);
  paypal.failRenewal(id);
  const failed = await getState(fixture, id);
  assert.deepEqual(
    [failed.status, failed.billing.failed_payments_count, failed.billing.outstanding_balance],
    ['ACTIVE', 1, toUsd('20.00')],
  );
  paypal.failRenewal(id);
  const suspended = await getState(fixture, id);
  assert.equal(suspended.status, 'SUSPENDED');
  const captured = await call('POST', `${SUBSCRIPTIONS}/${id}/capture`, {
    requestId: createKey(),
    body: { note: 'Late', capture_type: 'OUTSTANDING_BALANCE', amount: toUsd('40.00') },
  });
  assert.equal(captured.status, 200);
  assert.equal(captured.body.status, 'COMPLETED');
  await call('POST', `${SUBSCRIPTIONS}/${id}/activate`, { body: { reason: 'Paid' } });
  assert.equal((await getState(fixture, id)).status, 'ACTIVE');
  assert.deepEqual(getEventTypes().slice(5), [
    'PAYMENT.SALE.COMPLETED',
    'BILLING.SUBSCRIPTION.PAYMENT.FAILED',
    'BILLING.SUBSCRIPTION.PAYMENT.FAILED',
    'BILLING.SUBSCRIPTION.SUSPENDED',
    'PAYMENT.SALE.COMPLETED',
    'BILLING.SUBSCRIPTION.RE-ACTIVATED',
  ]);
});

test('bills the outstanding balance with the next period if the plan says so', async (fixture) => {
  const { paypal } = fixture;
  const id = await createActiveSubscription(fixture, {
    payment_preferences: { auto_bill_outstanding: true, payment_failure_threshold: 0 },
  });
  paypal.failRenewal(id);
  paypal.renewSubscription(id);
  const { status, billing } = await getState(fixture, id);
  assert.deepEqual([status, billing.outstanding_balance], ['ACTIVE', toUsd('0.00')]);
  const payments = await listTransactions(fixture, id);
  assert.deepEqual(payments.at(-1)?.amount_with_breakdown.gross_amount, toUsd('40.00'));
});

test('fails the first payment of a buyer whose card is declined', async (fixture) => {
  const { paypal } = fixture;
  const { planId } = await createPlan(fixture);
  const { body } = await createSubscription(fixture, planId);
  paypal.approveSubscription(body.id, { funding: 'declined' });
  const { status, billing } = await getState(fixture, body.id);
  assert.deepEqual([status, billing.failed_payments_count], ['ACTIVE', 1]);
  assert.deepEqual(await listTransactions(fixture, body.id), []);
});

test('suspends, cancels, and expires subscriptions', async (fixture) => {
  const { paypal, call } = fixture;
  const id = await createActiveSubscription(fixture);
  const postAction = (action: string): Promise<{ status: number; body: Json }> =>
    call('POST', `${SUBSCRIPTIONS}/${id}/${action}`, { body: { reason: 'The donor asked' } });
  assert.equal(getIssue(await postAction('activate')), 'SUBSCRIPTION_STATUS_INVALID');
  assert.equal((await postAction('suspend')).status, 204);
  assert.equal(getIssue(await postAction('suspend')), 'SUBSCRIPTION_STATUS_INVALID');
  assert.equal((await postAction('cancel')).status, 204);
  assert.equal((await getState(fixture, id)).status, 'CANCELLED');
  assert.equal(getIssue(await postAction('cancel')), 'SUBSCRIPTION_STATUS_INVALID');
  const limited = await createActiveSubscription(fixture, {
    billing_cycles: [{ ...PLAN.billing_cycles[0], total_cycles: 2 }],
  });
  paypal.renewSubscription(limited);
  assert.equal((await getState(fixture, limited)).status, 'EXPIRED');
  const pending = await createPlan(fixture);
  const { body } = await createSubscription(fixture, pending.planId);
  const early = await call('POST', `${SUBSCRIPTIONS}/${body.id}/cancel`, {
    body: { reason: 'Too early' },
  });
  assert.equal(getIssue(early), 'SUBSCRIPTION_STATUS_INVALID');
});

test('prices a subscription by its plan, an override, or a quantity', async (fixture) => {
  const { paypal } = fixture;
  const { planId } = await createPlan(fixture, { quantity_supported: true });
  const subscribeAndGetCharge = async (fields: Json): Promise<unknown> => {
    const created = await createSubscription(fixture, planId, fields);
    if (created.status !== 201) return getIssue(created);
    paypal.approveSubscription(created.body.id);
    const [payment] = await listTransactions(fixture, created.body.id);
    return payment?.amount_with_breakdown.gross_amount;
  };
  const createPriceOverride = (money: Json, sequence = 1): Json => ({
    plan: { billing_cycles: [{ sequence, pricing_scheme: { fixed_price: money } }] },
  });
  assert.deepEqual(await subscribeAndGetCharge({}), toUsd('20.00'));
  assert.deepEqual(await subscribeAndGetCharge({ quantity: '3' }), toUsd('60.00'));
  assert.deepEqual(await subscribeAndGetCharge(createPriceOverride(toUsd('7.50'))), toUsd('7.50'));
  assert.equal(
    await subscribeAndGetCharge(createPriceOverride({ currency_code: 'EUR', value: '7.50' })),
    'CURRENCY_MISMATCH',
  );
  assert.equal(
    await subscribeAndGetCharge(createPriceOverride(toUsd('7.505'))),
    'INVALID_PARAMETER_VALUE',
  );
  assert.equal(
    await subscribeAndGetCharge(createPriceOverride(toUsd('7.50'), 2)),
    'INVALID_BILLING_CYCLE_SEQUENCE',
  );
  const single = await createPlan(fixture);
  const rejected = await createSubscription(fixture, single.planId, { quantity: '3' });
  assert.equal(getIssue(rejected), 'SUBSCRIPTION_CANNOT_HAVE_QUANTITY');
});

test('shows the plan of a subscription on request, with the overridden price', async (fixture) => {
  const { call } = fixture;
  const { planId } = await createPlan(fixture);
  const { body } = await createSubscription(fixture, planId, {
    plan: {
      billing_cycles: [
        { sequence: 1, total_cycles: 0, pricing_scheme: { fixed_price: toUsd('7.50') } },
      ],
    },
  });
  const shown = await call('GET', `${SUBSCRIPTIONS}/${body.id}?fields=plan`);
  const { billing_cycles } = shown.body.plan as {
    billing_cycles: [{ pricing_scheme: Json; frequency: Json }];
  };
  assert.deepEqual(billing_cycles[0].pricing_scheme, { version: 1, fixed_price: toUsd('7.50') });
  assert.deepEqual(billing_cycles[0].frequency, { interval_unit: 'MONTH', interval_count: 1 });
});

test('starts a subscription only for an active plan, and not in the past', async (fixture) => {
  const { paypal, call } = fixture;
  const unknown = await createSubscription(fixture, 'P-5ML4271244454362WXNWU5NQ');
  assert.deepEqual([unknown.status, getIssue(unknown)], [404, 'INVALID_RESOURCE_ID']);
  const { planId } = await createPlan(fixture);
  const past = await createSubscription(fixture, planId, { start_time: '2020-01-01T00:00:00Z' });
  assert.deepEqual([past.status, getIssue(past)], [400, 'INVALID_PARAMETER_VALUE']);
  const future = await createSubscription(fixture, planId, { start_time: '2099-01-01T00:00:00Z' });
  paypal.approveSubscription(future.body.id);
  assert.deepEqual(await listTransactions(fixture, future.body.id), []);
  await call('POST', `/v1/billing/plans/${planId}/deactivate`);
  const inactive = await createSubscription(fixture, planId);
  assert.equal(getIssue(inactive), 'PLAN_STATUS_INVALID');
});

test('refunds and reverses payments of a subscription as sales', async (fixture) => {
  const { paypal, call, getEventTypes } = fixture;
  const id = await createActiveSubscription(fixture);
  const [payment] = await listTransactions(fixture, id);
  const refund = await call('POST', `/v1/payments/sale/${payment!.id}/refund`, {
    requestId: createKey(),
    body: { amount: { currency: 'USD', total: '5.00' } },
  });
  assert.equal(refund.status, 201);
  const sale = await call('GET', `/v1/payments/sale/${payment!.id}`);
  assert.equal(sale.body.state, 'partially_refunded');
  paypal.reversePayment(payment!.id);
  assert.deepEqual(getEventTypes().slice(-2), ['PAYMENT.SALE.REFUNDED', 'PAYMENT.SALE.REVERSED']);
});

test('keeps an eCheck of a subscription pending until it clears', async (fixture) => {
  const { paypal, getEventTypes } = fixture;
  const { planId } = await createPlan(fixture);
  const { body } = await createSubscription(fixture, planId);
  paypal.approveSubscription(body.id, { funding: 'echeck' });
  const [payment] = await listTransactions(fixture, body.id);
  assert.equal(payment?.status, 'PENDING');
  paypal.declinePending(payment.id);
  assert.deepEqual(getEventTypes().slice(-2), ['PAYMENT.SALE.PENDING', 'PAYMENT.SALE.DENIED']);
});

test('checks plans and products', async (fixture) => {
  const { call } = fixture;
  const { productId, planId } = await createPlan(fixture);
  const createOther = (fields: Json): Promise<{ body: Json }> =>
    call('POST', '/v1/billing/plans', {
      body: { ...PLAN, product_id: productId, ...fields },
      isWrong: true,
    });
  const cycle = PLAN.billing_cycles[0]!;
  const createPlanPrice = (currency_code: string, value: string): Json => ({
    billing_cycles: [{ ...cycle, pricing_scheme: { fixed_price: { currency_code, value } } }],
  });
  for (const [fields, issue] of [
    [{ product_id: 'PROD-UNKNOWN' }, 'INVALID_RESOURCE_ID'],
    [{ billing_cycles: [] }, 'INVALID_PARAMETER_VALUE'],
    [{ billing_cycles: [{ ...cycle, tenure_type: 'TRIAL' }] }, 'MISSING_REGULAR_BILLING_CYCLE'],
    [{ billing_cycles: [{ ...cycle, sequence: 2 }] }, 'INVALID_BILLING_CYCLE_SEQUENCE'],
    [createPlanPrice('ISK', '500'), 'CURRENCY_NOT_SUPPORTED_FOR_RECEIVER'],
    [createPlanPrice('JPY', '500.5'), 'INVALID_PARAMETER_VALUE'],
    [{ name: 'x'.repeat(128) }, 'INVALID_STRING_MAX_LENGTH'],
  ] as const)
    assert.equal(getIssue(await createOther(fields)), issue);
  assert.equal((await call('GET', `/v1/billing/plans/${planId}`)).body.status, 'ACTIVE');
  const list = await call('GET', `/v1/billing/plans?product_id=${productId}&total_required=true`);
  assert.equal(list.body.total_items, 1);
  const again = await call('POST', '/v1/catalogs/products', {
    body: { id: 'DONATION', name: 'Donation', type: 'SERVICE' },
  });
  assert.equal(again.body.id, 'DONATION');
  const duplicate = await call('POST', '/v1/catalogs/products', {
    body: { id: 'DONATION', name: 'Donation', type: 'SERVICE' },
  });
  assert.equal(getIssue(duplicate), 'DUPLICATE_RESOURCE_IDENTIFIER');
});

test('renews subscriptions and clears eChecks as of the times when they are due', async () => {
  let time = Date.UTC(2026, 0, 31, 10);
  await using fixture = await startPayPal({ now: () => new Date(time) });
  const { paypal } = fixture;
  const { planId } = await createPlan(fixture);
  const createApprovedSubscription = async (
    funding: 'balance' | 'echeck' | 'expiring',
  ): Promise<string> => {
    const { body } = await createSubscription(fixture, planId);
    paypal.approveSubscription(body.id, { funding });
    return body.id;
  };
  const paying = await createApprovedSubscription('balance');
  const expiring = await createApprovedSubscription('expiring');
  const debited = await createApprovedSubscription('echeck');
  time = Date.UTC(2026, 3, 1, 10);
  paypal.runDueTasks();
  await fixture.renewToken();
  const listTimes = async (id: string): Promise<string[]> =>
    (await listTransactions(fixture, id)).map((payment) => payment.time);
  assert.deepEqual(await listTimes(paying), [
    '2026-01-31T10:00:00Z',
    '2026-03-01T10:00:00Z',
    '2026-04-01T10:00:00Z',
  ]);
  assert.equal((await getState(fixture, expiring)).status, 'SUSPENDED');
  const statuses = (await listTransactions(fixture, debited)).map(({ status }) => status);
  assert.deepEqual(statuses, ['COMPLETED', 'COMPLETED', 'PENDING']);
});

test("charges on the first of the next month if a month has no such day, as PayPal's guide shows", () => {
  for (const [unit, count, ...dates] of [
    ['WEEK', 1, '2025-12-23', '2025-12-30', '2026-01-06'],
    ['MONTH', 1, '2025-07-31', '2025-08-31', '2025-10-01', '2025-11-01'],
    ['MONTH', 1, '2025-12-30', '2026-01-30', '2026-03-01', '2026-04-01'],
    ['MONTH', 1, '2028-01-29', '2028-02-29', '2028-03-29'],
    ['YEAR', 1, '2028-02-29', '2029-03-01', '2030-03-01'],
    ['MONTH', 6, '2026-10-31', '2027-05-01', '2027-11-01'],
  ] as const) {
    for (const [index, date] of dates.slice(1).entries())
      assert.equal(addInterval(`${dates[index]}T23:59:59Z`, { unit, count }), `${date}T23:59:59Z`);
  }
});
