import { Temporal } from 'temporal-polyfill';
import type { Donation } from '../database/schema.ts';
import { type GiftAidDeclaration, isSamePerson } from '../donations/gift-aid-declarations.ts';
import { getAmountPaid, type ReceivedPayment } from '../donations/received-payments.ts';

export interface CoveredPayment extends ReceivedPayment {
  readonly declaration: GiftAidDeclaration;
}

/** Excludes tests, organizations, and other currencies. */
export function mayBeClaimed({ payload: { gift, donor, isTest } }: Donation): boolean {
  return gift.currency === 'GBP' && !isTest && donor.organization === undefined;
}

/** Finds the first declaration that covers the payment. */
export function findDeclaration(
  donation: Donation,
  payment: Pick<ReceivedPayment, 'isRenewal' | 'paidAt'>,
  declarations: readonly GiftAidDeclaration[],
): GiftAidDeclaration | undefined {
  return declarations
    .filter((candidate) => isCovered(donation, payment, candidate))
    .toSorted((one, other) => one.declaredAt - other.declaredAt)[0];
}

function isCovered(
  donation: Donation,
  { isRenewal, paidAt }: Pick<ReceivedPayment, 'isRenewal' | 'paidAt'>,
  declaration: GiftAidDeclaration,
): boolean {
  const { scope, declaredAt, cancellation } = declaration;
  if (cancellation && paidAt >= cancellation.canceledFrom) return false;
  const isOwn = declaration.reference === donation.reference;
  if (scope === 'single') return isOwn && !isRenewal;
  return isOwn || (isSamePerson(declaration, donation) && paidAt >= subtractFourYears(declaredAt));
}

function subtractFourYears(time: number): number {
  return Temporal.Instant.fromEpochMilliseconds(time)
    .toZonedDateTimeISO('Europe/London')
    .subtract({ years: 4 }).epochMilliseconds;
}

/** Returns the amount that claims until a time contain, in minor units. */
export function getClaimedAmount(payment: CoveredPayment, until: number): number {
  return payment.declaration.declaredAt < until ? getAmountPaid(payment, until) : 0;
}
