import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  getStripeMethodFacts,
  STRIPE_METHODS,
  type StripeMethod,
} from '../../../src/core/donation/stripe-method-facts.ts';
import type {
  Payment,
  PaymentGateway,
  PaymentRequest,
} from '../../../src/server/payments/payment-gateway.ts';
import { createStripeGateway } from '../../../src/server/payments/stripe/stripe-gateway.ts';
import { BANKS, CARDS, startFakeStripe, type FakeStripe } from '../../fake-stripe.ts';

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

const getCurrency = (method: StripeMethod): string =>
  getStripeMethodFacts(method)?.currencies?.[0] ?? 'USD';

const REQUEST: Omit<PaymentRequest, 'currency'> = {
  reference: 'ABCDE-FGHJK',
  total: 5_181,
  frequency: 'once',
  donor: { name: 'Ana Souza', email: 'ana@example.org' },
  description: 'Lanternwell',
  language: 'en',
  receiptSender: 'none',
  returnUrl: 'https://lanternwell.example/give',
  token: 'ctoken_pending',
};

function createGateway(fake: FakeStripe, method: StripeMethod): PaymentGateway {
  return createStripeGateway({
    secretKey: fake.secretKey,
    webhookSecret: fake.webhookSecret,
    methods: [...new Set(['card', method])],
    apiUrl: fake.url,
  });
}

/** Pays as the server does, until the donor has to approve the payment. */
async function chargePayment(
  fake: FakeStripe,
  gateway: PaymentGateway,
  method: StripeMethod,
  changes: Partial<PaymentRequest> = {},
): Promise<Payment> {
  const request = { ...REQUEST, currency: getCurrency(method), ...changes };
  const token = fake.createConfirmationToken(TEST_NUMBERS[method] ?? method, {
    isRecurring: request.frequency !== 'once',
  });
  return gateway.chargePayment(await gateway.createPayment(request), { ...request, token });
}

const listTypes = (fake: FakeStripe): string[] =>
  fake.listPaymentIntents().at(-1)!.payment_method_types;

for (const method of METHODS) {
  const { completion, renewal, paymentMethodType } = STRIPE_METHODS[method];

  test(`charges a single donation by ${method} once`, async () => {
    await using fake = await startFakeStripe();
    const gateway = createGateway(fake, method);
    const confirmed = await chargePayment(fake, gateway, method);
    assert.equal(
      confirmed.status,
      { immediate: 'succeeded', redirect: 'requires_action', delayed: 'processing' }[completion],
    );
    if (completion === 'redirect') fake.completeAuthentication(confirmed.paymentId, true);
    if (completion === 'delayed') fake.settleDebit(confirmed.paymentId);
    const paid = await gateway.retrievePayment(confirmed);
    assert.deepEqual(
      [paid.status, paid.total, paid.currency, paid.method],
      ['succeeded', REQUEST.total, getCurrency(method), paymentMethodType],
    );
    assert.equal(fake.listCharges(REQUEST.reference).length, 1);
  });

  if (completion === 'redirect')
    test(`charges nothing if the donor cancels ${method}, and accepts another attempt`, async () => {
      await using fake = await startFakeStripe();
      const gateway = createGateway(fake, method);
      const canceled = await chargePayment(fake, gateway, method);
      fake.completeAuthentication(canceled.paymentId, false);
      const { status, reason } = await gateway.cancelPayment(canceled);
      assert.deepEqual([status, reason], ['failed', 'not-confirmed']);
      assert.equal(fake.listPaymentIntents()[0]!.status, 'canceled');
      const retried = await chargePayment(fake, gateway, method, { reference: 'ABCDE-FGHJM' });
      fake.completeAuthentication(retried.paymentId, true);
      assert.equal((await gateway.retrievePayment(retried)).status, 'succeeded');
      assert.deepEqual(fake.listCharges(REQUEST.reference), []);
    });

  if ('currencies' in STRIPE_METHODS[method])
    test(`leaves out ${method} in a currency that it does not support`, async () => {
      await using fake = await startFakeStripe();
      const gateway = createGateway(fake, method);
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
      const gateway = createGateway(fake, method);
      const request = {
        ...REQUEST,
        currency: getCurrency(method),
        frequency: 'monthly',
      } as const;
      await gateway.createPayment(request);
      assert.deepEqual(listTypes(fake), ['card']);
      assert.equal(
        fake.calls.filter((call) => call === 'POST /v1/subscriptions').length,
        1,
        'Stripe rejected no subscription',
      );
      const { paymentId } = await gateway.createPayment({
        ...request,
        reference: 'ABCDE-FGHJM',
        token: undefined,
      });
      assert.deepEqual(fake.getCheckoutSession(paymentId).allowed_payment_method_types, ['card']);
    });
  else
    test(`renews a monthly donation by ${method}`, async () => {
      await using fake = await startFakeStripe();
      const gateway = createGateway(fake, method);
      const confirmed = await chargePayment(fake, gateway, method, { frequency: 'monthly' });
      if (completion === 'redirect') fake.completeAuthentication(confirmed.paymentId, true);
      if (completion === 'delayed') fake.settleDebit(confirmed.paymentId);
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
    const results = await createGateway(fake, 'twint').runChecks!({
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
  const results = await createGateway(fake, 'paypal').runChecks!({
    webhookPath: '/webhooks/stripe/lanternwell',
    origins: [],
    minimums: [{ form: 'wells', currency: 'EUR', minimum: 100 }],
  });
  const { status, message } = results.find(({ name }) => name === 'stripe methods')!;
  assert.equal(status, 'fail');
  assert.match(
    message,
    /These payment methods are not activated in the account, so donors do not see them: paypal\./,
  );
});
