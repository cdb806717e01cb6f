import type { Language } from '@donation-form/core/i18n';

/** What a receipt or statement says, before it becomes text, HTML, or a PDF. */
export interface ReceiptDocument {
  readonly language: Language;
  readonly direction: 'ltr' | 'rtl';
  /** Of the PDF; A4 by default. */
  readonly paper?: 'a4' | 'us-letter' | undefined;
  /** Such as `Donation receipt`. */
  readonly title: string;
  /** Such as `WEB-2026-000123`. A statement has none. */
  readonly number?: string | undefined;
  /** Such as `Issued on November 30, 2026`. */
  readonly issuedOn: string;
  readonly issuer: {
    readonly name: string;
    readonly addressLines: readonly string[];
    /** Such as `EIN: 12-3456789`. */
    readonly identifiers: readonly (readonly [label: string, value: string])[];
  };
  /** The donor, as entered. */
  readonly recipient: { readonly name: string; readonly addressLines: readonly string[] };
  /** Shown first and prominently, such as for a test, a void receipt, or a replacement. */
  readonly notices: readonly string[];
  /** Formatted values, such as the date and the amount. */
  readonly details: readonly (readonly [label: string, value: string])[];
  /** Donations of a statement. */
  readonly table?:
    | {
        readonly columns: readonly string[];
        readonly rows: readonly (readonly string[])[];
        /** One row of sums per currency. */
        readonly totals: readonly (readonly string[])[];
      }
    | undefined;
  /** Sentences that the country requires, and the organization's own paragraph. */
  readonly paragraphs: readonly string[];
  /** Can have several lines. */
  readonly signature: string;
}
