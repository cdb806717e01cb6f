import type { AddressTexts } from './en-address.ts';
import type { FormTexts } from './en-form.ts';
import type { OptionalFieldTexts } from './en-optional-fields.ts';
import type { SubmissionTexts } from './en-submission.ts';

/** All texts in one language. The embed script contains only the first section in English. */
export interface Translation {
  readonly form: FormTexts;
  readonly submission: SubmissionTexts;
  readonly optionalFields: OptionalFieldTexts;
  readonly address: AddressTexts;
}
