import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FormDefinition } from '../../../src/core/schemas/form-definition.ts';
import type {
  PaymentGateway,
  PaymentRequest,
} from '../../../src/server/payments/payment-gateway.ts';
import { CARDS, type FakeStripe, startFakeStripe } from '../../fake-stripe.ts';
import type { TestServer } from '../support.ts';
import { startPayPalProvider } from './paypal-provider.ts';
import { formWithPayPal, startServerWithPayPal } from './paypal-server.ts';
import { chargePayment, createGateway } from './stripe-support.ts';
import { formWithPayments, startServerWithStripe } from './support.ts';
import { createPaymentRequest, RECURRING_FREQUENCIES } from './test-provider.ts';

type Frequency = (typeof RECURRING_FREQUENCIES)[number];

/** Date and amount of a charge. */
type Charge = readonly [date: string, amount: number];

const DAY = 86_400_000;

const PERIODS: Readonly<Record<Frequency, { readonly days?: number; readonly months?: number }>> = {
  weekly: { days: 7 },
  everyOtherWeek: { days: 14 },
  monthly: { months: 1 },
  quarterly: { months: 3 },
  biannual: { months: 6 },
  annually: { months: 12 },
};

const toDate = (time: number): string => new Date(time).toISOString().slice(0, 10);

/**
 * Calculates the dates of the charges in a period.
 * @param missingDay date of a charge that is due on a day that the month does not have. Stripe
 *   charges on the last day of the month. PayPal charges on the first of the next month, and then
 *   on the first of each month.
 */
function listDates(
  start: string,
  until: string,
  frequency: Frequency,
  missingDay: 'last day' | 'first of the next month',
): string[] {
  const { days, months = 0 } = PERIODS[frequency];
  const dates = [start];
  let [year, month, day] = start.split('-').map(Number) as [number, number, number];
  for (let last = start; last <= until; dates.push(last)) {
    if (days !== undefined) {
      last = toDate(Date.parse(last) + days * DAY);
      continue;
    }
    month += months;
    year += Math.floor((month - 1) / 12);
    month = ((month - 1) % 12) + 1;
    const length = new Date(Date.UTC(year, month, 0)).getUTCDate();
    if (day > length && missingDay === 'first of the next month') [month, day] = [month + 1, 1];
    const dayText = String(Math.min(day, length)).padStart(2, '0');
    last = `${year}-${String(month).padStart(2, '0')}-${dayText}`;
  }
  return dates.slice(0, -1);
}

interface Provider extends AsyncDisposable {
  readonly pay: (request: PaymentRequest) => Promise<unknown>;
  readonly runScheduledTasks: () => void;
  readonly listCharges: (reference: string) => Charge[];
}

type StartPayment = (
  stripe: FakeStripe,
  gateway: PaymentGateway,
  request: PaymentRequest,
) => Promise<unknown>;

const createStripeProvider =
  (pay: StartPayment) =>
  async (now: () => number): Promise<Provider> => {
    const stripe = await startFakeStripe({ now });
    const gateway = createGateway(stripe, ['card']);
    return {
      pay: (request) => pay(stripe, gateway, request),
      runScheduledTasks: stripe.runScheduledTasks,
      listCharges: (reference) =>
        stripe
          .listCharges(reference)
          .map(({ created, amount }) => [toDate(created * 1_000), amount]),
      [Symbol.asyncDispose]: () => stripe.close(),
    };
  };

/** Days that months lack. Periods in days, which do not depend on the start, run from the first one. */
const STARTS = ['2027-01-29', '2027-01-30', '2027-08-31', '2028-02-29'];

const PROVIDERS = {
  Stripe: {
    missingDay: 'last day',
    starts: STARTS,
    open: createStripeProvider((stripe, gateway, request) =>
      chargePayment(stripe, gateway, CARDS.good, { ...request, token: 'ctoken_pending' }),
    ),
  },
  'Stripe Checkout': {
    missingDay: 'last day',
    starts: ['2027-08-31'],
    open: createStripeProvider(async (stripe, gateway, request) => {
      const { paymentId } = await gateway.createPayment(request);
      return stripe.payCheckoutSession(paymentId, CARDS.good);
    }),
  },
  PayPal: {
    missingDay: 'first of the next month',
    starts: STARTS,
    open: async (now: () => number): Promise<Provider> => {
      const provider = await startPayPalProvider({ now: () => new Date(now()) });
      const { paypal } = provider.fixture;
      return {
        async pay(request) {
          const created = await provider.gateway.createPayment(request);
          paypal.approveSubscription(created.subscriptionId!);
          await provider.gateway.chargePayment(created, request);
        },
        runScheduledTasks: paypal.runDueTasks,
        listCharges: (reference) =>
          paypal
            .listCaptures(reference)
            .map(({ createTime, amount }) => [createTime.slice(0, 10), amount.units]),
        [Symbol.asyncDispose]: () => provider[Symbol.asyncDispose](),
      };
    },
  },
} as const;

for (const [name, { missingDay, starts, open }] of Object.entries(PROVIDERS)) {
  test(`${name} charges each frequency's amount on the right dates of three years`, async () => {
    for (const start of starts) {
      let time = Date.parse(`${start}T23:30:00Z`);
      await using provider = await open(() => time);
      const frequencies = RECURRING_FREQUENCIES.filter(
        (frequency) => PERIODS[frequency].months !== undefined || start === starts[0],
      );
      for (const [index, frequency] of frequencies.entries())
        await provider.pay(
          createPaymentRequest({ reference: frequency, frequency, total: 5_181 + index }),
        );
      time += 3 * 366 * DAY;
      provider.runScheduledTasks();
      for (const [index, frequency] of frequencies.entries())
        assert.deepEqual(
          provider.listCharges(frequency),
          listDates(start, toDate(time), frequency, missingDay).map((date) => [
            date,
            5_181 + index,
          ]),
          `${frequency} from ${start}`,
        );
    }
  });
}

/** Lists the dates and amounts of the renewals in the database. */
async function listRenewals({ database }: TestServer, reference: string): Promise<Charge[]> {
  const events = await database.db
    .selectFrom('outbox')
    .selectAll()
    .where('parentReference', '=', reference)
    .where('kind', '=', 'renewal')
    .execute();
  return events.map(({ happenedAt: at, payload }) => [toDate(at), payload.amount!]);
}

/** The platform's codes for frequencies. */
const CHARGES_PER_YEAR: Readonly<Record<Frequency, number>> = {
  weekly: 52,
  everyOtherWeek: 26,
  monthly: 12,
  quarterly: 4,
  biannual: 2,
  annually: 1,
};

const START = Date.parse('2023-08-31T12:00:00Z');
const frequencies: FormDefinition['frequencies'] = ['once', ...RECURRING_FREQUENCIES];
const FIRST_RENEWALS = {
  Stripe: ['2023-09-07', '2023-09-14', '2023-09-30', '2023-11-30', '2024-02-29', '2024-08-31'],
  PayPal: ['2023-09-07', '2023-09-14', '2023-10-01', '2023-12-01', '2024-03-01', '2024-08-31'],
} as const;

test('records the renewals of each frequency by Stripe with the dates and amounts that Stripe charged', async () => {
  let time = START;
  const now = (): number => time;
  await using stripe = await startFakeStripe({ now });
  const options = { now, hasBackgroundJobs: false, form: { ...formWithPayments, frequencies } };
  await using server = await startServerWithStripe(options, stripe);
  for (const [index, frequency] of RECURRING_FREQUENCIES.entries()) {
    time = START;
    const { reference, response } = await server.donate(CARDS.good, { frequency });
    assert.equal(response?.frequency, CHARGES_PER_YEAR[frequency]);
    const donation = await server.repository.findByReference(reference);
    stripe.changeSubscriptionAmount(donation!.subscriptionId!, 7_000 + index);
    const date = FIRST_RENEWALS.Stripe[index]!;
    time = Date.parse(`${date}T23:00:00Z`);
    stripe.runScheduledTasks();
    stripe.cancelSubscription(donation!.subscriptionId!);
    assert.ok((await server.deliverWebhooks()).every((status) => status < 300));
    assert.deepEqual(await listRenewals(server, reference), [[date, 7_000 + index]], frequency);
  }
});

test('records the renewals of each frequency by PayPal with the dates and amounts that PayPal charged', async () => {
  let time = START;
  const options = { hasBackgroundJobs: false, form: { ...formWithPayPal, frequencies } };
  await using server = await startServerWithPayPal(
    { ...options, now: () => time },
    { now: () => new Date(time) },
  );
  const { paypal } = server;
  for (const [index, frequency] of RECURRING_FREQUENCIES.entries()) {
    time = START;
    const { key, reference, subscriptionId } = await server.startApprovedSubscription(
      'balance',
      frequency,
    );
    assert.equal((await server.confirm(key)).status, 'succeeded');
    paypal.changeSubscriptionAmount(subscriptionId, 7_000 + index);
    const date = FIRST_RENEWALS.PayPal[index]!;
    time = Date.parse(`${date}T23:00:00Z`);
    paypal.runDueTasks();
    paypal.cancelSubscription(subscriptionId);
    assert.deepEqual(await server.deliverWebhooks(), new Set([204]));
    assert.deepEqual(await listRenewals(server, reference), [[date, 7_000 + index]], frequency);
  }
});
