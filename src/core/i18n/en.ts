import { enAddress } from './en-address.ts';
import { enForm } from './en-form.ts';
import { enOptionalFields } from './en-optional-fields.ts';
import { enSubmission } from './en-submission.ts';
import type { Translation } from './translation.ts';

export const en: Translation = {
  form: enForm,
  submission: enSubmission,
  optionalFields: enOptionalFields,
  address: enAddress,
};
