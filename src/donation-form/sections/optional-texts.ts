import { enOptionalFields, type OptionalFieldTexts } from '@donation-form/core/i18n';
import type { View } from '../form/view-model.ts';

export function getOptionalTexts({ translation }: Pick<View, 'translation'>): OptionalFieldTexts {
  return translation?.optionalFields ?? enOptionalFields;
}
