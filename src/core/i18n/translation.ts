import type { AddressTexts } from './en-address.ts';
import type { FormTexts } from './en-form.ts';
import type { OptionalFieldTexts } from './en-optional-fields.ts';
import type { SubmissionTexts } from './en-submission.ts';

/**
 * All texts in one language, in sections. To keep the embed script small, it contains only the
 * English texts that a form shows first.
 */
export interface Translation {
  readonly form: FormTexts;
  readonly submission: SubmissionTexts;
  readonly optionalFields: OptionalFieldTexts;
  readonly address: AddressTexts;
}
