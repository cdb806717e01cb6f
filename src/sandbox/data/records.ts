import type { GiftStatus } from './enumerations.ts';

/**
 * A campaign with the platform's field names. Amounts are in major units, dates are `yyyy-mm-dd`.
 */
export interface Campaign {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly startDate: string;
  readonly endDate: string;
  readonly givingGoal: number;
  readonly avgGiftGoal: number;
}

/** A project in the bearer-key interface, a fund in the basic-key interface. */
export interface Fund {
  readonly id: number;
  readonly code: string;
  readonly name: string;
  readonly description: string;
  readonly isActive: boolean;
  /** ISO 8601. */
  readonly created: string;
}

export interface Activity {
  readonly id: number;
  /** Value of ActivityOrigin. */
  readonly origin: number;
  readonly displayText: string;
  /** ISO 8601. */
  readonly date: string;
}

export interface PostalAddress {
  readonly address1: string;
  readonly city: string;
  readonly state: string;
  readonly postal: string;
  readonly country: string;
}

/** A donor as stored; each interface maps it to its own fields. */
export interface Donor {
  readonly id: number;
  readonly firstName: string;
  readonly lastName: string;
  readonly organization: string;
  readonly email: string;
  readonly phone: string;
  readonly crmKey: string;
  readonly code: string;
  readonly isActive: boolean;
  readonly address?: PostalAddress | undefined;
  /** ISO 8601, as is `modified`. */
  readonly created: string;
  readonly modified: string;
}

export interface Allocation {
  readonly code: string;
  readonly name: string;
  /** Decimal string in major units. */
  readonly amount: string;
}

/** A gift as stored; each interface maps it to its own fields. */
export interface Gift {
  readonly id: number;
  readonly reference: string;
  readonly donorId: number;
  /** Decimal string in major units. */
  readonly total: string;
  /** ISO 4217. */
  readonly currency: string;
  /** Such as `once` or `monthly`. */
  readonly frequency: string;
  readonly status: GiftStatus;
  readonly method: 'card' | 'bank' | 'wallet' | 'check';
  readonly isTest: boolean;
  readonly isAnonymous: boolean;
  readonly isDeleted: boolean;
  readonly comment: string;
  readonly segment: string;
  readonly campaignId: number | null;
  readonly allocations: readonly Allocation[];
  /** Such as `In memory of João Souza`. */
  readonly tribute?: string;
  /** Reference of the first gift, if this gift is a renewal. */
  readonly parent?: string;
  /** Value of RecurringGiftStatus, if the gift recurs. */
  readonly recurringStatus?: number | undefined;
  /** Total refunded amount, a decimal string in major units. */
  readonly refunded?: string;
  /** IDs of the consents given by the donor. */
  readonly agreements?: readonly string[];
  readonly customFields: readonly { readonly id: string; readonly value: string }[];
  /** ISO 8601, as is `modified`. */
  readonly created: string;
  readonly modified: string;
}

/** A record before it is inserted and has an ID. */
export type NewRecord<Kind> = Omit<Kind, 'id'>;

export interface Webhook {
  readonly id: number;
  readonly url: string;
  readonly format: 1 | 2;
  readonly status: 1 | 2;
  readonly eventTypes: readonly number[];
}

export interface GiftReference {
  readonly id: number;
  readonly reference: string;
}
