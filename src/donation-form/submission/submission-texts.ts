import { enSubmission, type SubmissionTexts } from '@donation-form/core/i18n';
import type { FormStore } from '../form/form-store.ts';

export function getSubmissionTexts({ translation }: FormStore): SubmissionTexts {
  return translation?.submission ?? enSubmission;
}
