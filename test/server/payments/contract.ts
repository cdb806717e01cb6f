import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { test } from 'node:test';
import type { PaymentMethodType } from '../../../src/core/donation/payment-method.ts';
import {
  NotChargedError,
  InvalidSignatureError,
  type PaymentRequest,
  type PaymentEvent,
  type Payment,
  type ListedPayment,
  type PaymentGateway,
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

/**
 * A payment provider under test. Tests of controls that it lacks are not run.
 */
export interface TestProvider extends AsyncDisposable {
  readonly gateway: PaymentGateway;
  /** Absent if donors approve payments on the provider's page. */
  readonly createToken?: (
    method: TestPaymentMethod,
    frequency?: PaymentRequest['frequency'],
  ) => Promise<string>;
  /** Approves a payment on the provider's page as the donor; `confirm` then charges it. */
  readonly approve?: (payment: Payment, method: TestPaymentMethod) => Promise<unknown>;
  /** Recorded payment method, if it is the same for cards and bank accounts. */
  readonly methodType?: PaymentMethodType;
  /**
   * Lists the amounts that the provider charged for a reference, in our minor units.
   */
  readonly listCharges: (reference: string) => Promise<number[]>;
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

const REFERENCE_CHARACTERS = '23456789ABCDEFGHJKMNPQRSTVWXYZ';
const createReference = (): string =>
  Array.from({ length: 11 }, (_, index) =>
    index === 5 ? '-' : REFERENCE_CHARACTERS[randomInt(REFERENCE_CHARACTERS.length)],
  ).join('');

/** Tests the contract of every payment provider: docs/payment-providers.md. */
export function testGateway(name: string, open: () => Promise<TestProvider>): void {
  const testPromise = (
    title: string,
    check: (
      provider: TestProvider,
      gift: (options?: Partial<PaymentRequest>) => PaymentRequest,
    ) => Promise<void>,
  ): void => {
    test(`${name}: ${title}`, async () => {
      await using provider = await open();
      await check(provider, (options = {}) => ({
        reference: createReference(),
        total: 5_181,
        currency: 'USD',
        frequency: 'once',
        donor: { name: 'Ana Souza', email: 'ana@example.org' },
        description: 'Lanternwell 7K4M9-QXD2P',
        language: 'en',
        receiptSender: 'none',
        token: provider.createToken && 'tok',
        returnUrl: provider.returnUrl,
        ...options,
      }));
    });
  };
  /** Creates a payment that `confirm` charges, and the request to confirm it with. */
  const prepare = async (
    { gateway, createToken, approve }: TestProvider,
    gift: PaymentRequest,
    method: TestPaymentMethod = 'good',
  ): Promise<[Payment, PaymentRequest]> => {
    if (createToken)
      return [
        await gateway.create(gift),
        { ...gift, token: await createToken(method, gift.frequency) },
      ];
    const created = await gateway.create(gift);
    assert.equal(created.status, 'requires_action');
    await approve!(created, method);
    const approved = await gateway.retrieve(created);
    assert.deepEqual(
      [approved.status, approved.total, approved.currency],
      ['approved', gift.total, gift.currency],
    );
    return [approved, gift];
  };
  /** Creates and confirms a payment. */
  const pay = async (
    provider: TestProvider,
    gift: PaymentRequest,
    method: TestPaymentMethod = 'good',
  ): Promise<Payment> => provider.gateway.confirm(...(await prepare(provider, gift, method)));

  testPromise(
    'creates one payment for each reference without charging it',
    async ({ gateway, approve, listCharges }, gift) => {
      const one = gift();
      const [first, second] = [await gateway.create(one), await gateway.create(one)];
      assert.deepEqual(
        [first.status, first.total, first.currency, second.paymentId],
        [approve ? 'requires_action' : 'unconfirmed', 5_181, 'USD', first.paymentId],
      );
      assert.notEqual((await gateway.create(gift())).paymentId, first.paymentId);
      assert.deepEqual(await listCharges(one.reference), []);
    },
  );

  testPromise(
    'passes its check without charging anything',
    async ({ gateway, listCharges }, gift) => {
      const [first] =
        (await gateway.runChecks?.({
          webhookPath: '/webhooks/this/lanternwell',
          origins: ['https://lanternwell.example'],
          minimums: [{ form: 'wells', currency: 'USD', minimum: 100 }],
        })) ?? [];
      assert.equal(first?.status ?? 'pass', 'pass', first?.message);
      assert.deepEqual(await listCharges(gift().reference), []);
    },
  );

  testPromise(
    'charges a valid card the agreed amount, and retrieves the same payment',
    async (provider, gift) => {
      const one = gift();
      const payment = await pay(provider, one);
      assert.deepEqual(
        [payment.status, payment.total, payment.currency, payment.method],
        ['succeeded', 5_181, 'USD', provider.methodType ?? 0],
      );
      assert.deepEqual(await provider.gateway.retrieve(payment), payment);
      assert.deepEqual(await provider.listCharges(one.reference), [5_181]);
    },
  );

  testPromise(
    'charges once if it is confirmed ten times concurrently with different cards',
    async (provider, gift) => {
      const { gateway, createToken, listCharges } = provider;
      const one = gift();
      const [payment, request] = await prepare(provider, one);
      const requests = await Promise.all(
        Array.from({ length: 10 }, async () => ({
          ...request,
          token: await createToken?.('good'),
        })),
      );
      const responses = await Promise.allSettled(
        requests.map((each) => gateway.confirm(payment, each)),
      );
      assert.ok(
        responses.some(
          (answer) => answer.status === 'fulfilled' && answer.value.status === 'succeeded',
        ),
      );
      assert.deepEqual(
        [await listCharges(one.reference), (await gateway.retrieve(payment)).status],
        [[5_181], 'succeeded'],
      );
    },
  );

  for (const method of ['declined', 'insufficient funds', 'expired'] as const) {
    testPromise(`declines a card with ${method} for good`, async (provider, gift) => {
      const one = gift();
      const payment = await pay(provider, one, method);
      assert.deepEqual([payment.status, payment.reason], ['failed', 'card-declined']);
      assert.deepEqual(await provider.listCharges(one.reference), []);
      // An order of PayPal would accept another card, but the server does not confirm it again.
      if (!provider.createToken) return;
      assert.equal((await provider.gateway.retrieve(payment)).status, 'failed');
      const again = await provider.gateway
        .confirm(payment, { ...one, token: await provider.createToken('good') })
        .catch((error: unknown) => error);
      assert.ok(again instanceof NotChargedError || (again as Payment).status === 'failed');
      assert.deepEqual(await provider.listCharges(one.reference), []);
    });
  }

  testPromise(
    'rejects an unknown token or a missing approval with the certainty that nothing was charged',
    async ({ gateway, createToken, listCharges }, gift) => {
      for (const frequency of ['once', 'monthly'] as const) {
        const one = gift({ frequency });
        const token = createToken && 'ctoken_unknown';
        await assert.rejects(
          gateway.confirm(await gateway.create(one), { ...one, token }).then((payment) => {
            // Retrieved after the rejection: still to be approved by the donor.
            if (payment.status === 'requires_action') throw new NotChargedError(payment.status);
          }),
          NotChargedError,
        );
        assert.deepEqual(await listCharges(one.reference), []);
      }
    },
  );

  testPromise(
    'never charges a canceled payment',
    async ({ gateway, createToken, listCharges }, gift) => {
      const one = gift();
      const payment = await gateway.create(one);
      assert.equal((await gateway.cancel(payment)).status, 'failed');
      const late = await gateway
        .confirm(payment, { ...one, token: await createToken?.('good') })
        .catch((error: unknown) => error);
      // The donor can no longer pay with a token. The server does not confirm an approval.
      assert.ok(
        late instanceof NotChargedError ||
          (late as Payment).status === (createToken ? 'failed' : 'requires_action'),
      );
      assert.deepEqual(await listCharges(one.reference), []);
    },
  );

  testPromise(
    'returns succeeded when canceling a payment that was already charged',
    async (provider, gift) => {
      const payment = await pay(provider, gift());
      assert.equal((await provider.gateway.cancel(payment)).status, 'succeeded');
    },
  );

  testPromise(
    'charges the first payment of a recurring donation once, and links it to a subscription',
    async (provider, gift) => {
      for (const frequency of [
        'weekly',
        'everyOtherWeek',
        'monthly',
        'quarterly',
        'biannual',
        'annually',
      ] as const) {
        const one = gift({ frequency });
        const payment = await pay(provider, one);
        assert.deepEqual(
          [payment.status, typeof payment.subscriptionId],
          ['succeeded', 'string'],
          frequency,
        );
        assert.deepEqual(await provider.listCharges(one.reference), [5_181], frequency);
      }
    },
  );

  testPromise('starts no subscription if the first payment is declined', async (provider, gift) => {
    const one = gift({ frequency: 'monthly' });
    const payment = await pay(provider, one, 'declined');
    assert.deepEqual(
      [payment.status, (await provider.gateway.retrieve(payment)).status],
      ['failed', 'failed'],
    );
    assert.deepEqual(await provider.listCharges(one.reference), []);
  });

  testPromise(
    "lets a donor pay on the provider's hosted page without a token",
    async (provider, gift) => {
      const { gateway, payOnPage, listCharges } = provider;
      if (!payOnPage) return;
      for (const frequency of ['once', 'monthly'] as const) {
        const one = gift({ token: undefined, frequency });
        const opened = await gateway.create(one);
        assert.equal(opened.status, 'requires_action');
        assert.ok(opened.action?.kind === 'redirect');
        assert.equal((await gateway.retrieve(opened)).status, 'requires_action');
        await payOnPage(opened.action.url);
        const paid = await gateway.retrieve(opened);
        assert.deepEqual(
          [
            paid.status,
            paid.total,
            paid.currency,
            await listCharges(one.reference),
            paid.subscriptionId !== undefined,
          ],
          ['succeeded', 5_181, 'USD', [5_181], frequency === 'monthly'],
        );
        const left = await gateway.create(gift({ token: undefined, frequency }));
        assert.equal((await gateway.cancel(left)).status, 'failed');
      }
    },
  );

  testPromise(
    'charges only after authentication, and never if the donor refuses it',
    async (provider, gift) => {
      const { gateway, authenticate, listCharges } = provider;
      if (!authenticate) return;
      for (const [agrees, status, taken] of [
        [true, 'succeeded', [5_181]],
        [false, 'failed', []],
      ] as const) {
        const one = gift();
        const asked = await pay(provider, one, 'asks');
        assert.equal(asked.status, 'requires_action');
        assert.deepEqual(await listCharges(one.reference), []);
        assert.deepEqual((await gateway.retrieve(asked)).action, asked.action);
        await authenticate(asked, agrees);
        assert.deepEqual(
          [(await gateway.retrieve(asked)).status, await listCharges(one.reference)],
          [status, taken],
        );
      }
      const one = gift();
      const left = await pay(provider, one, 'asks');
      assert.deepEqual(
        [(await gateway.cancel(left)).status, await listCharges(one.reference)],
        ['failed', []],
      );
    },
  );

  testPromise(
    'keeps a bank debit processing until the bank pays or rejects it',
    async (provider, gift) => {
      const { gateway, settle, listCharges } = provider;
      if (!settle) return;
      for (const [method, status, taken] of [
        ['bank debit', 'succeeded', [5_181]],
        ['failing bank debit', 'failed', []],
      ] as const) {
        const one = gift();
        const payment = await pay(provider, one, method);
        assert.deepEqual([payment.status, payment.total], ['processing', 5_181]);
        await settle(payment);
        const settled = await gateway.retrieve(payment);
        assert.deepEqual([settled.status, await listCharges(one.reference)], [status, taken]);
        if (status === 'succeeded') assert.equal(settled.method, provider.methodType ?? 1);
      }
    },
  );

  /** Reads the latest version of each event from the webhooks, in any order. */
  const listPaymentEvents = async (
    { gateway, listWebhooks }: TestProvider,
    order: 'as sent' | 'reversed twice over' = 'as sent',
  ): Promise<Map<string, PaymentEvent>> => {
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
  };
  const kinds = (paymentEvents: Map<string, PaymentEvent>): string[] =>
    [...paymentEvents.values()]
      .map(({ kind }) => kind)
      .filter((kind) => kind !== 'payment')
      .sort();

  testPromise(
    'reports partial and full refunds and disputes by signed webhooks, in any order',
    async (provider, gift) => {
      const { listWebhooks, refund, dispute, closeDispute } = provider;
      if (!listWebhooks || !refund) return;
      const [refunded, won, lost] = [
        await pay(provider, gift()),
        await pay(provider, gift()),
        await pay(provider, gift()),
      ];
      await refund(refunded, 1_000);
      await refund(refunded);
      if (dispute && closeDispute) {
        for (const payment of [won, lost]) await dispute(payment);
        await closeDispute(won, 'won');
        await closeDispute(lost, 'lost');
      }
      const paymentEvents = await listPaymentEvents(provider);
      assert.deepEqual(kinds(paymentEvents), [
        ...(dispute ? ['dispute_lost', 'dispute_opened', 'dispute_opened', 'dispute_won'] : []),
        'refund',
        'refund',
      ]);
      const refunds = [...paymentEvents.values()].flatMap((paymentEvent) =>
        paymentEvent.kind === 'refund' && 'refunded' in paymentEvent ? [paymentEvent] : [],
      );
      assert.deepEqual(
        refunds.map(({ paymentId, amount, refunded: all }) => [paymentId, amount, all]).sort(),
        [
          [refunded.paymentId, 1_000, 5_181],
          [refunded.paymentId, 4_181, 5_181],
        ],
      );
      assert.deepEqual(
        withoutTimes(await listPaymentEvents(provider, 'reversed twice over')),
        withoutTimes(paymentEvents),
      );
    },
  );

  testPromise(
    'reports renewals, failed renewals, and canceled subscriptions',
    async (provider, gift) => {
      const { listWebhooks, renew, cancelSubscription, listCharges } = provider;
      if (!listWebhooks || !renew || !cancelSubscription) return;
      const one = gift({ frequency: 'monthly' });
      const first = await pay(provider, one);
      await renew(first);
      await renew(first);
      await cancelSubscription(first);
      const paymentEvents = await listPaymentEvents(provider);
      const renewals = [...paymentEvents.values()].filter(
        (paymentEvent) => paymentEvent.kind === 'renewal',
      );
      assert.deepEqual(
        renewals.map(({ subscriptionId, payment }) => [
          subscriptionId,
          payment.status,
          payment.total,
          payment.currency,
        ]),
        Array.from({ length: 2 }, () => [first.subscriptionId, 'succeeded', 5_181, 'USD']),
      );
      assert.ok(
        [...paymentEvents.values()].some(
          (paymentEvent) =>
            paymentEvent.kind === 'recurring' &&
            paymentEvent.status === 'canceled' &&
            paymentEvent.subscriptionId === first.subscriptionId,
        ),
      );
      assert.deepEqual(await listCharges(one.reference), [5_181, 5_181, 5_181]);
      assert.deepEqual(
        withoutTimes(await listPaymentEvents(provider, 'reversed twice over')),
        withoutTimes(paymentEvents),
      );
      const failing = await pay(provider, gift({ frequency: 'monthly' }), 'fails when renewed');
      assert.equal(failing.status, 'succeeded');
      await renew(failing);
      assert.ok(
        [...(await listPaymentEvents(provider)).values()].some(
          (paymentEvent) =>
            paymentEvent.kind === 'recurring' &&
            paymentEvent.status === 'retrying' &&
            paymentEvent.subscriptionId === failing.subscriptionId,
        ),
      );
    },
  );

  testPromise(
    'lists each payment of a period once, with its reference, fee, refunds, and disputes',
    async (provider, gift) => {
      const { gateway, refund, dispute } = provider;
      if (!gateway.iteratePayments || !gateway.listEvents) return;
      const startedAt = new Date(Date.now() - 60_000);
      const one = gift();
      const paid = await pay(provider, one);
      const declined = await pay(provider, gift(), 'declined');
      const disputed = await pay(provider, gift());
      const unconfirmed = await gateway.create(gift());
      const others = await Promise.all(
        Array.from({ length: 9 }, async () => pay(provider, gift())),
      );
      await refund?.(paid, 1_000);
      await dispute?.(disputed);
      const own = [paid, declined, disputed, unconfirmed, ...others].map(
        ({ paymentId }) => paymentId,
      );
      const isOwn = ({ paymentId }: ListedPayment): boolean => own.includes(paymentId);
      const listed = (
        await collect(gateway.iteratePayments(startedAt, new Date(Date.now() + 60_000)))
      ).filter(isOwn);
      const of = ({ paymentId }: Payment) =>
        listed.filter((payment) => payment.paymentId === paymentId);
      assert.deepEqual(
        listed.map(({ paymentId }) => paymentId).sort(),
        [paid, disputed, ...others].map(({ paymentId }) => paymentId).sort(),
      );
      assert.deepEqual(
        of(paid).map(({ reference, status, total, currency, cost, refunded }) => ({
          reference,
          status,
          total,
          currency,
          cost,
          refunded,
        })),
        [
          {
            reference: one.reference,
            status: 'succeeded',
            total: 5_181,
            currency: 'USD',
            cost: provider.expectedCost ?? { fee: '1.80', net: '50.01', currency: 'USD' },
            refunded: refund ? 1_000 : 0,
          },
        ],
      );
      assert.deepEqual(
        [of(declined), of(disputed)[0]?.dispute],
        [[], dispute ? 'open' : undefined],
      );
      assert.deepEqual(
        (await collect(gateway.iteratePayments(new Date(0), startedAt))).filter(isOwn),
        [],
      );
      const traced = await gateway.listEvents(paid.paymentId);
      assert.deepEqual(
        [traced.reference, traced.events.map(({ kind }) => kind)],
        [one.reference, ['payment', ...(refund ? ['refund'] : [])]],
      );
    },
  );

  testPromise(
    'lists a renewal with the reference of its donation and the same events as the webhooks',
    async (provider, gift) => {
      const { gateway, renew, listWebhooks } = provider;
      if (!gateway.iteratePayments || !gateway.listEvents || !renew || !listWebhooks) return;
      const one = gift({ frequency: 'monthly' });
      const first = await pay(provider, one);
      const before = new Date(Date.now() - 60_000);
      await renew(first);
      const listed = await collect(
        gateway.iteratePayments(before, new Date(Date.now() + 40 * 86_400_000)),
      );
      const renewal = listed.find(({ paymentId }) => paymentId !== first.paymentId);
      assert.deepEqual([listed.length, renewal?.total, renewal?.reference], [2, 5_181, undefined]);
      const { reference, events: paymentEvents } = await gateway.listEvents(renewal!.paymentId);
      assert.equal(reference, one.reference);
      const renewed = paymentEvents.find(({ kind }) => kind === 'renewal');
      assert.deepEqual(
        withoutTimes(new Map([['', renewed!]])),
        withoutTimes(
          new Map([
            [
              '',
              [...(await listPaymentEvents(provider)).values()].find(
                ({ kind }) => kind === 'renewal',
              )!,
            ],
          ]),
        ),
      );
      assert.equal((await gateway.listEvents(first.paymentId)).reference, one.reference);
    },
  );

  testPromise('rejects webhooks that are unsigned, expired, or altered', async (provider, gift) => {
    const { gateway, listWebhooks, signWebhook } = provider;
    if (!listWebhooks || !signWebhook) return;
    await pay(provider, gift());
    const [{ body, headers } = { body: '', headers: new Headers() }] = await listWebhooks();
    assert.ok(body);
    await gateway.verifyAndFetchEvents!(body, headers);
    await assert.rejects(gateway.verifyAndFetchEvents!(`${body} `, headers), InvalidSignatureError);
    await assert.rejects(gateway.verifyAndFetchEvents!(body, new Headers()), InvalidSignatureError);
    await gateway.verifyAndFetchEvents!(body, await signWebhook(body, new Date()));
    const old = await signWebhook(body, new Date('2023-11-14T22:13:20Z'));
    await assert.rejects(gateway.verifyAndFetchEvents!(body, old), InvalidSignatureError);
  });
}

/** Sorts events by ID, without times, which depend on the first delivery. */
function withoutTimes(paymentEvents: ReadonlyMap<string, PaymentEvent>): object[] {
  return [...paymentEvents]
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([, paymentEvent]) => ({ ...paymentEvent, at: undefined }));
}

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}
