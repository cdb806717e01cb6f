import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  getStripeMethodFacts,
  STRIPE_METHODS,
  type StripeMethod,
} from '../../../src/core/donation/stripe-method-facts.ts';
import { BANKS, CARDS, type FakeStripe, startFakeStripe } from '../../fake-stripe.ts';
import { chargePayment, createGateway, REQUEST } from './stripe-support.ts';

const METHODS = Object.keys(STRIPE_METHODS) as StripeMethod[];

/** Test numbers of the methods whose name cannot be used as one. */
const TEST_NUMBERS: Partial<Record<StripeMethod, string>> = {
  card: CARDS.good,
  us_bank_account: BANKS.ach,
  sepa_debit: BANKS.sepa,
  bacs_debit: BANKS.bacs,
  au_becs_debit: BANKS.becs,
};

/** Only cards and Link support it. */
const FOREIGN_CURRENCY = 'BRL';

const listTypes = (fake: FakeStripe): string[] =>
  fake.listPaymentIntents().at(-1)!.payment_method_types;

for (const method of METHODS) {
  const { completion, renewal, paymentMethodType } = STRIPE_METHODS[method];
  const number = TEST_NUMBERS[method] ?? method;
  const currency = getStripeMethodFacts(method)?.currencies?.[0] ?? 'USD';
  const openGateway = (fake: FakeStripe) => createGateway(fake, [...new Set(['card', method])]);

  /** Completes a payment as the donor or the bank does. */
  function completePayment(fake: FakeStripe, paymentId: string): void {
    if (completion === 'redirect') fake.completeAuthentication(paymentId, true);
    if (completion === 'delayed') fake.settleDebit(paymentId);
  }

  test(`charges a single donation by ${method} once`, async () => {
    await using fake = await startFakeStripe();
    const gateway = openGateway(fake);
    const confirmed = await chargePayment(fake, gateway, number, { currency });
    assert.equal(
      confirmed.status,
      { immediate: 'succeeded', redirect: 'requires_action', delayed: 'processing' }[completion],
    );
    completePayment(fake, confirmed.paymentId);
    const paid = await gateway.retrievePayment(confirmed);
    assert.deepEqual(
      [paid.status, paid.total, paid.currency, paid.method],
      ['succeeded', REQUEST.total, currency, paymentMethodType],
    );
    assert.equal(fake.listCharges(REQUEST.reference).length, 1);
  });

  if (completion === 'redirect')
    test(`charges nothing if the donor cancels ${method}, and accepts another attempt`, async () => {
      await using fake = await startFakeStripe();
      const gateway = openGateway(fake);
      const canceled = await chargePayment(fake, gateway, number, { currency });
      fake.completeAuthentication(canceled.paymentId, false);
      const { status, reason } = await gateway.cancelPayment(canceled);
      assert.deepEqual([status, reason], ['failed', 'not-confirmed']);
      assert.equal(fake.listPaymentIntents()[0]!.status, 'canceled');
      const again = { currency, reference: 'ABCDE-FGHJM' };
      const retried = await chargePayment(fake, gateway, number, again);
      fake.completeAuthentication(retried.paymentId, true);
      assert.equal((await gateway.retrievePayment(retried)).status, 'succeeded');
      assert.deepEqual(fake.listCharges(REQUEST.reference), []);
    });

  if ('currencies' in STRIPE_METHODS[method])
    test(`leaves out ${method} in a currency that it does not support`, async () => {
      await using fake = await startFakeStripe();
      const gateway = openGateway(fake);
      const request = { ...REQUEST, currency: FOREIGN_CURRENCY };
      await gateway.createPayment(request);
      const [intent] = fake.listPaymentIntents();
      assert.deepEqual(intent!.allowed_payment_method_types, ['card']);
      await gateway.createPayment({ ...request, reference: 'ABCDE-FGHJM', frequency: 'monthly' });
      assert.deepEqual(listTypes(fake), ['card']);
    });

  if (renewal === 'none')
    test(`leaves out ${method}, which cannot be renewed, for recurring donations`, async () => {
      await using fake = await startFakeStripe();
      const gateway = openGateway(fake);
      const request = { ...REQUEST, currency, frequency: 'monthly' } as const;
      await gateway.createPayment(request);
      assert.deepEqual(listTypes(fake), ['card']);
      const calls = fake.calls.filter((call) => call === 'POST /v1/subscriptions');
      assert.equal(calls.length, 1, 'Stripe rejected no subscription');
      const hosted = { ...request, reference: 'ABCDE-FGHJM', token: undefined };
      const { paymentId } = await gateway.createPayment(hosted);
      assert.deepEqual(fake.getCheckoutSession(paymentId).allowed_payment_method_types, ['card']);
    });
  else
    test(`renews a monthly donation by ${method}`, async () => {
      await using fake = await startFakeStripe();
      const gateway = openGateway(fake);
      const monthly = { currency, frequency: 'monthly' } as const;
      const confirmed = await chargePayment(fake, gateway, number, monthly);
      completePayment(fake, confirmed.paymentId);
      const { status, subscriptionId } = await gateway.retrievePayment(confirmed);
      assert.equal(status, 'succeeded');
      fake.renewSubscription(subscriptionId!);
      const isDebit = completion === 'delayed' || renewal === 'sepa_debit';
      assert.equal(fake.listPaymentIntents().at(-1)!.status, isDebit ? 'processing' : 'succeeded');
      assert.equal(fake.listPaymentIntents().length, 2);
    });
}

test('the check names methods whose currency no form offers', async () => {
  await using fake = await startFakeStripe();
  const findCurrencyProblem = async (...currencies: string[]): Promise<string | undefined> => {
    const results = await createGateway(fake, ['card', 'twint']).runChecks!({
      webhookPath: '/webhooks/stripe/lanternwell',
      origins: [],
      minimums: currencies.map((currency) => ({ form: 'wells', currency, minimum: 100 })),
    });
    return results.find(({ name, status }) => name === 'stripe currencies' && status === 'fail')
      ?.message;
  };
  assert.match(
    (await findCurrencyProblem('EUR', 'USD')) ?? '',
    /No form offers a currency that these payment methods support, [^:]+: twint\./,
  );
  assert.equal(await findCurrencyProblem('EUR', 'CHF'), undefined);
});

test('the check names new methods that are not activated', async () => {
  await using fake = await startFakeStripe();
  fake.deactivatePaymentMethodType('paypal');
  const results = await createGateway(fake, ['card', 'paypal']).runChecks!({
    webhookPath: '/webhooks/stripe/lanternwell',
    origins: [],
    minimums: [{ form: 'wells', currency: 'EUR', minimum: 100 }],
  });
  const { status, message } = results.find(({ name }) => name === 'stripe methods')!;
  assert.equal(status, 'fail');
  assert.match(
    message,
    /These payment methods are not activated in the account, so .+ Stripe's page, where it is missing: paypal\./,
  );
});
