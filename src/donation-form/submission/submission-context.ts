import { enSubmission, type SubmissionTexts } from '@donation-form/core/i18n';
import type { FormStore } from '../form/form-store.ts';
import type { DonationClient } from './donation-client.ts';
import type { SubmissionInput } from './submission-machine.ts';

/** What all parts of a form's submission use. */
export interface SubmissionContext {
  readonly form: FormStore;
  readonly client: DonationClient;
  readonly dispatch: (input: SubmissionInput) => void;
}

export function getSubmissionTexts({ translation }: FormStore): SubmissionTexts {
  return translation?.submission ?? enSubmission;
}
