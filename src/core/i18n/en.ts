import { enAddress } from './en-address.ts';
import { enForm } from './en-form.ts';
import { enOptionalFields } from './en-optional-fields.ts';
import { enEntry, enSubmission } from './en-submission.ts';

export const en = {
  form: enForm,
  submission: { ...enEntry, ...enSubmission },
  optionalFields: enOptionalFields,
  address: enAddress,
};

/** All texts in one language. The embed script contains only the first section in English. */
export type Translation = Readonly<typeof en>;
