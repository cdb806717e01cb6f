import { Temporal } from 'temporal-polyfill';
import type { Donation } from '../database/schema.ts';
import { type GiftAidDeclaration, isSamePerson } from '../donations/gift-aid-declarations.ts';
import { getAmountPaid, type ReceivedPayment } from '../donations/received-payments.ts';

export interface CoveredPayment extends ReceivedPayment {
  /** With the home to claim. */
  readonly declaration: GiftAidDeclaration;
  /** Time of the first declaration that covers the payment, in milliseconds since 1970. */
  readonly coveredSince: number;
}

/** Excludes tests, organizations, and other currencies. */
export function mayBeClaimed({ payload: { gift, donor, isTest } }: Donation): boolean {
  return gift.currency === 'GBP' && !isTest && donor.organization === undefined;
}

/** Lists the declarations that cover the payment, oldest first. */
export function listCoveringDeclarations(
  donation: Donation,
  payment: Pick<ReceivedPayment, 'isRenewal' | 'paidAt'>,
  declarations: readonly GiftAidDeclaration[],
): GiftAidDeclaration[] {
  return declarations
    .filter((candidate) => isCovered(donation, payment, candidate))
    .toSorted((one, other) => one.declaredAt - other.declaredAt);
}

/**
 * Adds the donation's own declaration, otherwise the newest one, because the donor may have moved.
 * Later declarations change no payment of an earlier claim.
 * @param until end of the claim's period.
 */
export function findCoveredPayment(
  payment: ReceivedPayment,
  declarations: readonly GiftAidDeclaration[],
  until: number,
): CoveredPayment | undefined {
  const covering = listCoveringDeclarations(payment.donation, payment, declarations).filter(
    ({ declaredAt }) => declaredAt < until,
  );
  const own = covering.find(({ reference }) => reference === payment.donation.reference);
  const declaration = own ?? covering.at(-1);
  return declaration && { ...payment, declaration, coveredSince: covering[0]!.declaredAt };
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
  return payment.coveredSince < until ? getAmountPaid(payment, until) : 0;
}
