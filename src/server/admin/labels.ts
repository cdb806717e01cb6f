import type {
  Decision,
  EventKind,
  EventRow,
  EventState,
  Donation,
  GiftState,
} from '../database/schema.ts';

/** What the states of a payment mean, for people. */
export const PAYMENT_STATES: Readonly<Record<GiftState, string>> = {
  charging:
    'It is being charged, or it is not known yet whether it was. The processor is asked by itself.',
  action:
    'The donor has to confirm it with the bank, or to pay on the processor’s page. What nobody finishes within an hour is ended.',
  pending: 'It was accepted or promised, and the money comes later.',
  charged: 'The money has moved.',
  declined: 'Nothing was charged.',
  held: 'What is known does not fit together, so a person decides.',
};

/** What the states of an event mean, for people. */
export const EVENT_STATES: Readonly<Record<EventState, string>> = {
  waiting: 'The platform is told by itself.',
  recorded: 'The platform knows.',
  held: 'The platform may know: look there, and say so.',
  'by-hand': 'Somebody has to enter it at the platform, and say so.',
};

const EVENT_KINDS: Readonly<Record<EventKind, string>> = {
  gift: 'Gift',
  settled: 'Money arrived',
  failed: 'Money did not arrive',
  refund: 'Refund',
  'refund-failed': 'Refund failed',
  'dispute-opened': 'Dispute opened',
  'dispute-won': 'Dispute won',
  'dispute-lost': 'Dispute lost',
  renewal: 'Renewal',
  'renewal-failed': 'Renewal failed',
  resumption: 'Renews again',
  suspension: 'Renews no more',
  cancellation: 'Recurring gift ended',
};

export function kindInWords({ kind }: Pick<EventRow, 'kind'>): string {
  return EVENT_KINDS[kind];
}

const REASONS: Readonly<Record<NonNullable<Donation['decline_reason']>, string>> = {
  'card-declined': 'the bank declined it',
  'not-confirmed': 'the donor did not confirm it',
  'not-charged': 'nothing was charged',
};

export function reasonInWords(reason: NonNullable<Donation['decline_reason']>): string {
  return REASONS[reason];
}

/** An error as people read it, without the name that programmers gave it. */
export function errorInWords(error: string | null): string | null {
  return error === null ? null : error.replace(/^\w*Error: /, '');
}

/** What a person decided, after "… by Ana". */
export const DECISIONS: Readonly<Record<Decision, string>> = {
  charged: 'Said to be paid',
  entered: 'Entered at the platform by hand',
  declined: 'Said to be not paid, or paid back',
  recorded: 'Said to be at the platform',
  'not-recorded': 'Said not to be at the platform',
  send: 'Sent to the platform',
};
