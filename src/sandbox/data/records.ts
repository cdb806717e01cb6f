import type { GiftStatus } from './enumerations.ts';

/** A campaign, in the platform's field names. Amounts in major units, dates as `yyyy-mm-dd`. */
export interface Campaign {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly startDate: string;
  readonly endDate: string;
  readonly givingGoal: number;
  readonly avgGiftGoal: number;
}

/** A project of the bearer-key interface, which the basic-key interface calls a fund. */
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
  /** A value of ActivityOrigin. */
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

/** A donor, as the sandbox keeps one; each interface has its own view of it. */
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
  /** Major units, a decimal string. */
  readonly amount: string;
}

/** A gift, as the sandbox keeps one; each interface has its own view of it. */
export interface Gift {
  readonly id: number;
  readonly reference: string;
  readonly donorId: number;
  /** Major units, a decimal string. */
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
  /** Of a renewal: the reference of the first gift. */
  readonly parent?: string;
  /** A value of RecurringGiftStatus, of a gift that renews. */
  readonly recurringStatus?: number | undefined;
  /** Major units, a decimal string: all that was paid back. */
  readonly refunded?: string;
  /** The ids of what the donor agreed to. */
  readonly agreements?: readonly string[];
  readonly customFields: readonly { readonly id: string; readonly value: string }[];
  /** ISO 8601, as is `modified`. */
  readonly created: string;
  readonly modified: string;
}

/** What is known of a gift, or of a donor, before the sandbox numbers it. */
export type Unnumbered<Kind> = Omit<Kind, 'id'>;

export interface Webhook {
  readonly id: number;
  readonly url: string;
  readonly format: 1 | 2;
  readonly status: 1 | 2;
  readonly eventTypes: readonly number[];
}

export interface PlatformGift {
  readonly id: number;
  readonly reference: string;
}
