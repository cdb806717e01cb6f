import { enForm } from '@donation-form/core/i18n';
import type { IgnoredValue } from '@donation-form/core/settings';

/**
 * Formats the name of a link parameter. For a list entry, adds its position, such as
 * `array-amounts, entry 3`.
 */
export function formatValueName({ name }: Pick<IgnoredValue, 'name'>): string {
  return name.replace(/\[(\d+)\]/, (_all, index: string) => `, entry ${Number(index) + 1}`);
}

export const FIELD_LABELS = {
  firstName: enForm.fields.firstName,
  lastName: enForm.fields.lastName,
  email: enForm.fields.email,
  comment: enForm.comment,
  segment: 'Segment',
  utmSource: 'Source',
  utmMedium: 'Medium',
  utmCampaign: 'Campaign',
} as const;
