import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DONATION_FREQUENCIES } from '../../../src/core/donation/frequency.ts';
import type { PaymentMethodType } from '../../../src/core/donation/payment-method-type.ts';
import { createReference } from '../../../src/server/donations/reference.ts';
import type {
  ListedPayment,
  Payment,
  PaymentEvent,
  PaymentGateway,
  PaymentRequest,
} from '../../../src/server/payments/payment-gateway.ts';

/** Payment methods that the tests create tokens from. */
export type TestPaymentMethod =
  | 'good'
  | 'declined'
  | 'insufficient funds'
  | 'expired'
  | 'asks'
  | 'fails when renewed'
  | 'bank debit'
  | 'failing bank debit';

export const RECURRING_FREQUENCIES = DONATION_FREQUENCIES.filter(
  (frequency) => frequency !== 'once',
);

/** Controls of a {@link TestProvider} by the capability that they test. */
export const CONTROLS = {
  charges: ['listCharges'],
  tokens: ['createToken'],
  'hosted page': ['payOnPage'],
  authentication: ['authenticate'],
  'bank debits': ['settle'],
  webhooks: ['listWebhooks', 'signWebhook'],
  renewals: ['renew', 'cancelSubscription'],
  refunds: ['refund'],
  disputes: ['dispute', 'closeDispute'],
  lists: [],
} as const satisfies Record<string, readonly (keyof TestProvider)[]>;

export type Capability = keyof typeof CONTROLS;

/** Capabilities that a provider lacks, each with the reason. Their tests do not apply to it. */
export type MissingCapabilities = Readonly<Partial<Record<Capability, string>>>;

/** A payment provider under test. */
export interface TestProvider extends AsyncDisposable {
  readonly gateway: PaymentGateway;
  /** Absent if donors approve payments on the provider's page, or pay without a provider. */
  readonly createToken?: (
    method: TestPaymentMethod,
    frequency?: PaymentRequest['frequency'],
  ) => Promise<string>;
  /** Approves a payment on the provider's page as the donor; `confirm` then charges it. */
  readonly approve?: (payment: Payment, method: TestPaymentMethod) => Promise<unknown>;
  /** Recorded payment method, if it is the same for cards and bank accounts. */
  readonly methodType?: PaymentMethodType;
  /** Lists the amounts that the provider charged for a reference, in our minor units. */
  readonly listCharges?: (reference: string) => Promise<number[]>;
  readonly returnUrl: string;
  /** Fee and net payout of a charge of 51.81 USD. Defaults to those of a US account of Stripe. */
  readonly expectedCost?: ListedPayment['cost'];
  /** Confirms or refuses the authentication as the donor. */
  readonly authenticate?: (payment: Payment, agrees: boolean) => Promise<unknown>;
  /** Pays on the provider's hosted page as the donor. */
  readonly payOnPage?: (page: string) => Promise<unknown>;
  /** Settles or rejects a pending bank debit, depending on the account. */
  readonly settle?: (payment: Payment) => Promise<unknown>;
  /** Advances time by one billing period. */
  readonly renew?: (payment: Payment) => Promise<unknown>;
  readonly cancelSubscription?: (payment: Payment) => Promise<unknown>;
  readonly refund?: (payment: Payment, amount?: number) => Promise<unknown>;
  readonly dispute?: (payment: Payment) => Promise<unknown>;
  readonly closeDispute?: (payment: Payment, end: 'won' | 'lost') => Promise<unknown>;
  /** Lists the webhooks sent so far. */
  readonly listWebhooks?: () => Promise<
    readonly { readonly body: string; readonly headers: Headers }[]
  >;
  /** Signs a webhook as the provider does at this time. */
  readonly signWebhook?: (body: string, time: Date) => Promise<Headers>;
}

/** A provider with the controls that test these capabilities. */
type WithControls<Needed extends Capability> = TestProvider &
  Required<Pick<TestProvider, (typeof CONTROLS)[Needed][number]>>;

export const createPaymentRequest = (options: Partial<PaymentRequest> = {}): PaymentRequest => ({
  reference: '7K4M9-QXD2P',
  total: 5_181,
  currency: 'USD',
  frequency: 'once',
  donor: { name: 'Ana Souza', email: 'ana@example.org' },
  description: 'Lanternwell 7K4M9-QXD2P',
  language: 'en',
  receiptSender: 'none',
  token: undefined,
  returnUrl: 'https://lanternwell.example/give?src=mail',
  ...options,
});

export type CreateRequest = (options?: Partial<PaymentRequest>) => PaymentRequest;

/** Adds a test of a provider, unless the provider lacks a capability that the test needs. */
export type AddTest = <Needed extends Capability>(
  title: string,
  needs: readonly Needed[],
  check: (provider: WithControls<Needed>, createRequest: CreateRequest) => Promise<void>,
) => void;

/** @param open opens the provider for each test. */
export function createAddTest(
  name: string,
  missing: MissingCapabilities,
  open: () => Promise<TestProvider>,
): AddTest {
  return (title, needs, check) => {
    if (needs.some((capability) => missing[capability] !== undefined)) return;
    test(`${name}: ${title}`, async () => {
      await using provider = await open();
      for (const capability of needs) assert.ok(hasControls(provider, capability), capability);
      await check(provider as Parameters<typeof check>[0], (options = {}) =>
        createPaymentRequest({
          reference: createReference(Date.now()),
          token: provider.createToken && 'tok',
          returnUrl: provider.returnUrl,
          ...options,
        }),
      );
    });
  };
}

/** Returns true if the provider has all controls and methods that test a capability. */
export function hasControls(provider: TestProvider, capability: Capability): boolean {
  const { gateway } = provider;
  if (capability === 'lists') return 'iteratePayments' in gateway && 'listEvents' in gateway;
  if (capability === 'webhooks' && !('verifyAndFetchEvents' in gateway)) return false;
  return CONTROLS[capability].every((control) => provider[control] !== undefined);
}

/** Creates a payment that `confirm` charges, and the request to confirm it with. */
export async function preparePayment(
  { gateway, createToken, approve }: TestProvider,
  request: PaymentRequest,
  method: TestPaymentMethod = 'good',
): Promise<[Payment, PaymentRequest]> {
  const created = await gateway.createPayment(request);
  if (createToken)
    return [created, { ...request, token: await createToken(method, request.frequency) }];
  assert.equal(created.status, 'requires_action');
  await approve!(created, method);
  const approved = await gateway.retrievePayment(created);
  assert.deepEqual(
    [approved.status, approved.total, approved.currency],
    ['approved', request.total, request.currency],
  );
  return [approved, request];
}

/** Creates and confirms a payment. */
export async function chargePayment(
  provider: TestProvider,
  request: PaymentRequest,
  method: TestPaymentMethod = 'good',
): Promise<Payment> {
  return provider.gateway.chargePayment(...(await preparePayment(provider, request, method)));
}

/** Reads the latest version of each event from the webhooks, by its ID. */
export async function listPaymentEvents(
  { gateway, listWebhooks }: TestProvider,
  order: 'as sent' | 'reversed twice over' = 'as sent',
): Promise<Map<string, PaymentEvent>> {
  const sent = await listWebhooks!();
  const delivered = order === 'as sent' ? sent : [...sent.toReversed(), ...sent.toReversed()];
  const paymentEvents: PaymentEvent[] = [];
  for (const { body, headers } of delivered)
    paymentEvents.push(...(await gateway.verifyAndFetchEvents!(body, headers)));
  return new Map(
    paymentEvents.map((paymentEvent) => [
      'id' in paymentEvent ? paymentEvent.id : `payment ${paymentEvent.paymentId}`,
      paymentEvent,
    ]),
  );
}
