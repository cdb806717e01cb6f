import { Temporal } from 'temporal-polyfill';
import type { AppliedDecision, Donation, OutboxEntry } from '../database/schema.ts';
import { type GiftAidDeclaration, isSamePerson } from '../donations/gift-aid-declarations.ts';
import { getDisputeStatus, sumRefunds } from '../donations/refunds-and-disputes.ts';

/** A payment of a donation or renewal. Times are in milliseconds since 1970. */
export interface GiftAidPayment {
  readonly reference: string;
  readonly isRenewal: boolean;
  readonly paidAt: number;
  /** Time at which the server learned of the payment. */
  readonly recordedAt: number;
  /** In minor units. */
  readonly total: number;
  /** Events of this payment only. */
  readonly events: readonly OutboxEntry[];
}

export interface CoveredPayment extends GiftAidPayment {
  readonly declaration: GiftAidDeclaration;
  /** From then on, the payment can be claimed: it is recorded, and the declaration exists. */
  readonly claimableAt: number;
}

/** Excludes tests, organizations, and other currencies. */
export function mayBeClaimed({ payload: { gift, donor, isTest } }: Donation): boolean {
  return gift.currency === 'GBP' && !isTest && donor.organization === undefined;
}

/**
 * Lists what the donor has paid.
 * @param events events of the donation and its renewals.
 * @param decisions decisions of the staff about the donation.
 */
export function listPayments(
  { reference, status, payload: { gift } }: Donation,
  events: readonly OutboxEntry[],
  decisions: readonly AppliedDecision[],
): GiftAidPayment[] {
  const payments: GiftAidPayment[] = events
    .filter(({ kind }) => kind === 'renewal')
    .map((renewal) => ({
      reference: renewal.reference,
      isRenewal: true,
      paidAt: renewal.happenedAt,
      recordedAt: renewal.createdAt,
      total: renewal.payload.amount ?? gift.total,
      events: events.filter((event) => event.reference === renewal.reference),
    }));
  if (status !== 'succeeded') return payments;
  const own = events.filter((event) => event.reference === reference);
  const entry =
    own.find(({ kind }) => kind === 'payment_settled') ??
    own.find(({ kind }) => kind === 'donation');
  if (!entry) return payments;
  // Without an event, the staff has marked a pledge as received.
  const decided = decisions.find(
    ({ event, toStatus }) => event === null && toStatus === 'succeeded',
  )?.decidedAt;
  const isPledge = entry.kind === 'donation' && decided !== undefined;
  return [
    {
      reference,
      isRenewal: false,
      paidAt: isPledge ? decided : entry.happenedAt,
      recordedAt: isPledge ? Math.max(decided, entry.createdAt) : entry.createdAt,
      total: gift.total,
      events: own,
    },
    ...payments,
  ];
}

/** Returns `undefined` if no declaration covers the payment. */
export function findCoverage(
  donation: Donation,
  payment: GiftAidPayment,
  declarations: readonly GiftAidDeclaration[],
): CoveredPayment | undefined {
  const declaration = findDeclaration(donation, payment, declarations);
  if (!declaration) return undefined;
  const claimableAt = Math.max(payment.recordedAt, declaration.declaredAt);
  return { ...payment, declaration, claimableAt };
}

/** Finds the first declaration that covers the payment. */
export function findDeclaration(
  donation: Donation,
  payment: Pick<GiftAidPayment, 'isRenewal' | 'paidAt'>,
  declarations: readonly GiftAidDeclaration[],
): GiftAidDeclaration | undefined {
  return declarations
    .filter((candidate) => isCovered(donation, payment, candidate))
    .toSorted((one, other) => one.declaredAt - other.declaredAt)[0];
}

function isCovered(
  donation: Donation,
  { isRenewal, paidAt }: Pick<GiftAidPayment, 'isRenewal' | 'paidAt'>,
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

/**
 * Returns the amount that claims until a time contain, in minor units: the payment less the refunds
 * that the server knew then.
 */
export function getClaimedAmount(
  { claimableAt, total, events }: CoveredPayment,
  until: number,
): number {
  if (claimableAt >= until) return 0;
  const known = events.filter(({ createdAt }) => createdAt < until);
  if (getDisputeStatus(known) === 'lost') return 0;
  return Math.max(total - sumRefunds({ events: known }), 0);
}
