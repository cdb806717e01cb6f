import type { Kysely } from 'kysely';
import { toMajorUnits } from '@donation-form/core/money';
import type { Tables } from '../database/schema.ts';
import { listDonationsOfSameDonors, loadDeclarations } from '../donations/gift-aid-declarations.ts';
import { loadReceivedPayments } from '../donations/received-payments.ts';
import { formatLocalDay, type Period } from '../lib/period.ts';
import {
  type CoveredPayment,
  findCoveredPayment,
  getClaimedAmount,
  mayBeClaimed,
} from './gift-aid-payments.ts';
import { iterateListPages } from './iterate-pages.ts';
import { loadDonations } from './ledger-entries.ts';

/**
 * Columns of HMRC's schedule. Source:
 * https://www.gov.uk/guidance/schedule-spreadsheet-to-claim-back-tax-on-gift-aid-donations
 */
export const CLAIM_COLUMNS = [
  'Title',
  'First name',
  'Last name',
  'House name or number',
  'Postcode',
  'Aggregated donations',
  'Sponsored event',
  'Donation date',
  'Amount',
] as const;
export type ClaimRow = Readonly<Record<(typeof CLAIM_COLUMNS)[number], string>>;

const MAX_NAME_LENGTH = 35;
const BATCH_SIZE = 200;

/** Changes in what can be claimed, compared with the claims for all earlier days. */
export interface GiftAidClaim {
  /** Sorted by date. */
  readonly rows: readonly ClaimRow[];
  /** Sum of the rows, such as `125.00`. */
  readonly total: string;
  /** Refunds and disputes of donations in earlier claims. Amounts are positive. */
  readonly adjustments: readonly { readonly reference: string; readonly amount: string }[];
  readonly adjustmentTotal: string;
}

interface Change {
  readonly payment: CoveredPayment;
  /** In pence. Negative if an earlier claim contains more. */
  readonly amount: number;
}

/** Non-overlapping periods contain each payment once. The period must be over. */
export async function createGiftAidClaim(
  db: Kysely<Tables>,
  organization: string,
  period: Period,
  timeZone: string,
): Promise<GiftAidClaim> {
  const changes: Change[] = [];
  const references = await listChangedDonations(db, organization, period);
  for (let first = 0; first < references.length; first += BATCH_SIZE)
    changes.push(...(await loadChanges(db, references.slice(first, first + BATCH_SIZE), period)));
  const claimed = changes
    .filter(({ amount }) => amount > 0)
    .sort((one, other) => one.payment.paidAt - other.payment.paidAt);
  const adjusted = changes.filter(({ amount }) => amount < 0);
  return {
    rows: claimed.map((change) => toClaimRow(change, timeZone)),
    total: formatSum(claimed),
    adjustments: adjusted.map(({ payment, amount }) => ({
      reference: payment.reference,
      amount: toMajorUnits(-amount, 2),
    })),
    adjustmentTotal: formatSum(adjusted),
  };
}

const formatSum = (changes: readonly Change[]): string =>
  toMajorUnits(Math.abs(changes.reduce((sum, { amount }) => sum + amount, 0)), 2);

async function loadChanges(
  db: Kysely<Tables>,
  references: readonly string[],
  { from, to }: Period,
): Promise<Change[]> {
  const donations = [...(await loadDonations(db, references)).values()].filter(mayBeClaimed);
  if (donations.length === 0) return [];
  const declarations = await loadDeclarations(db, donations);
  const payments = await loadReceivedPayments(db, donations);
  return payments
    .flatMap((payment) => findCoveredPayment(payment, declarations, to) ?? [])
    .map((payment) => ({
      payment,
      amount: getClaimedAmount(payment, to) - getClaimedAmount(payment, from),
    }));
}

/**
 * Lists the donations that the period's events, decisions, and declarations can affect. No index has
 * the time of creation, because it would slow down each donation: without it, SQLite takes 45 ms per
 * 100,000 entries, a few times a year.
 */
async function listChangedDonations(
  db: Kysely<Tables>,
  organization: string,
  period: Period,
): Promise<string[]> {
  const events = await db
    .selectFrom('outbox')
    .select(['reference', 'parentReference'])
    .where('organization', '=', organization)
    .where('kind', 'in', [
      'donation',
      'payment_settled',
      'renewal',
      'refund',
      'refund_failed',
      'dispute_opened',
      'dispute_won',
      'dispute_lost',
    ])
    .where('createdAt', '>=', period.from)
    .where('createdAt', '<', period.to)
    .execute();
  const decided = await db
    .selectFrom('reviewDecisions')
    .innerJoin('donations', 'donations.reference', 'reviewDecisions.reference')
    .select('donations.reference')
    .where('donations.organization', '=', organization)
    .where('reviewDecisions.toStatus', '=', 'succeeded')
    .where('reviewDecisions.decidedAt', '>=', period.from)
    .where('reviewDecisions.decidedAt', '<', period.to)
    .execute();
  const references = new Set([
    ...events.map(({ reference, parentReference }) => parentReference ?? reference),
    ...decided.map(({ reference }) => reference),
  ]);
  for await (const page of iterateListPages(db, 'donations', { organization, period })) {
    const declared = page.filter(({ payload }) => payload.giftAid?.scope === 'all');
    for (const { reference } of await listDonationsOfSameDonors(db, declared))
      references.add(reference);
  }
  return [...references].sort();
}

const shortenName = (name: string): string =>
  Array.from(name).slice(0, MAX_NAME_LENGTH).join('').trim();

function toClaimRow({ payment, amount }: Change, timeZone: string): ClaimRow {
  const { declaration, paidAt } = payment;
  const [year, month, day] = formatLocalDay(paidAt, timeZone).split('-');
  return {
    Title: '',
    'First name': shortenName(declaration.firstName),
    // HMRC asks for a space instead of the hyphen in a double-barreled name.
    'Last name': shortenName(declaration.lastName.replace(/\p{Pd}/gu, ' ')),
    'House name or number': declaration.house,
    Postcode: declaration.postcode,
    'Aggregated donations': '',
    'Sponsored event': '',
    'Donation date': `${day}/${month}/${year!.slice(2)}`,
    Amount: toMajorUnits(amount, 2),
  };
}
