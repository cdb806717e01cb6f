import type { AddressTexts } from './en-address.ts';
import type { FormTexts } from './en-form.ts';
import type { OptionalFieldTexts } from './en-optional-fields.ts';
import type { SubmissionTexts } from './en-submission.ts';

/**
 * All texts of one language. They come in sections so that the script contains only the English
 * texts that a form needs before it is shown.
 */
export interface Translation {
  readonly form: FormTexts;
  readonly submission: SubmissionTexts;
  readonly optionalFields: OptionalFieldTexts;
  readonly address: AddressTexts;
}
