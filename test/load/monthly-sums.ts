/** Adds up the money of monthly donors at Stripe, in the server's database, and on the platform. */
import type { Stripe } from 'stripe';
import type { StripeEmulator } from '../../src/sandbox/stripe/emulator.ts';
import {
  getDisputeStatus,
  getRefundedAmount,
} from '../../src/server/donations/refunds-and-disputes.ts';
import { iterateLedgerEntryPages } from '../../src/server/reporting/ledger-entries.ts';
import type { TestServer } from '../server/support.ts';
import { type MonthlyWorld, ORGANIZATION } from './monthly-world.ts';

/** A donor's payments in one system. Sums are in minor units. */
export interface DonorSums {
  readonly payments: number;
  readonly paid: number;
  readonly refunded: number;
  /** Payments with a dispute that is open or lost. */
  readonly disputed: number;
  /** Payments that the system has twice. */
  readonly duplicates: number;
  /** Status of the recurring donation, in our words. */
  readonly status: string | undefined;
}

/** A donor's sums, by the reference of the first donation. */
export type SumsByDonor = ReadonlyMap<string, DonorSums>;

interface Payment {
  readonly donor: string;
  /** Identifies the payment in the system. */
  readonly id: string;
  readonly paid: number;
  readonly refunded: number;
  readonly isDisputed: boolean;
}

interface ListedGift {
  readonly reference: string;
  readonly parent?: string;
  readonly total: string;
  readonly refunded?: string;
  readonly status: number;
  readonly recurringStatus?: number;
}

const PAGE_SIZE = 100;
const STRIPE_STATUSES: Readonly<Partial<Record<Stripe.Subscription.Status, string>>> = {
  active: 'active',
  past_due: 'retrying',
  canceled: 'canceled',
};
/** The platform's `RecurringGiftStatus`. */
const PLATFORM_STATUSES: Readonly<Record<number, string>> = {
  1: 'active',
  2: 'canceled',
  4: 'suspended',
  6: 'retrying',
};
/** The platform's `Disputed` and `Disputed (Lost)`. */
const DISPUTED: readonly number[] = [10, 11];

export function sumStripe(stripe: StripeEmulator): SumsByDonor {
  const { store } = stripe;
  const disputed = new Set(
    store
      .listObjects('dispute')
      .filter(({ status }) => status !== 'won')
      .map(({ charge }) => charge),
  );
  const statuses = new Map(
    store
      .listObjects('subscription')
      .map(({ metadata, status }) => [metadata.donation_form_reference!, STRIPE_STATUSES[status]]),
  );
  const payments = [...statuses.keys()].flatMap((donor) =>
    stripe.listCharges(donor).map((charge) => ({
      donor,
      // A recurring donation has one invoice in each calendar month.
      id: getInvoiceMonth(stripe, charge),
      paid: charge.amount,
      refunded: charge.amount_refunded,
      isDisputed: disputed.has(charge.id),
    })),
  );
  return sumByDonor(payments, statuses);
}

function getInvoiceMonth({ store }: StripeEmulator, { payment_intent }: Stripe.Charge): string {
  const [payment] = store.listObjectsByField(
    'invoice_payment',
    'payment.payment_intent',
    payment_intent as string,
  );
  const { created } = store.getObject('invoice', payment!.invoice as string);
  return new Date(created * 1_000).toISOString().slice(0, 7);
}

export async function sumDatabase({ database }: TestServer): Promise<SumsByDonor> {
  const payments: Payment[] = [];
  const statuses = new Map<string, string>();
  const period = { from: 0, to: Number.MAX_SAFE_INTEGER };
  for await (const page of iterateLedgerEntryPages(database.db, ORGANIZATION, period))
    for (const entry of page) {
      const { donation, renewal, paymentId, total, events } = entry;
      if (!renewal && donation.status !== 'succeeded') continue;
      statuses.set(donation.reference, donation.subscriptionStatus ?? 'active');
      payments.push({
        donor: donation.reference,
        id: paymentId!,
        paid: total,
        refunded: getRefundedAmount(events),
        isDisputed: ['open', 'lost'].includes(getDisputeStatus(events) ?? ''),
      });
    }
  return sumByDonor(payments, statuses);
}

export async function sumPlatform({ fetchFromPlatform }: MonthlyWorld): Promise<SumsByDonor> {
  const gifts: ListedGift[] = [];
  for (let pageSize = PAGE_SIZE; pageSize === PAGE_SIZE;) {
    const query = new URLSearchParams({
      from: new Date(0).toISOString(),
      to: new Date('9999-01-01').toISOString(),
      skip: String(gifts.length),
      take: String(PAGE_SIZE),
    });
    const { items } = (await fetchFromPlatform(`/sandbox/gifts?${query}`)) as {
      readonly items: readonly ListedGift[];
    };
    gifts.push(...items);
    pageSize = items.length;
  }
  return sumByDonor(
    gifts.map(({ reference, parent = reference, total, refunded = '0', status }) => ({
      donor: parent,
      id: reference,
      paid: toMinorUnits(total),
      refunded: toMinorUnits(refunded),
      isDisputed: DISPUTED.includes(status),
    })),
    new Map(
      gifts
        .filter(({ parent }) => parent === undefined)
        .map(({ reference, recurringStatus = 1 }) => [
          reference,
          PLATFORM_STATUSES[recurringStatus],
        ]),
    ),
  );
}

function toMinorUnits(amount: string): number {
  return Math.round(Number(amount) * 100);
}

function sumByDonor(
  payments: readonly Payment[],
  statuses: ReadonlyMap<string, string | undefined>,
): SumsByDonor {
  const byDonor = new Map<string, Payment[]>();
  for (const payment of payments)
    byDonor.set(payment.donor, [...(byDonor.get(payment.donor) ?? []), payment]);
  return new Map(
    [...byDonor].map(([donor, own]) => [
      donor,
      {
        payments: own.length,
        paid: sum(own.map(({ paid }) => paid)),
        refunded: sum(own.map(({ refunded }) => refunded)),
        disputed: sum(own.map(({ paid, isDisputed }) => (isDisputed ? paid : 0))),
        duplicates: own.length - new Set(own.map(({ id }) => id)).size,
        status: statuses.get(donor),
      },
    ]),
  );
}

export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
