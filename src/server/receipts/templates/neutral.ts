import { fillPlaceholders, LANGUAGES } from '@donation-form/core/i18n';
import { RECEIPT_TEXTS } from '../receipt-texts.ts';
import type { ReceiptTemplate } from './receipt-template.ts';

/** Claims nothing about taxes. */
export const neutral: ReceiptTemplate = {
  version: 'neutral@1',
  languages: LANGUAGES,
  write: ({ language, issuer }) => {
    const { title, confirmation } = RECEIPT_TEXTS[language];
    return {
      title,
      paragraphs: [fillPlaceholders(confirmation, { organization: issuer.name })],
    };
  },
};
