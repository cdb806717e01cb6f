import { majorUnits } from '@donation-form/core/money';
import { readDetail } from '../donations/event-mapper.ts';
import { NEVER } from '../database/claims.ts';
import { projectAmounts } from '../donations/to-platform-gift.ts';
import { totalOf } from '../donations/total.ts';
import type { DonationHistory } from '../donations/review-repository.ts';
import type {
  EventRow,
  EventState,
  Donation,
  GiftState,
  ResolutionRow,
} from '../database/schema.ts';
import { reviewOptions, type ReviewOption } from '../donations/review-options.ts';
import { DECISIONS, errorInWords, kindInWords, reasonInWords } from './labels.ts';

/** A name and what it is. */
export type Fact = readonly [name: string, value: string];

/** What the platform is to know of a gift, and whether it does. Times are ISO 8601. */
export interface EventReport {
  readonly id: string;
  readonly what: string;
  readonly reference: string;
  readonly state: EventState;
  readonly at: string;
  /** Major units and currency, where it is about money. */
  readonly amount: string | null;
  readonly platformId: number | null;
  readonly attempts: number;
  readonly lastError: string | null;
  readonly nextTry: string | null;
}

export interface ResolutionReport {
  readonly at: string;
  readonly by: string;
  readonly decision: string;
  /** What it was about. */
  readonly about: string;
  readonly from: GiftState | EventState;
  readonly to: GiftState | EventState;
  readonly platformId: number | null;
  readonly note: string;
}

/**
 * Everything that is known of one gift, for the operator. Times are ISO 8601, amounts major units
 * with their currency.
 */
export interface GiftReport {
  readonly reference: string;
  readonly organization: string;
  readonly organizationName: string;
  readonly givenAt: string;
  readonly total: string;
  readonly donorName: string;
  readonly gift: readonly Fact[];
  readonly donor: readonly Fact[];
  readonly state: GiftState;
  readonly payment: readonly Fact[];
  readonly lastError: string | null;
  readonly nextTry: string | null;
  readonly platformId: number | null;
  readonly events: readonly EventReport[];
  readonly resolutions: readonly ResolutionReport[];
  /** What a person can say of it now. */
  readonly ways: readonly ReviewOption[];
}

/** @param now milliseconds since 1970. */
export function reportOf(
  { gift, events }: DonationHistory,
  resolutions: readonly ResolutionRow[],
  now: number,
): GiftReport {
  return {
    reference: gift.reference,
    organization: gift.organization,
    organizationName: gift.payload.organization,
    givenAt: iso(gift.created_at),
    total: sumOf(gift),
    donorName: donorNameOf(gift),
    gift: giftFacts(gift),
    donor: donorFacts(gift),
    state: gift.state,
    payment: paymentFacts(gift),
    lastError: errorInWords(gift.last_error),
    nextTry: nextTryOf(gift),
    platformId: gift.platform_gift_id,
    events: events.map((event) => eventReport(event, gift)),
    resolutions: resolutions.map((row) => resolutionReport(row, events)),
    ways: reviewOptions(gift, events, now),
  };
}

/** Who gave. */
export function donorNameOf(row: Donation): string {
  const { donor } = row.payload;
  return donor.organization ?? [donor.firstName, donor.lastName].filter(Boolean).join(' ');
}

/** Major units and currency. */
export function sumOf(row: Donation): string {
  const { total, currency, decimals } = totalOf(row);
  return `${majorUnits(total, decimals)} ${currency}`;
}

/**
 * The sum that an event is about; of a gift and a renewal what was charged.
 * @param gift the first one.
 */
export function eventSum(event: EventRow, gift: Donation): string | null {
  const { decimals, currency, total } = totalOf(gift);
  const { amount } = readDetail(event);
  const sum = amount ?? (event.kind === 'gift' ? total : undefined);
  return sum === undefined ? null : `${majorUnits(sum, decimals)} ${currency}`;
}

/** When the processor is asked about a payment again; never about one that nobody waits for. */
function nextTryOf({ state, next_run_at: dueAt }: Donation): string | null {
  return ['charging', 'action', 'pending'].includes(state) && dueAt < NEVER ? iso(dueAt) : null;
}

function giftFacts(row: Donation): Fact[] {
  const { gift, form, tracking = {}, decimals } = row.payload;
  const projects = projectAmounts(row);
  const { amount, costs, currency, frequency, comment, segment, anonymous, tribute } = gift;
  return known([
    ['Gift', `${majorUnits(amount, decimals)} ${currency}`],
    ['Costs covered', costs > 0 && `${majorUnits(costs, decimals)} ${currency}`],
    ['Charged in all', sumOf(row)],
    ['How often', frequency],
    [
      'For',
      projects
        .map(({ name, amount: part }) => (projects.length === 1 ? name : `${name} ${part}`))
        .join(', '),
    ],
    ['Comment', comment],
    [
      'In honour or memory',
      tribute &&
        `${tribute.kind}: ${[tribute.name, tribute.message, tribute.notifyEmail].filter(Boolean).join(' · ')}`,
    ],
    ['Anonymous', anonymous && 'yes'],
    ['Segment', segment],
    ...Object.entries(tracking),
    ['Form', `${form.id}, ${form.language}`],
    ['Page', form.page],
  ]);
}

function donorFacts(row: Donation): Fact[] {
  const { donor, customFields = [], consents = [] } = row.payload;
  const {
    organization,
    firstName,
    lastName,
    email,
    phone,
    address1,
    address2,
    postal,
    city,
    state,
    country,
  } = donor;
  return known([
    ['Organisation', organization],
    ['Name', [firstName, lastName].filter(Boolean).join(' ')],
    ['E-mail', email],
    ['Phone', phone],
    [
      'Address',
      [address1, address2, [postal, city].filter(Boolean).join(' '), state, country]
        .filter(Boolean)
        .join(', '),
    ],
    ...customFields.map(({ id, value }): Fact => [id, value]),
    ...consents.map(({ words, given }): Fact => [given ? 'Agreed to' : 'Did not agree to', words]),
    [
      'Deleted',
      row.redacted_at !== null && `${iso(row.redacted_at).slice(0, 10)} by ${row.redacted_by}`,
    ],
  ]);
}

const METHODS: Readonly<Record<number, string>> = { 0: 'card', 1: 'bank account', 4: 'wallet' };

function paymentFacts(row: Donation): Fact[] {
  const {
    payment: { provider },
  } = row.payload;
  const {
    payment_method: method,
    payment_id: id,
    subscription_id: subscription,
    subscription_status: recurring,
    decline_reason: reason,
    attempts,
  } = row;
  return known([
    ['Processor', provider],
    ['Paid by', method !== null && METHODS[method]],
    ['Payment', id],
    ['Recurring gift', subscription],
    ['It is', recurring],
    [
      row.state === 'declined' ? 'Declined' : 'The donor was told',
      reason &&
        (row.state === 'declined' ? reasonInWords(reason) : `declined: ${reasonInWords(reason)}`),
    ],
    ['Looked up', attempts > 0 && `${attempts} times`],
  ]);
}

function eventReport(event: EventRow, gift: Donation): EventReport {
  const {
    id,
    reference,
    state,
    attempts,
    created_at: createdAt,
    platform_gift_id: platformId,
    last_error: error,
    next_run_at: dueAt,
  } = event;
  return {
    id,
    what: kindInWords(event),
    reference,
    state,
    at: iso(readDetail(event).at ?? createdAt),
    amount: eventSum(event, gift),
    platformId,
    attempts,
    lastError: errorInWords(error),
    nextTry: state === 'waiting' ? iso(dueAt) : null,
  };
}

/** @param events of the gift; where what was decided on is not among them, its id is named. */
export function resolutionReport(
  {
    decision,
    decided_at: at,
    decided_by: by,
    event: id,
    from_state: from,
    to_state: to,
    platform_gift_id: platformId,
    note,
  }: ResolutionRow,
  events: readonly EventRow[],
): ResolutionReport {
  return {
    at: iso(at),
    by,
    decision: DECISIONS[decision],
    about: id === null ? 'the payment' : nameEvent(id, events),
    from,
    to,
    platformId,
    note,
  };
}

function nameEvent(id: string, events: readonly EventRow[]): string {
  const event = events.find((one) => one.id === id);
  return event ? `${kindInWords(event).toLowerCase()} ${event.reference}` : id;
}

function known(facts: readonly (readonly [string, string | false | null | undefined])[]): Fact[] {
  return facts.filter((fact): fact is Fact => typeof fact[1] === 'string' && fact[1] !== '');
}

function iso(time: number): string {
  return new Date(time).toISOString();
}
