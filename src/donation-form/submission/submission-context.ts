import { enEntry, type EntryTexts } from '@donation-form/core/i18n';
import type { FormStore } from '../form/form-store.ts';
import type { Notice } from '../form/view-model.ts';
import type { DonationClient } from './donation-client.ts';
import type { consumeHoneypotValue } from './honeypot.ts';
import type { SubmissionInput } from './submission-machine.ts';

/** What all parts of a form's submission use. */
export interface SubmissionContext {
  readonly form: FormStore;
  readonly client: DonationClient;
  readonly dispatch: (input: SubmissionInput) => void;
  /** @throws if the network fails. */
  readonly loadNextSteps: () => Promise<{
    readonly consumeHoneypotValue: typeof consumeHoneypotValue;
  }>;
}

export function hideNotices(form: FormStore, ...notices: readonly Notice[]): void {
  if (form.notice && notices.includes(form.notice)) void form.update({ notice: undefined });
}

export function getEntryTexts({ translation }: FormStore): EntryTexts {
  return translation?.submission ?? enEntry;
}
