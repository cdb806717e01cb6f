import type { GiftStatus } from './enumerations.ts';

/**
 * A campaign with the platform's field names. Amounts are in major units, and dates are in the
 * format `yyyy-mm-dd`.
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

/** A project in the bearer-key interface, or a fund in the basic-key interface. */
export interface Fund {
  readonly id: number;
  readonly code: string;
  readonly name: string;
  readonly description: string;
  readonly isActive: boolean;
  /** ISO 8601. */
  readonly created: string;
}

/** A product in the basic-key interface. */
export interface Product {
  readonly id: number;
  readonly code: string;
  readonly name: string;
  /** In major units of the organization's currency. */
  readonly price: number;
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

/** A donor record, as stored. Each interface maps these fields to its own field names. */
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
  /** Creation time in ISO 8601. `modified` uses the same format. */
  readonly created: string;
  readonly modified: string;
}

export interface Allocation {
  readonly code: string;
  readonly name: string;
  /** Amount in major units, as a decimal string. */
  readonly amount: string;
}

/** A gift record, as stored. Each interface maps these fields to its own field names. */
export interface Gift {
  readonly id: number;
  readonly reference: string;
  readonly donorId: number;
  /** Total amount in major units, as a decimal string. */
  readonly total: string;
  /** ISO 4217. */
  readonly currency: string;
  /** Frequency, such as `once` or `monthly`. */
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
  /** Tribute, such as `In memory of João Souza`. */
  readonly tribute?: string;
  /** Reference of the first gift, if this gift is a renewal. */
  readonly parent?: string;
  /** A value of `RecurringGiftStatus`, if the gift recurs. */
  readonly recurringStatus?: number | undefined;
  /** Total amount refunded so far in major units, as a decimal string. */
  readonly refunded?: string;
  /** IDs of the consents that the donor gave. */
  readonly agreements?: readonly string[];
  readonly customFields: readonly { readonly id: string; readonly value: string }[];
  /** Creation time in ISO 8601. `modified` uses the same format. */
  readonly created: string;
  readonly modified: string;
}

/** A record without an ID. The database assigns the ID when it inserts the record. */
export type NewRecord<Kind> = Omit<Kind, 'id'>;

export interface Webhook {
  readonly id: number;
  readonly url: string;
  readonly format: 1 | 2;
  readonly status: 1 | 2;
  readonly eventTypes: readonly number[];
}
