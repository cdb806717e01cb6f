import { majorUnits } from '@donation-form/core/money';
import { GiftStatus } from '@donation-form/platform-clients/fundraising';
import type { ListedPayment } from '../payments/payment-gateway.ts';
import { refundedOf, stateOf, statusOf, type Entry } from './ledger-entries.ts';
import { localTime } from '../lib/period.ts';
import type { BookRow } from './report.ts';

const STATUS_NAMES = new Map(Object.entries(GiftStatus).map(([name, value]) => [value, name]));

/** What a status is called. */
export function nameOf(status: GiftStatus): string {
  return STATUS_NAMES.get(status) ?? String(status);
}

/** What is known of an entry in one word. */
function statusWord(entry: Entry): string {
  const status = statusOf(entry);
  return status === undefined ? stateOf(entry) : nameOf(status);
}

/**
 * Whether an entry belongs into the books: money came, or is promised, or it is open whether it
 * came.
 */
export function isInBooks(entry: Entry): boolean {
  const state = stateOf(entry);
  return (
    state === 'charged' ||
    state === 'pending' ||
    state === 'held' ||
    (state === 'declined' && entry.events.length > 0)
  );
}

/** @param payment as the processor lists it, where it does. */
export function bookRow(entry: Entry, timeZone: string, payment?: ListedPayment): BookRow {
  const { reference, first, renewal, at, total, currency, decimals, provider, paymentId, events } =
    entry;
  const { gift, projects } = first.payload;
  const isWhole = total === gift.total;
  const inMajor = (minor: number): string => majorUnits(minor, decimals);
  const recorded =
    events.find(({ kind }) => kind === 'gift' || kind === 'renewal')?.platform_gift_id ??
    (renewal ? null : first.platform_gift_id);
  return {
    reference,
    first_gift: renewal ? first.reference : '',
    given_utc: new Date(at).toISOString(),
    given_local: localTime(at, timeZone),
    time_zone: timeZone,
    status: statusWord(entry),
    frequency: gift.frequency,
    gift: inMajor(isWhole ? gift.amount : total),
    covered_costs: inMajor(isWhole ? gift.costs : 0),
    total: inMajor(total),
    currency,
    fee: payment?.cost?.fee ?? '',
    net: payment?.cost?.net ?? '',
    paid_out_currency: payment?.cost?.currency ?? '',
    refunded: inMajor(refundedOf(entry)),
    provider,
    payment_id: paymentId ?? '',
    platform_gift_id: recorded === null ? '' : String(recorded),
    projects: isWhole
      ? gift.projects
          .map((part, index) => `${projects[index]?.code ?? part.id} ${inMajor(part.amount)}`)
          .join('; ')
      : '',
    segment: gift.segment ?? '',
  };
}
