import type { GiftAidScope } from '@donation-form/core/donation';
import type { Language } from '@donation-form/core/i18n';
import type { ReceiptConfiguration } from '@donation-form/core/schemas';
import type { ReceiptDocument } from '../receipt-document.ts';

/** What a template can mention. Amounts and dates are formatted. */
export interface ReceiptFacts {
  readonly language: Language;
  readonly issuer: ReceiptConfiguration['issuer'];
  /** Paid, less refunds. */
  readonly amount: string;
  /** The same amount in minor units. */
  readonly minorAmount: number;
  readonly currency: string;
  readonly formatMoney: (minor: number) => string;
  readonly isTest: boolean;
  /** Scope of the Gift Aid declaration that covers the donation, if any. */
  readonly giftAid: GiftAidScope | undefined;
  /** Day on which the money arrived. */
  readonly date: string;
}

/** What a country's receipt says in addition to number, donor, date, amount, and purpose. */
export interface ReceiptWording extends Pick<ReceiptDocument, 'title' | 'paragraphs'> {
  /** Further details, such as an eligible amount or an amount in words. */
  readonly details?: ReceiptDocument['details'] | undefined;
}

/** The words of a country. */
export interface ReceiptTemplate {
  /** Name and version, such as `us@1`. Receipts keep it, so changed words need a new version. */
  readonly version: string;
  /** Label of the issuer's `taxId`, such as `EIN`. */
  readonly taxIdLabel?: string;
  /** Default: A4. */
  readonly paper?: ReceiptDocument['paper'];
  /** Receipts for other languages are in English. */
  readonly languages: readonly Language[];
  readonly write: (facts: ReceiptFacts) => ReceiptWording;
}
