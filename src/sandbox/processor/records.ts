/** Payment frequencies. All except `once` create a subscription. */
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

/** Behavior of a test card or test account. */
export type Behavior =
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

/** A payment source: the stored details of a card or bank account. */
export interface Source {
  readonly method: Method;
  readonly lastFour: string;
  readonly behavior: Behavior;
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

/** Body of a request that creates a payment. */
export interface PaymentRequest {
  readonly reference: string;
  /** Minor units. */
  readonly amount: number;
  /** ISO 4217. */
  readonly currency: string;
  readonly frequency: Frequency;
  readonly email: string;
  readonly description: string;
  /** If true, the processor emails the donor a receipt when the payment succeeds. */
  readonly receipt: boolean;
  /** If true, the payment has a hosted page. */
  readonly hosted: boolean;
  readonly returnUrl: string | null;
}

export interface Payment extends PaymentRequest {
  readonly id: string;
  /** Unguessable part of the URLs of the payment's pages. */
  readonly secret: string;
  readonly state: 'open' | 'action' | 'pending' | 'succeeded' | 'declined' | 'canceled';
  readonly declineCode: string | null;
  readonly source: Source | null;
  readonly subscription: string | null;
  /** For a renewal, ID of the subscription's first payment. */
  readonly renewalOf: string | null;
  readonly refunds: readonly Refund[];
  readonly dispute: Dispute | null;
  /** Time of the scheduled settlement or dispute, ISO 8601. */
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
  /** Source that the next renewal is charged to. */
  readonly source: Source | null;
  /** Time of the first successful payment in ISO 8601, and start of the first period. */
  readonly startedAt: string | null;
  /** Number of successful or pending renewals. */
  readonly periods: number;
  /** Time of the next charge, ISO 8601. */
  readonly nextAt: string | null;
  /** Failed attempts of the current renewal. */
  readonly failures: number;
}

/** An email that the console shows; the sandbox sends none. */
export interface Email {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly link: string | null;
  /** ISO 8601. */
  readonly created: string;
}
