/** How often a payment is taken; all but `once` make a subscription. */
export const FREQUENCIES = [
  'once',
  'weekly',
  'everyOtherWeek',
  'monthly',
  'quarterly',
  'biannual',
  'annually',
] as const;

export type Frequency = (typeof FREQUENCIES)[number];

export type Method = 'card' | 'bank';

/** What comes of a card or an account. */
export type Behaviour =
  | 'succeed'
  | 'decline'
  | 'insufficient-funds'
  | 'expired-card'
  | 'authenticate'
  | 'lose-reply'
  | 'dispute'
  | 'fail-renewals'
  | 'slow'
  | 'account-closed';

/** What pays: as much of a card or an account as is kept. */
export interface Source {
  readonly method: Method;
  readonly lastFour: string;
  readonly behaviour: Behaviour;
}

export interface Refund {
  readonly id: string;
  /** Minor units. */
  readonly amount: number;
  /** ISO 8601. */
  readonly created: string;
}

export interface Dispute {
  readonly id: string;
  readonly state: 'open' | 'won' | 'lost';
}

/** What a server says of a payment when it opens one. */
export interface PaymentTerms {
  readonly reference: string;
  /** Minor units. */
  readonly amount: number;
  /** ISO 4217. */
  readonly currency: string;
  readonly frequency: Frequency;
  readonly email: string;
  readonly description: string;
  /** Whether the processor is to write to the donor when money came. */
  readonly receipt: boolean;
  /** Whether the payment has a page of the processor. */
  readonly hosted: boolean;
  readonly returnUrl: string | null;
}

export interface Payment extends PaymentTerms {
  readonly id: string;
  /** The unguessable part of the addresses of its pages. */
  readonly secret: string;
  readonly state: 'open' | 'action' | 'pending' | 'succeeded' | 'declined' | 'canceled';
  readonly declineCode: string | null;
  readonly source: Source | null;
  readonly subscription: string | null;
  /** The id of the subscription's first payment, where this one is not it. */
  readonly renewalOf: string | null;
  readonly refunds: readonly Refund[];
  readonly dispute: Dispute | null;
  /** When the clock brings about its settlement or its dispute, ISO 8601. */
  readonly dueAt: string | null;
  /** ISO 8601. */
  readonly created: string;
}

export interface Subscription {
  readonly id: string;
  readonly state: 'inactive' | 'active' | 'retrying' | 'suspended' | 'cancelled';
  readonly frequency: Frequency;
  readonly reference: string;
  readonly email: string;
  /** What the next renewal is taken from. */
  readonly source: Source | null;
  /** When its first payment succeeded, ISO 8601: renewals are counted from there. */
  readonly startedAt: string | null;
  /** How many renewals were taken, or are on their way. */
  readonly periods: number;
  /** When it is charged next, ISO 8601. */
  readonly nextAt: string | null;
  /** Failures of the renewal that is being tried. */
  readonly failures: number;
}

/** A mail that nobody is sent. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly link: string | null;
  /** ISO 8601. */
  readonly created: string;
}
